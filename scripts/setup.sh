#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# setup.sh [demo|test|proofs|release]: installs the Debian packages that `make demo`, or that the tests and all else (the
# default), or that `make proofs` or `make release` alone needs; docs/reference/dependencies.md says what each is for.
# Where all are there it only asks dpkg and is done. setup.sh --list [demo|test|proofs|release] only prints their names.
set -euo pipefail

# Builds gossipfab, and simulates what it generates. Yosys and place and route for the demo come from PyPI where they are
# missing (setup-boards.sh demo): Debian's Yosys alone brings 170 packages.
demo=(
    gcc g++ make cmake ninja-build pkg-config python3 python3-venv
    libpopt-dev libjansson-dev libexpat1-dev libcadical-dev liblemon-dev libgtest-dev
    verilator
)
tests=(
    iverilog yosys nextpnr-ice40 fpga-icestorm
    python3-protobuf python3-networkx python3-igraph python3-markdown-it clang-format
    libopenmpi-dev openmpi-bin
    clang-14 libclang-rt-14-dev gcovr ccache
    groff-base zsh fish
    libsystemc-dev
    berkeley-abc
    chromium chromium-driver python3-selenium
)
proofs=(make coq ocaml-nox)
# Beside the demo's: git has the sources, the others build packages of them.
release=(git build-essential debhelper dh-python python3-all python3-cffi python3-numpy libopenmpi-dev openmpi-bin)

list=
if [ "${1:-}" = --list ]; then
    list=yes
    shift
fi
case ${1:-test} in
demo) packages=("${demo[@]}") ;;
test) packages=("${demo[@]}" "${tests[@]}") ;;
proofs) packages=("${proofs[@]}") ;;
release) packages=("${demo[@]}" "${release[@]}") ;;
*)
    echo "setup: no list '$1'; give demo, test, proofs or release" >&2
    exit 2
    ;;
esac
if [ "$list" ]; then
    printf '%s\n' "${packages[@]}"
    exit
fi

if ! command -v dpkg-query > /dev/null || ! command -v apt-get > /dev/null; then
    echo "setup: no apt here; these Debian packages, or their like, are needed: ${packages[*]}" >&2
    exit 0
fi

# dpkg-query fails where it knows nothing of some package; what it prints is still right.
installed=$(dpkg-query -W -f '${db:Status-Status} ${Package}\n' "${packages[@]}" 2> /dev/null || true)
missing=()
for package in "${packages[@]}"; do
    grep -qxF "installed $package" <<< "$installed" || missing+=("$package")
done
[ ${#missing[@]} -gt 0 ] || exit 0

as_root=()
if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo > /dev/null; then
        echo "setup: run as root, or install sudo; missing packages: ${missing[*]}" >&2
        exit 1
    fi
    as_root=(sudo)
fi

# Another apt may hold a lock, and mirrors have bad moments: a few tries with a rest between them.
apt_get() {
    local try
    for try in 1 2 3 4 5 6; do
        "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=120 "$@" < /dev/null &&
            return
        echo "setup: apt-get $1 failed, try $try of 6" >&2
        [ "$try" -eq 6 ] || sleep 15
    done
    return 1
}

echo "setup: installing ${missing[*]}" >&2
apt_get update
# Without a copy of what was downloaded, 115 MB for the demo on a bare system.
apt_get install -y --no-install-recommends -o APT::Keep-Downloaded-Packages=false "${missing[@]}"
