/* SPDX-License-Identifier: MIT */
/* Texts from outside, read whole or line by line. All readers of files take their bytes from here, so that a byte
 * order mark, CR LF, a NUL byte, UTF-16 or a file without an end is treated alike in schedules, graphs, images and
 * plans. Memory doubles as bytes come, because a pipe does not say how long it is. The NUL byte is looked for in each
 * piece as it is read, so that a device such as /dev/zero is refused at its first 4 KiB, and not at 1 GiB. */
#define _POSIX_C_SOURCE 200809L
#include <gossipfab/base/text.h>

#include "base/lines.h"
#include "base/reason.h"

#include <stdlib.h>
#include <sys/stat.h>

static const char mark[] = "\xef\xbb\xbf";
#define MARK_BYTES (sizeof mark - 1)

static gfab_status other_encoding(gfab_diag *diag)
{
    return gfab_fail(diag, 1, GFAB_ERR_PARSE, "the text is UTF-16; save it as UTF-8");
}

gfab_status gfab_text_open(const char *path, FILE **file, gfab_diag *diag)
{
    struct stat about;
    errno = 0;
    *file = strcmp(path, "-") == 0 ? stdin : fopen(path, "rb");
    if (!*file)
        return gfab_fail(diag, 0, errno == ENOMEM ? GFAB_ERR_NO_MEMORY : GFAB_ERR_IO, "%s", gfab_stream_reason());
    if (fstat(fileno(*file), &about) != 0 || !S_ISDIR(about.st_mode))
        return GFAB_OK;
    gfab_text_close(*file);
    *file = NULL;
    return gfab_fail(diag, 0, GFAB_ERR_IO, "it is a folder; give a file");
}

void gfab_text_close(FILE *file)
{
    if (file != stdin)
        fclose(file);
}

bool gfab_memory_close(FILE *file, char **text)
{
    const bool failed = !file || fflush(file) != 0 || ferror(file);
    return file && fclose(file) == 0 && !failed && *text;
}

/* ---- whole ---- */

static size_t line_of(const char *text, const char *end)
{
    size_t line = 1;
    for (; text < end; text++)
        line += *text == '\n';
    return line;
}

/* What was read behind `before` bytes: is it of a text? */
static gfab_status check_bytes(const gfab_text *t, size_t before, gfab_diag *diag)
{
    const unsigned char first = t->size > 1 ? (unsigned char)t->bytes[0] : 0;
    if (first >= 0xfe && (unsigned char)t->bytes[1] == (first ^ 1))
        return other_encoding(diag);
    const char *nul = memchr(t->bytes + before, '\0', t->size - before);
    if (nul)
        return gfab_fail(diag, line_of(t->bytes, nul), GFAB_ERR_PARSE, "a NUL byte: this is no text");
    if (t->size > GFAB_MAX_TEXT_BYTES)
        return gfab_fail(diag, 0, GFAB_ERR_LIMIT, "it has more than %zu bytes, the most that are read",
                         GFAB_MAX_TEXT_BYTES);
    return GFAB_OK;
}

static gfab_status read_bytes(FILE *file, gfab_text *t, gfab_diag *diag)
{
    size_t room = 0;
    gfab_status status = GFAB_OK;
    do {
        if (t->size + 1 >= room) {
            room = room ? 2 * room : 4096;
            char *grown = realloc(t->bytes, room);
            if (!grown)
                return gfab_told(GFAB_ERR_NO_MEMORY, diag);
            t->bytes = grown;
        }
        const size_t before = t->size;
        errno = 0;
        t->size += fread(t->bytes + before, 1, room - before - 1, file);
        if (ferror(file))
            return gfab_fail(diag, 0, GFAB_ERR_IO, "cannot read: %s", gfab_stream_reason());
        status = check_bytes(t, before, diag);
    } while (status == GFAB_OK && !feof(file));
    return status;
}

gfab_status gfab_text_read(FILE *file, gfab_text *text, gfab_diag *diag)
{
    *text = (gfab_text){NULL, 0};
    const gfab_status status = read_bytes(file, text, diag);
    if (status != GFAB_OK) {
        free(text->bytes);
        *text = (gfab_text){NULL, 0};
        return status;
    }
    const bool marked = text->size >= MARK_BYTES && memcmp(text->bytes, mark, MARK_BYTES) == 0;
    char *to = text->bytes;
    const char *const end = text->bytes + text->size;
    for (const char *from = text->bytes + (marked ? MARK_BYTES : 0); from < end; from++)
        if (from[0] != '\r' || from + 1 == end || from[1] != '\n')
            *to++ = *from;
    *to = '\0';
    text->size = (size_t)(to - text->bytes);
    return GFAB_OK;
}

/* ---- line by line ---- */

gfab_status gfab_text_skip_mark(FILE *file, gfab_diag *diag)
{
    const int first = getc(file);
    if (first == (unsigned char)mark[0]) {
        if (getc(file) == (unsigned char)mark[1] && getc(file) == (unsigned char)mark[2])
            return GFAB_OK;
        return gfab_fail(diag, 1, GFAB_ERR_PARSE, "bytes that no text starts with");
    }
    if (first >= 0xfe)
        return other_encoding(diag);
    if (first != EOF)
        ungetc(first, file);
    return GFAB_OK;
}

static gfab_status make_room(gfab_lines *l)
{
    if (l->length + 1 < l->room)
        return GFAB_OK;
    if (l->length >= GFAB_MAX_TEXT_BYTES)
        return gfab_fail(l->diag, l->line, GFAB_ERR_LIMIT, "the line has more than %zu bytes, the most that are read",
                         GFAB_MAX_TEXT_BYTES);
    const size_t room = l->room ? 2 * l->room : 256;
    char *grown = realloc(l->text, room);
    if (!grown)
        return gfab_fail(l->diag, l->line, GFAB_ERR_NO_MEMORY, "out of memory");
    l->text = grown;
    l->room = room;
    return GFAB_OK;
}

gfab_status gfab_lines_next(gfab_lines *l, bool *found)
{
    l->length = 0;
    *found = false;
    gfab_status status = l->line++ == 0 ? gfab_text_skip_mark(l->file, l->diag) : GFAB_OK;
    errno = 0;
    while (status == GFAB_OK && (status = make_room(l)) == GFAB_OK) {
        const int c = gfab_text_getc(l->file);
        if (c == '\0' || c == '\r')
            return gfab_fail(l->diag, l->line, GFAB_ERR_PARSE,
                             c ? "a carriage return; lines end in LF, or CR LF" : "a NUL byte: this is no text");
        if (c == EOF && ferror(l->file))
            return gfab_fail(l->diag, 0, GFAB_ERR_IO, "cannot read: %s", gfab_stream_reason());
        if (c == EOF && l->length > 0)
            return gfab_fail(l->diag, l->line, GFAB_ERR_PARSE,
                             "the file is truncated: its last line does not end in LF");
        if (c == EOF || c == '\n') {
            l->text[l->length] = '\0';
            *found = c == '\n';
            return GFAB_OK;
        }
        l->text[l->length++] = (char)c;
    }
    return status;
}
