#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""model_rom.py FOLDER OUT: of a generated folder whose nodes share programs, a program for every node, for a model that
has a ROM in each. program_of_node says whose, program_lanes_of_node which of its lanes."""
import json
import os
import shutil
import sys

folder, out = sys.argv[1:]
with open(f"{folder}/manifest.json", encoding="utf-8") as file:
    manifest = json.load(file)
owners, lanes_of = manifest["program_of_node"], manifest["program_lanes_of_node"]
digits = len(str(len(owners) - 1))
programs = [name for name in os.listdir(f"{folder}/rom") if name.startswith("program_")]
assert len(programs) == len(set(owners))
os.mkdir(out)
if manifest["rom"] != "block":  # there programs have what is in it
    shutil.copy(f"{folder}/rom/sequence.hex", out)
for name in os.listdir(f"{folder}/rom"):  # every node has its own
    if name.startswith("paths_"):
        shutil.copy(f"{folder}/rom/{name}", out)
if manifest["wide"]:  # lanes are in one order, and the places of all nodes are there
    for node, owner in enumerate(owners):
        shutil.copy(f"{folder}/rom/program_{owner:0{digits}}.hex", f"{out}/program_{node:0{digits}}.hex")
        shutil.copy(f"{folder}/rom/places_{node:0{digits}}.hex", out)
    sys.exit()
for node, (owner, lanes) in enumerate(zip(owners, lanes_of)):
    with open(f"{folder}/rom/program_{owner:0{digits}}.hex", encoding="ascii") as file:
        words = file.read().split()
    stride = 1 << (len(lanes) - 1).bit_length()
    lanes = lanes + list(range(len(lanes), stride))
    with open(f"{out}/program_{node:0{digits}}.hex", "w", encoding="ascii") as file:
        for first in range(0, len(words), stride):
            for lane in range(stride):
                print(words[first + lanes[lane]], file=file)
