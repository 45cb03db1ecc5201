#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# bare_test.sh RELEASE WORK: what is in the folder RELEASE works on systems with nothing but Debian's least and a Python
# that can make environments. In roots of Debian 12 and 13, without a compiler: the wheel, a schedule, a simulation, the
# module; then the wheel's extra `fpga`, and the demo ends in a bitstream. Each is timed after its download, and takes
# less than a minute.
set -euo pipefail

[ -d "$1" ] || { echo "bare: skipped, there is no release in $1" >&2; exit 77; }
release=$(cd "$1" && pwd)
work=$2
here=$(cd "$(dirname "$0")" && pwd)
[ "$(id -u)" = 0 ] || { echo 'bare: skipped, only root can enter another root' >&2; exit 77; }
command -v debootstrap > /dev/null || { echo 'bare: skipped, debootstrap is missing' >&2; exit 77; }
wheel=$(basename "$release"/gossipfab-*.whl)
mkdir -p "$work"
work=$(cd "$work" && pwd)
trap 'for root in "$work"/*/; do ! mountpoint -q "$root/proc" || umount "$root/proc"; done' EXIT

for suite in bookworm trixie; do
    root=$work/$suite
    if [ ! -e "$root/made" ]; then
        rm -rf "$root"
        debootstrap --variant=minbase --include=python3-venv "$suite" "$root" > "$work/$suite.log" 2>&1 ||
            { tail -3 "$work/$suite.log"; echo "bare: skipped, no Debian $suite is to be had" >&2; exit 77; }
        touch "$root/made"
    fi
    rm -rf "$root/tried"
    mkdir "$root/tried"
    cp "$release/$wheel" "$here/bare_steps.sh" "$root/tried"
    # As the machine around it finds the registry.
    cp /etc/resolv.conf "$root/etc/resolv.conf"
    cp -L "${PIP_CERT:-/etc/ssl/certs/ca-certificates.crt}" "$root/tried/certificates.crt"
    mount -t proc proc "$root/proc"
    echo "== Debian $(cat "$root/etc/debian_version")"
    status=0
    env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/tried PIP_CERT=/tried/certificates.crt PIP_DEFAULT_TIMEOUT=180 \
        LIMIT="${LIMIT:-60}" chroot "$root" bash /tried/bare_steps.sh "$wheel" || status=$?
    umount "$root/proc"
    [ "$status" = 0 ] || exit "$status"
done
