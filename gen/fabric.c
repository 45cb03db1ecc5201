/* SPDX-License-Identifier: MIT */
/* What is written to the generated folder. */
#define _XOPEN_SOURCE 700
#include "gen.h"

#include <ctype.h>
#include <errno.h>
#include <gossipfab/base/crc32.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define OPERATOR_MOST (1 << 20) /* bytes of its file */

static bool is_module(const char *to)
{
    return strncmp(to, "rtl/", 4) == 0 && strcmp(to + strlen(to) - 2, ".v") == 0;
}

/* A hand-written module. Lists of several folders name it each, and it is to count once. The macro has the sum of its
 * text, so that tools still refuse two modules of one name that differ, as those of two versions may. */
static void write_module(const gfab_embedded *source, const char *to, FILE *file)
{
    const char *const text = (const char *)source->bytes, *behind = strchr(text, '\n') + 1; /* the licence's line */
    char macro[GFAB_GEN_NAME + 9];
    size_t length = 0;
    for (const char *at = to + strlen("rtl/"); *at != '.'; at++)
        macro[length++] = (char)toupper((unsigned char)*at);
    snprintf(macro + length, sizeof macro - length, "_%08" PRIX32,
             gfab_crc32(0, (const uint8_t *)source->bytes, source->size));
    fprintf(file, "%.*s`ifndef %s // so that several lists may have it\n`define %s\n", (int)(behind - text), text,
            macro, macro);
    fwrite(behind, 1, source->size - (size_t)(behind - text), file);
    fputs("`endif\n", file);
}

static gfab_status write_copy(const gfab_gen *gen, const char *from, const char *to, gfab_gen_kind kind,
                              gfab_diag *diag)
{
    const gfab_embedded *source = gfab_gen_embedded(from);
    if (!source)
        return gfab_fail(diag, 0, GFAB_ERR_UNSUPPORTED, "this build carries no %s", from);
    char path[GFAB_GEN_PATH];
    FILE *file;
    gfab_status status = gfab_gen_open_file(gen, to, kind == GFAB_GEN_PROGRAMS, path, &file, diag);
    if (status)
        return status;
    if (kind == GFAB_GEN_TEMPLATE || kind == GFAB_GEN_PROGRAMS)
        status = gfab_gen_template(gen, (const char *)source->bytes, source->size, file, diag);
    else if (kind == GFAB_GEN_VHDL) {
        char top[GFAB_GEN_NAME];
        snprintf(top, sizeof top, "%.*s", (int)strcspn(to, "."), to);
        status = gfab_gen_write_vhdl(gen, (const char *)source->bytes, source->size, top, file, diag);
    } else if (is_module(to))
        write_module(source, to, file);
    else
        fwrite(source->bytes, 1, source->size, file);
    const gfab_status closed = gfab_gen_close_file(file, path, diag);
    return status ? status : closed;
}

/* Where the next word of Verilog begins, and *length of its characters; comments and strings are none. NULL: none. */
static const char *next_word(const char *at, size_t *length)
{
    while (*at != '\0' && !isalpha((unsigned char)*at) && *at != '_') {
        const char *end = strncmp(at, "//", 2) == 0 ? at + strcspn(at, "\n") : NULL;
        if (strncmp(at, "/*", 2) == 0)
            end = (end = strstr(at + 2, "*/")) ? end + 2 : at + strlen(at);
        else if (*at == '"')
            for (end = at + 1; *end != '\0' && *end++ != '"';)
                end += end[-1] == '\\' && *end != '\0';
        else if (*at == '\\' || *at == '`' || isdigit((unsigned char)*at)) /* an escaped name, a macro, a number */
            for (end = at + 1; isalnum((unsigned char)*end) || *end == '_';)
                end++;
        at = end ? end : at + 1;
    }
    *length = 0;
    while (isalnum((unsigned char)at[*length]) || at[*length] == '_' || at[*length] == '$')
        ++*length;
    return *length ? at : NULL;
}

