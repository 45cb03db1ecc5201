#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""gossipfab, with the proved checker behind each `verify`.

behind.py GOSSIPFAB PROVED SOURCE ARGUMENT..: runs GOSSIPFAB with the arguments. What `verify FILE` says of a schedule,
and that what `schedule -o FILE` wrote is valid, PROVED has to say, too: where it does not, a line on standard error and
exit status 99. Schedules of more than a few megabytes are left out, as is all else that gossipfab reads and writes, and
everything where formal/schedules/prove.sh has not built PROVED. What needs no second opinion is GOSSIPFAB itself; a
signal to the others is one to it."""
import os
import pathlib
import re
import signal
import subprocess
import sys

import agree_test

# By version: schedules packet by packet, those kept as one tree, those that repeat.
MOST_BYTES = {1: 4000000, 2: 4000000, 3: 10000, 4: 100000}
SECONDS = 120


def asked(arguments, status):
    """The file of which gossipfab has said something, and that, as a status; or none."""
    if arguments[0] == "verify":
        files = [a for a in arguments[1:] if a != "--json"]
        return (files[0], status) if len(files) == 1 and not files[0].startswith("-") and status in (0, 1, 2) else None
    if arguments[0] == "schedule" and status == 0 and "-o" in arguments[:-1]:
        return arguments[arguments.index("-o") + 1], 0
    return None


def differs(proved, source, name, status):
    path = pathlib.Path(name)
    if not path.is_file():
        return False
    with path.open("rb") as file:
        head = re.fullmatch(rb"gossipfab-schedule (\d)\n", file.readline(100))
    if not head or path.stat().st_size > MOST_BYTES.get(int(head[1]), 0):
        return False
    try:
        lines, same = agree_test.compare(proved, [(agree_test.read(source, path), status)], SECONDS)
    except subprocess.TimeoutExpired:
        return False
    if not same:
        print(f"{name}: the proved checker disagrees: {lines[:1000]}", file=sys.stderr)
    return not same


def run(command):
    """Its exit status; it gets our signals, and we end as it ends by one."""
    with subprocess.Popen(command) as child:
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            if signal.getsignal(number) != signal.SIG_IGN:
                signal.signal(number, lambda number, _: child.send_signal(number))
        status = child.wait()
    if status < 0:
        signal.signal(-status, signal.SIG_DFL)
        os.kill(os.getpid(), -status)
    return status


def main():
    gossipfab, proved, source, *arguments = sys.argv[1:]
    if not arguments or not pathlib.Path(proved).exists() or not asked(arguments, 0):
        os.execv(gossipfab, [gossipfab, *arguments])
    status = run([gossipfab, *arguments])
    about = asked(arguments, status)
    if about and differs(proved, source, *about):
        status = 99
    sys.exit(status)


if __name__ == "__main__":
    main()
