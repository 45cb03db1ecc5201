# SPDX-License-Identifier: MIT
"""The netlist of a generated fabric, with every place that a fault may strike, for simulate.cc.

Yosys reads the folder's Verilog and flattens it; registers stay as they are written, none is merged, moved or given an
enable. Then, in Yosys' JSON:

- wires between nodes, what is written to the stores, what goes to a twin of the fabric, and the fabric's own inputs
  and outputs get a gate each that inverts them, for those who take them from there on: `\\flip`, an input as wide as
  there are such places;
- ROMs get a write port that is never used, so that memory_map makes flip-flops of them as it does of the stores;
- the outputs for test benches are left open.

Then memories and cells become gates of one bit. Flip-flops are struck by inverting their state, without a gate.
"""
import json
import re
import subprocess

TOP = "gossip_fabric"
NODE = re.compile(r"gen_node\[(\d+)\]\.")
SCOPE = re.compile(r"(?:^|\\|u_fabric(?:\[\d\])?\.|u_chip_\d+\.|u_ring\.)gen_(node|link)\[(\d+)\]\.")


class Site:
    """A place: kind is ff, rom (a word's bit, for good), rom-once (in one cycle) or wire; net that of the state, or of
    the input that inverts."""

    def __init__(self, kind, name, net):
        self.kind, self.name, self.net = kind, name, net


def yosys(commands, folder):
    done = subprocess.run(["yosys", "-q", "-p", commands], cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"yosys: {done.stderr.strip() or done.stdout.strip()}")


class Names:
    """Of each net its names, as (name, bit), the best one first."""

    def __init__(self, module):
        self.of_net = {}
        for name, net in module["netnames"].items():
            if net["hide_name"]:
                continue
            for index, bit in enumerate(net["bits"]):
                if isinstance(bit, int):
                    self.of_net.setdefault(bit, []).append((name, index, len(net["bits"])))

    def best(self, net, key):
        """The name for which key(name) is lowest, and of those the shortest."""
        name, index, width = min(self.of_net[net], key=lambda n: (key(n[0]), len(n[0]), n[0]))
        return name if width == 1 else f"{name}[{index}]"


class Editor:
    """Puts gates that invert into a flattened module."""

    def __init__(self, module):
        self.module = module
        self.next_net = 1 + max(bit for net in module["netnames"].values() for bit in net["bits"]
                                if isinstance(bit, int))
        self.places = []  # names
        self.flips = []  # nets of \flip
        self.strike_twins()
        self.uses = {}  # of each net: the cell's name, its port, the bit
        self.driver = {}
        for name, cell in module["cells"].items():
            for port, bits in cell["connections"].items():
                for index, bit in enumerate(bits):
                    if not isinstance(bit, int):
                        continue
                    if cell["port_directions"][port] == "output":
                        self.driver[bit] = name
                    else:
                        self.uses.setdefault(bit, []).append((name, port, index))

    def strike_twins(self):
        """In the place of what keeps two fabrics apart are places on what goes to the second."""
        cells = self.module["cells"]
        for name in sorted(name for name, cell in cells.items() if "gfab_apart" in cell["type"]):
            pins = cells.pop(name)["connections"]
            for index, (net, out) in enumerate(zip(pins["i_wires"], pins["o_wires"])):
                self.put(net, out, f"{name} (wire)[{index}]")

    def put(self, net, out, place):
        """A place where `out` is `net`."""
        self.places.append(place)
        self.flips.append(self.new_net())
        self.module["cells"][f"$flip{len(self.places)}"] = {
            "type": "$_XOR_", "parameters": {}, "attributes": {},
            "port_directions": {"A": "input", "B": "input", "Y": "output"},
            "connections": {"A": [net], "B": [self.flips[-1]], "Y": [out]}}

    def new_net(self):
        self.next_net += 1
        return self.next_net - 1

    def invert(self, net, name, uses, output=None):
        """A place `name` on `net`, seen by `uses` and the output port `output`; its net from there on."""
        out = self.new_net()
        self.put(net, out, name)
        for cell, port, index in uses:
            self.module["cells"][cell]["connections"][port][index] = out
        self.uses[out] = list(uses)
        if output:
            for where in ("ports", "netnames"):
                bits = self.module[where][output]["bits"]
                self.module[where][output]["bits"] = [out if bit == net else bit for bit in bits]
        return out


