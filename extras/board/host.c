/* SPDX-License-Identifier: MIT */
/* Requests to a board and their answers. One is asked until it is answered: each new one has the next number, one that
 * is asked again has the same, and an answer has its request's, so that what comes late or twice is passed over.
 * docs/reference/host-protocol.md says why that is safe. */
#include <gossipfab/board/host.h>

#include "base/bits.h"
#include "base/progress.h"
#include "base/tells.h"
#include "board/frame.h"
#include "board/port.h"

#include <stdlib.h>
#include <string.h>

#define VERSION 1u
#define HEAD_BYTES 2u       /* of an answer: number, status */
#define QUERY_BYTES 18u     /* number, status, shape, runs; the cycles follow */
#define MOST_CYCLE_BYTES 8u /* that this host takes */
#define BURST_BITS 512u     /* of slots that one answer has, unless a slot alone is longer */
#define MOST_WAIT_MS 1000u
#define SILENT_TRIES 10u /* one after the other, before a board is given up */
#define ABSENT_TRIES 5u  /* before a port that never said anything is */
#define SLICE_MS 100     /* at most, before the caller is asked whether to go on */

enum { QUERY, GREET, START = 3, LOAD, READ }; // 2 is RESET, which nobody asks for
enum { STATUS_BUSY = 1, STATUS_FRESH = 2, STATUS_FAULT = 4 };

struct gfab_host {
    char *port;
    int file;
    gfab_host_options options;
    gfab_host_shape shape;
    gfab_host_counts counts;
    bool was_fresh, greeted;
    uint32_t wait_ms; /* for the next answer */
    uint8_t number;   /* of the last request */
    uint8_t runs;     /* that the board has counted */
    uint32_t burst;   /* slots of an answer */
    uint8_t *bits;    /* of a request: room for one with all fields */
    uint8_t *line;    /* of it as a frame */
    gfab_frame_reader reader;
};

/* What a request says, beside its number. */
typedef struct request {
    unsigned kind;
    uint32_t op, program, node, slot;
    const uint8_t *data; /* of a load */
} request;

/* Bits of a request's field for the slot: as many as are needed for loads or for reads. */
static uint32_t slot_field_bits(const gfab_host_shape *shape)
{
    return gfab_bits_for(shape->loads > shape->reads ? shape->loads : shape->reads);
}

/* Writes fields from the lowest bit of the first byte on. */
static void put_bits(uint8_t *bits, size_t *at, uint64_t value, uint32_t width)
{
    for (uint32_t i = 0; i < width; i++, ++*at)
        bits[*at / 8] |= (uint8_t)((value >> i & 1u) << *at % 8);
}

/* The fields end the request; those that its kind does not need are left out, and zeros fill its first byte up. */
static size_t write_request(gfab_host *host, const request *asked)
{
    const gfab_host_shape *shape = &host->shape;
    const uint32_t span = asked->kind == LOAD ? shape->span_bits : 0;
    const bool addressed = asked->kind == LOAD || asked->kind == READ;
    const uint32_t slot = addressed ? slot_field_bits(shape) : 0, node = addressed ? gfab_bits_for(shape->nodes) : 0;
    const uint32_t program = addressed || asked->kind == START ? gfab_bits_for(shape->programs) : 0;
    const size_t size = ((size_t)span + slot + node + program + 16 + 7) / 8;
    size_t at = 8 * size - (span + slot + node + program + 16);
    memset(host->bits, 0, size);
    for (uint32_t i = 0; i < span; i++)
        put_bits(host->bits, &at, asked->data[i / 8] >> i % 8 & 1u, 1);
    put_bits(host->bits, &at, asked->slot, slot);
    put_bits(host->bits, &at, asked->node, node);
    put_bits(host->bits, &at, asked->program, program);
    put_bits(host->bits, &at, asked->kind | asked->op << 3, 8);
    put_bits(host->bits, &at, host->number, 8);
    return gfab_frame_write(host->bits, size, host->line);
}

/* Waits until end for the answer with this number, of least .. most bytes. *size is 0 where none came, or a damaged one
 * did: most likely that was the answer, and there will be no other. */
