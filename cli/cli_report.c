/* SPDX-License-Identifier: MIT */
/* What a command says beside its result: error lines, progress, JSON, and how it ends when a signal asks for it. The
 * idea of the end: the first signal only sets a flag, which the work reads when it reports progress, so that it can
 * write its best schedule first. A timer is behind it: work that has not read the flag after half a second is ended,
 * and so is work that a second signal reaches. In both cases temporary files are removed, and no half-written file
 * stays. An error is always one line, whatever the texts in it contain: a line break in a file's name is printed as
 * "?". */
#define _POSIX_C_SOURCE 200809L
#include "cli.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* A signal handler has no other way to speak than globals: the signal that asked for the end, when it came, whether the
 * work has been told, and whether a line has said why it ends. */
static volatile sig_atomic_t interrupted, noticed, held, said;
static struct timespec interrupted_at;
static void (*clean_up_files)(void);
static char last_line[128]; /* of a process that is ended; empty where it is not */
static timer_t patience;

/* Some senders give the same signal twice, to the process and to its group: that is one request still. */
#define ONE_REQUEST_MILLISECONDS 50
/* For so long the work may take no notice of a request. */
#define PATIENCE_MILLISECONDS 500

static bool is_same_request(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (long long)(now.tv_sec - interrupted_at.tv_sec) * 1000 + (now.tv_nsec - interrupted_at.tv_nsec) / 1000000 <
           ONE_REQUEST_MILLISECONDS;
}

/* The first signal asks, a second one ends the process, but for its temporary files at once. All that is called here
 * may be called by a signal handler. */
static void on_interrupt(int number)
{
    if (interrupted == 0) {
        const struct timespec wait = {.tv_nsec = PATIENCE_MILLISECONDS * 1000000L};
        const struct itimerspec again = {.it_interval = wait, .it_value = wait}; /* the work may be held at first */
        clock_gettime(CLOCK_MONOTONIC, &interrupted_at);
        interrupted = number;
        if (last_line[0] != '\0')
            timer_settime(patience, 0, &again, NULL);
    } else if (!is_same_request()) {
        clean_up_files();
        signal(number, SIG_DFL);
        raise(number);
    }
}

/* Work that has taken no notice: it reads, writes or opens what gives no answer, or computes where it does not ask. */
static void on_patience_end(int number)
{
    if (noticed || held)
        return;
    clean_up_files();
    if (said)
        _exit(CLI_USAGE);
    const ssize_t told = write(STDERR_FILENO, last_line, strlen(last_line));
    (void)told;
    _exit(CLI_SIGNAL_BASE + (interrupted != 0 ? interrupted : number));
}

static void catch_signal(int number, void (*handler)(int))
{
    static const int asking[] = {SIGINT, SIGTERM, SIGHUP, SIGALRM};
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = handler;
    action.sa_flags = SA_RESTART;
    for (size_t i = 0; i < sizeof asking / sizeof *asking; i++)
        sigaddset(&action.sa_mask, asking[i]);
    sigaction(number, &action, NULL);
}

void cli_catch_interrupt(void (*clean_up)(void))
{
    struct sigaction former;
    clean_up_files = clean_up;
    catch_signal(SIGINT, on_interrupt);
    catch_signal(SIGTERM, on_interrupt);
    /* nohup ignores it for us. */
    if (sigaction(SIGHUP, NULL, &former) == 0 && former.sa_handler != SIG_IGN)
        catch_signal(SIGHUP, on_interrupt);
    /* A file that grows above the limit is then an error of its write, which has a line and leaves nothing behind. */
    signal(SIGXFSZ, SIG_IGN);
}

void cli_end_interrupted(const char *verb)
{
    struct sigevent tick;
    memset(&tick, 0, sizeof tick);
    tick.sigev_notify = SIGEV_SIGNAL;
    tick.sigev_signo = SIGALRM;
    catch_signal(SIGALRM, on_patience_end);
    if (timer_create(CLOCK_MONOTONIC, &tick, &patience) == 0) /* else it takes a second signal */
        snprintf(last_line, sizeof last_line, "%s%s: %.40s: interrupted\n", isatty(STDERR_FILENO) ? "\r\033[K" : "",
                 cli_program, verb);
}

