/* SPDX-License-Identifier: MIT */
/* gossipfab search among ranks. Rank 0 deals items out, keeps what is settled, and does items itself; messages are
 * looked for in progress reports, a thousand times a second, so that nobody waits long for whom is at work. A rank has
 * the item that it does and no more, so that in the end none has two while another has none. */
#define _POSIX_C_SOURCE 200809L
#include "mpi_command.h"
#include "shards/cli/job.h"

#include <stdlib.h>
#include <time.h>

enum { TO_DEALER = 1, TEXT_TO_DEALER, TO_WORKER };
/* What a message says; the other number is the item. */
enum { SAYS_DONE, SAYS_DROPPED, SAYS_INTERRUPTED, SAYS_BYE };         /* to the dealer */
enum { SAYS_DO = SAYS_BYE + 1, SAYS_LIMIT, SAYS_STOP, SAYS_NOTHING }; /* to a worker */

typedef struct message {
    uint64_t says, item, length; /* length: of the text that follows, for the dealer */
} message;

/* ---- both ---- */

static void send_message(int to, int tag, uint64_t says, uint64_t item, uint64_t length)
{
    const uint64_t words[3] = {says, item, length};
    MPI_Send(words, 3, MPI_UINT64_T, to, tag, MPI_COMM_WORLD);
}

/* SAYS_NOTHING where none has come; *from is the sender. */
static message next_message(int tag, int *from)
{
    int there;
    MPI_Status about;
    uint64_t words[3] = {SAYS_NOTHING, 0, 0};
    MPI_Iprobe(MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, &there, &about);
    *from = there ? about.MPI_SOURCE : 0;
    if (there)
        MPI_Recv(words, 3, MPI_UINT64_T, *from, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return (message){words[0], words[1], words[2]};
}

/* Has a millisecond gone by since it was last so? MPI's own look for messages takes longer than a step of a search. */
static bool is_due(struct timespec *last)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (now.tv_sec == last->tv_sec && now.tv_nsec - last->tv_nsec < 1000000)
        return false;
    *last = now;
    return true;
}

/* Leaves the core to the others. */
static void wait_a_little(void)
{
    const struct timespec pause = {0, 500000};
    nanosleep(&pause, NULL);
}

/* ---- the dealer, rank 0 ---- */

typedef struct dealer {
    cli_job *job;
    uint64_t from;  /* no item below has still to be dealt out */
    uint64_t limit; /* as the workers know it */
    uint64_t own;   /* the item that it does itself; 0: none */
    uint32_t dealt; /* to workers, and not back yet */
    uint32_t gone;  /* workers that have said goodbye */
    struct timespec looked;
    bool ends; /* nothing more is dealt out */
    bool interrupted;
    int status;
} dealer;

/* Whatever goes wrong ends the search; what is settled is kept. */
static void end_with(dealer *d, int status)
{
    d->ends = true;
    if (d->status == CLI_GO_ON)
        d->status = status;
}

static uint64_t draw_item(dealer *d)
{
    const uint64_t item = d->ends ? 0 : cli_job_next(d->job, d->from);
    if (item != 0)
        d->from = item + 1;
    return item;
}

static void deal(dealer *d, int rank)
{
    const uint64_t item = draw_item(d);
    if (item == 0)
        return;
    send_message(rank, TO_WORKER, SAYS_DO, item, 0);
    d->dealt++;
}

static void tell_limit(dealer *d)
{
    const uint64_t limit = gfab_items_limit(d->job->items);
    if (limit == d->limit)
        return;
    d->limit = limit;
    for (int rank = 1; rank < mpi_ranks(); rank++)
        send_message(rank, TO_WORKER, SAYS_LIMIT, limit, 0);
}

