#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints the slowest tests of a run, and those that took more than a quarter of their time limit:
slowest-tests.py JUNIT.xml [TESTS.json [COUNT]]; TESTS.json is what `ctest --show-only=json-v1` says."""
import json
import sys
import xml.etree.ElementTree as ET


def limits_of(path):
    with open(path) as file:
        tests = json.load(file)["tests"]
    limits = {}
    for test in tests:
        for entry in test.get("properties", []):
            if entry["name"] == "TIMEOUT":
                limits[test["name"]] = float(entry["value"])
    return limits


def main():
    limits = limits_of(sys.argv[2]) if len(sys.argv) > 2 else {}
    count = int(sys.argv[3]) if len(sys.argv) > 3 else 10
    cases = [(float(case.get("time", "0")), case.get("name")) for case in ET.parse(sys.argv[1]).iter("testcase")]
    cases.sort(key=lambda case: (-case[0], case[1]))
    print(f"The slowest of {len(cases)} tests, in seconds:")
    for seconds, name in cases[:count]:
        print(f"{seconds:8.2f}  {name}")
    close = [(seconds, name) for seconds, name in cases if 4 * seconds > limits.get(name, float("inf"))]
    if close:
        print("More than a quarter of the time limit:")
    for seconds, name in close:
        print(f"{seconds:8.2f} of {limits[name]:.0f}  {name}")


main()
