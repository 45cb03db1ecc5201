#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The documentation as a site in $BUILD/site (docs/site/site.py), by the MkDocs of docs/site/requirements.txt, which it
# installs into $BUILD/site-tools. Exit status 77 where it cannot.
set -euo pipefail
cd "$(dirname "$0")/../.."

build=${BUILD:-build}
tools=$build/site-tools
. tests/venv.sh
venv site docs/site/requirements.txt "$tools"
docs/site/site.py "$tools/bin/mkdocs" "${1:-$build/site}" "$build/bin/gossipfab"