static gfab_status check_operator(const char *text, const char *file, const char *module, gfab_diag *diag)
{
    bool found = false;
    size_t length;
    for (const char *word = next_word(text, &length); word; word = next_word(word + length, &length)) {
        if (length != strlen("module") || strncmp(word, "module", length) != 0)
            continue;
        word = next_word(word + length, &length);
        if (!word)
            break;
        char name[GFAB_GEN_NAME];
        snprintf(name, sizeof name, "%.*s", (int)(length < sizeof name ? length : sizeof name - 1), word);
        found = found || strcmp(name, module) == 0;
        if (gfab_gen_ours(name))
            return gfab_fail(diag, 0, GFAB_ERR_INVALID, "%s: module %s: modules named %s are gossipfab's own", file,
                             name, gfab_gen_ours(name));
    }
    return found ? GFAB_OK
                 : gfab_fail(diag, 0, GFAB_ERR_INVALID, "%s: no module %s, as the operator of this fabric is called",
                             file, module);
}

/* Of an operator of the user's: its file's text, to be freed. */
static gfab_status read_operator(const gfab_gen *gen, char **text, gfab_diag *diag)
{
    const char *path = gen->options->operator_file;
    const bool wanted = gfab_layout_operator(gen->layout) == GFAB_OPERATOR_USER;
    char module[GFAB_GEN_NAME];
    snprintf(module, sizeof module, "%s_operator", gfab_gen_name(gen));
    *text = NULL;
    if (!wanted && !path)
        return GFAB_OK;
    if (!wanted)
        return gfab_fail(diag, 0, GFAB_ERR_INVALID, "%s: the operator is none of the user's", path);
    if (!path)
        return gfab_fail(diag, 0, GFAB_ERR_INVALID, "operator user: which one? a file with the module %s", module);
    FILE *file = fopen(path, "rb");
    if (!file)
        return gfab_gen_io_error(diag, "read", path);
    *text = calloc(1, OPERATOR_MOST + 2);
    errno = 0;
    const size_t size = *text ? fread(*text, 1, OPERATOR_MOST + 1, file) : 0;
    gfab_status status = !*text         ? gfab_fail(diag, 0, GFAB_ERR_NO_MEMORY, "out of memory for %s", path)
                         : ferror(file) ? gfab_gen_io_error(diag, "read", path)
                         : size > OPERATOR_MOST
                             ? gfab_fail(diag, 0, GFAB_ERR_LIMIT, "%s: more than %d bytes", path, OPERATOR_MOST)
                         : strlen(*text) < size ? gfab_fail(diag, 0, GFAB_ERR_INVALID, "%s: not a text", path)
                                                : check_operator(*text, path, module, diag);
    fclose(file);
    if (status) {
        free(*text);
        *text = NULL;
    }
    return status;
}

/* A text of the user's, as it is. */
static gfab_status write_text(const gfab_gen *gen, const char *text, const char *to, gfab_diag *diag)
{
    char path[GFAB_GEN_PATH];
    FILE *file;
    const gfab_status status = gfab_gen_open_file(gen, to, false, path, &file, diag);
    if (status)
        return status;
    fputs(text, file);
    return gfab_gen_close_file(file, path, diag);
}

gfab_status gfab_gen_write_manifest(const gfab_gen *gen, gfab_diag *diag)
{
    char path[GFAB_GEN_PATH];
    FILE *file;
    gfab_status status = GFAB_OK;
    for (size_t i = 0; i < gen->folder->count && !status; i++) {
        gfab_gen_written *written = &gen->folder->written[i];
        status = gfab_gen_join(path, gen->folder->made, written->name, diag);
        if (!status)
            status = gfab_gen_sum_file(path, &written->sum, diag);
    }
    if (!status)
        status = gfab_gen_open_file(gen, "manifest.json", true, path, &file, diag);
    if (status)
        return status;
    status = gfab_gen_manifest(gen, file, diag);
    const gfab_status closed = gfab_gen_close_file(file, path, diag);
    return status ? status : closed;
}

gfab_status gfab_gen_write_player(const gfab_gen *gen, gfab_diag *diag)
{
    char path[GFAB_GEN_PATH];
    FILE *file;
    if (!gen->options->write_player)
        return GFAB_OK;
    gfab_status status = gfab_gen_open_file(gen, "player.html", true, path, &file, diag);
    if (status)
        return status;
    status = gen->options->write_player(gen->options->player, file, diag);
    const gfab_status closed = gfab_gen_close_file(file, path, diag);
    return status ? status : closed;
}