def scope(cell):
    """(node or link, number) of the generate block that a cell is in; None for the fabric's own."""
    found = SCOPE.search(cell)
    return found.groups() if found else None


def strike_wires(editor, names):
    """Places on all wires between nodes and links: where they leave a node, where a link's two ends are joined, and,
    where several nodes take them, where each does."""
    for net in sorted(editor.driver):
        here = scope(editor.driver[net])
        takers = {}
        for use in editor.uses.get(net, []):
            takers.setdefault(scope(use[0]), []).append(use)
        away = {there: uses for there, uses in takers.items() if there and there != here}
        if not here or not any("link" in (here[0], there[0]) or here[0] == there[0] == "node" for there in away):
            continue
        block = f"gen_{here[0]}[{here[1]}]."
        label = names.best(net, lambda n: (block not in n, n.count(".")))
        out = editor.invert(net, f"{label} (wire)", [use for uses in away.values() for use in uses])
        if len(away) > 1:
            for there, uses in sorted(away.items()):
                editor.invert(out, f"{label} (wire, at gen_{there[0]}[{there[1]}])", uses)


def strike_stores(editor):
    """Places on what is written to the stores."""
    for name, cell in sorted(editor.module["cells"].items()):
        if cell["type"] != "$mem_v2" or not cell["connections"]["WR_DATA"]:
            continue
        for index, net in enumerate(list(cell["connections"]["WR_DATA"])):
            if isinstance(net, int):
                editor.invert(net, f"{name} (write data)[{index}]", [(name, "WR_DATA", index)])


def strike_ports(editor):
    """Places on the fabric's inputs, but the clock, and on its outputs."""
    for name, port in sorted(editor.module["ports"].items()):
        if name == "i_clk":
            continue
        for index, net in enumerate(list(port["bits"])):
            if not isinstance(net, int):
                continue
            place = f"{name}[{index}]"
            if port["direction"] == "input":
                editor.invert(net, f"{place} (input)", editor.uses.get(net, []))
            else:
                editor.invert(net, f"{place} (output)", [], name)


def make_roms_writable(module, editor):
    """A ROM gets a write port with enable 0; the names of ROMs."""
    never = editor.new_net()
    module["ports"]["never"] = {"direction": "input", "bits": [never]}
    clock = module["ports"]["i_clk"]["bits"][0]
    roms = []
    for name, cell in module["cells"].items():
        if cell["type"] != "$mem_v2" or int(cell["parameters"]["WR_PORTS"], 2) != 0:
            continue
        roms.append(cell["parameters"]["MEMID"].lstrip("\\"))
        width, address = (int(cell["parameters"][p], 2) for p in ("WIDTH", "ABITS"))
        cell["parameters"].update(WR_PORTS=f"{1:032b}", WR_CLK_ENABLE="1", WR_CLK_POLARITY="1", WR_PRIORITY_MASK="0",
                                  WR_WIDE_CONTINUATION="0")
        cell["connections"].update(WR_CLK=[clock], WR_EN=[never] * width, WR_ADDR=["0"] * address,
                                   WR_DATA=["0"] * width)
    return roms


def instrument(module):
    for name in [name for name in module["ports"] if name.startswith("o_trace_")]:
        del module["ports"][name]
    editor = Editor(module)
    strike_wires(editor, Names(module))
    strike_stores(editor)
    strike_ports(editor)
    roms = make_roms_writable(module, editor)
    module["ports"]["flip"] = {"direction": "input", "bits": editor.flips}
    module["netnames"]["flip"] = {"hide_name": 0, "bits": editor.flips, "attributes": {}}
    return editor.places, roms


def register_name(names, net):
    return names.best(net, lambda n: 0 if n.endswith("_q") else 1 if n.endswith("]") else 2)


def clock_edges(module):
    """The rising edge of a net, where it is a clock or one turned over: of clock k 2 k, or the falling one, 2 k + 1."""
    edges = {net: 2 * number for number, net in enumerate(module["ports"]["i_clk"]["bits"])}
    inverters = [cell["connections"] for cell in module["cells"].values() if cell["type"] == "$_NOT_"]
    edges.update({pins["Y"][0]: edges[pins["A"][0]] + 1 for pins in inverters if pins["A"][0] in edges})
    return edges


