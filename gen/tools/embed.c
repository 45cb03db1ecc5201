/* SPDX-License-Identifier: MIT */
/* Build tool: embed OUTPUT HEADER NAME ROOT PATH... writes a C file with the bytes of ROOT/PATH for each PATH, as
 * gfab_embedded NAME[], both declared in HEADER. The library then carries the RTL it was built with. */
#include <stdio.h>
#include <stdlib.h>

static void fail(const char *what, const char *name)
{
    fprintf(stderr, "embed: cannot %s %s\n", what, name);
    exit(2);
}

/* As a part of a string, which compilers read far faster than a list of numbers. */
static void put(int byte, FILE *out)
{
    if (byte == '\n')
        fputs("\\n\"\n\"", out);
    else if (byte < ' ' || byte > '~' || byte == '"' || byte == '\\' || byte == '?')
        fprintf(out, "\\%03o", (unsigned)byte);
    else
        fputc(byte, out);
}

int main(int argc, char **argv)
{
    if (argc < 6) {
        fprintf(stderr, "usage: embed OUTPUT HEADER NAME ROOT PATH...\n");
        return 2;
    }
    FILE *out = fopen(argv[1], "w");
    if (!out)
        fail("write", argv[1]);
    fprintf(out, "/* SPDX-License-Identifier: MIT */\n#include \"%s\"\n", argv[2]);
    for (int i = 5; i < argc; i++) {
        char name[4096];
        snprintf(name, sizeof name, "%s/%s", argv[4], argv[i]);
        FILE *in = fopen(name, "rb");
        if (!in)
            fail("read", name);
        fprintf(out, "static const unsigned char file_%d[] =\n\"", i - 5);
        unsigned long count = 0;
        for (int c; (c = getc(in)) != EOF; count++)
            put(c, out);
        fprintf(out, "\";\nenum { size_%d = %lu };\n", i - 5, count);
        if (ferror(in) || fclose(in))
            fail("read", name);
    }
    fprintf(out, "const gfab_embedded %s[] = {\n", argv[3]);
    for (int i = 5; i < argc; i++)
        fprintf(out, "    {\"%s\", file_%d, size_%d},\n", argv[i], i - 5, i - 5);
    fprintf(out, "    {NULL, NULL, 0}};\n");
    if (ferror(out) || fclose(out))
        fail("write", argv[1]);
    return 0;
}
