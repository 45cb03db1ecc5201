#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every generate block is named gen_*: no Verilog tool warns where one is not.

check-generate-names.py FILE.v ...
"""
import re
import sys

TOKEN = re.compile(r"`?[A-Za-z_$][\w$]*|\\\S+|\d[\w']*|\S")
IGNORED = re.compile(r"^\s*`(?:define(?:[^\n]*\\\n)*[^\n]*|(?:ifdef|ifndef|elsif|include|undef|timescale|"
                     r"default_nettype)[^\n]*|else\b|endif\b)", re.M)
SKIPPED = {"function": "endfunction", "task": "endtask", "specify": "endspecify", "primitive": "endprimitive"}


def blank(match):
    return re.sub(r"[^\n]", " ", match.group())


def tokens_of(text):
    """(line, token) pairs without comments, strings, attributes and compiler directives."""
    text = re.sub(r'"(?:\\.|[^"\\\n])*"|//[^\n]*|/\*.*?\*/|\(\*(?!\s*\)).*?\*\)', blank, text, flags=re.S)
    text = IGNORED.sub(blank, text)
    line, at, found = 1, 0, []
    for match in TOKEN.finditer(text):
        line += text.count("\n", at, match.start())
        at = match.start()
        found.append((line, match.group()))
    return found


class Reader:
    def __init__(self, path):
        self.path, self.at, self.faults = path, 0, []
        with open(path, encoding="utf-8") as file:
            self.tokens = tokens_of(file.read())

    def peek(self, ahead=0):
        return self.tokens[self.at + ahead][1] if self.at + ahead < len(self.tokens) else None

    def take(self):
        self.at += 1
        return self.peek(-1)

    def skip_past(self, closing):
        while self.peek() is not None and self.take() != closing:
            pass

    def skip_nested(self, openings, closing):
        depth = 0
        while self.peek() is not None:
            token = self.take()
            depth += (token in openings) - (token == closing)
            if depth == 0:
                return

    def skip_statement(self):
        """A procedural statement, in which blocks need no names."""
        token = self.peek()
        if token == "begin":
            self.skip_nested({"begin"}, "end")
        elif token in ("case", "casez", "casex"):
            self.skip_nested({"case", "casez", "casex"}, "endcase")
        elif token in ("if", "for", "while", "repeat", "wait"):
            self.take()
            self.skip_nested({"("}, ")")
            self.skip_statement()
            if token == "if" and self.peek() == "else":
                self.take()
                self.skip_statement()
        elif token in ("@", "#"):
            self.take()
            if self.peek() == "(":
                self.skip_nested({"("}, ")")
            else:
                self.take()
            self.skip_statement()
        elif token == "forever":
            self.take()
            self.skip_statement()
        else:
            self.skip_past(";")

    def block(self, line):
        """What follows a generate construct's head must be begin : gen_<name>."""
        if self.peek() != "begin" or self.peek(1) != ":" or not (self.peek(2) or "").startswith("gen_"):
            self.faults.append(f"{self.path}:{line}: a generate block without a name gen_*")
        if self.peek() == "begin":
            self.at += 3 if self.peek(1) == ":" else 1

    def read(self):
        while self.peek() is not None:
            line, token = self.tokens[self.at]
            if token in ("for", "if"):
                self.take()
                self.skip_nested({"("}, ")")
                self.block(line)
            elif token == "else":
                self.take()
                if self.peek() != "if":
                    self.block(line)
            elif token == "case":
                self.take()
                self.skip_nested({"("}, ")")
            elif token == ":":  # after a generate case item
                self.take()
                self.block(line)
            elif token == "begin":
                self.block(line)
            elif token in ("always", "initial"):
                self.take()
                self.skip_statement()
            elif token in SKIPPED:
                self.skip_past(SKIPPED[token])
            elif token.startswith("`"):  # a macro's use
                self.take()
                if self.peek() == "(":
                    self.skip_nested({"("}, ")")
            elif token in ("end", "endcase", "endmodule", "generate", "endgenerate", "default", ";") \
                    or self.peek(1) == ":":
                self.take()
            else:
                self.skip_past(";")
        return self.faults


def main():
    faults = [fault for path in sys.argv[1:] for fault in Reader(path).read()]
    print("\n".join(faults), end="\n" if faults else "", file=sys.stderr)
    return 1 if faults else 0


sys.exit(main())
