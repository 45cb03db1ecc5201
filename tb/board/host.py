#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""gossipfab board against the real RTL: a board top in Verilator whose serial line is a pseudo-terminal.

    host.py errors            ports on which there is no board: one line, status 2
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
    if says and not re.search(says, ran.stdout + ran.stderr):
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
    programs = json.loads((folder / "manifest.json").read_text())["programs"]
    with Simulation(folder) as simulation:
        if programs[0]["collective"] == "all-gather":
            transfer(folder, simulation)
        board(*test, "--port", simulation.port, "--count", "3", says="every word is right")
        interrupt(folder, simulation)
    with Simulation(folder, "--disturb", 10, "--seed", 7) as simulation:
        for number, program in enumerate(programs):
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
    for name, file, sound, faulty, options in (
            ("three bits of the check sequence count", "gfab_host_link.v", "(crc_q == RESIDUE)",
             "(crc_q[2:0] == RESIDUE[2:0])", noise),
            ("a start that is repeated counts", "gfab_board_host.v", "(number != before_q)", "1'b1", noise),
            ("a power cycle goes unsaid", "gfab_board_host.v", "fresh_q   <= 1'b1", "fresh_q   <= 1'b0", power_cycle)):
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
