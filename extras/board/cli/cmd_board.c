/* SPDX-License-Identifier: MIT */
/* Command `board`: load, run, read, test and bench a fabric on a board. `test` does what `simulate` does with the C
 * model: it loads what a seed gives, runs, and compares every block at every node. The single verbs are for a user's
 * own data, a line `NODE BLOCK HEX` each. A file of them is read to its end before anything is sent, so that a mistake
 * in its last line leaves the board as it was. */
#define _POSIX_C_SOURCE 200809L
#include "board/cli/cli_board.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct session {
    cli_board board;
    const char *file;
    uint32_t count;
    uint64_t seed;
    bool json;
    uint8_t *held;   /* of each node and block what it begins with */
    uint8_t *wanted; /* of each block what a node ends with */
    uint8_t *total;  /* of one block what it should be */
    bool *given;     /* load: of each node and block, is it in the file? */
} session;

static uint8_t *held_token(const session *s, uint32_t node, uint32_t block)
{
    return s->held + ((size_t)node * s->board.goal.blocks + block) * cli_board_token_bytes(&s->board);
}

static int make_room(session *s)
{
    const size_t bytes = cli_board_token_bytes(&s->board), blocks = s->board.goal.blocks;
    s->held = calloc((size_t)s->board.shape.nodes * blocks, bytes);
    s->wanted = calloc(blocks, bytes);
    s->total = calloc(1, bytes);
    return s->held && s->wanted && s->total ? CLI_GO_ON : cli_fail("board", GFAB_ERR_NO_MEMORY, NULL, NULL);
}

static bool holds(const session *s, uint32_t node, uint32_t block)
{
    return cli_board_holds(&s->board, node, block);
}

static bool wants(const session *s, uint32_t node, uint32_t block)
{
    return cli_board_wants(&s->board, node, block);
}

/* ---- test ---- */

/* Loads all nodes with what the seed gives. */
static int load_all(session *s, uint64_t seed)
{
    for (uint32_t node = 0; node < s->board.shape.nodes; node++)
        for (uint32_t block = 0; block < s->board.goal.blocks; block++) {
            if (!holds(s, node, block))
                continue;
            uint8_t *token = held_token(s, node, block);
            gfab_token_pattern(seed, node * s->board.goal.blocks + block, s->board.shape.token_bits, token);
            CLI_TRY(cli_board_load(&s->board, node, block, token));
        }
    return CLI_GO_ON;
}

/* What a block is in the end: that of the node which holds it, or the total of all contributions. */
static void expect(session *s, uint32_t block)
{
    const size_t bytes = cli_board_token_bytes(&s->board);
    bool first = true;
    for (uint32_t node = 0; node < s->board.shape.nodes; node++) {
        if (!holds(s, node, block))
            continue;
        if (first)
            memcpy(s->total, held_token(s, node, block), bytes);
        else
            gfab_token_combine(s->board.op, s->board.shape.token_bits, s->total, held_token(s, node, block));
        first = false;
    }
}

static void print_token(const session *s, const uint8_t *token)
{
    const uint32_t digits = (s->board.shape.token_bits + 3) / 4;
    for (uint32_t digit = digits; digit-- > 0;)
        printf("%x", token[digit / 2] >> digit % 2 * 4 & 0xfu);
}

/* Reads every node. CLI_FAULTY after a line that says what is wrong. */
static int check_all(session *s, uint32_t run)
{
    const size_t bytes = cli_board_token_bytes(&s->board);
    for (uint32_t node = 0; node < s->board.shape.nodes; node++) {
        CLI_TRY(cli_board_read(&s->board, node, s->wanted));
        for (uint32_t block = 0; block < s->board.goal.blocks; block++) {
            if (!wants(s, node, block))
                continue;
            expect(s, block);
            if (memcmp(s->wanted + block * bytes, s->total, bytes) == 0)
                continue;
            cli_progress_end();
            printf("wrong        run %u: node %u, block %u: ", run, node, block);
            print_token(s, s->wanted + block * bytes);
            printf(", not ");
            print_token(s, s->total);
            printf("\n");
            return CLI_FAULTY;
        }
    }
    return CLI_GO_ON;
}

static void print_line(const session *s)
{
    const gfab_host_counts counts = gfab_host_counts_of(s->board.host);
    printf("line         %llu requests, %llu of them again; %llu bytes sent, %llu received, %llu damaged answers\n",
           (unsigned long long)counts.requests, (unsigned long long)counts.repeats, (unsigned long long)counts.sent,
           (unsigned long long)counts.received, (unsigned long long)counts.damaged);
}