/* The schedules' messages, for the benches of an operator whose order counts: program, block, from, to, combine, opens.
 */
static gfab_status write_messages(const gfab_gen *gen, gfab_diag *diag)
{
    char path[GFAB_GEN_PATH];
    FILE *file;
    gfab_status status = gfab_gen_open_file(gen, "tb/messages.txt", true, path, &file, diag);
    if (status)
        return status;
    for (size_t program = 0; program < gen->programs; program++) {
        size_t count;
        const gfab_message *messages = gfab_machine_messages(gen->machine, program, &count);
        for (const gfab_message *m = messages; m < messages + count; m++)
            fprintf(file, "%zu %" PRIu32 " %" PRIu32 " %" PRIu32 " %d %d\n", program, m->block, m->from, m->to,
                    m->combine, m->opens);
    }
    return gfab_gen_close_file(file, path, diag);
}

/* The top of each chip. */
static gfab_status write_chips(const gfab_gen *gen, gfab_diag *diag)
{
    gfab_gen chip = *gen;
    gfab_gen_top top;
    gfab_gen_number numbers[GFAB_GEN_NUMBERS];
    gfab_status status = GFAB_OK;
    chip.top = &top;
    chip.numbers = numbers;
    for (chip.chip = 0; chip.chip < gen->options->chip_count && !status; chip.chip++) {
        char name[GFAB_GEN_NAME];
        snprintf(name, sizeof name, "%s_%" PRIu32 ".v", gen->chip_name, chip.chip);
        status = gfab_gen_top_create(&chip, &top);
        if (status)
            return gfab_fail(diag, 0, status, "out of memory for the fabric");
        gfab_gen_numbers(&chip, numbers);
        status = write_copy(&chip, "gen/templates/gossip_fabric.v", name, GFAB_GEN_TEMPLATE, diag);
        gfab_gen_top_destroy(&top);
    }
    return status;
}

/* The top with registers: that with AXI4-Streams, and more. */
static gfab_status write_registers(const gfab_gen *gen, gfab_diag *diag)
{
    gfab_gen top = *gen;
    char name[GFAB_GEN_NAME];
    top.registers = true;
    snprintf(name, sizeof name, "%s_registers.v", gfab_gen_name(gen));
    return write_copy(&top, "gen/templates/gossip_fabric_axis.v", name, GFAB_GEN_PROGRAMS, diag);
}

gfab_status gfab_gen_make_folder(const gfab_gen *gen, const char *name, gfab_diag *diag)
{
    char path[GFAB_GEN_PATH];
    const gfab_status status = gfab_gen_join(path, gen->folder->made, name, diag);
    return status || mkdir(path, 0777) == 0 ? status : gfab_gen_io_error(diag, "make the folder", path);
}

static gfab_status make_folders(const gfab_gen *gen, gfab_diag *diag)
{
    const char *const folders[] = {"rtl",
                                   "tb",
                                   "make",
                                   gen->options->inline_roms ? NULL : "rom",
                                   gen->options->name && !gen->options->inline_roms ? gen->rom_folder : NULL,
                                   gen->options->board ? "constraints" : NULL};
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++)
        if (folders[i])
            GFAB_TRY(gfab_gen_make_folder(gen, folders[i], diag));
    return GFAB_OK;
}

/* What tells this fabric from others; its files are read back, since others than this library can do that, too. */
static gfab_status identify(gfab_gen *gen, gfab_diag *diag)
{
    char top[GFAB_GEN_NAME];
    snprintf(top, sizeof top, "%s.v", gfab_gen_name(gen));
    for (size_t i = 0; i < gen->folder->count; i++) {
        const char *name = gen->folder->written[i].name;
        char path[GFAB_GEN_PATH];
        if (strcmp(name, top) != 0 && (strncmp(name, "rom/", 4) != 0 || gen->options->block_roms))
            continue;
        const gfab_progress *progress = gen->options->progress;
        if (progress && !progress->report(progress->context, "files identified", i, gen->folder->count))
            return gfab_fail(diag, 0, GFAB_ERR_INTERRUPTED, "interrupted");
        gfab_status status = gfab_gen_join(path, gen->folder->made, name, diag);
        if (!status)
            status = gfab_gen_sum_file(path, &gen->identity, diag);
        if (status)
            return status;
    }
    return GFAB_OK;
}

