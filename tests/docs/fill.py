#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""fill.py TEXT: prints TEXT with each {name}, or {name.name}, replaced by what the JSON object on standard input has."""
import functools
import json
import re
import sys

report = json.load(sys.stdin)


def find(name):
    return str(functools.reduce(lambda value, key: value[key], name[1].split("."), report))


print(re.sub(r"\{([\w.]+)\}", find, sys.argv[1]))