/* One run; every operator in turn where the fabric has all of them and none is given. */
static int test_once(session *s, uint32_t number, uint64_t *cycles)
{
    cli_board *board = &s->board;
    if (board->fabric == GFAB_OPERATOR_ALL && !board->operator_text && !board->goal.idempotent)
        board->op = (gfab_operator)(GFAB_OPERATOR_FIRST + number % (GFAB_OPERATOR_ALL - GFAB_OPERATOR_FIRST));
    CLI_TRY(load_all(s, s->seed + number));
    CLI_TRY(cli_board_run(board, cycles));
    CLI_TRY(check_all(s, number));
    CLI_TRY(cli_board_check(board));
    if (board->cycles != 0 && *cycles != board->cycles) {
        printf("wrong        run %u: %llu cycles, not %llu\n", number, (unsigned long long)*cycles,
               (unsigned long long)board->cycles);
        return CLI_FAULTY;
    }
    return CLI_GO_ON;
}

static int run_test(session *s)
{
    const gfab_progress progress = cli_progress("board");
    if (gfab_operator_is_chained(s->board.fabric))
        return cli_error("board",
                         "operator %s: what is right depends on the order in the schedule, which is not in the "
                         "folder; load, run and read do work",
                         gfab_operator_name(s->board.fabric));
    uint64_t cycles = 0;
    uint32_t done = 0;
    int status = make_room(s);
    CLI_THEN(status, cli_board_fill(&s->board));
    for (; done < s->count && status == CLI_GO_ON; done++)
        if (!progress.report(progress.context, "runs checked", done, s->count))
            status = cli_interrupted("board");
        else
            status = test_once(s, done, &cycles);
    cli_progress_end();
    if (status != CLI_GO_ON)
        return status;
    printf("test         %u runs of %s on %u nodes: every word is right; %llu cycles each\n", s->count,
           gfab_collective_name(s->board.goal.collective), s->board.shape.nodes, (unsigned long long)cycles);
    print_line(s);
    return CLI_GOOD;
}

/* ---- bench ---- */

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static int run_bench(session *s)
{
    uint64_t cycles = 0;
    int status = make_room(s);
    CLI_THEN(status, cli_board_fill(&s->board));
    const double start = seconds();
    CLI_THEN(status, load_all(s, s->seed));
    const double loaded = seconds();
    const gfab_host_counts after_load = gfab_host_counts_of(s->board.host);
    CLI_THEN(status, cli_board_run(&s->board, &cycles));
    const double played = seconds();
    const gfab_host_counts before_read = gfab_host_counts_of(s->board.host);
    for (uint32_t node = 0; node < s->board.shape.nodes && status == CLI_GO_ON; node++)
        status = cli_board_read(&s->board, node, s->wanted);
    const double read = seconds();
    cli_progress_end();
    if (status != CLI_GO_ON)
        return status;
    const gfab_host_counts counts = gfab_host_counts_of(s->board.host);
    printf("cycles       %llu\n", (unsigned long long)cycles);
    printf("load         %.3f s, %.0f bytes a second to the board\n", loaded - start,
           (double)after_load.sent / (loaded - start));
    printf("run          %.3f s with start and end over the line\n", played - loaded);
    printf("read         %.3f s, %.0f bytes a second from the board\n", read - played,
           (double)(counts.received - before_read.received) / (read - played));
    print_line(s);
    return CLI_GOOD;
}

/* ---- load, run, read ---- */

/* Reads up to W bits of hexadecimal digits. */
static bool parse_token(const session *s, const char *text, uint8_t *token)
{
    const uint32_t bits = s->board.shape.token_bits, digits = (bits + 3) / 4;
    const size_t length = strlen(text);
    memset(token, 0, cli_board_token_bytes(&s->board));
    for (size_t i = 0; i < length; i++) {
        const char c = text[length - 1 - i];
        if (!isxdigit((unsigned char)c) || i >= digits)
            return false;
        const unsigned value = isdigit((unsigned char)c) ? (unsigned)(c - '0') : (unsigned)((c | 32) - 'a' + 10);
        if (4 * i + 4 > bits && value >> (bits - 4 * i) != 0)
            return false;
        token[i / 2] |= (uint8_t)(value << i % 2 * 4);
    }
    return length > 0;
}

