/* SPDX-License-Identifier: MIT */
/* Command `prove`: that no schedule has so many rounds, in a folder of files that others can check. The question
 * becomes a formula for a SAT solver, cut into cubes: cube i is a list of decisions such as "a 5 -7 0", and each cube
 * gets a proof of its own. So several machines can take a share each (--shard 2/4), and work that was stopped goes on:
 * a proof in the folder that ends with the empty clause is kept.
 *
 * --check trusts nothing of the folder. It makes the formula anew and compares it byte by byte, asks whether the cubes
 * cover every case, and checks each proof (core/refute/). The idea is cube and conquer (Heule, Kullmann, Wieringa &
 * Biere 2011); what is ours is the check of the whole. */
#define _POSIX_C_SOURCE 200809L
#include "cli_source.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { CONFLICTS_AN_EFFORT = 1000000 };

typedef struct request {
    cli_source source;
    const char *folder, *checked, *shard_text;
    uint32_t depth;
    uint32_t shard, shards; /* 1 of 1: all cubes */
    bool json;
    gfab_cubes cubes;
    char *path; /* room for a name in the folder */
    size_t proved, clauses;
    size_t kept;          /* of those proved: proofs that were there, and are not checked */
    gfab_schedule *found; /* NULL: none */
} request;

static const char *name(request *r, const char *file, size_t number)
{
    const char *folder = r->folder ? r->folder : r->checked;
    const size_t size = strlen(folder) + strlen(file) + 32;
    char *grown = realloc(r->path, size);
    if (!grown)
        exit(cli_fail("prove", GFAB_ERR_NO_MEMORY, NULL, NULL));
    r->path = grown;
    if (number)
        (void)snprintf(grown, size, "%s/%s-%zu.drat", folder, file, number);
    else
        (void)snprintf(grown, size, "%s/%s", folder, file);
    return grown;
}

/* ---- the question, in the folder ---- */

/* A text in memory: what write would put in a file. */
typedef struct text {
    char *bytes;
    size_t size;
} text;

/* Is a file there, with this text? CLI_GO_ON where it is not there, CLI_GOOD where it is, else an exit status. */
static int compare_file(const char *path, const text *t)
{
    FILE *file = fopen(path, "r");
    if (!file)
        return errno == ENOENT ? CLI_GO_ON : cli_error("prove", "cannot read '%s': %s", path, strerror(errno));
    gfab_text kept;
    gfab_diag diag = {0, ""};
    const gfab_status status = gfab_text_read(file, &kept, &diag);
    fclose(file);
    const bool same = status == GFAB_OK && kept.size == t->size && memcmp(kept.bytes, t->bytes, t->size) == 0;
    free(kept.bytes);
    if (status != GFAB_OK)
        return cli_fail("prove", status, path, &diag);
    return same ? CLI_GOOD : cli_error("prove", "'%s' is of another question", path);
}

static gfab_status write_text(const void *what, FILE *file, gfab_diag *diag)
{
    const text *t = what;
    (void)diag;
    fwrite(t->bytes, 1, t->size, file); /* a failed write is found when the file is committed */
    return GFAB_OK;
}

static int keep_file(const char *path, const text *t)
{
    const int status = compare_file(path, t);
    if (status == CLI_GO_ON)
        return cli_output_write("prove", path, write_text, t);
    return status == CLI_GOOD ? CLI_GO_ON : status;
}

/* The formula and cubes of up to so many decisions; the former as text. */
static int make_cubes(request *r, uint32_t depth, text *formula)
{
    gfab_diag diag = {0, ""};
    FILE *file = open_memstream(&formula->bytes, &formula->size);
    gfab_status status =
        file ? gfab_prove_cubes(r->source.topology, &r->source.model, r->source.rounds, depth, file, &r->cubes, &diag)
             : GFAB_ERR_NO_MEMORY;
    if (!gfab_memory_close(file, &formula->bytes) && status == GFAB_OK)
        status = GFAB_ERR_NO_MEMORY;
    return cli_told("prove", status, NULL, &diag);
}

