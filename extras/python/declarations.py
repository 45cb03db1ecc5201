# SPDX-License-Identifier: MIT
"""declarations.py COMPILER INCLUDE OUT: writes the Python module OUT by which cffi knows what the public headers
declare. They are read as the C compiler sees them, so that nothing is said twice."""
import pathlib
import re
import subprocess
import sys

import cffi


def declarations(compiler, include):
    """What the headers in include/gossipfab/ declare, and not what they include from elsewhere."""
    header = include / "gossipfab" / "gossipfab.h"
    seen = subprocess.run([compiler, "-E", "-std=c17", "-I", include, header], capture_output=True, text=True,
                          check=True).stdout
    lines, own = ["typedef struct FILE FILE;"], False
    for line in seen.splitlines():
        marker = re.match(r'# \d+ "([^"]*)"', line)
        if marker:
            own = marker[1].startswith(str(include / "gossipfab"))
        elif own:
            lines.append(line)
    return re.sub(r"__attribute__\s*\(\(format\([^)]*\)\)\)", "", "\n".join(lines))


def main():
    compiler, include, out = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    ffi = cffi.FFI()
    ffi.set_source("gossipfab." + out.stem, None)
    # Files of the C library, by which text goes in and out.
    ffi.cdef(declarations(compiler, include) + """
        FILE *fmemopen(void *buffer, size_t size, const char *mode);
        FILE *open_memstream(char **buffer, size_t *size);
        int fclose(FILE *file);
        void free(void *memory);
    """)
    ffi.emit_python_code(str(out))


main()