/* A decimal number and the blanks behind it. Moves past them; one that is too large is ULONG_MAX. */
static bool take_number(const char **at, unsigned long *number)
{
    char *end;
    if (!isdigit((unsigned char)**at))
        return false;
    *number = strtoul(*at, &end, 10);
    *at = end + strspn(end, " \t");
    return *at != end;
}

/* A line NODE BLOCK HEX, which it changes: the block is loaded when all of the file is read. */
static int take_line(session *s, size_t number, char *line)
{
    const gfab_goal *goal = &s->board.goal;
    unsigned long node = 0, block = 0;
    const char *at = line;
    line[strcspn(line, "\r\n")] = '\0';
    for (size_t length = strlen(line); length > 0 && strchr(" \t", line[length - 1]);)
        line[--length] = '\0';
    if (!take_number(&at, &node) || !take_number(&at, &block) || *at == '\0' || at[strcspn(at, " \t")] != '\0')
        return cli_error("board", "%s: line %zu: a line is NODE BLOCK HEX", s->file, number);
    if (node >= s->board.shape.nodes || block >= goal->blocks || !holds(s, (uint32_t)node, (uint32_t)block))
        return cli_error("board", "%s: line %zu: node %lu does not begin with block %lu", s->file, number, node, block);
    if (!parse_token(s, at, held_token(s, (uint32_t)node, (uint32_t)block)))
        return cli_error("board", "%s: line %zu: '%.40s' is not a hexadecimal number of at most %u bits", s->file,
                         number, at, s->board.shape.token_bits);
    s->given[node * goal->blocks + block] = true;
    return CLI_GO_ON;
}

/* Reads all lines, so that nothing is loaded where one of them is wrong. */
static int take_file(session *s)
{
    gfab_text text = {NULL, 0};
    size_t number = 1;
    int status = cli_text_read("board", s->file, &text);
    for (char *line = text.bytes, *next; status == CLI_GO_ON && *line; line = next, number++) {
        next = line + strcspn(line, "\n");
        if (*next)
            *next++ = '\0';
        line += strspn(line, " \t\r");
        if (*line != '\0' && *line != '#')
            status = take_line(s, number, line);
    }
    free(text.bytes);
    return status;
}

/* Loads what was given, and counts it; *all is what the nodes begin with. */
static int load_given(session *s, size_t *loaded, size_t *all)
{
    for (uint32_t node = 0; node < s->board.shape.nodes; node++)
        for (uint32_t block = 0; block < s->board.goal.blocks; block++) {
            *all += holds(s, node, block);
            if (!s->given[(size_t)node * s->board.goal.blocks + block])
                continue;
            CLI_TRY(cli_board_load(&s->board, node, block, held_token(s, node, block)));
            ++*loaded;
        }
    return CLI_GO_ON;
}

static int run_load(session *s)
{
    if (!s->file)
        return cli_error("board", "load: which file? its lines are NODE BLOCK HEX; - is standard input");
    size_t loaded = 0, all = 0;
    int status = make_room(s);
    s->given = calloc((size_t)s->board.shape.nodes * s->board.goal.blocks, sizeof *s->given);
    if (status == CLI_GO_ON && !s->given)
        status = cli_fail("board", GFAB_ERR_NO_MEMORY, NULL, NULL);
    CLI_THEN(status, take_file(s));
    CLI_THEN(status, cli_board_fill(&s->board));
    CLI_THEN(status, load_given(s, &loaded, &all));
    cli_progress_end();
    if (status != CLI_GO_ON)
        return status;
    printf("loaded       %zu of %zu blocks of %u bits\n", loaded, all, s->board.shape.token_bits);
    return CLI_GOOD;
}

static int run_once(session *s)
{
    uint64_t cycles;
    CLI_TRY(cli_board_run(&s->board, &cycles));
    cli_progress_end();
    printf("cycles       %llu\n", (unsigned long long)cycles);
    return CLI_GOOD;
}

static int run_read(session *s)
{
    const size_t bytes = cli_board_token_bytes(&s->board);
    int status = make_room(s);
    for (uint32_t node = 0; node < s->board.shape.nodes && status == CLI_GO_ON; node++) {
        status = cli_board_read(&s->board, node, s->wanted);
        cli_progress_end();
        for (uint32_t block = 0; block < s->board.goal.blocks && status == CLI_GO_ON; block++) {
            if (!wants(s, node, block))
                continue;
            printf("%u %u ", node, block);
            print_token(s, s->wanted + block * bytes);
            printf("\n");
        }
    }
    CLI_THEN(status, cli_board_check(&s->board));
    return status == CLI_GO_ON ? CLI_GOOD : status;
}

