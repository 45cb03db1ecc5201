/* SPDX-License-Identifier: MIT */
/* Status codes, and the diagnostic that goes with one. */
#ifndef GOSSIPFAB_STATUS_H
#define GOSSIPFAB_STATUS_H

#include <gossipfab/base/linkage.h>
#include <stddef.h>

GFAB_C_BEGIN

typedef enum gfab_status {
    GFAB_OK = 0,
    GFAB_ERR_NO_MEMORY,   /* an allocation failed */
    GFAB_ERR_INVALID,     /* an argument is out of its range */
    GFAB_ERR_PARSE,       /* a text is malformed; the diagnostic has the line */
    GFAB_ERR_UNSUPPORTED, /* legal, but not done by this solver or this hardware */
    GFAB_ERR_LIMIT,       /* legal, but larger than this build takes */
    GFAB_ERR_IO,          /* the operating system refused; the diagnostic has its reason */
    GFAB_ERR_FAULT,       /* a check ran and the thing checked is faulty */
    GFAB_ERR_INTERRUPTED  /* the caller's progress function asked to stop */
} gfab_status;

/* A fixed English phrase for a status, never NULL. Borrowed, static. */
const char *gfab_status_string(gfab_status status);

/* What went wrong, in one line without a newline at its end. line counts from 1
 * in a text, 0 where there is no text. Every function that takes a gfab_diag
 * takes NULL, too, and leaves it untouched when it returns GFAB_OK. */
typedef struct gfab_diag {
    size_t line;
    char message[512];
} gfab_diag;

/* Fills diag (may be NULL) like printf and returns status, so that a caller can
 * write: return gfab_fail(diag, 0, GFAB_ERR_INVALID, "...", ...). */
gfab_status gfab_fail(gfab_diag *diag, size_t line, gfab_status status, const char *format, ...)
#ifdef __GNUC__
    __attribute__((format(printf, 4, 5)))
#endif
    ;
/* The same of what is legal, but not done here: GFAB_ERR_UNSUPPORTED, and no line. */
#define GFAB_REFUSE(diag, ...) gfab_fail(diag, 0, GFAB_ERR_UNSUPPORTED, __VA_ARGS__)
/* Returns status; a failure that has no other words has its own in diag. */
gfab_status gfab_told(gfab_status status, gfab_diag *diag);

/* A step behind others that may have failed: it is made where all before it went well, and status says how it went.
 *
 *     gfab_status status = open(&job);
 *     GFAB_THEN(status, search(&job));
 *     GFAB_THEN(status, write(&job));
 *     close(&job); // after a failure, too
 *     return status; */
#define GFAB_THEN(status, step)  \
    do {                         \
        if ((status) == GFAB_OK) \
            (status) = (step);   \
    } while (0)

/* A step of a function that holds nothing but what GFAB_FREED and GFAB_AT_END give back: a failure is what the function
 * gives, at once.
 *
 *     GFAB_TRY(gfab_model_check(model, diag));
 *     return build(topology, model); */
#define GFAB_TRY(step)                         \
    do {                                       \
        const gfab_status gfab_tried = (step); \
        if (gfab_tried != GFAB_OK)             \
            return gfab_tried;                 \
    } while (0)

/* Memory such a function cannot do without, as a condition that is false where there is none: gives
 * GFAB_ERR_NO_MEMORY, at once.
 *
 *     GFAB_FREED uint32_t *list = malloc(count * sizeof *list);
 *     GFAB_NEED(list); */
#define GFAB_NEED(there) GFAB_TRY((there) ? GFAB_OK : GFAB_ERR_NO_MEMORY)
/* The same, and diag says so. */
#define GFAB_NEED_TOLD(there, diag) GFAB_TRY((there) ? GFAB_OK : gfab_told(GFAB_ERR_NO_MEMORY, diag))

/* What a function holds for as long as it runs, given back wherever it returns; gcc and clang have that. A pointer that
 * is freed, which may be NULL, and a variable that a function taking its address releases. Both are set where they are
 * declared.
 *
 *     GFAB_FREED uint32_t *list = malloc(count * sizeof *list);
 *     GFAB_AT_END(gfab_arena_release) gfab_arena arena = {0}; */
#define GFAB_FREED GFAB_AT_END(gfab_free_at)
#define GFAB_AT_END(release) __attribute__((cleanup(release)))
/* Frees the pointer at this address. */
void gfab_free_at(void *pointer);
/* Frees all of these pointers, any of which may be NULL: GFAB_FREE(p->from, p->to, p); */
#define GFAB_FREE(...) gfab_free_each((void *[]){__VA_ARGS__}, sizeof((void *[]){__VA_ARGS__}) / sizeof(void *))
void gfab_free_each(void *const *pointers, size_t count);
/* The pointer at this address, which is NULL from then on: what is kept of what would be given back. */
void *gfab_take_at(void *pointer);
/* Defines TYPE_at_end, which destroys what a pointer holds, for GFAB_AT_END(TYPE_at_end). */
#define GFAB_ENDS_BY(destroy, type)                 \
    static inline void type##_at_end(type **holder) \
    {                                               \
        destroy(*holder);                           \
    }

/* How a function ends that makes something: where all went well it is the caller's, else it is destroyed.
 *
 *     return GFAB_HAND_OVER(status, made, gfab_schedule_destroy, schedule); // *schedule = made, or nothing */
#define GFAB_HAND_OVER(status, made, destroy, to) \
    ((status) == GFAB_OK ? (void)(*(to) = (made)) : destroy(made), (status))

/* The same of what has been made in the caller's place: after a failure *made is destroyed, and NULL.
 *
 *     return GFAB_LEAVE(status, gfab_schedule_destroy, schedule); */
#define GFAB_LEAVE(status, destroy, made) \
    ((status) == GFAB_OK ? (void)0 : (destroy(*(made)), (void)(*(made) = NULL)), (status))

/* Called now and then by long work: done of total units of what ("rounds").
 * Returning 0 stops the work, which then returns GFAB_ERR_INTERRUPTED. */
typedef struct gfab_progress {
    int (*report)(void *context, const char *what, unsigned long long done, unsigned long long total);
    void *context;
} gfab_progress;

GFAB_C_END
#endif