static gfab_status await_answer(gfab_host *host, int64_t end, size_t least, size_t most, size_t *size, gfab_diag *diag)
{
    *size = 0;
    for (int64_t now = gfab_port_now(); now < end; now = gfab_port_now()) {
        uint8_t bytes[256];
        size_t count = sizeof bytes;
        if (gfab_progress_report(host->options.progress, "requests answered", host->counts.requests, 0))
            return GFAB_ERR_INTERRUPTED;
        const int wait = end - now < SLICE_MS ? (int)(end - now) : SLICE_MS;
        const gfab_status status = gfab_port_read(host->file, host->port, bytes, &count, wait, diag);
        if (status)
            return status;
        host->counts.received += count;
        uint64_t damaged = 0;
        for (size_t i = 0; i < count; i++) {
            size_t got;
            const gfab_frame_event event = gfab_frame_take(&host->reader, bytes[i], &got);
            if (event == GFAB_FRAME_DAMAGED)
                damaged++;
            if (event != GFAB_FRAME_WHOLE || got < least || got > most || host->reader.bytes[0] != host->number)
                continue;
            *size = got; /* behind it there can only be what was said before, and comes late */
            return GFAB_OK;
        }
        host->counts.damaged += damaged;
        if (damaged > 0)
            return GFAB_OK;
    }
    return GFAB_OK;
}

/* Nothing that was asked in all tries was answered. */
static gfab_status give_up(const gfab_host *host, gfab_diag *diag)
{
    const char *port = host->port;
    if (host->greeted)
        return gfab_fail(diag, 0, GFAB_ERR_IO, "%s: no answer any more", port);
    if (host->counts.received == 0)
        return gfab_fail(diag, 0, GFAB_ERR_IO,
                         "%s: nothing answers at %u baud; is the board on, and its bitstream one with a host port?",
                         port, host->options.baud);
    return gfab_fail(diag, 0, GFAB_ERR_IO, "%s: what answers at %u baud is no gossipfab board, or has another speed",
                     port, host->options.baud);
}

/* How long to wait for answers is learnt: twice as long where nothing came, so that a slow board is not buried under
 * repeats, and a quarter as long, but never shorter than the user said, where it came at once: faster down than up, so
 * that a line which loses every other request is not waited for longer and longer. */
static void learn(gfab_host *host, bool silent)
{
    const uint32_t least = host->options.timeout_ms, most = least > MOST_WAIT_MS ? least : MOST_WAIT_MS;
    host->wait_ms = silent ? 2 * host->wait_ms : host->wait_ms / 4;
    host->wait_ms = host->wait_ms < least ? least : host->wait_ms > most ? most : host->wait_ms;
}

/* Asks until there is an answer, of least .. most bytes, in host->reader.bytes. *size may be NULL. */
static gfab_status ask(gfab_host *host, const request *asked, size_t least, size_t most, size_t *size, gfab_diag *diag)
{
    host->number++;
    const size_t length = write_request(host, asked);
    const int64_t line_ms = (int64_t)((length + GFAB_FRAME_LINE_BYTES(most)) * 10000 / host->options.baud + 1);
    uint32_t silent = 0; /* tries without a byte, up to now */
    for (uint32_t try = 0; try < host->options.tries; try++) {
        if (silent == (host->counts.received == 0 ? ABSENT_TRIES : SILENT_TRIES))
            break;
        size_t got;
        const uint64_t received = host->counts.received;
        host->counts.requests++;
        host->counts.repeats += try > 0;
        host->counts.sent += length;
        gfab_status status = gfab_port_write(host->file, host->port, host->line, length, diag);
        if (!status)
            status = await_answer(host, gfab_port_now() + line_ms + host->wait_ms, least, most, &got, diag);
        if (status)
            return status;
        silent = host->counts.received == received ? silent + 1 : 0;
        if (silent > 0 || (got > 0 && try == 0))
            learn(host, silent > 0);
        if (got == 0)
            continue;
        if (size)
            *size = got;
        const uint8_t said = host->reader.bytes[1];
        if (host->greeted && said & STATUS_FRESH)
            return gfab_fail(diag, 0, GFAB_ERR_IO, "%s: the board was reset while it was in use; load it again",
                             host->port);
        return GFAB_OK;
    }
    return give_up(host, diag);
}

