/* SPDX-License-Identifier: MIT */
/* Where the generated folder goes: made whole under a temporary name beside its place, then put there. Whose the files
 * of an older one are: the generator's are those that its manifest lists, and build/, which its Makefile fills. */
#define _XOPEN_SOURCE 700
#define _DEFAULT_SOURCE
#include "gen.h"

#include <gossipfab/base/crc32.h>
#include <gossipfab/base/json.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define NAMED 5 /* files that a message names */
#define MANIFEST "manifest.json"

gfab_status gfab_gen_io_error(gfab_diag *diag, const char *what, const char *path)
{
    return gfab_fail(diag, 0, GFAB_ERR_IO, "cannot %s %s: %s", what, path, strerror(errno));
}

gfab_status gfab_gen_join(char path[GFAB_GEN_PATH], const char *directory, const char *name, gfab_diag *diag)
{
    if (snprintf(path, GFAB_GEN_PATH, "%s/%s", directory, name) >= GFAB_GEN_PATH)
        return gfab_fail(diag, 0, GFAB_ERR_IO, "the path %.100s... is too long", directory);
    return GFAB_OK;
}

gfab_status gfab_gen_sum_file(const char *path, uint32_t *sum, gfab_diag *diag)
{
    unsigned char bytes[4096];
    size_t size;
    FILE *file = fopen(path, "rb");
    if (!file)
        return gfab_gen_io_error(diag, "read", path);
    while ((size = fread(bytes, 1, sizeof bytes, file)) > 0)
        *sum = gfab_crc32(*sum, bytes, size);
    const gfab_status status = ferror(file) ? gfab_gen_io_error(diag, "read", path) : GFAB_OK;
    fclose(file);
    return status;
}

static int add_to_sum(const char *bytes, size_t size, void *sum)
{
    *(uint32_t *)sum = gfab_crc32(*(uint32_t *)sum, (const uint8_t *)bytes, size);
    return 0;
}

gfab_status gfab_gen_sum_json(const json_t *json, uint32_t *sum, gfab_diag *diag)
{
    return json_dump_callback(json, add_to_sum, sum, JSON_COMPACT) == 0
               ? GFAB_OK
               : gfab_fail(diag, 0, GFAB_ERR_NO_MEMORY, "out of memory for the manifest");
}

/* A way through a folder: where it stands, and what is told of each file. */
typedef struct walker {
    char path[GFAB_GEN_PATH];
    size_t root; /* the length of the first folder's path */
    gfab_status (*visit)(const char *path, const char *name, bool folder, void *context);
    void *context;
    gfab_diag *diag;
} walker;

/* Of the folder of so long a path. */
static gfab_status walk_below(walker *w, size_t length)
{
    struct stat info;
    const struct dirent *entry;
    DIR *folder = opendir(w->path);
    gfab_status status = folder ? GFAB_OK : gfab_gen_io_error(w->diag, "read", w->path);
    while (!status && (errno = 0, entry = readdir(folder))) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        const size_t end = length + 1 + strlen(entry->d_name);
        if (end >= sizeof w->path)
            status = gfab_fail(w->diag, 0, GFAB_ERR_IO, "the path %.100s... is too long", w->path);
        else if (sprintf(w->path + length, "/%s", entry->d_name), lstat(w->path, &info) != 0)
            status = gfab_gen_io_error(w->diag, "read", w->path);
        else
            status = S_ISDIR(info.st_mode) ? walk_below(w, end)
                                           : w->visit(w->path, w->path + w->root + 1, false, w->context);
        w->path[length] = '\0';
    }
    if (!status && errno != 0) /* it ended before all was seen */
        status = gfab_gen_io_error(w->diag, "read", w->path);
    if (folder)
        closedir(folder);
    return status ? status : w->visit(w->path, w->path + w->root + (length > w->root), true, w->context);
}

/* Every file below a folder, folders behind what they hold; visit is told their paths, and those within the folder, ""
 * for itself. No fts_open(): that of glibc 2.36 ends in a segmentation fault where memory runs out. */
static gfab_status walk(const char *directory,
                        gfab_status (*visit)(const char *path, const char *name, bool folder, void *context),
                        void *context, gfab_diag *diag)
{
    walker w = {.root = strlen(directory), .visit = visit, .context = context, .diag = diag};
    snprintf(w.path, sizeof w.path, "%s", directory);
    return walk_below(&w, w.root);
}

