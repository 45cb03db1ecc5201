# SPDX-License-Identifier: MIT
"""Commands that wait for what gives no answer, of stop_test.py: every file that a command reads or writes is a pipe once.

A case runs in a folder of its own. In its line
  -      is standard input, of which the head of a file comes, and then nothing; as an output it is a full pipe
  NEVER  is a FIFO that nobody else opens, so that the open waits
  HEAD   is a FIFO of which a head comes, and then nothing
  FULL   is a FIFO that is full
  BOARD  is a serial port, behind which is a board that answers some kinds of requests, or that takes no bytes
The command must stop at the first signal, with the exit status of what is stopped, and one line."""
import binascii
import concurrent.futures
import errno
import os
import pty
import signal
import subprocess
import tempfile
import termios
import threading
import time
import tty

LIMIT = 2.0  # seconds after the signal, of which the program lets half a one pass
IDLE = 0.15  # a process waits that has taken no processor time for so long
AT_ONCE = 4  # commands, as they take no processor time
SIGNALS = (signal.SIGINT, signal.SIGTERM)
QUERY, GREET = 0, 1  # kinds of requests


class Board:
    """One of 4 nodes and 8-bit tokens, behind a port."""

    def __init__(self, answers):
        """answers: the kinds of requests that are answered; None where not even bytes are taken."""
        self.answers = answers or ()
        self.control, self.port = pty.openpty()
        tty.setraw(self.port)
        self.name = os.ttyname(self.port)
        if answers is None:
            termios.tcflow(self.port, termios.TCOOFF)
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        text = b""
        while True:
            try:
                text += os.read(self.control, 4096)
            except OSError:
                return
            *frames, text = text.split(b"\x7e")
            for frame in frames:
                first, *others = frame.split(b"\x7d")
                body = first + b"".join(bytes([part[0] ^ 0x20]) + part[1:] for part in others if part)
                if len(body) > 5 and body[-6] & 7 in self.answers:
                    self.answer(body[-5], body[-6] & 7)

    def answer(self, number, kind):
        body = bytes([number, 0])
        if kind == QUERY:  # version, programs; nodes, token, span, loads, reads; identity, runs, cycles
            body += bytes([1, 0, 4, 0, 8, 0, 8, 0, 1, 0, 4, 0, 1, 0, 0, 0, 0, 9])
        body += binascii.crc32(body).to_bytes(4, "little")
        for special in (0x7d, 0x7e):
            body = body.replace(bytes([special]), bytes([0x7d, special ^ 0x20]))
        os.write(self.control, b"\x7e" + body + b"\x7e")

    def close(self):
        os.close(self.port)
        os.close(self.control)


class Case:
    """made: what commands make before. head: the file of which the first half comes, or the bytes that come.
    instead: the file that a FIFO takes the place of. board: see Board."""

    def __init__(self, line, made=(), head=None, instead=None, board=()):
        self.line, self.made, self.head, self.instead, self.board = line, made, head, instead, board


def reads(line, head, made=()):
    return [Case(line.replace("FILE", word), made, head) for word in ("-", "NEVER", "HEAD")]


def writes(line, made=()):
    return [Case(line.replace("FILE", word), made) for word in ("NEVER", "FULL")]


GFS = ("schedule -t mesh:3x3 -o s.gfs",)
SEARCH = "-t debruijn:3 --link-mode full --port-mode one --packet-tokens 8 -s anneal --rounds 4 --items 1..2"
RECORDS = (f"search {SEARCH} --checkpoint c.search",)
QUESTION = "prove -t path:4 --port-mode one --rounds 3"
PROOF = (f"{QUESTION} -o p",)
TELEPHONE = "-t debruijn:3 --link-mode full --port-mode one --packet-tokens 8"
ADVISE = "advise -t torus:8 --sweep startup"
FOLDER = ("generate -t mesh:2x2 --board hx8k --host uart --token-bits 8 -o f",)
LOADS = b"0 0 1\n1 1 2\n"

