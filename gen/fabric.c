/* SPDX-License-Identifier: MIT */
/* The generated folder: made whole under a temporary name beside its place, then renamed. */
#define _XOPEN_SOURCE 700
#include "gen.h"

#include <errno.h>
#include <ftw.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static gfab_status io_error(gfab_diag *diag, const char *what, const char *path)
{
    return gfab_fail(diag, 0, GFAB_ERR_IO, "cannot %s %s: %s", what, path, strerror(errno));
}

static gfab_status open_in(const char *directory, const char *name, char path[PATH_MAX], FILE **file, gfab_diag *diag)
{
    if (snprintf(path, PATH_MAX, "%s/%s", directory, name) >= PATH_MAX)
        return gfab_fail(diag, 0, GFAB_ERR_IO, "the path %.100s... is too long", directory);
    *file = fopen(path, "wb");
    return *file ? GFAB_OK : io_error(diag, "write", path);
}

static gfab_status close_file(FILE *file, const char *path, gfab_diag *diag)
{
    const bool bad = ferror(file);
    if (fclose(file) != 0 || bad)
        return io_error(diag, "write", path);
    return GFAB_OK;
}

static gfab_status write_copy(const gfab_gen *gen, const char *directory, const char *from, const char *to,
                              bool template, gfab_diag *diag)
{
    const gfab_embedded *source = gfab_gen_embedded(from);
    if (!source)
        return gfab_fail(diag, 0, GFAB_ERR_UNSUPPORTED, "this build carries no %s", from);
    char path[PATH_MAX];
    FILE *file;
    gfab_status status = open_in(directory, to, path, &file, diag);
    if (status)
        return status;
    if (template)
        status = gfab_gen_template(gen, (const char *)source->bytes, source->size, file, diag);
    else
        fwrite(source->bytes, 1, source->size, file);
    const gfab_status closed = close_file(file, path, diag);
    return status ? status : closed;
}

typedef enum rom_kind { ROM_PROGRAM, ROM_PATHS, ROM_PLACES, ROM_GAPS } rom_kind;

static gfab_status write_rom(const gfab_gen *gen, const char *directory, rom_kind kind, size_t node, gfab_diag *diag)
{
    char name[64], path[PATH_MAX];
    FILE *file;
    if (kind == ROM_GAPS)
        snprintf(name, sizeof name, "rom/gap.hex");
    else
        snprintf(name, sizeof name, "rom/%s_%0*zu.hex",
                 kind == ROM_PATHS    ? "paths"
                 : kind == ROM_PLACES ? "places"
                                      : "program",
                 gen->node_digits, node);
    gfab_status status = open_in(directory, name, path, &file, diag);
    if (status)
        return status;
    status = kind == ROM_GAPS     ? gfab_image_write_gaps(gen->image, file, diag)
             : kind == ROM_PATHS  ? gfab_image_write_paths(gen->image, node, file, diag)
             : kind == ROM_PLACES ? gfab_banks_write_places(gen->banks, node, file, diag)
             : gen->banks         ? gfab_banks_write_program(gen->banks, node, file, diag)
                                  : gfab_image_write(gen->image, node, file, diag);
    const gfab_status closed = close_file(file, path, diag);
    return status ? status : closed;
}

static gfab_status write_roms(const gfab_gen *gen, const char *directory, gfab_diag *diag)
{
    gfab_status status = gen->gap_bits ? write_rom(gen, directory, ROM_GAPS, 0, diag) : GFAB_OK;
    for (size_t node = 0; node < gen->nodes && !status; node++) {
        if (gen->sharing->program[node] == node)
            status = write_rom(gen, directory, ROM_PROGRAM, node, diag);
        if (gen->paths && !status)
            status = write_rom(gen, directory, ROM_PATHS, node, diag);
        if (gen->banks && !status)
            status = write_rom(gen, directory, ROM_PLACES, node, diag);
    }
    return status;
}

static gfab_status write_manifest(const gfab_gen *gen, const char *directory, gfab_diag *diag)
{
    char path[PATH_MAX];
    FILE *file;
    gfab_status status = open_in(directory, "manifest.json", path, &file, diag);
    if (status)
        return status;
    status = gfab_gen_manifest(gen, file, diag);
    const gfab_status closed = close_file(file, path, diag);
    return status ? status : closed;
}