static gfab_status remove_one(const char *path, const char *name, bool folder, void *context)
{
    (void)name;
    (void)folder;
    (void)context;
    remove(path); /* what cannot be removed is left: there is no one to tell */
    return GFAB_OK;
}

static void remove_tree(const char *directory)
{
    walk(directory, remove_one, NULL, NULL);
}

/* Removes what was in the folder that is replaced. It needs no memory: it is done where there is none left, too. */
static void remove_former(const gfab_gen_folder *folder, const char *old)
{
    char path[GFAB_GEN_PATH];
    for (size_t i = 0; i < folder->former_count; i++)
        if (!gfab_gen_join(path, old, folder->former[i], NULL))
            remove(path);
}

/* Removes what was made: its files, then the folders that are empty by then. Where nothing else is there it needs no
 * memory, either. */
static void remove_made(const gfab_gen_folder *folder)
{
    char path[GFAB_GEN_PATH], *slash;
    const size_t root = strlen(folder->made);
    for (size_t i = 0; i < folder->count; i++)
        if (!gfab_gen_join(path, folder->made, folder->written[i].name, NULL))
            remove(path);
    for (size_t i = 0; i < folder->count; i++)
        if (!gfab_gen_join(path, folder->made, folder->written[i].name, NULL))
            for (; (slash = strrchr(path + root + 1, '/')); remove(path))
                *slash = '\0';
    if (remove(folder->made) != 0)
        remove_tree(folder->made);
}

static gfab_status not_ours(const char *directory, gfab_diag *diag)
{
    return gfab_fail(diag, 0, GFAB_ERR_INVALID, "%s is not a folder that gossipfab generated; it is left alone",
                     directory);
}

/* The manifest of a folder that gossipfab generated; NULL after an error. */
static gfab_status read_manifest(const char *directory, json_t **manifest, gfab_diag *diag)
{
    char path[GFAB_GEN_PATH];
    struct stat info;
    *manifest = NULL;
    if (gfab_gen_join(path, directory, MANIFEST, NULL) || lstat(path, &info) != 0 || !S_ISREG(info.st_mode))
        return not_ours(directory, diag);
    FILE *file = fopen(path, "rb");
    if (!file)
        return gfab_gen_io_error(diag, "read", path);
    const gfab_status status = gfab_json_read(file, manifest, diag);
    fclose(file);
    if (status == GFAB_ERR_NO_MEMORY)
        return status;
    const char *schema = json_string_value(json_object_get(*manifest, "schema"));
    if (schema && strncmp(schema, "gossipfab.fabric/", strlen("gossipfab.fabric/")) == 0)
        return GFAB_OK;
    json_decref(*manifest);
    *manifest = NULL;
    return not_ours(directory, diag);
}

/* Files that a message names, the first few. */
typedef struct named {
    char names[NAMED * 64];
    size_t count;
} named;

static void note_name(named *files, const char *name)
{
    if (files->count++ < NAMED) {
        const size_t length = strlen(files->names);
        snprintf(files->names + length, sizeof files->names - length, "%s%.60s", length ? ", " : "", name);
    }
}

/* Is it as gossipfab wrote it? Its sum is a text of eight digits. */
static bool is_unchanged(const char *path, const json_t *sum)
{
    struct stat info;
    char text[9];
    uint32_t now = 0;
    if (lstat(path, &info) != 0 || !S_ISREG(info.st_mode) || gfab_gen_sum_file(path, &now, NULL)) /* not a pipe */
        return false;
    snprintf(text, sizeof text, "%08" PRIx32, now);
    return json_is_string(sum) && strcmp(json_string_value(sum), text) == 0;
}

/* All that is in a folder, and of its files those that its manifest does not list, or lists with another sum. */
typedef struct strangers {
    gfab_gen_folder *folder;
    const json_t *listed;
    named unknown, changed;
} strangers;

static gfab_status note_stranger(const char *path, const char *name, bool is_folder, void *context)
{
    strangers *s = context;
    gfab_gen_folder *folder = s->folder;
    char **more = realloc(folder->former, (folder->former_count + 1) * sizeof *more);
    folder->former = more ? more : folder->former;
    if (!more || !(more[folder->former_count] = strdup(name)))
        return GFAB_ERR_NO_MEMORY;
    folder->former_count++;
    if (is_folder || strncmp(name, "build/", strlen("build/")) == 0)
        return GFAB_OK;
    const json_t *sum = json_object_get(s->listed, name);
    if (!sum)
        note_name(&s->unknown, name);
    else if (strcmp(name, MANIFEST) != 0 && !is_unchanged(path, sum)) /* check_manifest says so of that */
        note_name(&s->changed, name);
    return GFAB_OK;
}