gfab_status gfab_gen_write_files(const gfab_gen *gen, unsigned kinds, gfab_diag *diag)
{
    gfab_status status = GFAB_OK;
    const gfab_gen_file *file;
    for (size_t i = 0; !status && (file = gfab_gen_file_at(gen, kinds, i)); i++) {
        char to[GFAB_GEN_NAME];
        snprintf(to, sizeof to, "%s%s", file->to[0] == '*' ? gfab_gen_name(gen) : "", file->to + (file->to[0] == '*'));
        status = write_copy(gen, file->from, to, file->kind, diag);
    }
    return status;
}

static gfab_status write_all(gfab_gen *gen, gfab_diag *diag)
{
    const gfab_board *board = gen->options->board;
    const char *pins = gfab_gen_family(gen)->pins;
    char from[96], to[GFAB_GEN_NAME];
    gfab_status status = make_folders(gen, diag);
    if (!status)
        status = gfab_gen_write_files(gen, ~(unsigned)GFAB_GEN_PROGRAMS, diag);
    if (gen->operator_text && !status) {
        snprintf(to, sizeof to, "%s_operator.v", gfab_gen_name(gen));
        status = write_text(gen, gen->operator_text, to, diag);
    }
    if (gen->options->chips && !status)
        status = write_chips(gen, diag);
    if (board && !status) {
        snprintf(from, sizeof from, "constraints/%s/%s.%s", board->name, board->name, pins);
        snprintf(to, sizeof to, "constraints/%s.%s", board->name, pins);
        status = board->pins ? write_text(gen, board->pins, to, diag) : write_copy(gen, from, to, GFAB_GEN_OTHER, diag);
    }
    if (!status)
        status = gfab_gen_write_roms(gen, diag);
    if (!status)
        status = identify(gen, diag);
    if (!status)
        status = gfab_gen_write_files(gen, GFAB_GEN_PROGRAMS, diag);
    if (gen->timing->merges > 0 && !gen->streams && !status)
        status = write_messages(gen, diag);
    GFAB_THEN(status, gfab_gen_write_player(gen, diag));
    if (gen->options->registers && !status)
        status = write_registers(gen, diag);
    return status ? status : gfab_gen_write_manifest(gen, diag); /* last: it lists all the others */
}

/* All that follows from the image and the timing. */
static void measure(gfab_gen *gen)
{
    const gfab_image *image = gen->image;
    const gfab_timing *timing = gen->timing;
    gen->topology = gfab_layout_topology(gen->layout);
    gen->nodes = gfab_topology_node_count(gen->topology);
    gen->links = gfab_topology_link_count(gen->topology);
    gen->lanes = timing->lanes;
    gen->link_bits = timing->link_bits;
    gen->word_bits = timing->word_bits;
    gen->slot_bits = gen->store_slot_bits = gfab_image_slot_bits(image);
    gen->index_bits = gfab_gen_bits_for(timing->words);
    gen->blocks = gfab_layout_blocks(gen->layout);
    gen->combines = gfab_layout_operator(gen->layout);
    gen->load_bits = gen->index_bits + (gen->blocks         ? gen->slot_bits
                                        : timing->parts > 1 ? gfab_gen_bits_for(timing->parts)
                                                            : 0);
    gen->round_bits = gfab_image_round_bits(image);
    gen->cell_bits = gen->banks ? gfab_banks_address_bits(gen->banks) : 0;
    gen->programs = gfab_machine_program_count(gen->machine);
    gen->members = gfab_topology_member_count(gen->topology);
    gen->goal = gfab_machine_program_at(gen->machine, 0)->goal;
    gen->loads = gen->blocks ? gen->blocks : 1;
    gen->reads = gen->blocks ? gen->blocks : (uint32_t)gen->nodes;
    gen->counted = gen->blocks && (gen->banks || gfab_layout_goal(gen->layout));
    if (gen->counted) {
        gen->loads = gen->banks ? gfab_banks_load_count(gen->banks) : gfab_layout_load_count(gen->layout);
        gen->reads = gen->banks ? gfab_banks_place_count(gen->banks) : gfab_layout_place_count(gen->layout);
        gen->slot_bits = gfab_gen_bits_for(gen->reads);
        gen->load_bits = gen->index_bits + gfab_gen_bits_for(gen->loads);
    }
    gen->write_ports = gen->banks ? gfab_banks_crossbar(gen->banks)->banks : 1;
    gen->trace_address_bits = (gen->banks ? gen->round_bits : gen->store_slot_bits) + gen->index_bits;
    gen->gap_bits = gfab_image_gap_bits(image);
    gen->wires = timing->wires;
    gen->full = gfab_layout_full_duplex(gen->layout);
    gen->paths = gfab_layout_paths(gen->layout);
    gen->protect = gfab_layout_protect(gen->layout) != GFAB_PROTECT_NONE;
    gen->checked = gfab_layout_has_checks(gen->layout);
    gen->twins = gfab_layout_has_twins(gen->layout);
    gfab_gen_measure_streams(gen);
    gen->node_digits = snprintf(NULL, 0, "%zu", gen->nodes - 1);
}