/* A worker's items as text: its schedule becomes ours. */
static void take_text(dealer *d, int rank, uint64_t length)
{
    GFAB_FREED char *text = malloc(length);
    GFAB_AT_END(gfab_topology_at_end) gfab_topology *topology = NULL;
    gfab_items *items = NULL;
    gfab_diag diag = {0, ""};
    if (!text)
        mpi_abort(d->job->verb, GFAB_ERR_NO_MEMORY, NULL);
    MPI_Recv(text, (int)length, MPI_CHAR, rank, TEXT_TO_DEALER, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    FILE *file = fmemopen(text, length, "r");
    gfab_status status = file ? gfab_items_read(file, NULL, &topology, &items, &diag) : GFAB_ERR_NO_MEMORY;
    GFAB_THEN(status, gfab_items_merge(d->job->items, items, &diag));
    if (status != GFAB_OK)
        mpi_abort(d->job->verb, status, &diag);
    fclose(file);
    gfab_items_destroy(items);
    d->job->unsaved = true;
}

static void answer(dealer *d, int rank, const message *m)
{
    d->gone += m->says == SAYS_BYE;
    d->dealt -= m->says == SAYS_DONE || m->says == SAYS_DROPPED;
    if (m->says == SAYS_INTERRUPTED) {
        d->ends = d->interrupted = true;
    } else if (m->says == SAYS_DONE) {
        if (m->length > 0)
            take_text(d, rank, m->length);
        const int status = cli_job_settle(d->job, m->item, NULL);
        if (status != CLI_GO_ON)
            end_with(d, status);
        tell_limit(d);
    }
    if (m->says == SAYS_DONE || m->says == SAYS_DROPPED)
        deal(d, rank);
}

/* Takes what has come. False where the dealer's own item is to be left. */
static bool serve(dealer *d)
{
    int rank;
    for (message m = next_message(TO_DEALER, &rank); m.says != SAYS_NOTHING; m = next_message(TO_DEALER, &rank))
        answer(d, rank, &m);
    if (!cli_job_tick(d->job))
        end_with(d, d->job->failed);
    if (cli_was_interrupted())
        d->ends = d->interrupted = true;
    return !d->ends && (d->own == 0 || d->own <= gfab_items_limit(d->job->items));
}

static int serve_at_work(void *context, const char *what, unsigned long long done, unsigned long long total)
{
    dealer *d = context;
    const gfab_progress shown = cli_progress(d->job->verb);
    if (!is_due(&d->looked))
        return true;
    return serve(d) && shown.report(shown.context, what, done, total);
}

static void do_own(dealer *d)
{
    const gfab_progress progress = {serve_at_work, d};
    GFAB_AT_END(gfab_schedule_at_end) gfab_schedule *schedule = NULL;
    gfab_diag diag = {0, ""};
    const gfab_status made = gfab_items_run(d->job->items, d->own, &progress, &schedule, &diag);
    if (made == GFAB_OK) {
        if (!schedule && d->job->reason.message[0] == '\0')
            d->job->reason = diag;
        const int status = cli_job_settle(d->job, d->own, schedule);
        if (status != CLI_GO_ON)
            end_with(d, status);
        tell_limit(d);
    } else if (made != GFAB_ERR_INTERRUPTED) {
        end_with(d, cli_fail(d->job->verb, made, NULL, &diag));
    }
    d->own = 0;
}

/* Deals until all is settled or it has to end; what is there is written before anybody is told to stop, since mpirun
 * does not wait long after a signal. */
static int run_dealer(cli_job *job)
{
    dealer d = {.job = job, .limit = gfab_items_limit(job->items), .status = CLI_GO_ON};
    const uint32_t workers = (uint32_t)mpi_ranks() - 1;
    for (int rank = 1; rank < mpi_ranks(); rank++)
        deal(&d, rank);
    do {
        serve(&d);
        d.own = draw_item(&d);
        if (d.own != 0)
            do_own(&d);
        else if (d.dealt > 0 && !d.ends)
            wait_a_little();
    } while (!d.ends && (d.dealt > 0 || cli_job_next(job, d.from) != 0));
    d.ends = true;
    cli_progress_end();
    if (d.status == CLI_GO_ON)
        d.status = cli_job_save(job);
    for (int rank = 1; rank < mpi_ranks(); rank++)
        send_message(rank, TO_WORKER, SAYS_STOP, 0, 0);
    while (d.gone < workers) {
        serve(&d);
        wait_a_little();
    }
    if (d.status == CLI_GO_ON && d.interrupted)
        return cli_interrupted(job->verb);
    return d.status == CLI_GO_ON ? cli_job_report(job) : d.status;
}

/* ---- workers ---- */

typedef struct worker {
    const char *verb;
    gfab_items *items;
    uint64_t next; /* the item to do; 0: none */
    uint64_t own, limit;
    struct timespec looked;
    bool stopped, interrupted;
} worker;

/* Takes what has come. False where the item under way is to be left. */
static bool listen_to_dealer(worker *w)
{
    int from;
    for (message m = next_message(TO_WORKER, &from); m.says != SAYS_NOTHING; m = next_message(TO_WORKER, &from)) {
        if (m.says == SAYS_DO)
            w->next = m.item;
        w->limit = m.says == SAYS_LIMIT ? m.item : w->limit;
        w->stopped = w->stopped || m.says == SAYS_STOP;
    }
    if (cli_was_interrupted() && !w->interrupted) {
        w->interrupted = true;
        send_message(0, TO_DEALER, SAYS_INTERRUPTED, 0, 0);
    }
    return !w->stopped && !w->interrupted && w->own <= w->limit;
}

static int listen_at_work(void *context, const char *what, unsigned long long done, unsigned long long total)
{
    (void)what;
    (void)done;
    (void)total;
    worker *w = context;
    return !is_due(&w->looked) || listen_to_dealer(w);
}

/* Tells the dealer of an item that is done: with the schedule, where it may be the best of all. */
static void tell(worker *w, uint64_t item, const gfab_schedule *schedule)
{
    uint64_t best = 0;
    GFAB_FREED char *text = NULL;
    size_t length = 0;
    gfab_diag diag = {0, ""};
    gfab_status status = gfab_items_settle(w->items, item, schedule, &diag);
    gfab_items_best(w->items, &best);
    if (status == GFAB_OK && best == item) {
        FILE *file = open_memstream(&text, &length);
        status = file ? gfab_items_write(w->items, file, &diag) : GFAB_ERR_NO_MEMORY;
        if (!gfab_memory_close(file, &text) && status == GFAB_OK)
            status = GFAB_ERR_NO_MEMORY;
    }
    if (status == GFAB_OK && length > INT32_MAX)
        status = gfab_fail(&diag, 0, GFAB_ERR_LIMIT, "the schedule's text is longer than a message");
    if (status != GFAB_OK)
        mpi_abort(w->verb, status, &diag);
    send_message(0, TO_DEALER, SAYS_DONE, item, length);
    if (length > 0)
        MPI_Send(text, (int)length, MPI_CHAR, 0, TEXT_TO_DEALER, MPI_COMM_WORLD);
}

static void do_next(worker *w)
{
    const gfab_progress progress = {listen_at_work, w};
    GFAB_AT_END(gfab_schedule_at_end) gfab_schedule *schedule = NULL;
    gfab_diag diag = {0, ""};
    const uint64_t item = w->next;
    w->next = 0;
    w->own = item;
    gfab_status status = GFAB_ERR_INTERRUPTED;
    if (listen_to_dealer(w))
        status = gfab_items_run(w->items, item, &progress, &schedule, &diag);
    w->own = 0;
    if (status != GFAB_OK && status != GFAB_ERR_INTERRUPTED)
        mpi_abort(w->verb, status, &diag);
    if (status == GFAB_OK)
        tell(w, item, schedule);
    else
        send_message(0, TO_DEALER, SAYS_DROPPED, item, 0);
}

static void run_worker(const char *verb, gfab_items *items)
{
    worker w = {.verb = verb, .items = items, .limit = gfab_items_limit(items)};
    while (!w.stopped) {
        listen_to_dealer(&w);
        if (w.next != 0 && !w.stopped && !w.interrupted)
            do_next(&w);
        else if (!w.stopped)
            wait_a_little();
    }
    send_message(0, TO_DEALER, SAYS_BYE, 0, 0);
}

/* ---- the command ---- */

/* Rank 0's items, as their text has them, at the others; items is NULL at rank 0. */
static void share(const cli_job *job, gfab_topology **topology, gfab_items **items)
{
    GFAB_FREED char *text = NULL;
    size_t length = 0;
    gfab_diag diag = {0, ""};
    gfab_status status = GFAB_OK;
    if (mpi_rank() == 0) {
        FILE *file = open_memstream(&text, &length);
        status = file ? gfab_items_write(job->items, file, &diag) : GFAB_ERR_NO_MEMORY;
        if (!gfab_memory_close(file, &text) && status == GFAB_OK)
            status = GFAB_ERR_NO_MEMORY;
        if (status != GFAB_OK)
            mpi_abort(job->verb, status, &diag);
    }
    mpi_share_text(job->verb, &text, &length);
    if (mpi_rank() != 0) {
        FILE *file = fmemopen(text, length, "r");
        status = file ? gfab_items_read(file, NULL, topology, items, &diag) : GFAB_ERR_NO_MEMORY;
        if (status != GFAB_OK)
            mpi_abort(job->verb, status, &diag);
        fclose(file);
    }
}

static int run(cli_job *job)
{
    GFAB_AT_END(gfab_topology_at_end) gfab_topology *topology = NULL;
    gfab_items *items = NULL;
    int status = mpi_agree(mpi_rank() == 0 ? cli_job_open(job) : CLI_GO_ON);
    if (status != CLI_GO_ON)
        return status;
    cli_catch_interrupt(cli_output_unlink_all); /* before there is anything to keep a signal may well end it */
    share(job, &topology, &items);
    if (mpi_rank() == 0)
        status = run_dealer(job);
    else
        run_worker(job->verb, items);
    gfab_items_destroy(items);
    return mpi_agree(status);
}

int cmd_search(int argc, char **argv)
{
    GFAB_AT_END(cli_job_release) cli_job job = cli_job_default("search");
    const cli_option options[] = {CLI_JOB_OPTIONS(job), CLI_OPTIONS_END};
    const cli_command command = {
        .verb = "search",
        .usage = "T --solver S --items A..B [--rounds R] [--checkpoint FILE [--resume]] [-o FILE]",
        .text = "What gossipfab search does, by all ranks of mpirun: rank 0 deals the items out and does some itself.\n"
                "The result has the same bytes for any number of ranks. A rank whose item can't win any more leaves "
                "it.",
        .example = "  mpirun -n 16 gossipfab-mpi search -t debruijn:7 --link-mode full --port-mode one\n"
                   "      --packet-tokens 128 -s anneal --rounds 11 --items 64 --checkpoint db7.search -o db7.gfs",
        .options = options};
    int status = mpi_parse(&command, argc, argv);
    CLI_THEN(status, run(&job));
    return status;
}