static gfab_status not_as_written(const char *directory, const named *files, gfab_diag *diag)
{
    const bool one = files->count == 1;
    return gfab_fail(diag, 0, GFAB_ERR_INVALID, "%s: %s%s: not as gossipfab wrote %s; move %s elsewhere first",
                     directory, files->names, files->count > NAMED ? " and more" : "", one ? "it" : "them",
                     one ? "it" : "them");
}

/* Is it as it was written? Its own sum is one of its content, without that. */
static gfab_status check_manifest(const char *directory, json_t *manifest, gfab_diag *diag)
{
    json_t *files = json_object_get(manifest, "files"), *sum = json_incref(json_object_get(files, MANIFEST));
    char text[9];
    uint32_t now = 0;
    gfab_status status = GFAB_OK;
    if (sum && json_object_del(files, MANIFEST) == 0)
        status = gfab_gen_sum_json(manifest, &now, diag);
    snprintf(text, sizeof text, "%08" PRIx32, now);
    if (!status && (!json_is_string(sum) || strcmp(json_string_value(sum), text) != 0))
        status = not_as_written(directory, &(named){.names = MANIFEST, .count = 1}, diag);
    if (!status && json_object_set(files, MANIFEST, sum))
        status = gfab_fail(diag, 0, GFAB_ERR_NO_MEMORY, "out of memory for the list of files");
    json_decref(sum);
    return status;
}

/* May the folder be replaced: did gossipfab write all that is in it? */
static gfab_status check_ours(gfab_gen_folder *folder, gfab_diag *diag)
{
    const char *target = folder->target;
    json_t *manifest = NULL;
    gfab_status status = read_manifest(target, &manifest, diag);
    if (status)
        return status;
    if (!json_is_object(json_object_get(manifest, "files")))
        status = gfab_fail(diag, 0, GFAB_ERR_INVALID,
                           "%s: an older gossipfab wrote it, without sums of its files; remove it yourself", target);
    else
        status = check_manifest(target, manifest, diag);
    strangers s = {.folder = folder, .listed = json_object_get(manifest, "files")};
    if (!status && (status = walk(target, note_stranger, &s, diag)) == GFAB_ERR_NO_MEMORY)
        gfab_fail(diag, 0, status, "out of memory for the list of files");
    const bool one = s.unknown.count == 1;
    if (!status && s.unknown.count > 0)
        status = gfab_fail(diag, 0, GFAB_ERR_INVALID,
                           "%s: %s%s: gossipfab did not write %s; move %s elsewhere, and --force replaces the rest",
                           target, s.unknown.names, s.unknown.count > NAMED ? " and more" : "", one ? "it" : "them",
                           one ? "it" : "them");
    if (!status && s.changed.count > 0)
        status = not_as_written(target, &s.changed, diag);
    json_decref(manifest);
    return status;
}

/* Where the folder goes, without slashes at the end; may it? */
static gfab_status find_target(gfab_gen_folder *folder, const gfab_fabric_options *options, gfab_diag *diag)
{
    const char *directory = options->directory;
    size_t length = strlen(directory);
    while (length > 1 && directory[length - 1] == '/')
        length--;
    if (length == 0 || length >= GFAB_GEN_PATH - 32)
        return gfab_fail(diag, 0, GFAB_ERR_INVALID, "the output folder's name must have 1 to %d characters",
                         GFAB_GEN_PATH - 33);
    memcpy(folder->target, directory, length);
    folder->target[length] = '\0';
    struct stat info;
    folder->exists = lstat(folder->target, &info) == 0;
    folder->programs = options->programs;
    if (folder->programs)
        return folder->exists
                   ? GFAB_OK
                   : gfab_fail(diag, 0, GFAB_ERR_INVALID, "there is no %s; generate it first", folder->target);
    if (!folder->exists)
        return GFAB_OK;
    if (!options->force)
        return gfab_fail(diag, 0, GFAB_ERR_INVALID, "%s exists; name another folder, or give --force to replace it",
                         folder->target);
    return check_ours(folder, diag);
}

