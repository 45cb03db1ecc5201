/* SPDX-License-Identifier: MIT */
/* Mutants of a command: where its own allocation fails, the kind of wrong handling that the argument names. run.py must
 * find each; "none" is right. Fault-free it prints a line and makes a file. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void make_file(const char *name, const char *text)
{
    FILE *file = fopen(name, "w");
    if (!file || fputs(text, file) == EOF || fclose(file) != 0) {
        fputs("planted: cannot write\n", stderr);
        exit(2);
    }
}

static int fail(const char *kind)
{
    const int wrong = strcmp(kind, "wrong-file") == 0, less = strcmp(kind, "less") == 0;
    if (strcmp(kind, "abort") == 0)
        abort();
    for (int hangs = strcmp(kind, "hang") == 0; hangs;)
        sleep(1);
    if (strcmp(kind, "leftover") == 0)
        make_file("out.tmp", "hal");
    if (wrong || less)
        make_file("out", wrong ? "hal" : "half\n");
    if (wrong)
        puts("made out");
    if (strcmp(kind, "silent") != 0 && !wrong && !less)
        fputs("planted: not enough memory\n", stderr);
    return strcmp(kind, "status") == 0 ? 1 : wrong || less ? 0 : 2;
}

int main(int argc, char **argv)
{
    char *volatile memory = malloc(1);
    if (!memory)
        return fail(argc > 1 ? argv[1] : "none");
    free(memory);
    make_file("out", "half\n");
    puts("made out");
    return 0;
}