void cli_hold_interrupt(bool hold)
{
    held = hold;
}

bool cli_was_interrupted(void)
{
    if (interrupted != 0)
        noticed = 1;
    return interrupted != 0;
}

/* Line breaks and other control characters of user's texts must not make a message of several lines. */
static void print_one_line(const char *text)
{
    for (; *text != '\0'; text++) {
        unsigned char c = (unsigned char)*text;
        fputc(c < 0x20 || c == 0x7f ? '?' : c, stderr);
    }
    fputc('\n', stderr);
}

int cli_error(const char *verb, const char *format, ...)
{
    char message[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    cli_progress_end();
    said = 1;
    fprintf(stderr, "%s: %s%s", cli_program, verb ? verb : "", verb ? ": " : "");
    print_one_line(message);
    return CLI_USAGE;
}

static bool passes_over;

void cli_pass_over_absent(void)
{
    passes_over = true;
}

int cli_without(const char *verb, const char *extra)
{
    if (passes_over)
        return CLI_GOOD;
    return cli_error(verb, "this gossipfab was built without the extra %s; build it with -DGFAB_EXTRAS=%s among others",
                     extra, extra);
}

int cli_interrupted(const char *verb)
{
    cli_error(verb, "interrupted");
    return CLI_SIGNAL_BASE + (interrupted != 0 ? interrupted : SIGINT);
}

int cli_fail(const char *verb, gfab_status status, const char *where, const gfab_diag *diag)
{
    if (status == GFAB_ERR_INTERRUPTED) {
        cli_error(verb, strcmp(verb, "table") == 0 ? "interrupted; only what is printed was done"
                                                   : "interrupted; nothing was written");
        return CLI_SIGNAL_BASE + (interrupted != 0 ? interrupted : SIGINT);
    }
    const char *message = diag && diag->message[0] != '\0' ? diag->message : gfab_status_string(status);
    const char *before = where ? where : "";
    const char *colon = where ? ": " : "";
    if (diag && diag->line != 0)
        cli_error(verb, "%s%sline %zu: %s", before, colon, diag->line, message);
    else
        cli_error(verb, "%s%s%s", before, colon, message);
    return status == GFAB_ERR_FAULT ? CLI_FAULTY : CLI_USAGE;
}

int cli_told(const char *verb, gfab_status status, const char *where, const gfab_diag *diag)
{
    return status == GFAB_OK ? CLI_GO_ON : cli_fail(verb, status, where, diag);
}

/* Asked once: work may report a million times a second. errno is left alone: it may be why a write failed before. */
static bool is_terminal(void)
{
    static int known = -1;
    const int reason = errno;
    if (known < 0) {
        const char *kind = getenv("TERM");
        known = isatty(STDERR_FILENO) && (!kind || strcmp(kind, "dumb") != 0);
    }
    errno = reason;
    return known > 0;
}

static long long milliseconds(const struct timespec *from, const struct timespec *to)
{
    return (long long)(to->tv_sec - from->tv_sec) * 1000 + (to->tv_nsec - from->tv_nsec) / 1000000;
}

/* What is under way: since when, and how far it was then. */
typedef struct under_way {
    char what[40];
    unsigned long long first, done;
    struct timespec since;
} under_way;

/* A bar, and how long the rest takes at the speed so far, where that is known after half a second. */
static void print_left(const under_way *work, const struct timespec *now, unsigned long long total)
{
    enum { WIDTH = 20, LEAST = 500 };
    const double part = (double)work->done / (double)total;
    const int full = (int)(part * WIDTH);
    const long long past = milliseconds(&work->since, now);
    fprintf(stderr, " of %llu [%.*s%.*s]", total, full, "####################", WIDTH - full, "....................");
    if (past < LEAST || work->done == work->first)
        return;
    const double left = (double)past / 1000 * (double)(total - work->done) / (double)(work->done - work->first);
    if (left < 100)
        fprintf(stderr, " %.0f s left", left);
    else if (left < 6000)
        fprintf(stderr, " %.0f min left", left / 60);
    else
        fprintf(stderr, " %.0f h left", left / 3600);
}

/* At most ten lines a second. The clock decides only what a terminal shows. */
static int report_progress(void *context, const char *what, unsigned long long done, unsigned long long total)
{
    static struct timespec last;
    static under_way work;
    struct timespec now;
    if (is_terminal() && clock_gettime(CLOCK_MONOTONIC, &now) == 0) {
        if (done < work.done || strncmp(what, work.what, sizeof work.what - 1) != 0) {
            work = (under_way){.first = done, .since = now};
            strncpy(work.what, what, sizeof work.what - 1);
        }
        work.done = done;
        if (milliseconds(&last, &now) >= 100) {
            last = now;
            fprintf(stderr, "\r%s: %s: %s %llu", cli_program, (const char *)context, what, done);
            if (total != 0 && done <= total)
                print_left(&work, &now, total);
            else if (total != 0)
                fprintf(stderr, " of %llu", total);
            fputs("\033[K", stderr);
        }
    }
    return !cli_was_interrupted();
}

gfab_progress cli_progress(const char *verb)
{
    gfab_progress progress = {report_progress, (void *)verb};
    return progress;
}

void cli_progress_end(void)
{
    if (is_terminal())
        fputs("\r\033[K", stderr);
}

static void *need(void *pointer)
{
    if (!pointer)
        exit(cli_error(NULL, "%s", gfab_status_string(GFAB_ERR_NO_MEMORY)));
    return pointer;
}

json_t *cli_json_object(void)
{
    return need(json_object());
}

json_t *cli_json_report(const char *schema)
{
    return CLI_JSON(cli_json_object(), CLI_KEY("schema", schema));
}

json_t *cli_json_array(void)
{
    return need(json_array());
}

void cli_json_set(json_t *object, const char *key, json_t *value)
{
    need(json_object_set_new(object, key, value) == 0 ? object : NULL);
}

json_t *cli_json_set_all(json_t *object, const cli_member *members)
{
    for (const cli_member *m = members; m->key; m++)
        if (*m->key != '\0')
            cli_json_set(object, m->key, m->value);
        else
            json_decref(m->value);
    return object;
}

/* JSON is UTF-8 throughout, names of files need not be: in one that is not, ? for every byte outside of ASCII. */
static json_t *json_replaced(const char *value)
{
    GFAB_FREED char *text = need(strdup(value));
    for (char *c = text; *c != '\0'; c++)
        if ((unsigned char)*c >= 0x80)
            *c = '?';
    return json_string(text);
}

json_t *cli_json_of_text(const char *value)
{
    json_t *string = value ? json_string(value) : json_null();
    return string ? string : json_replaced(value);
}

json_t *cli_json_of_number(uint64_t value)
{
    return json_integer((json_int_t)value);
}

json_t *cli_json_number_if(bool there, uint64_t value)
{
    return there ? cli_json_of_number(value) : json_null();
}

json_t *cli_json_of_bool(bool value)
{
    return json_boolean(value);
}

json_t *cli_json_itself(json_t *value)
{
    return value;
}

void cli_json_append(json_t *array, json_t *value)
{
    need(json_array_append_new(array, value) == 0 ? array : NULL);
}

void cli_json_print(json_t *object, FILE *file)
{
    /* Not json_dumps: it takes no notice where memory runs out under a key. A failed write is the file's to tell. */
    need(json_dumpf(object, file, JSON_INDENT(2) | JSON_PRESERVE_ORDER | JSON_REAL_PRECISION(15)) == 0 || ferror(file)
             ? object
             : NULL);
    fputc('\n', file);
    json_decref(object);
}