/* ---- the command ---- */

static const struct {
    const char *name;
    int (*run)(session *s);
    bool needs_load; /* what was loaded before is used */
} verbs[] = {{"load", run_load, false},
             {"run", run_once, true},
             {"read", run_read, true},
             {"test", run_test, false},
             {"bench", run_bench, false}};
enum { VERBS = sizeof verbs / sizeof *verbs };

static int run_verb(session *s, const char *name)
{
    const char *names[VERBS];
    for (size_t i = 0; i < VERBS; i++) {
        names[i] = verbs[i].name;
        if (strcmp(name, verbs[i].name) != 0)
            continue;
        if (s->file && verbs[i].run != run_load)
            return cli_error("board", "%s takes no file", name);
        CLI_TRY(cli_board_open(&s->board));
        if (verbs[i].needs_load && gfab_host_was_fresh(s->board.host))
            return cli_error("board", "%s: nothing was loaded since the board's reset", s->board.options.port);
        return verbs[i].run(s);
    }
    const char *close = cli_suggest(name, names, VERBS);
    return cli_error("board", "'%s' is none of load, run, read, test and bench%s%s", name,
                     close ? "; did you mean " : "", close ? close : "");
}

int cmd_board(int argc, char **argv)
{
    session s = {.board = cli_board_default(), .count = 1, .seed = 1};
    const gfab_progress progress = cli_progress("board");
    s.board.options.progress = &progress;
    const cli_option options[] = {
        CLI_OPTION(.name = "port", .letter = 'p', .kind = CLI_TEXT, .value = &s.board.options.port, .word = "PORT",
                   .help = "the board's serial port"),
        CLI_OPTION(.name = "baud", .kind = CLI_U32, .value = &s.board.options.baud, .word = "N", .initial = "115200",
                   .least = 1, .most = 4000000, .unit = "bits a second", .help = "its speed"),
        CLI_OPTION(.name = "folder", .kind = CLI_TEXT, .value = &s.board.folder, .word = "F",
                   .help = "what generate wrote: the cycles are checked, too. Without it all-gather alone"),
        CLI_OPTION(.name = "program", .kind = CLI_U32, .value = &s.board.program, .word = "K", .initial = "0",
                   .most = 255, .help = "which of the fabric's programs"),
        CLI_OPTION(.name = "operator", .kind = CLI_TEXT, .value = &s.board.operator_text, .word = "OP",
                   .initial = "sum, and for what is idempotent; in tests each in turn",
                   .help = "where the fabric has all of them"),
        CLI_OPTION(.name = "count", .kind = CLI_U32, .value = &s.count, .word = "N", .initial = "1", .least = 1,
                   .most = 1000000000, .unit = "runs", .help = "of a test"),
        CLI_OPTION(.name = "seed", .kind = CLI_U64, .value = &s.seed, .word = "N", .initial = "1", .most = INT64_MAX,
                   .help = "of a test's tokens"),
        CLI_OPTION(.name = "timeout", .kind = CLI_U32, .value = &s.board.options.timeout_ms, .word = "N",
                   .initial = "100", .least = 1, .most = 60000, .unit = "ms",
                   .help = "to wait for an answer before asking again"),
        CLI_OPTIONS_END};
    const cli_command command = {
        .verb = "board",
        .usage = "load|run|read|test|bench [FILE] --port PORT [--folder F] [options]",
        .text =
            "Drives a fabric on a board over its serial port (generate --board B --host uart).\n"
            "load  loads blocks from a file of lines NODE BLOCK HEX; a node's own token is its block of that number\n"
            "run   plays a program once and prints the cycles that it took\n"
            "read  prints what every node has, in the same form\n"
            "test  loads random blocks, runs, reads every node, and compares every word; --count times\n"
            "bench times load, run and read",
        .example = "  gossipfab board test --port /dev/ttyUSB1 --folder out --count 100",
        .options = options,
        .max_arguments = 2};
    const char *arguments[CLI_MAX_ARGUMENTS];
    int status = cli_parse(&command, argc, argv, arguments);
    if (status == CLI_GO_ON && !arguments[0])
        status = cli_error("board", "what is to be done? give load, run, read, test or bench");
    if (status == CLI_GO_ON) {
        s.file = arguments[1];
        status = run_verb(&s, arguments[0]);
    }
    cli_board_close(&s.board);
    GFAB_FREE(s.held, s.wanted, s.total, s.given);
    return status;
}
