#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""gossipfab board against the real RTL: a board top in Verilator whose serial line is a pseudo-terminal.

    host.py errors            ports on which there is no board, or one whose fabric cannot be; folders and files to load
                              that are wrong: one line, status 2
    host.py play RUNS FABRIC  tests, clean and with 1 % of the bytes disturbed, each way, so many of each program; load,
                              run and read; a board that loses its power, and one that is unplugged; Ctrl-C
    host.py mutants           RTL without each of its safeguards fails the tests

FABRIC is what generate is given. From the environment: GOSSIPFAB (the command), WORK (this test's own folder)."""
import fcntl
import json
import os
import pty
import random
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
import zlib
from pathlib import Path

GOSSIPFAB = os.environ["GOSSIPFAB"]
WORK = Path(os.environ["WORK"])
LINE = ["--timeout", "20", "--baud", "921600"]  # the simulation answers at once


def fail(what):
    sys.exit(f"host: {what}")


def board(*arguments, status=0, says=None, **others):
    """Runs gossipfab board. On an error it must say one line, and nothing else."""
    ran = subprocess.run([GOSSIPFAB, "board", *map(str, arguments)], capture_output=True, text=True, check=False, **others)
    if ran.returncode != status:
        fail(f"board {arguments} gives status {ran.returncode}, not {status}: {ran.stdout}{ran.stderr}")
    if status == 2 and (ran.stdout or ran.stderr.count("\n") != 1):
        fail(f"board {arguments} says more than a line: {ran.stdout}{ran.stderr}")
    if says and not re.search(says, ran.stdout + ran.stderr, re.MULTILINE):
        fail(f"board {arguments} does not say '{says}': {ran.stdout}{ran.stderr}")
    print("board", *arguments, "->", (ran.stdout + ran.stderr).strip().splitlines()[-1] if ran.stdout + ran.stderr else "")
    return ran.stdout


class Simulation:
    """A board that is simulated."""

    def __init__(self, folder, *options):
        self.process = subprocess.Popen(["build/host/Vboard_top", *map(str, options)], cwd=folder, stdout=subprocess.PIPE,
                                        text=True)
        self.port = self.process.stdout.readline().strip()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.said = self.process.stdout.read()
        self.process.wait()


class Pretender:
    """A board that says of its fabric what it is told to, and answers each request with as many bytes as it must;
    loads: those that it got."""

    SHAPE = {"programs": 0, "nodes": 4, "token_bits": 8, "span_bits": 8, "loads": 1, "reads": 4}

    def __init__(self, **shape):
        self.shape = {**self.SHAPE, **shape}
        self.near, self.far = pty.openpty()
        self.port = os.ttyname(self.far)
        self.loads = 0
        self.thread = threading.Thread(target=self.answer, daemon=True)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        os.close(self.far)
        self.thread.join()
        os.close(self.near)

    def body(self, number, kind):
        said = bytes([number, 0])
        if kind == 0:
            said += bytes([1, self.shape["programs"]])
            said += b"".join(self.shape[key].to_bytes(2, "little")
                             for key in ("nodes", "token_bits", "span_bits", "loads", "reads"))
            said += (7).to_bytes(4, "little") + bytes([0, 0])
        elif kind == 5:
            span, burst = self.shape["span_bits"], 1
            while 2 * burst * span <= 512:
                burst *= 2
            said += bytes((min(burst, self.shape["reads"]) * span + 7) // 8)
        self.loads += kind == 4
        return said

    def answer(self):
        taken = b""
        while True:
            try:
                taken += os.read(self.near, 4096)
            except OSError:
                return  # the far end is closed
            *frames, taken = taken.split(b"\x7e")
            for frame in frames:
                frame = re.sub(b"\x7d(.)", lambda m: bytes([m.group(1)[0] ^ 0x20]), frame, flags=re.DOTALL)
                if len(frame) < 6 or zlib.crc32(frame[:-4]) != int.from_bytes(frame[-4:], "little"):
                    continue
                body = self.body(frame[-5], frame[-6] & 7)
                body += zlib.crc32(body).to_bytes(4, "little")
                os.write(self.near, b"\x7e" + re.sub(b"[\x7d\x7e]", lambda m: bytes([0x7d, m.group()[0] ^ 0x20]), body) +
                         b"\x7e")


def shapes():
    """A fabric that cannot be is refused, whatever is asked of it; and a folder that is another fabric's."""
    for shape in ({"reads": 1}, {"reads": 3}, {"reads": 5}, {"token_bits": 9}, {"token_bits": 4096, "loads": 1},
                  {"loads": 3, "reads": 12}, {"loads": 2, "reads": 4}, {"nodes": 1, "reads": 1}, {"nodes": 0},
                  {"span_bits": 0}, {"token_bits": 0}, {"loads": 0}, {"programs": 1, "token_bits": 9},
                  {"programs": 1, "reads": 0}):
        for verb in ("read", "test"):
            with Pretender(**shape) as pretender:
                board(verb, "--port", pretender.port, *LINE, status=2, says="says of its fabric what cannot be")
    with Pretender(token_bits=7, span_bits=9, loads=7, reads=28) as pretender:
        board("read", "--port", pretender.port, *LINE, says="^3 3 00$")
    sound = {"host": "uart", "identity": 7, "counted": 0, "operator": 1,
             "programs": [{"collective": "all-reduce", "blocks": 4, "root": 0, "idempotent": False, "cycles": 9}]}
    folder = WORK / "manifests"
    folder.mkdir(exist_ok=True)

    def manifest(says, shape=None, status=2, first=None, **changes):
        text = {**sound, **changes}
        text["programs"] = [{**text["programs"][0], **(first or {})}] + text["programs"][1:]
        (folder / "manifest.json").write_text(json.dumps(text))
        with Pretender(**{"programs": 1, "loads": 4, "reads": 4, **(shape or {})}) as pretender:
            board("read", "--port", pretender.port, "--folder", folder, *LINE, status=status, says=says)

    manifest("^3 3 00$", status=0)
    manifest("more than the board's nodes have slots for", first={"blocks": 5})
    manifest("more than the board's nodes have slots for", {"reads": 3})
    manifest("more than the board's nodes have slots for", {"loads": 3})
    manifest("more than the board's nodes have slots for", first={"blocks": 2 ** 31 - 1})
    manifest("no collective, blocks and root", first={"blocks": 2 ** 32 + 4})
    manifest("no collective, blocks and root", first={"root": -1})
    manifest("no collective, blocks and root", first={"collective": "gossip"})
    manifest("no collective, blocks and root", first={"blocks": "4"})
    manifest("not as generate writes it", operator=12)
    manifest("not as generate writes it", operator=-1)
    manifest("not as generate writes it", counted=2)
    manifest("not as generate writes it", first={"cycles": -1})
    manifest("not as generate writes it", {"programs": 2})
    manifest("another fabric", identity=2 ** 32 + 7)
    manifest("a fabric with a host port", host=None)
    scatter = {"collective": "reduce-scatter", "blocks": 8}
    manifest("^3 7 00$", {"loads": 8, "reads": 2}, status=0, counted=1, first=scatter)
    manifest("more than the board's nodes have slots for", {"loads": 8, "reads": 1}, counted=1, first=scatter)
    manifest("more than the board's nodes have slots for", {"loads": 7, "reads": 2}, counted=1, first=scatter)


def files():
    """What load says of files; nothing is loaded where a line is wrong."""
    def load(text, says, status=2, loads=0, **shape):
        name = WORK / "tokens"
        name.write_bytes(text)
        with Pretender(**shape) as pretender:
            board("load", name, "--port", pretender.port, *LINE, status=status, says=says)
        if pretender.loads != loads:
            fail(f"load of {text[:40]} loads {pretender.loads} blocks, not {loads}")

    with Pretender() as pretender:
        board("load", WORK, "--port", pretender.port, *LINE, status=2,
              says=f"cannot read '{WORK}': it is a folder; give a file")
        board("load", WORK / "none", "--port", pretender.port, *LINE, status=2, says="No such file")
        board("load", "/proc/self/mem", "--port", pretender.port, *LINE, status=2, says="/proc/self/mem: cannot read")
    load(b"0 0 ff\n1 1 0\r\n  3 3 1 \n", "^loaded +3 of 4 blocks of 8 bits$", 0, 3)
    load(b"0 0 ff\n0 0 fe", "^loaded +1 of 4 blocks", 0, 1)
    load(b"", "^loaded +0 of 4 blocks", 0, 0)
    for line, says in ((b"1 1 100", "not a hexadecimal number of at most 8 bits"), (b"1 1", "NODE BLOCK HEX"),
                       (b"1 1 1 1", "NODE BLOCK HEX"), (b"1 0x1 1", "NODE BLOCK HEX"), (b"1 1 ", "NODE BLOCK HEX"),
                       (b"-18446744073709551615 1 1", "NODE BLOCK HEX"), (b"1 1 1\0", "a NUL byte"),
                       (b"18446744073709551617 1 1", "does not begin"), (b"1 1 " + b"0" * 5000 + b"1", "'0{40}' is not")):
        load(b"0 0 1\n#\n" + line + b"\n2 2 1\n", "line 3: .*" + says)
    # Longer than any buffer: blanks, a comment, a token of 4096 bits.
    load(b"# " + b"x 0 0 1" * 1000 + b"\n" + b" " * 3000 + b"1" + b" " * 3000 + b"1 2\n", "^loaded +1 of 4", 0, 1)
    load(b"2 2 " + b"f" * 1024 + b"\n", "^loaded +1 of 4 blocks of 4096 bits", 0, 1, token_bits=4096, span_bits=4096)


def generate(name, fabric):
    folder = WORK / name
    shutil.rmtree(folder, ignore_errors=True)
    subprocess.run([GOSSIPFAB, "generate", *fabric, "--board", "hx8k", "--host", "uart", "-o", folder],
                   check=True, stdout=subprocess.DEVNULL)
    return folder


def build(folder):
    subprocess.run(["make", "-s", "-C", folder, "build/host/Vboard_top"], check=True)


def errors():
    board("test", status=2, says="which port")
    board("tset", "--port", "/dev/null", status=2, says="did you mean test")
    board("test", "--port", WORK / "none", status=2, says="there is no such port")
    board("test", "--port", "/dev/null", status=2, says="not a serial port")
    board("test", "--port", "/dev/null", "--baud", "115201", status=2, says="115201 baud")
    board("read", "more", "--port", "/dev/null", status=2, says="takes no file")
    near, far = pty.openpty()
    port = os.ttyname(far)
    board("test", "--port", port, "--timeout", "1", status=2, says="nothing answers at 115200 baud")
    fcntl.flock(far, fcntl.LOCK_EX)
    board("test", "--port", port, status=2, says="busy")
    fcntl.flock(far, fcntl.LOCK_UN)
    stop = threading.Event()

    def chatter():
        noise = random.Random(1)
        while not stop.is_set():
            os.write(near, noise.randbytes(16))
            time.sleep(0.001)

    thread = threading.Thread(target=chatter)
    thread.start()
    board("test", "--port", port, "--timeout", "1", status=2, says="no gossipfab board, or has another speed")
    stop.set()
    thread.join()
    os.close(near)
    os.close(far)
    shapes()
    files()


def transfer(folder, simulation):
    """load, run and read, by separate commands: what a node reads is what was loaded."""
    port = ["--port", simulation.port, "--folder", folder, *LINE]
    board("run", *port, status=2, says="nothing was loaded")
    manifest = json.loads((folder / "manifest.json").read_text())
    nodes, bits, programs = manifest["nodes"], manifest["token_bits"], len(manifest["programs"])
    tokens = [random.Random(node).getrandbits(bits) for node in range(nodes)]
    lines = "".join(f"{node} {node} {token:x}\n" for node, token in enumerate(tokens))
    board("load", "-", *port, input=f"# tokens\n\n{lines}")
    board("run", *port, says="^cycles ")
    said = board("read", *port)
    if said != "".join(f"{node} {block} {tokens[block]:0{(bits + 3) // 4}x}\n"
                       for node in range(nodes) for block in range(nodes)):
        fail(f"what is read is not what was loaded: {said}")
    for line, says in (("0 1 0", "node 0 does not begin with block 1"), ("0 0 xyz", "'xyz' is not a hexadecimal"),
                       (f"0 0 1{0:0{(bits + 3) // 4}x}", "of at most"), ("0 0", "NODE BLOCK HEX"),
                       (f"{nodes} {nodes} 0", "does not begin")):
        board("load", "-", *port, status=2, says=f"-: line 1: .*{says}", input=line + "\n")
    board("bench", *port, says="bytes a second")
    board("test", *port, "--program", programs, status=2, says=f"the fabric has {programs}, numbered from 0")
    if programs == 1:
        board("test", "--port", simulation.port, *LINE)
        board("test", *port, "--operator", "sum", status=2, says="cannot be told one")
    else:
        board("test", "--port", simulation.port, *LINE, status=2, says=f"a fabric of {programs} programs: give --folder")
        board("test", *port, "--operator", "plus", status=2, says="unknown operator 'plus'")


def interrupt(folder, simulation):
    """Ctrl-C ends a test within a second, and the board can be used again."""
    test = ["test", "--count", "1000000", "--port", simulation.port, "--folder", folder, *LINE]
    process = subprocess.Popen([GOSSIPFAB, "board", *test],
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    time.sleep(0.3)
    process.send_signal(signal.SIGINT)
    sent = time.monotonic()
    said = process.communicate(timeout=60)[1]
    if process.returncode != 130 or said != "gossipfab: board: interrupted\n" or time.monotonic() - sent > 1:
        fail(f"Ctrl-C: status {process.returncode} after {time.monotonic() - sent:.1f} s: {said}")
    board("test", "--port", simulation.port, "--folder", folder, *LINE)


def play(runs, fabric):
    folder = generate("fabric", fabric)
    build(folder)
    test = ["test", "--folder", folder, *LINE]
    manifest = json.loads((folder / "manifest.json").read_text())
    programs = manifest["programs"]
    with Simulation(folder) as simulation:
        if programs[0]["collective"] == "all-gather" and "+relay=" not in manifest["topology"]:
            transfer(folder, simulation)
        board(*test, "--port", simulation.port, "--count", "3", says="every word is right")
        interrupt(folder, simulation)
    with Simulation(folder, "--disturb", 10, "--seed", 7) as simulation:
        for number, program in reversed(list(enumerate(programs))):  # of the fewest blocks first: the rest is not written
            board(*test, "--port", simulation.port, "--program", number, "--count", runs,
                  says=f"{runs} runs of {program['collective']} .* every word is right; {program['cycles']} cycles each")
    print(simulation.said.strip())
    with Simulation(folder, "--power-cycle", 700) as simulation:
        board(*test, "--port", simulation.port, "--count", "50", status=2, says="was reset while it was in use")
        board(*test, "--port", simulation.port)
    with Simulation(folder, "--unplug", 700) as simulation:
        board(*test, "--port", simulation.port, "--count", "50", status=2, says="went away")
    with Simulation(folder) as simulation:
        text = (folder / "manifest.json").read_text()
        (folder / "manifest.json").write_text(re.sub(r'("identity": )\d+', r"\g<1>7", text))
        board(*test, "--port", simulation.port, status=2, says="another fabric than this folder")


def mutants():
    folder = generate("mutants", ["--topology", "mesh:2x2", "--token-bits", "8", "--link-bits", "2"])
    build(folder)
    noise, power_cycle = ["--disturb", 20], ["--power-cycle", 300]

    def is_right(options, seed):
        """Are all runs right under noise; is the board's loss of power noticed?"""
        with Simulation(folder, *options, "--seed", seed) as simulation:
            ran = subprocess.run([GOSSIPFAB, "board", "test", "--count", "30", "--port", simulation.port, *LINE],
                                 capture_output=True, text=True, check=False)
        said = (ran.stdout + ran.stderr).strip().splitlines()[-1]
        return ran.returncode == 0 if options == noise else "was reset" in said, said

    for options in (noise, power_cycle):
        for seed in range(3):
            right, said = is_right(options, seed)
            if not right:
                fail(f"the sound RTL is refused: {said}")
    # In `make test` the first MUTANTS of them.
    for name, file, sound, faulty, options in (
            ("three bits of the check sequence count", "gfab_host_link.v", "(crc_q == RESIDUE)",
             "(crc_q[2:0] == RESIDUE[2:0])", noise),
            ("a start that is repeated counts", "gfab_board_host.v", "(number != before_q)", "1'b1", noise),
            ("a power cycle goes unsaid", "gfab_board_host.v", "fresh_q   <= 1'b1", "fresh_q   <= 1'b0",
             power_cycle))[:int(os.environ.get("MUTANTS", "3"))]:
        source = folder / "rtl" / file
        text = source.read_text()
        if text.count(sound) != 1:
            fail(f"'{name}' does not apply to {file}")
        source.write_text(text.replace(sound, faulty))
        build(folder)
        # Which bytes noise hits depends on the machine's pauses, too: one seed lets each tenth mutant pass.
        for seed in range(10):
            right, said = is_right(options, seed)
            if not right:
                break
        source.write_text(text)
        if right:
            fail(f"{name}: is not seen: {said}")
        print(f"{name}: {said}")


def main():
    case, *arguments = sys.argv[1:]
    WORK.mkdir(parents=True, exist_ok=True)
    if case != "errors" and not shutil.which("verilator"):
        print("host: skipped, verilator is missing", file=sys.stderr)
        sys.exit(77)
    if case == "play":
        play(int(arguments[0]), arguments[1:])
    else:
        {"errors": errors, "mutants": mutants}[case]()


main()