static int keep_cubes(request *r)
{
    text t = {NULL, 0};
    FILE *file = open_memstream(&t.bytes, &t.size);
    gfab_status status = file ? gfab_cubes_write(&r->cubes, file, NULL) : GFAB_ERR_NO_MEMORY;
    if (!gfab_memory_close(file, &t.bytes))
        status = GFAB_ERR_NO_MEMORY;
    const int kept = status == GFAB_OK ? keep_file(name(r, "cubes", 0), &t) : cli_fail("prove", status, NULL, NULL);
    free(t.bytes);
    return kept;
}

/* ---- the proofs ---- */

/* Asks in one cube. The proof is written whole or not at all. */
static int prove_cube(request *r, size_t index)
{
    cli_output output = {NULL, NULL, NULL};
    const gfab_progress progress = cli_progress("prove");
    const uint32_t effort = r->source.effort ? r->source.effort : 1;
    gfab_prove_options options = gfab_prove_options_default();
    gfab_prove_report report;
    gfab_diag diag = {0, ""};
    options.cube = gfab_cubes_at(&r->cubes, index, &options.cube_length);
    options.max_conflicts = effort < UINT32_MAX / CONFLICTS_AN_EFFORT ? effort * CONFLICTS_AN_EFFORT : UINT32_MAX;
    options.progress = &progress;
    int status = cli_output_open("prove", name(r, "cube", index + 1), &output);
    if (status != CLI_GO_ON)
        return status;
    options.proof = output.file;
    const gfab_status result =
        gfab_prove_rounds(r->source.topology, &r->source.model, r->source.rounds, &options, &report, &r->found, &diag);
    cli_progress_end();
    if (result != GFAB_OK)
        status = cli_fail("prove", result, NULL, &diag);
    else if (report.answer == GFAB_PROVE_IMPOSSIBLE)
        status = cli_output_commit("prove", &output);
    r->proved += status == CLI_GO_ON && report.answer == GFAB_PROVE_IMPOSSIBLE;
    r->clauses += report.conflicts;
    cli_output_discard(&output);
    return status;
}

/* Is there a proof that was written to its end, the empty clause? Any other file is made anew. */
static bool is_whole(const char *path)
{
    char line[4] = "\n"; /* the last three bytes of the text; in front of it a line's end */
    FILE *file = fopen(path, "r");
    if (!file)
        return false;
    if (fseek(file, -3, SEEK_END) == 0)
        line[0] = (char)getc(file);
    const bool whole = fseek(file, -2, SEEK_END) == 0 && fread(line + 1, 1, 2, file) == 2;
    fclose(file);
    return whole && strcmp(line, "\n0\n") == 0;
}

/* A schedule is an answer as well, and ends the work. */
static int keep_schedule(request *r)
{
    gfab_verify_report report;
    CLI_TRY(cli_told("prove", gfab_verify(r->source.topology, &r->source.model, r->found, NULL, &report),
                     "the schedule", NULL));
    return cli_write_schedule("prove", name(r, "schedule.gfs", 0), r->found);
}

static int prove(request *r)
{
    text formula = {NULL, 0};
    int status = make_cubes(r, r->depth, &formula);
    const bool made = status == CLI_GO_ON && mkdir(r->folder, 0777) == 0;
    if (status == CLI_GO_ON && !made && errno != EEXIST)
        status = cli_error("prove", "cannot make the folder '%s': %s", r->folder, strerror(errno));
    CLI_THEN(status, keep_file(name(r, "formula.cnf", 0), &formula));
    if (made && status != CLI_GO_ON)
        rmdir(r->folder);
    free(formula.bytes);
    CLI_THEN(status, keep_cubes(r));
    for (size_t i = r->shard - 1; i < r->cubes.count && status == CLI_GO_ON && !r->found; i += r->shards) {
        const bool there = is_whole(name(r, "cube", i + 1));
        r->proved += there;
        r->kept += there;
        if (!there)
            status = prove_cube(r, i);
        if (status == CLI_GO_ON && cli_was_interrupted())
            status = cli_interrupted("prove");
    }
    return status == CLI_GO_ON && r->found ? keep_schedule(r) : status;
}

/* ---- the check of the whole ---- */