/* What is named for the fabric where it has a name of its own: two can then lie beside each other. */
static void name_files(gfab_gen *gen)
{
    const char *name = gen->options->name;
    snprintf(gen->rom_folder, sizeof gen->rom_folder, "rom%s%s", name ? "/" : "", name ? name : "");
    snprintf(gen->chip_name, sizeof gen->chip_name, "%s_chip", name ? name : "gossip");
}

/* What is written, as features: the machine's and the options'. */
static gfab_features features_of(const gfab_gen *gen)
{
    const gfab_fabric_options *options = gen->options;
    return gfab_layout_features(gen->layout) | GFAB_HAS_IF(GAPS, gfab_image_gap_bits(gen->image)) |
           GFAB_HAS_IF(LATENCY, gen->timing->latency_cycles) | GFAB_HAS_IF(BOARD, options->board) |
           GFAB_HAS_IF(SELF_TEST, options->board && !options->uart_host) | GFAB_HAS_IF(CHIPS, options->chips) |
           GFAB_HAS_IF(OWN_CLOCKS, options->own_clocks) |
           GFAB_HAS_IF(TURNED_PADS, options->chips && !options->own_clocks && !gfab_layout_full_duplex(gen->layout)) |
           GFAB_HAS_IF(BLOCK_ROMS, options->block_roms) |
           GFAB_HAS_IF(SEVERAL, gfab_machine_program_count(gen->machine) > 1) | GFAB_HAS_IF(OVERLAP, options->overlap) |
           GFAB_HAS_IF(REGISTERS, options->registers);
}

/* Where chips have clocks of their own. gen->parents is to be freed. */
static gfab_status time_chips(gfab_gen *gen, gfab_diag *diag)
{
    const gfab_fabric_options *options = gen->options;
    if (!options->chips)
        return gfab_fail(diag, 0, GFAB_ERR_INVALID, "clocks of their own are for several chips");
    gen->parents = calloc(options->chip_count, sizeof *gen->parents);
    if (!gen->parents)
        return gfab_fail(diag, 0, GFAB_ERR_NO_MEMORY, "out of memory for the chips");
    return gfab_chip_clocks_compute(gen->machine, options->chips, options->chip_count, &gen->clocks, gen->parents,
                                    diag);
}

