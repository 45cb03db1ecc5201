#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints the slowest tests of a run: slowest-tests.py JUNIT.xml [COUNT]."""
import sys
import xml.etree.ElementTree as ET


def main():
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 10
    cases = [(float(case.get("time", "0")), case.get("name")) for case in ET.parse(sys.argv[1]).iter("testcase")]
    cases.sort(key=lambda case: (-case[0], case[1]))
    print(f"The slowest of {len(cases)} tests, in seconds:")
    for seconds, name in cases[:count]:
        print(f"{seconds:8.2f}  {name}")


main()