static int read_cubes(request *r)
{
    const char *path = name(r, "cubes", 0);
    gfab_diag diag = {0, ""};
    FILE *file;
    CLI_TRY(cli_file_open("prove", path, &file));
    gfab_cubes_release(&r->cubes);
    gfab_status status = gfab_cubes_read(file, &r->cubes, &diag);
    fclose(file);
    GFAB_THEN(status, gfab_cubes_cover(&r->cubes, &diag));
    return cli_told("prove", status, path, &diag);
}

static int check_cube(request *r, const gfab_formula *formula, size_t index)
{
    const char *path = name(r, "cube", index + 1);
    const gfab_progress progress = cli_progress("prove");
    gfab_diag diag = {0, ""};
    size_t length, clauses = 0;
    const int *cube = gfab_cubes_at(&r->cubes, index, &length);
    FILE *file = fopen(path, "r");
    if (!file && errno == ENOENT) {
        cli_error("prove", "cube %zu of %zu has no proof: '%s' is not there", index + 1, r->cubes.count, path);
        return CLI_FAULTY;
    }
    if (!file)
        return cli_error("prove", "cannot read '%s': %s", path, strerror(errno));
    const gfab_status status = gfab_formula_refuted(formula, cube, length, file, &progress, &clauses, &diag);
    fclose(file);
    cli_progress_end();
    r->clauses += clauses;
    r->proved++;
    return cli_told("prove", status, path, &diag);
}

/* The formula is made anew, and the file must be the same; cubes and proofs are checked as they stand there. */
static int check(request *r)
{
    text t = {NULL, 0};
    gfab_formula *formula = NULL;
    gfab_diag diag = {0, ""};
    int status = make_cubes(r, 0, &t); /* these cubes are of no use */
    CLI_THEN(status, compare_file(name(r, "formula.cnf", 0), &t));
    CLI_THEN(status, cli_error("prove", "cannot read '%s': %s", r->path, strerror(ENOENT)));
    FILE *file = status == CLI_GOOD ? fmemopen(t.bytes, t.size, "r") : NULL;
    if (status == CLI_GOOD) {
        const gfab_status read = file ? gfab_formula_read(file, &formula, &diag) : GFAB_ERR_NO_MEMORY;
        status = cli_told("prove", read, r->path, &diag);
    }
    if (file)
        fclose(file);
    free(t.bytes);
    CLI_THEN(status, read_cubes(r));
    for (size_t i = r->shard - 1; i < r->cubes.count && status == CLI_GO_ON; i += r->shards)
        status = check_cube(r, formula, i);
    gfab_formula_destroy(formula);
    return status;
}

/* ---- the command ---- */

static void print_text(const request *r)
{
    const unsigned rounds = r->source.rounds;
    cli_print_topology(stdout, r->source.topology);
    cli_print_model(stdout, &r->source.model);
    printf("cubes        %zu", r->cubes.count);
    printf(r->shards > 1 ? ", of which shard %u of %u has %zu\n" : "\n", r->shard, r->shards,
           (r->cubes.count + r->shards - r->shard) / r->shards);
    printf("proofs       %zu%s", r->proved, r->checked ? ", checked" : "");
    if (r->kept)
        printf(", %zu of them there before", r->kept);
    printf(", %zu clauses\n", r->clauses);
    if (r->found)
        printf("answer       %u rounds are possible: %s\n", gfab_schedule_rounds(r->found), r->path);
    else if (r->proved == r->cubes.count && r->checked)
        printf("answer       %u rounds are impossible: the cubes cover all, and each has its proof\n", rounds);
    else if (r->proved == r->cubes.count && r->kept)
        printf("answer       open: each cube has a proof, but those that were there are not checked: give --check %s\n",
               r->folder);
    else if (r->proved == r->cubes.count)
        printf("answer       %u rounds are impossible; --check %s checks that\n", rounds, r->folder);
    else
        printf("answer       open: %zu cubes are not done here\n", r->cubes.count - r->proved);
}

