# SPDX-License-Identifier: MIT
"""Commands that are run, so that a signal ends them, too."""
import os
import shlex
import signal
import subprocess
import sys


class Fault(Exception):
    """The campaign cannot go on: one line that says why."""


LIVE = set()


def stop(number, _frame):
    for child in list(LIVE):
        child.kill()
    print(f"\nmutate: stopped by {signal.Signals(number).name}", file=sys.stderr, flush=True)
    os._exit(128 + number)


def stop_on_signals():
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, stop)


def run(words, folder, seconds=None, **environment):
    """(exit status, what it printed); the status is None where it takes longer than that."""
    with subprocess.Popen([str(word) for word in words], cwd=folder, env=dict(os.environ, **environment), text=True,
                          errors="replace", stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT) as child:
        LIVE.add(child)
        try:
            said = child.communicate(timeout=seconds)[0]
        except subprocess.TimeoutExpired:
            child.kill()
            return None, ""
        finally:
            LIVE.discard(child)
    return child.returncode, said


def must(words, folder):
    """What a command prints, which must succeed."""
    status, said = run(words, folder)
    if status != 0:
        raise Fault(f"{folder.name}: {shlex.join(map(str, words))[:200]}: exit status {status}: {said.strip()[-500:]}")
    return said