static uint64_t number_at(const uint8_t *bytes, size_t at, size_t size)
{
    uint64_t value = 0;
    for (size_t i = 0; i < size; i++)
        value |= (uint64_t)bytes[at + i] << 8 * i;
    return value;
}

/* Can there be such a fabric? All that reads slots counts on it. */
static bool is_possible(const gfab_host_shape *shape)
{
    if (shape->nodes < 2 || shape->token_bits == 0 || shape->loads == 0 || shape->reads == 0)
        return false;
    if (shape->programs > 0) /* a slot has a block */
        return shape->token_bits <= shape->span_bits;
    /* A slot has a part of a token, and every node ends with all parts. */
    return shape->token_bits % shape->loads == 0 && shape->token_bits / shape->loads <= shape->span_bits &&
           shape->reads == (uint64_t)shape->nodes * shape->loads;
}

/* Asks who is there. */
static gfab_status query(gfab_host *host, uint8_t *status, uint64_t *cycles, gfab_diag *diag)
{
    size_t size;
    const request asked = {.kind = QUERY};
    const gfab_status result = ask(host, &asked, QUERY_BYTES + 2, QUERY_BYTES + 1 + MOST_CYCLE_BYTES, &size, diag);
    if (result)
        return result;
    const uint8_t *bytes = host->reader.bytes;
    *status = bytes[1];
    if (bytes[HEAD_BYTES] != VERSION)
        return GFAB_REFUSE(diag, "%s: the board speaks version %u of the protocol, this is for %u", host->port,
                           bytes[HEAD_BYTES], VERSION);
    const gfab_host_shape shape = {.programs = bytes[3],
                                   .nodes = (uint32_t)number_at(bytes, 4, 2),
                                   .token_bits = (uint32_t)number_at(bytes, 6, 2),
                                   .span_bits = (uint32_t)number_at(bytes, 8, 2),
                                   .loads = (uint32_t)number_at(bytes, 10, 2),
                                   .reads = (uint32_t)number_at(bytes, 12, 2),
                                   .identity = (uint32_t)number_at(bytes, 14, 4)};
    if (host->greeted && memcmp(&shape, &host->shape, sizeof shape) != 0)
        return gfab_fail(diag, 0, GFAB_ERR_IO, "%s: there is another fabric now", host->port);
    if (!is_possible(&shape))
        return gfab_fail(diag, 0, GFAB_ERR_IO,
                         "%s: the board says of its fabric what cannot be: %u programs, %u nodes, %u bits a token, %u "
                         "a slot, %u slots to load and %u to read",
                         host->port, shape.programs, shape.nodes, shape.token_bits, shape.span_bits, shape.loads,
                         shape.reads);
    host->shape = shape;
    host->runs = bytes[QUERY_BYTES];
    *cycles = number_at(bytes, QUERY_BYTES + 1, size - QUERY_BYTES - 1);
    return GFAB_OK;
}

/* An answer's room: the longest is to a read. */
static gfab_status make_room(gfab_host *host, size_t request_bytes, size_t answer_bytes, gfab_diag *diag)
{
    const size_t room = answer_bytes + GFAB_FRAME_CHECK_BYTES;
    GFAB_FREE(host->bits, host->line, host->reader.bytes);
    host->bits = malloc(request_bytes);
    host->line = malloc(GFAB_FRAME_LINE_BYTES(request_bytes));
    host->reader = (gfab_frame_reader){.bytes = malloc(room), .room = room};
    return host->bits && host->line && host->reader.bytes
               ? GFAB_OK
               : gfab_fail(diag, 0, GFAB_ERR_NO_MEMORY, "out of memory for the port");
}