static void print_json(const request *r)
{
    json_t *report = cli_json_report("gossipfab.prove/1");
    const char *answer = r->proved == r->cubes.count && r->kept == 0 ? "impossible" : "unknown";
    CLI_JSON(report, CLI_KEY("topology", cli_json_topology(r->source.topology)),
             CLI_KEY("model", cli_json_model(&r->source.model)), CLI_KEY("rounds", r->source.rounds),
             CLI_KEY("cubes", r->cubes.count), CLI_KEY("proofs", r->proved), CLI_KEY("kept", r->kept),
             CLI_KEY("clauses", r->clauses), CLI_KEY("checked", (bool)r->checked),
             CLI_KEY("answer", r->found ? "possible" : answer));
    cli_json_print(report, stdout);
}

static int run(request *r)
{
    if (!r->folder == !r->checked)
        return cli_error("prove", "give a folder: --output FOLDER for proofs to write, or --check FOLDER for those to "
                                  "check");
    if (r->source.rounds == 0)
        return cli_error("prove", "no --rounds given; the rounds that are to be shown impossible");
    CLI_TRY(cli_shard_read("prove", r->shard_text, &r->shard, &r->shards));
    CLI_TRY(cli_source_open_topology("prove", &r->source));
    CLI_TRY(r->checked ? check(r) : prove(r));
    (r->json ? print_json : print_text)(r);
    return CLI_GOOD;
}

int cmd_prove(int argc, char **argv)
{
    request r = {.source = cli_source_default(), .depth = 6, .shard = 1, .shards = 1};
    const cli_option options[] = {
        CLI_TOPOLOGY_OPTION(r.source),
        CLI_OPTION(.name = "rounds", .kind = CLI_U32, .value = &r.source.rounds, .word = "R", .least = 1,
                   .most = GFAB_MAX_ROUNDS, .unit = "rounds", .help = "is there a gossip of at most R rounds?"),
        CLI_OPTION(.name = "cubes", .kind = CLI_U32, .value = &r.depth, .word = "D", .initial = "6",
                   .most = GFAB_PROVE_MAX_DEPTH, .unit = "decisions",
                   .help = "split by up to D decisions on the first rounds, into at most 2^D cubes"),
        CLI_OPTION(.name = "shard", .kind = CLI_TEXT, .value = &r.shard_text, .word = "I/K", .initial = "1/1",
                   .help = "do every K-th cube alone, from the I-th on"),
        CLI_OPTION(.name = "effort", .kind = CLI_U32, .value = &r.source.effort, .word = "N", .initial = "1",
                   .least = 1, .most = 1000000, .unit = "million conflicts", .help = "give a cube up after that"),
        CLI_MODEL_OPTIONS(r.source),
        CLI_OPTION(.name = "output", .letter = 'o', .kind = CLI_TEXT, .value = &r.folder, .word = "FOLDER",
                   .help = "where formula, cubes and proofs go; whole proofs that are there are not made again"),
        CLI_OPTION(.name = "check", .kind = CLI_TEXT, .value = &r.checked, .word = "FOLDER",
                   .help = "check all of it: the formula, that the cubes cover everything, each proof"),
        CLI_JSON_OPTION(r.json),
        CLI_OPTIONS_END};
    const cli_command command = {
        .verb = "prove",
        .usage = "T --rounds R [model options] [--cubes D] [--shard I/K] -o FOLDER | --check FOLDER",
        .text =
            "Shows in pieces, by SAT, that there is no gossip of R rounds: the formula is split into cubes, and each\n"
            "has a proof of its own, on any machine. A schedule, where there is one, is written instead. --check\n"
            "needs no SAT solver. Exit status: 0 done, or given up in part; 1 a check failed; 2 wrong input.",
        .example = "  gossipfab prove -t mesh:3x3 --rounds 5 -o proof\n"
                   "  gossipfab prove -t mesh:3x3 --rounds 5 --check proof",
        .options = options};
    const char *arguments[CLI_MAX_ARGUMENTS];
    int status = cli_parse(&command, argc, argv, arguments);
    CLI_THEN(status, run(&r));
    gfab_schedule_destroy(r.found);
    gfab_cubes_release(&r.cubes);
    free(r.path);
    cli_source_release(&r.source);
    return status;
}