/* Can this be written as the options say? */
static gfab_status check(gfab_gen *gen, gfab_diag *diag)
{
    const gfab_timing *timing = gen->timing;
    gfab_status status = gfab_fabric_check_name(gfab_gen_name(gen), diag);
    if (!status)
        status = gfab_image_check(gen->image, timing, gen->options->progress, &gen->rounds, diag);
    if (!status && gen->banks)
        status = gfab_banks_check(gen->banks, timing, NULL, diag);
    if (!status)
        status = gfab_features_check(features_of(gen), diag);
    if (!status)
        status = read_operator(gen, &gen->operator_text, diag);
    if (status)
        return status;
    measure(gen);
    name_files(gen);
    if (gen->streams && (status = gfab_gen_check_streams(gen, diag)))
        return status;
    if (gen->options->chips && (status = gfab_gen_check_chips(gen, diag)))
        return status;
    if (gen->options->own_clocks && (status = time_chips(gen, diag)))
        return status;
    if (gen->options->inline_roms && gen->options->programs)
        return gfab_fail(diag, 0, GFAB_ERR_INVALID, "--rom inline: programs in the Verilog itself are not replaced");
    if (gen->options->block_roms && !gen->banks && !gfab_gen_fills_rams(gen))
        return gfab_fail(diag, 0, GFAB_ERR_UNSUPPORTED, "a program of %zu words does not fill a block RAM's %u",
                         gfab_image_word_count(gen->image), GFAB_RAM_WORDS);
    /* rtl/board/gfab_selftest.v says why: its tokens must all differ. */
    const size_t told_apart = gen->blocks ? gen->blocks : gfab_layout_slot_count(gen->layout);
    const uint32_t least_bits = told_apart > 126 ? 17 : 7;
    if (gen->options->board && !gen->options->uart_host && timing->part_bits < least_bits)
        return gfab_fail(diag, 0, GFAB_ERR_INVALID,
                         "the board's self-test of %zu nodes needs %s of at least %" PRIu32 " bits, not %" PRIu32,
                         gen->nodes, timing->parts > 1 ? "parts" : "tokens", least_bits, timing->part_bits);
    return GFAB_OK;
}

static gfab_status write_fabric(gfab_gen *gen, gfab_diag *diag)
{
    GFAB_AT_END(gfab_gen_folder_release) gfab_gen_folder folder = {0};
    gfab_gen_top top;
    gfab_gen_number numbers[GFAB_GEN_NUMBERS];
    gfab_status status = gfab_gen_folder_open(&folder, gen->options, diag);
    gen->folder = &folder;
    if (!status && (status = gfab_gen_top_create(gen, &top)))
        gfab_fail(diag, 0, status, "out of memory for the fabric");
    else if (!status) {
        gen->top = &top;
        status = gfab_gen_make_images(gen, diag);
        gfab_gen_numbers(gen, numbers);
        gen->numbers = numbers;
        if (!status)
            status = write_all(gen, diag);
        gfab_gen_release_images(gen);
        gfab_gen_top_destroy(&top);
    }
    if (!status)
        status = gfab_gen_folder_finish(&folder, diag);
    return status;
}

gfab_status gfab_fabric_write(const gfab_machine *machine, const gfab_fabric_options *options, gfab_diag *diag)
{
    if (!machine || !options || !options->directory)
        return gfab_fail(diag, 0, GFAB_ERR_INVALID, "a fabric is written of a machine, with options that say where");
    const bool words = gfab_layout_word_streams(gfab_machine_layout(machine));
    const gfab_gen_language language = {.texts = gfab_gen_texts,
                                        .lists = gfab_gen_lists,
                                        .word = gfab_gen_word,
                                        .condition = gfab_gen_machine_condition,
                                        .files = words ? gfab_gen_word_stream_files : gfab_gen_files,
                                        .describe = gfab_gen_describe,
                                        .describe_nodes = gfab_gen_describe_nodes};
    gfab_gen gen = {.language = &language,
                    .machine = machine,
                    .image = gfab_machine_image(machine),
                    .layout = gfab_machine_layout(machine),
                    .timing = gfab_machine_timing(machine),
                    .options = options,
                    .sharing = gfab_machine_sharing(machine),
                    .banks = gfab_machine_banks(machine),
                    .cycles = gfab_machine_cycles(machine),
                    .chip = GFAB_GEN_WHOLE};
    if (!gen.image)
        return gfab_fail(diag, 0, GFAB_ERR_INVALID, "a machine without images cannot be written");
    gfab_status status = check(&gen, diag);
    if (!status)
        status = write_fabric(&gen, diag);
    GFAB_FREE(gen.operator_text, gen.parents, gen.order, gen.first_digit);
    return status;
}