/* The top of each chip. */
static gfab_status write_chips(const gfab_gen *gen, const char *directory, gfab_diag *diag)
{
    gfab_gen chip = *gen;
    gfab_gen_top top;
    gfab_status status = GFAB_OK;
    chip.top = &top;
    for (chip.chip = 0; chip.chip < gen->options->chip_count && !status; chip.chip++) {
        char name[64];
        snprintf(name, sizeof name, "gossip_chip_%" PRIu32 ".v", chip.chip);
        status = gfab_gen_top_create(&chip, &top);
        if (status)
            return gfab_fail(diag, 0, status, "out of memory for the fabric");
        status = write_copy(&chip, directory, "gen/templates/gossip_fabric.v", name, true, diag);
        gfab_gen_top_destroy(&top);
    }
    return status;
}

static gfab_status write_all(const gfab_gen *gen, const char *directory, gfab_diag *diag)
{
    static const char *const folders[] = {"rtl", "rom", "tb", "constraints"};
    const gfab_board *board = gen->options->board;
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
        char path[PATH_MAX];
        if (strcmp(folders[i], "constraints") == 0 && !board)
            continue;
        if (snprintf(path, sizeof path, "%s/%s", directory, folders[i]) >= PATH_MAX || mkdir(path, 0777) != 0)
            return io_error(diag, "make the folder", path);
    }
    gfab_status status = GFAB_OK;
    const gfab_gen_file *file;
    for (size_t i = 0; !status && (file = gfab_gen_file_at(gen, ~0u, i)); i++)
        status = write_copy(gen, directory, file->from, file->to, file->kind == GFAB_GEN_TEMPLATE, diag);
    if (gen->options->chips && !status)
        status = write_chips(gen, directory, diag);
    if (board && !status) {
        char from[96], to[64];
        snprintf(from, sizeof from, "constraints/%s/%s.pcf", board->name, board->name);
        snprintf(to, sizeof to, "constraints/%s.pcf", board->name);
        status = write_copy(gen, directory, from, to, false, diag);
    }
    if (!status)
        status = write_roms(gen, directory, diag);
    return status ? status : write_manifest(gen, directory, diag);
}

static int remove_one(const char *path, const struct stat *info, int type, struct FTW *walk)
{
    (void)info;
    (void)type;
    (void)walk;
    return remove(path);
}