def check_driven(module):
    """What an output says is seen by nobody where nothing drives it."""
    driven = {"0", "1"} | {bit for port in module["ports"].values() if port["direction"] == "input"
                           for bit in port["bits"]}
    for cell in module["cells"].values():
        driven |= {bit for port, bits in cell["connections"].items() if cell["port_directions"][port] == "output"
                   for bit in bits}
    for name, port in module["ports"].items():
        if not set(port["bits"]) <= driven:
            raise RuntimeError(f"nothing drives {name}")


class Netlist:
    """Gates, flip-flops, ports and sites of the fabric in `folder`; `work` is a folder for Yosys' files. With merged,
    registers that load the same in every cycle are one, as synthesis makes them: a fault then strikes all who read it.
    Another top has its sources, in words, and wires of it that come out; behind its name may be Yosys' -chparam."""

    def __init__(self, folder, work, merged, top=TOP, sources=None, shown=()):
        if not sources:
            with open(f"{folder}/{TOP}.f", encoding="utf-8") as file:
                sources = " ".join(line for line in file.read().split("\n") if line.endswith(".v"))
        top, _, parameters = top.partition(" ")
        read, flat, gates = f"{work}/read.json", f"{work}/flat.json", f"{work}/gates.json"
        yosys(f"read_verilog -DSYNTHESIS -Irtl {sources}; hierarchy -check -top {top} {parameters}; proc; "
              + "".join(f"expose {top}/w:{wire}; " for wire in shown) +
              f"flatten; opt_clean; memory_collect; write_json {read}", folder)
        with open(read, encoding="utf-8") as file:
            design = json.load(file)
        check_driven(design["modules"][top])
        places, roms = instrument(design["modules"][top])
        with open(flat, "w", encoding="utf-8") as file:
            json.dump(design, file)
        yosys(f"read_json {flat}; memory_map; opt_clean; techmap; simplemap; opt_expr; "
              f"{'opt_merge; ' if merged else ''}opt_clean; write_json {gates}", folder)
        with open(gates, encoding="utf-8") as file:
            self.module = json.load(file)["modules"][top]
        self.sites = []
        self.lines = []
        self.registers = []  # names of flip-flops and bits of memories, but for ROMs
        self.ports = [(name, len(port["bits"]), port["direction"]) for name, port in self.module["ports"].items()]
        self.read_gates(places, roms)

    def read_gates(self, places, roms):
        module, names = self.module, Names(self.module)
        edges = clock_edges(module)
        initial = {}
        for net in module["netnames"].values():
            for bit, value in zip(net["bits"], reversed(net["attributes"].get("init", ""))):
                initial[bit] = value
        number = lambda bit: {"0": 0, "1": 1, "x": 0}[bit] if isinstance(bit, str) else bit
        for name, port in module["ports"].items():
            self.lines.append(f"{port['direction']} {name} {len(port['bits'])} " +
                              " ".join(str(number(bit)) for bit in port["bits"]))
        for name, cell in sorted(module["cells"].items()):
            pins = {port: number(bits[0]) for port, bits in cell["connections"].items()}
            if cell["type"] in ("$_DFF_P_", "$_DFF_N_"):
                register = register_name(names, pins["Q"])
                self.lines.append(f"ff {pins['Q']} {pins['D']} {initial.get(pins['Q'], 'x')} "
                                  f"{edges[pins['C']] ^ (cell['type'] == '$_DFF_N_')} {register}")
                rom = any(register.startswith(rom + "[") for rom in roms)
                self.registers += [] if rom else [register]
                for kind in ("rom", "rom-once") if rom else ("ff",):
                    self.sites.append(Site(kind, register + (" (once)" if kind == "rom-once" else ""), pins["Q"]))
            elif cell["type"] in ("$_AND_", "$_OR_", "$_XOR_"):
                self.lines.append(f"{cell['type'][2:-1].lower()} {pins['Y']} {pins['A']} {pins['B']}")
            elif cell["type"] == "$_NOT_":
                self.lines.append(f"xor {pins['Y']} {pins['A']} 1")
            elif cell["type"] == "$_MUX_":
                self.lines.append(f"mux {pins['Y']} {pins['A']} {pins['B']} {pins['S']}")
            else:
                raise RuntimeError(f"{name} is a {cell['type']}, which simulate.cc does not know")
        for place, net in zip(places, module["ports"]["flip"]["bits"]):
            self.sites.append(Site("wire", place, net))
        self.sites.sort(key=lambda site: (site.name, site.kind))
        self.lines += [f"site {site.kind} {site.net}" for site in self.sites]