gfab_status gfab_gen_folder_open(gfab_gen_folder *folder, const gfab_fabric_options *options, gfab_diag *diag)
{
    *folder = (gfab_gen_folder){.exists = false};
    gfab_status status = find_target(folder, options, diag);
    if (status)
        return status;
    snprintf(folder->made, sizeof folder->made, "%.*s.tmp-XXXXXX", (int)(sizeof folder->made - 16), folder->target);
    if (!mkdtemp(folder->made)) {
        folder->made[0] = '\0';
        return gfab_gen_io_error(diag, "make a folder beside", folder->target);
    }
    const mode_t mask = umask(0);
    umask(mask);
    return chmod(folder->made, 0777 & ~mask) == 0 ? GFAB_OK : gfab_gen_io_error(diag, "set the mode of", folder->made);
}

static bool same_bytes(const char *a, const char *b)
{
    struct stat info;
    if (lstat(b, &info) != 0 || !S_ISREG(info.st_mode)) /* a pipe gives no answer */
        return false;
    FILE *first = fopen(a, "rb"), *second = fopen(b, "rb");
    bool same = first && second;
    while (same) {
        char x[4096], y[4096];
        const size_t size = fread(x, 1, sizeof x, first);
        same = fread(y, 1, sizeof y, second) == size && memcmp(x, y, size) == 0;
        if (size < sizeof x)
            break;
    }
    if (first)
        fclose(first);
    if (second)
        fclose(second);
    return same;
}

/* Puts what says which programs there are in the place of what said so before; nothing where anything else differs.
 * Files that stay the same are not touched, so that make does not take the hardware for a new one. */
static gfab_status exchange_files(const gfab_gen_folder *folder, const json_t *listed, gfab_diag *diag)
{
    char from[GFAB_GEN_PATH], to[GFAB_GEN_PATH];
    for (int moving = 0; moving < 2; moving++) /* all are looked at before the first is moved */
        for (size_t i = 0; i < folder->count; i++) {
            const gfab_gen_written *file = &folder->written[i];
            gfab_status status = gfab_gen_join(from, folder->made, file->name, diag);
            if (!status)
                status = gfab_gen_join(to, folder->target, file->name, diag);
            if (status)
                return status;
            if (same_bytes(from, to))
                continue;
            if (!file->of_programs)
                return gfab_fail(diag, 0, GFAB_ERR_INVALID,
                                 "%s is not that of this fabric; give the schedule and the options that generate had",
                                 to);
            struct stat info;
            if (!moving && strcmp(file->name, MANIFEST) != 0 && lstat(to, &info) == 0 &&
                !is_unchanged(to, json_object_get(listed, file->name))) {
                named one = {.count = 0};
                note_name(&one, file->name);
                return not_as_written(folder->target, &one, diag);
            }
            if (moving && rename(from, to) != 0)
                return gfab_gen_io_error(diag, "replace", to);
        }
    return GFAB_OK;
}

static gfab_status exchange_programs(const gfab_gen_folder *folder, gfab_diag *diag)
{
    json_t *manifest = NULL;
    gfab_status status = read_manifest(folder->target, &manifest, diag);
    if (!status)
        status = check_manifest(folder->target, manifest, diag);
    if (!status)
        status = exchange_files(folder, json_object_get(manifest, "files"), diag);
    json_decref(manifest);
    return status;
}

/* Where all is as before, the files keep their times, so that make has nothing to do. All or none: what its rules say
 * is no file that it looks at. */
static void keep_times(const gfab_gen_folder *folder)
{
    char made[GFAB_GEN_PATH], former[GFAB_GEN_PATH];
    struct stat info;
    for (int keeping = 0; keeping < 2; keeping++)
        for (size_t i = 0; i < folder->count; i++) {
            const char *name = folder->written[i].name;
            if (gfab_gen_join(made, folder->made, name, NULL) || gfab_gen_join(former, folder->target, name, NULL) ||
                (!keeping && !same_bytes(made, former)))
                return;
            if (keeping && lstat(former, &info) == 0)
                utimensat(AT_FDCWD, made, (const struct timespec[]){info.st_atim, info.st_mtim}, 0);
        }
}