CASES = (
    reads("bound -t file:FILE", b"graph {\n a -- b\n")
    + reads("verify FILE", "s.gfs", GFS)
    + reads("board load FILE --port BOARD", LOADS)
    + [
        Case("merge NEVER"),
        Case(f"{ADVISE} --svg a.svg --measured HEAD", head=b"x,solver,mode,time\n"),
        Case(f"{QUESTION} --check p", PROOF, instead="p/cubes"),
        Case("board run --port BOARD"),
        Case("board run --port BOARD", board=None),
        Case("board run --port BOARD --folder f", FOLDER, instead="f/manifest.json", board=(QUERY, GREET)),
    ]
    + writes("schedule -t complete:9 -o FILE")
    + [Case("schedule -t complete:9 -o -")]
)
LARGE = (
    CASES
    + [case for verb in ("simulate", "show", "generate -o f") for case in reads(f"{verb} --schedule FILE", "s.gfs", GFS)]
    + reads("replan FILE +drop-link=0-1 -o f", "s.gfs", GFS)
    + reads("reroute FILE +drop-link=0-1 -o f", "s.gfs", GFS)
    + reads("convert FILE -o t.gfs", "s.gfs", GFS)
    + [case for form in ("csv", "msccl", "sccl")
       for case in reads("verify -t mesh:3x3 FILE", "s.txt", GFS + (f"convert s.gfs --to {form} -o s.txt",))]
    + [case for name in ("net.metis", "net.graphml", "net.json", "net.dot")
       for case in reads("schedule -t file:FILE", b"% a comment\n" if name == "net.metis" else b"<graphml>\n")]
    + reads("merge FILE", "c.search", RECORDS)[1:]
    + reads(f"search {SEARCH} --checkpoint FILE --resume", "c.search", RECORDS)[1:]
    + reads(f"{ADVISE} --svg a.svg --measured FILE", b"x,solver,mode,time\n")[1:]
    + reads(f"schedule {TELEPHONE} -s colouring --solver-options matchings=file:FILE", b"0-1\n")[1:]
    + [Case(f"{QUESTION} --check p", PROOF, instead=f"p/{name}") for name in ("formula.cnf", "cube-1.drat")]
    + [Case("verify f", GFS + ("convert s.gfs --to chakra --bytes 64 -o f",), instead=f"f/gossipfab.{rank}.et") for rank in (0, 5)]
    + [Case(f"board {verb} --port BOARD", board=(QUERY, GREET)) for verb in ("run", "read", "test", "bench")]
    + [case for line in ("show -t mesh:3x3 --svg FILE", "show -t mesh:3x3 --html FILE",
                         "simulate -t mesh:3x3 --trace FILE", "simulate -t mesh:3x3 --vcd FILE",
                         "simulate -t mesh:3x3 --heat FILE.csv", f"search {SEARCH} -o FILE",
                         f"search {SEARCH} --checkpoint FILE --resume",
                         "schedule -t path:4 --port-mode one --prove --proof FILE",
                         "schedule -t path:4 --port-mode one --prove --cnf FILE",
                         f"{ADVISE} --csv FILE",
                         f"{ADVISE} --svg FILE") for case in writes(line)]
    + [case for line in ("convert s.gfs --to csv -o FILE", "convert s.gfs --to sccl -o FILE") for case in writes(line, GFS)]
    + [case for line in ("merge c.search -o FILE", "merge c.search --checkpoint FILE") for case in writes(line, RECORDS)]
)


def make_pipe(path):
    """Its descriptor, which keeps it open for both."""
    os.mkfifo(path)
    return os.open(path, os.O_RDWR | os.O_NONBLOCK)


def fill(descriptor):
    os.set_blocking(descriptor, False)
    try:
        while True:
            os.write(descriptor, b"." * 4096)
    except OSError as error:
        if error.errno != errno.EAGAIN:
            raise


def ticks(pid):
    with open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return fields[0], int(fields[11]) + int(fields[12])


def waits(process):
    """Until it does; False where it ends before."""
    since, before = time.monotonic(), None
    while time.monotonic() < since + IDLE:
        state, now = ticks(process.pid)
        if state == "Z":
            return False
        if state != "S" or now != before:
            since, before = time.monotonic(), now
        time.sleep(0.01)
    return True


