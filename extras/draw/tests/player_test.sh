#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# player_test.sh GOSSIPFAB FOLDER: the player in a headless Chromium, by Selenium (player_test.py). Exit status 77 where
# one of these is missing.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)

# Debian's Selenium is seen by Debian's Python alone.
for python in python3 /usr/bin/python3; do
    if "$python" -c 'import selenium' 2> /dev/null; then
        for tool in chromium chromedriver; do
            command -v "$tool" > /dev/null || { echo "skipped: no $tool" && exit 77; }
        done
        rm -rf "$2" && mkdir -p "$2"
        exec "$python" "$here/player_test.py" "$1" "$2"
    fi
done
echo "skipped: no python3-selenium"
exit 77
