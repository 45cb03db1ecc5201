#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The documentation as a site in $BUILD/site (scripts/site.py), by the MkDocs of docs/site/requirements.txt, which it
# installs into $BUILD/site-tools. Exit status 77 where it cannot.
set -euo pipefail
cd "$(dirname "$0")/.."

build=${BUILD:-build}
tools=$build/site-tools
wanted=docs/site/requirements.txt
if ! cmp -s "$wanted" "$tools/requirements.txt"; then
    rm -rf -- "$tools"
    python3 -m venv "$tools"
    if ! "$tools/bin/pip" install --quiet --disable-pip-version-check --require-hashes -r "$wanted" < /dev/null; then
        echo 'site: skipped, pip does not bring MkDocs' >&2
        exit 77
    fi
    cp "$wanted" "$tools/requirements.txt"
fi
scripts/site.py "$tools/bin/mkdocs" "${1:-$build/site}" "$build/bin/gossipfab"