static gfab_status meet(gfab_host *host, gfab_diag *diag)
{
    uint8_t status;
    uint64_t cycles;
    gfab_status result = make_room(host, 16, QUERY_BYTES + 1 + MOST_CYCLE_BYTES, diag);
    /* The number of the first request is not that of the last one of another program: what was asked then is over. */
    host->number = (uint8_t)gfab_port_now();
    if (!result)
        result = query(host, &status, &cycles, diag);
    if (result)
        return result;
    host->was_fresh = status & STATUS_FRESH;
    const gfab_host_shape *shape = &host->shape;
    host->burst = 1;
    while (2 * host->burst * shape->span_bits <= BURST_BITS)
        host->burst *= 2;
    const size_t burst_bytes = ((size_t)host->burst * shape->span_bits + 7) / 8;
    const size_t query_bytes = QUERY_BYTES + 1 + MOST_CYCLE_BYTES;
    result = make_room(host, gfab_host_slot_bytes(host) + 16,
                       HEAD_BYTES + burst_bytes > query_bytes ? HEAD_BYTES + burst_bytes : query_bytes, diag);
    const request greet = {.kind = GREET};
    if (!result)
        result = ask(host, &greet, HEAD_BYTES, HEAD_BYTES, NULL, diag);
    host->greeted = true;
    return result;
}

gfab_host_options gfab_host_options_default(void)
{
    return (gfab_host_options){.baud = 115200, .timeout_ms = 100, .tries = 200};
}

gfab_status gfab_host_open(const gfab_host_options *options, gfab_host **opened, gfab_diag *diag)
{
    *opened = NULL;
    if (!options->port || options->timeout_ms == 0 || options->tries == 0)
        return gfab_fail(diag, 0, GFAB_ERR_INVALID, "a port needs a name, a time to wait and a number of tries");
    gfab_host *host = calloc(1, sizeof *host);
    char *port = host ? malloc(strlen(options->port) + 1) : NULL;
    if (!port) {
        free(host);
        return gfab_fail(diag, 0, GFAB_ERR_NO_MEMORY, "out of memory for the port");
    }
    strcpy(port, options->port);
    host->port = port;
    host->options = *options;
    host->wait_ms = options->timeout_ms;
    host->file = -1;
    gfab_status status = gfab_port_open(port, options->baud, &host->file, diag);
    if (status)
        host->file = -1;
    else
        status = meet(host, diag);
    if (status)
        gfab_host_close(host);
    else
        *opened = host;
    return status;
}

void gfab_host_close(gfab_host *host)
{
    if (!host)
        return;
    if (host->file >= 0)
        gfab_port_close(host->file);
    GFAB_FREE(host->reader.bytes, host->line, host->bits, host->port, host);
}

const gfab_host_shape *gfab_host_shape_of(const gfab_host *host)
{
    return &host->shape;
}

GFAB_TELLS(gfab_host_counts, gfab_host_counts_of, gfab_host, counts)
GFAB_TELLS(bool, gfab_host_was_fresh, gfab_host, was_fresh)

size_t gfab_host_slot_bytes(const gfab_host *host)
{
    return ((size_t)host->shape.span_bits + 7) / 8;
}

gfab_status gfab_host_load(gfab_host *host, uint32_t node, uint32_t slot, const uint8_t *bytes, gfab_diag *diag)
{
    if (node >= host->shape.nodes || slot >= host->shape.loads)
        return gfab_fail(diag, 0, GFAB_ERR_INVALID, "node %u, slot %u: the board has %u nodes, each loaded with %u",
                         node, slot, host->shape.nodes, host->shape.loads);
    const request asked = {.kind = LOAD, .node = node, .slot = slot, .data = bytes};
    GFAB_TRY(ask(host, &asked, HEAD_BYTES, HEAD_BYTES, NULL, diag));
    if (host->reader.bytes[1] & STATUS_BUSY)
        return gfab_fail(diag, 0, GFAB_ERR_FAULT, "%s: the fabric still runs; nothing is loaded", host->port);
    return GFAB_OK;
}

static gfab_status check_status(const gfab_host *host, uint8_t status, gfab_diag *diag)
{
    return status & STATUS_FAULT ? gfab_fail(diag, 0, GFAB_ERR_FAULT, "%s: the fabric noticed a fault", host->port)
                                 : GFAB_OK;
}

