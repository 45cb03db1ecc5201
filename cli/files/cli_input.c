/* SPDX-License-Identifier: MIT */
/* Files that are read. A command such as `verify` takes schedules, plans for GPUs and other tools' formats, and finds
 * out which one it has by the first byte: "{" is JSON, "<" is XML, a letter is a schedule. Standard input can be read
 * only once, so JSON and XML, which several readers try in turn, are held in memory. A schedule may be far larger; it
 * is read as it comes. */
#define _POSIX_C_SOURCE 200809L
#include "cli.h"

#include <stdlib.h>
#include <string.h>

int cli_file_open(const char *verb, const char *path, FILE **file)
{
    gfab_diag diag = {0, ""};
    const gfab_status status = gfab_text_open(path, file, &diag);
    return status == GFAB_OK ? CLI_GO_ON : cli_error(verb, "cannot read '%s': %s", path, diag.message);
}

const char *cli_file_name(const char *path)
{
    return cli_is_standard(path) ? "standard input" : path;
}

int cli_text_read(const char *verb, const char *path, gfab_text *text)
{
    FILE *file;
    gfab_diag diag = {0, ""};
    CLI_TRY(cli_file_open(verb, path, &file));
    const gfab_status status = gfab_text_read(file, text, &diag);
    gfab_text_close(file);
    return cli_told(verb, status, cli_file_name(path), &diag);
}

/* A text that is read more than once, and one whose first byte is no letter, is held. */
int cli_input_open(const char *verb, const char *path, cli_input *input)
{
    CLI_TRY(cli_file_open(verb, path, &input->file));
    gfab_diag diag = {0, ""};
    input->name = cli_file_name(path);
    input->first = getc(input->file);
    if (input->first != EOF && ungetc(input->first, input->file) == EOF)
        return cli_fail(verb, GFAB_ERR_NO_MEMORY, input->name, NULL);
    if ((input->first >= 'a' && input->first <= 'z') || (input->first == EOF && !ferror(input->file)))
        return CLI_GO_ON;
    gfab_status status = gfab_text_read(input->file, &input->text, &diag);
    gfab_text_close(input->file);
    input->file = NULL;
    if (status != GFAB_OK)
        return cli_fail(verb, status, input->name, &diag);
    const char *first = input->text.bytes + strspn(input->text.bytes, " \t\r\n");
    input->first = *first ? (unsigned char)*first : EOF;
    if (input->text.size > 0)
        input->file = fmemopen(input->text.bytes, input->text.size, "r");
    return input->file || input->text.size == 0 ? CLI_GO_ON : cli_fail(verb, GFAB_ERR_NO_MEMORY, input->name, NULL);
}

void cli_input_close(cli_input *input)
{
    if (input->file)
        gfab_text_close(input->file);
    free(input->text.bytes);
    memset(input, 0, sizeof *input);
}
