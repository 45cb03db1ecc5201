#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# browser_test.sh SOURCE_DIR BUILD_DIR: the site in a headless Chromium, by Selenium (browser_test.py), every page, and
# players. Screenshots are in BUILD_DIR/site-shots. Exit status 77 where one of these is missing.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
export BUILD=$2

# Debian's Selenium is seen by Debian's Python alone.
for python in python3 /usr/bin/python3; do
    if "$python" -c 'import selenium' 2> /dev/null; then
        for tool in chromium chromedriver; do
            command -v "$tool" > /dev/null || { echo "skipped: no $tool" && exit 77; }
        done
        "$1/docs/site/site.sh" "$BUILD/site-looked-at"
        # Players of large graphs beside it.
        "$BUILD/bin/gossipfab" show mesh:16x16 --html "$BUILD/site-looked-at/player-16x16.html" > /dev/null
        "$BUILD/bin/gossipfab" show hypercube:8 --html "$BUILD/site-looked-at/player-hypercube.html" > /dev/null
        exec "$python" "$here/browser_test.py" "$BUILD/site-looked-at" "$BUILD/site-shots"
    fi
done
echo "skipped: no python3-selenium"
exit 77