gfab_status gfab_host_check(gfab_host *host, gfab_diag *diag)
{
    uint8_t status;
    uint64_t cycles;
    const gfab_status result = query(host, &status, &cycles, diag);
    return result ? result : check_status(host, status, diag);
}

/* Waits for the end of the collective. */
static gfab_status await_end(gfab_host *host, uint32_t limit_ms, uint8_t runs, uint64_t *cycles, gfab_diag *diag)
{
    const int64_t end = gfab_port_now() + limit_ms;
    uint8_t status = STATUS_BUSY;
    while (status & STATUS_BUSY) {
        const bool late = gfab_port_now() >= end;
        const gfab_status result = query(host, &status, cycles, diag);
        if (result)
            return result;
        if (status & STATUS_BUSY && late)
            return gfab_fail(diag, 0, GFAB_ERR_FAULT, "%s: the collective is not over after %u ms", host->port,
                             limit_ms);
    }
    if (host->runs != runs)
        return gfab_fail(diag, 0, GFAB_ERR_FAULT, "%s: the collective was played %u times, not once", host->port,
                         (unsigned)(uint8_t)(host->runs - runs + 1));
    return check_status(host, status, diag);
}

gfab_status gfab_host_run(gfab_host *host, uint32_t program, uint32_t op, uint32_t limit_ms, uint64_t *cycles,
                          gfab_diag *diag)
{
    const uint32_t programs = host->shape.programs ? host->shape.programs : 1;
    if (program >= programs || op > 7)
        return gfab_fail(diag, 0, GFAB_ERR_INVALID,
                         "program %u, operator %u: the board has %u program%s, and operators "
                         "are 0 to 7",
                         program, op, programs, programs == 1 ? "" : "s");
    const uint8_t runs = (uint8_t)(host->runs + 1);
    const request asked = {.kind = START, .program = program, .op = op};
    const gfab_status status = ask(host, &asked, HEAD_BYTES, HEAD_BYTES, NULL, diag);
    return status ? status : await_end(host, limit_ms, runs, cycles, diag);
}

/* Unpacks slots, which lie one behind another bit by bit. */
static void unpack(const gfab_host *host, const uint8_t *packed, uint32_t count, uint8_t *bytes)
{
    const size_t span = host->shape.span_bits, slot_bytes = gfab_host_slot_bytes(host);
    memset(bytes, 0, count * slot_bytes);
    for (uint32_t slot = 0; slot < count; slot++)
        for (size_t i = 0; i < span; i++) {
            const size_t at = slot * span + i;
            bytes[slot * slot_bytes + i / 8] |= (uint8_t)((packed[at / 8] >> at % 8 & 1u) << i % 8);
        }
}

gfab_status gfab_host_read(gfab_host *host, uint32_t node, uint32_t slot, uint32_t count, uint8_t *bytes,
                           gfab_diag *diag)
{
    const gfab_host_shape *shape = &host->shape;
    if (node >= shape->nodes || slot >= shape->reads || count > shape->reads - slot)
        return gfab_fail(diag, 0, GFAB_ERR_INVALID, "node %u, slots %u to %u: the board has %u nodes of %u slots", node,
                         slot, slot + count, shape->nodes, shape->reads);
    while (count > 0) {
        uint32_t sent = host->burst - slot % host->burst; /* an answer goes on to the next multiple of burst */
        sent = sent < shape->reads - slot ? sent : shape->reads - slot;
        const uint32_t wanted = sent < count ? sent : count;
        const size_t size = HEAD_BYTES + ((size_t)sent * shape->span_bits + 7) / 8;
        const request asked = {.kind = READ, .node = node, .slot = slot};
        const gfab_status status = ask(host, &asked, size, size, NULL, diag);
        if (status)
            return status;
        if (host->reader.bytes[1] & STATUS_BUSY)
            return gfab_fail(diag, 0, GFAB_ERR_FAULT, "%s: the fabric still runs; nothing is read", host->port);
        unpack(host, host->reader.bytes + HEAD_BYTES, wanted, bytes);
        bytes += wanted * gfab_host_slot_bytes(host);
        slot += wanted;
        count -= wanted;
    }
    return GFAB_OK;
}