/* What make made is kept; it looks at the times of what it was made of. */
static bool move_build(const char *from, const char *to)
{
    char old[GFAB_GEN_PATH], new[GFAB_GEN_PATH];
    struct stat info;
    return !gfab_gen_join(old, from, "build", NULL) && !gfab_gen_join(new, to, "build", NULL) &&
           (lstat(old, &info) != 0 || rename(old, new) == 0);
}

/* Puts the finished folder in its place, the old one (if any) out of the way first. */
static gfab_status move_into_place(gfab_gen_folder *folder, gfab_diag *diag)
{
    char *const made = folder->made;
    const char *target = folder->target;
    char old[GFAB_GEN_PATH];
    if (snprintf(old, sizeof old, "%s.old", made) >= GFAB_GEN_PATH)
        return gfab_fail(diag, 0, GFAB_ERR_IO, "the path %.100s... is too long", target);
    if (folder->exists)
        keep_times(folder);
    if (folder->exists && !move_build(target, made))
        return gfab_gen_io_error(diag, "keep build/ of", target);
    if (folder->exists && rename(target, old) != 0) {
        const gfab_status status = gfab_gen_io_error(diag, "move away the old", target);
        move_build(made, target);
        return status;
    }
    if (rename(made, target) != 0) {
        const gfab_status status = gfab_gen_io_error(diag, "make the folder", target);
        if (folder->exists && (!move_build(made, old) || rename(old, target) != 0))
            return gfab_fail(diag, 0, GFAB_ERR_IO, "cannot restore %s; its old content is in %s", target, old);
        return status;
    }
    made[0] = '\0';
    if (!folder->exists)
        return GFAB_OK;
    remove_former(folder, old);
    struct stat info;
    return lstat(old, &info) != 0
               ? GFAB_OK
               : gfab_fail(diag, 0, GFAB_ERR_IO, "%s is made; its old content cannot be removed: %s", target, old);
}

/* A file that is about to be written in it. */
static gfab_status note(gfab_gen_folder *folder, const char *name, bool of_programs)
{
    if (folder->count == folder->room) {
        const size_t room = folder->room ? 2 * folder->room : 64;
        gfab_gen_written *more = realloc(folder->written, room * sizeof *more);
        if (!more)
            return GFAB_ERR_NO_MEMORY;
        folder->written = more;
        folder->room = room;
    }
    gfab_gen_written *file = &folder->written[folder->count++];
    snprintf(file->name, sizeof file->name, "%s", name);
    file->of_programs = of_programs;
    file->sum = 0;
    return GFAB_OK;
}

gfab_status gfab_gen_open_file(const gfab_gen *gen, const char *name, bool of_programs, char path[GFAB_GEN_PATH],
                               FILE **file, gfab_diag *diag)
{
    gfab_status status = gfab_gen_join(path, gen->folder->made, name, diag);
    if (status)
        return status;
    if (note(gen->folder, name, of_programs))
        return gfab_fail(diag, 0, GFAB_ERR_NO_MEMORY, "out of memory for the list of files");
    *file = fopen(path, "wb");
    return *file ? GFAB_OK : gfab_gen_io_error(diag, "write", path);
}

/* Why a stream has failed, which it does not keep: by writing to it once more. */
static int ask_reason(FILE *file)
{
    clearerr(file);
    errno = 0;
    return (putc('\n', file) == EOF || fflush(file) != 0) && errno != 0 ? errno : EIO;
}

/* Whether all that was written is there; what a failed write left in errno may be gone by now. */
gfab_status gfab_gen_close_file(FILE *file, const char *path, gfab_diag *diag)
{
    const int before = ferror(file) ? ask_reason(file) : 0;
    errno = 0;
    const bool closed = fclose(file) == 0;
    if (closed && before == 0)
        return GFAB_OK;
    errno = before != 0 ? before : errno != 0 ? errno : EIO;
    return gfab_gen_io_error(diag, "write", path);
}

gfab_status gfab_gen_folder_finish(gfab_gen_folder *folder, gfab_diag *diag)
{
    if (folder->programs)
        return exchange_programs(folder, diag);
    return move_into_place(folder, diag);
}

void gfab_gen_folder_release(gfab_gen_folder *folder)
{
    if (folder->made[0] != '\0')
        remove_made(folder);
    free(folder->written);
    folder->written = NULL;
    while (folder->former_count > 0)
        free(folder->former[--folder->former_count]);
    free(folder->former);
    folder->former = NULL;
}