def prepare(program, case, folder):
    """The case's files. The line's words; what standard input and output are; what is to be closed after."""
    for line in case.made:
        subprocess.run([program] + line.split(), cwd=folder, check=True, stdout=subprocess.DEVNULL)
    head = case.head or b""
    if isinstance(head, str):
        with open(os.path.join(folder, head), "rb") as file:
            head = file.read()
        head = head[:len(head) // 2]
    streams = [os.pipe() for _ in range(2)]
    open_files = [end for stream in streams for end in stream]
    os.write(streams[0][1], head)
    fill(streams[1][1])
    os.set_blocking(streams[1][1], True)
    for name in ("NEVER", "NEVER.csv"):
        os.mkfifo(os.path.join(folder, name))
    for name in ("HEAD", "FULL", "FULL.csv"):
        open_files.append(make_pipe(os.path.join(folder, name)))
        os.write(open_files[-1], head) if name == "HEAD" else fill(open_files[-1])
    if case.instead:
        path = os.path.join(folder, case.instead)
        os.remove(path)
        os.mkfifo(path)
    return streams[0][0], streams[1][1], open_files


def stop(argv, folder, standard, number):
    """Seconds needed, exit status, standard error; None where it did not wait."""
    with tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(argv, cwd=folder, stdin=standard[0], stdout=standard[1], stderr=errors)
        if waits(process):
            sent = time.monotonic()
            process.send_signal(number)
            try:
                process.wait(LIMIT)
            except subprocess.TimeoutExpired:
                process.kill()
            seconds = time.monotonic() - sent
        else:
            seconds = None
        status = process.wait()
        errors.seek(0)
        return seconds, status, errors.read()


def fault(found, number, left):
    """What is wrong, or None."""
    seconds, status, errors = found
    if seconds is None:
        return f"it did not wait, so that nothing is tested; exit status {status}, {errors.decode(errors='replace')}"
    if seconds >= LIMIT:
        return f"not done {LIMIT} s after the signal"
    if status != 128 + number:
        return f"exit status {status}"
    if errors.count(b"\n") != 1 or b"interrupted" not in errors:
        return f"standard error: {errors.decode(errors='replace')}"
    return "left behind: " + " ".join(left) if left else None


def files(folder):
    return {os.path.join(path, name) for path, _, names in os.walk(folder) for name in names}


def run(program, case, number):
    """Seconds after the signal, and what is wrong."""
    with tempfile.TemporaryDirectory(prefix="gossipfab-stop-") as folder:
        source, sink, open_files = prepare(program, case, folder)
        board = Board(case.board) if "BOARD" in case.line else None
        words = [word.replace("BOARD", board.name) if board else word for word in case.line.split()]
        # Standard output is the full pipe where the command writes to it what it makes, else not of interest.
        output = sink if case.line.endswith("-o -") else subprocess.DEVNULL
        before = files(folder)
        found = stop([program] + words, folder, (source, output), number)
        left = sorted(name[len(folder) + 1:] for name in files(folder) - before)
        if board:
            board.close()
        for descriptor in open_files:
            os.close(descriptor)
        return found[0] or 0.0, fault(found, number, left)


def check_mutants():
    """One that takes no notice, one that does not wait."""
    for script, expected in (("trap '' INT; while :; do sleep 9; done", "not done"), ("exit 0", "it did not wait")):
        seen = fault(stop(["bash", "-c", script], ".", (subprocess.DEVNULL, subprocess.DEVNULL), SIGNALS[0]),
                     SIGNALS[0], [])
        if not seen or not seen.startswith(expected):
            raise SystemExit(f"stop: the mutant of '{expected}': {seen}")


def check(program, large):
    """How many faults there are, and how many seconds were needed at most."""
    faults, most = 0, 0.0
    check_mutants()
    cases = LARGE if large else CASES
    runs = [(case, number) for turn, case in enumerate(cases)
            for number in (SIGNALS if large else SIGNALS[turn % 2:][:1])]
    with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
        for (case, number), (seconds, wrong) in zip(runs, pool.map(lambda one: run(program, *one), runs)):
            most = max(most, seconds)
            if wrong:
                faults += 1
                print(f"stop: {case.line}{', ' + case.instead if case.instead else ''}, {number.name}: {wrong}")
    print(f"{len(cases)} commands that wait: at most {most:.2f} s after the signal", flush=True)
    return faults