static void remove_tree(const char *directory)
{
    nftw(directory, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

/* Does directory look like something we wrote? Its manifest says so near the top. */
static bool is_ours(const char *directory)
{
    char path[PATH_MAX], head[256] = "";
    if (snprintf(path, sizeof path, "%s/manifest.json", directory) >= PATH_MAX)
        return false;
    FILE *file = fopen(path, "rb");
    if (!file)
        return false;
    const size_t size = fread(head, 1, sizeof head - 1, file);
    head[size] = '\0';
    fclose(file);
    return strstr(head, "\"gossipfab.fabric/");
}

/* Puts the finished folder in its place, the old one (if any) out of the way first. */
static gfab_status move_into_place(const char *made, const char *directory, bool exists, gfab_diag *diag)
{
    char old[PATH_MAX];
    if (snprintf(old, sizeof old, "%s.old", made) >= PATH_MAX)
        return gfab_fail(diag, 0, GFAB_ERR_IO, "the path %.100s... is too long", directory);
    if (exists && rename(directory, old) != 0)
        return io_error(diag, "move away the old", directory);
    if (rename(made, directory) != 0) {
        const gfab_status status = io_error(diag, "make the folder", directory);
        if (exists && rename(old, directory) != 0)
            return gfab_fail(diag, 0, GFAB_ERR_IO, "cannot restore %s; its old content is in %s", directory, old);
        return status;
    }
    if (exists)
        remove_tree(old);
    return GFAB_OK;
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
    gen->slot_bits = gfab_image_slot_bits(image);
    gen->index_bits = gfab_gen_bits_for(timing->words);
    gen->load_bits = gen->index_bits + (timing->parts > 1 ? gfab_gen_bits_for(timing->parts) : 0);
    gen->round_bits = gfab_image_round_bits(image);
    gen->write_ports = gen->banks ? gfab_banks_crossbar(gen->banks)->banks : 1;
    gen->trace_address_bits = (gen->banks ? gen->round_bits : gen->slot_bits) + gen->index_bits;
    gen->gap_bits = gfab_image_gap_bits(image);
    gen->wires = timing->wires;
    gen->full = gfab_layout_full_duplex(gen->layout);
    gen->paths = gfab_layout_paths(gen->layout);
    gen->protect = gfab_layout_protect(gen->layout) != GFAB_PROTECT_NONE;
    gen->node_digits = snprintf(NULL, 0, "%zu", gen->nodes - 1);
}

/* Can this be written as the options say? */
static gfab_status check(gfab_gen *gen, gfab_diag *diag)
{
    const gfab_timing *timing = gen->timing;
    gfab_status status = gfab_image_check(gen->image, timing, &gen->rounds, diag);
    if (!status && gen->banks)
        status = gfab_banks_check(gen->banks, timing, NULL, diag);
    if (!status && gen->banks && gfab_image_gap_bits(gen->image))
        status = gfab_fail(diag, 0, GFAB_ERR_UNSUPPORTED, "a wide fabric has no gaps");
    if (status)
        return status;
    measure(gen);
    if (gen->protect && gen->options->chips)
        return gfab_fail(diag, 0, GFAB_ERR_UNSUPPORTED, "protect %s: not for a fabric on several chips",
                         gfab_protect_name(gfab_layout_protect(gen->layout)));
    if (gen->options->chips && (status = gfab_gen_check_chips(gen, diag)))
        return status;
    /* rtl/board/gfab_selftest.v says why: its tokens must all differ. */
    const uint32_t least_bits = gfab_layout_slot_count(gen->layout) > 126 ? 17 : 7;
    if (gen->options->board && timing->part_bits < least_bits)
        return gfab_fail(diag, 0, GFAB_ERR_INVALID,
                         "the board's self-test of %zu nodes needs %s of at least %" PRIu32 " bits, not %" PRIu32,
                         gen->nodes, timing->parts > 1 ? "parts" : "tokens", least_bits, timing->part_bits);
    return GFAB_OK;
}

/* Where the folder goes, without slashes at the end; may it? */
static gfab_status find_target(const gfab_fabric_options *options, char target[PATH_MAX], bool *exists, gfab_diag *diag)
{
    size_t length = strlen(options->directory);
    while (length > 1 && options->directory[length - 1] == '/')
        length--;
    if (length == 0 || length >= PATH_MAX - 32)
        return gfab_fail(diag, 0, GFAB_ERR_INVALID, "the output folder's name must have 1 to %d characters",
                         PATH_MAX - 33);
    memcpy(target, options->directory, length);
    target[length] = '\0';
    struct stat info;
    *exists = lstat(target, &info) == 0;
    if (*exists && !options->force)
        return gfab_fail(diag, 0, GFAB_ERR_INVALID, "%s exists; name another folder, or give --force to replace it",
                         target);
    if (*exists && (!S_ISDIR(info.st_mode) || !is_ours(target)))
        return gfab_fail(diag, 0, GFAB_ERR_INVALID, "%s is not a folder that gossipfab generated; it is left alone",
                         target);
    return GFAB_OK;
}

static gfab_status write_fabric(gfab_gen *gen, gfab_diag *diag)
{
    char target[PATH_MAX], made[PATH_MAX];
    bool exists;
    gfab_gen_top top;
    gfab_status status = check(gen, diag);
    if (!status)
        status = find_target(gen->options, target, &exists, diag);
    if (status)
        return status;
    snprintf(made, sizeof made, "%.*s.tmp-XXXXXX", (int)(sizeof made - 16), target);
    if (!mkdtemp(made))
        return io_error(diag, "make a folder beside", target);
    const mode_t mask = umask(0);
    umask(mask);
    status = chmod(made, 0777 & ~mask) == 0 ? GFAB_OK : io_error(diag, "set the mode of", made);
    if (!status && (status = gfab_gen_top_create(gen, &top)))
        status = gfab_fail(diag, 0, status, "out of memory for the fabric");
    else if (!status) {
        gen->top = &top;
        status = write_all(gen, made, diag);
        gfab_gen_top_destroy(&top);
    }
    if (!status)
        status = move_into_place(made, target, exists, diag);
    if (status)
        remove_tree(made);
    return status;
}

gfab_status gfab_fabric_write(const gfab_machine *machine, const gfab_fabric_options *options, gfab_diag *diag)
{
    gfab_gen gen = {.image = gfab_machine_image(machine),
                    .layout = gfab_machine_layout(machine),
                    .timing = gfab_machine_timing(machine),
                    .options = options,
                    .sharing = gfab_machine_sharing(machine),
                    .banks = gfab_machine_banks(machine),
                    .cycles = gfab_machine_cycles(machine),
                    .chip = GFAB_GEN_WHOLE};
    if (!gen.image)
        return gfab_fail(diag, 0, GFAB_ERR_INVALID, "a machine without images cannot be written");
    return write_fabric(&gen, diag);
}
