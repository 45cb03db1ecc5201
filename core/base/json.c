/* SPDX-License-Identifier: MIT */
/* JSON by RFC 8259, read by recursive descent. */
#include <gossipfab/base/json.h>
#include <gossipfab/base/text.h>

#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define MAX_DEPTH 256

typedef struct reader {
    const char *at; /* in a text that ends in NUL */
    size_t line;
    unsigned depth;
    bool capped; /* integers beyond 63 bits are the nearest that there is */
    gfab_diag *diag;
} reader;

static gfab_status bad(const reader *r, const char *what)
{
    return gfab_fail(r->diag, r->line, GFAB_ERR_PARSE, "not JSON: %s", what);
}

/* The character that stands behind blanks. */
static char next(reader *r)
{
    for (; *r->at == ' ' || *r->at == '\t' || *r->at == '\n' || *r->at == '\r'; r->at++)
        r->line += *r->at == '\n';
    return *r->at;
}

/* Goes past it if it is this one. */
static bool take(reader *r, char wanted)
{
    const bool found = next(r) == wanted;
    r->at += found;
    return found;
}

/* ---- strings ---- */

/* The bytes of the UTF-8 character that stands there, 0 where there is none. */
static size_t utf8_size(const char *text)
{
    const unsigned char *at = (const unsigned char *)text;
    static const unsigned char first[] = {0x00, 0x80, 0xc0, 0xe0, 0xf0, 0xf8}, sizes[] = {1, 0, 2, 3, 4, 0};
    size_t kind = sizeof first - 1;
    while (at[0] < first[kind])
        kind--;
    const size_t size = sizes[kind];
    uint32_t code = size > 1 ? at[0] & (0x7fu >> size) : at[0];
    for (size_t i = 1; i < size; i++) {
        if ((at[i] & 0xc0) != 0x80)
            return 0;
        code = code << 6 | (at[i] & 0x3f);
    }
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    return code >= least[size] && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) ? size : 0;
}

static char *put_utf8(char *to, uint32_t code)
{
    const int more = code < 0x80 ? 0 : code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    *to++ = (char)(more == 0 ? code : (0xff00u >> (more + 1) & 0xff) | code >> 6 * more);
    for (int i = more - 1; i >= 0; i--)
        *to++ = (char)(0x80 | (code >> 6 * i & 0x3f));
    return to;
}

/* The four digits of \u, and past them; UINT32_MAX where there are not so many. */
static uint32_t read_hex(reader *r)
{
    uint32_t code = 0;
    for (int i = 0; i < 4; i++, r->at++) {
        const char c = *r->at;
        const int digit = c >= '0' && c <= '9'   ? c - '0'
                          : c >= 'a' && c <= 'f' ? c - 'a' + 10
                          : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                                 : -1;
        if (digit < 0)
            return UINT32_MAX;
        code = code << 4 | (uint32_t)digit;
    }
    return code;
}

/* What stands behind a backslash, written at *to. */
static gfab_status read_escape(reader *r, char **to)
{
    static const char from[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
    const char c = *r->at++;
    for (size_t i = 0; from[i] != '\0'; i++)
        if (c == from[i]) {
            *(*to)++ = meant[i];
            return GFAB_OK;
        }
    if (c != 'u')
        return bad(r, "an escape that is none");
    uint32_t code = read_hex(r);
    if (code >= 0xd800 && code <= 0xdbff && r->at[0] == '\\' && r->at[1] == 'u') {
        r->at += 2;
        const uint32_t low = read_hex(r);
        code = low >= 0xdc00 && low <= 0xdfff ? 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00) : UINT32_MAX;
    }
    if (code == 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff))
        return bad(r, "\\u and no character's four digits");
    *to = put_utf8(*to, code);
    return GFAB_OK;
}

/* Behind its first quotation mark; *text is the caller's. An escape is no shorter than what it stands for. */
static gfab_status read_string(reader *r, char **text)
{
    size_t length = 0;
    while (r->at[length] != '"' && r->at[length] != '\0')
        length += r->at[length] == '\\' && r->at[length + 1] != '\0' ? 2 : 1;
    char *to = *text = malloc(length + 1);
    if (!to)
        return gfab_told(GFAB_ERR_NO_MEMORY, r->diag);
    while (*r->at != '"') {
        size_t size = utf8_size(r->at);
        if ((unsigned char)*r->at < ' ' || size == 0)
            return bad(r, *r->at == '\0' ? "a string without its end" : "a byte that no string can have");
        if (*r->at == '\\') {
            r->at++;
            const gfab_status status = read_escape(r, &to);
            if (status)
                return status;
            continue;
        }
        for (; size > 0; size--)
            *to++ = *r->at++;
    }
    *to = '\0';
    r->at++;
    return GFAB_OK;
}

/* ---- values ---- */

static const char *past_digits(const char *at)
{
    while (*at >= '0' && *at <= '9')
        at++;
    return at;
}

static gfab_status read_number(reader *r, json_t **value)
{
    const char *const begin = r->at, *const digits = begin + (*begin == '-');
    const char *end = *digits == '0' ? digits + 1 : past_digits(digits);
    bool whole = true, good = end > digits;
    if (*end == '.') {
        const char *const fraction = end + 1;
        end = past_digits(fraction);
        good &= end > fraction;
        whole = false;
    }
    if (*end == 'e' || *end == 'E') {
        const char *const power = end + 1 + (end[1] == '+' || end[1] == '-');
        end = past_digits(power);
        good &= end > power;
        whole = false;
    }
    if (!good)
        return bad(r, "a value is expected");
    char *past = NULL;
    errno = 0;
    const long long integer = whole ? strtoll(begin, &past, 10) : 0;
    const double real = whole ? 0 : strtod(begin, &past);
    if (past != end) /* 01, 0x1 */
        return bad(r, "a value is expected");
    if (whole ? errno != 0 && !r->capped : !isfinite(real))
        return bad(r, "a number that is too large");
    *value = whole ? json_integer(integer) : json_real(real);
    r->at = end;
    return *value ? GFAB_OK : gfab_told(GFAB_ERR_NO_MEMORY, r->diag);
}

static gfab_status read_value(reader *r, json_t **value);

/* A name, which is new in its object, and its colon. */
static gfab_status read_name(reader *r, const json_t *object, char **name)
{
    gfab_status status = take(r, '"') ? read_string(r, name) : bad(r, "a name in quotation marks is expected");
    if (!status && json_object_get(object, *name))
        status = bad(r, "a name that the object has already");
    return status || take(r, ':') ? status : bad(r, "a colon is expected");
}

/* Of an object or an array, behind its first bracket. */
static gfab_status read_members(reader *r, json_t *into)
{
    const bool object = json_is_object(into);
    const char end = object ? '}' : ']';
    if (take(r, end))
        return GFAB_OK;
    do {
        char *name = NULL;
        json_t *member = NULL;
        gfab_status status = object ? read_name(r, into, &name) : GFAB_OK;
        if (!status)
            status = read_value(r, &member);
        if (!status && (object ? json_object_set_new(into, name, member) : json_array_append_new(into, member)) != 0)
            status = gfab_told(GFAB_ERR_NO_MEMORY, r->diag);
        free(name);
        if (status)
            return status;
    } while (take(r, ','));
    return take(r, end) ? GFAB_OK : bad(r, object ? "a comma or } is expected" : "a comma or ] is expected");
}

static gfab_status read_container(reader *r, json_t *empty, json_t **value)
{
    *value = empty;
    if (!empty)
        return gfab_told(GFAB_ERR_NO_MEMORY, r->diag);
    if (r->depth == MAX_DEPTH)
        return bad(r, "too many brackets in each other");
    r->depth++;
    GFAB_TRY(read_members(r, empty));
    r->depth--;
    return GFAB_OK;
}

/* *value is the reader's caller's, to be freed also after an error. */
static gfab_status read_any(reader *r, json_t **value)
{
    static const char *const words[] = {"true", "false", "null"};
    if (take(r, '{'))
        return read_container(r, json_object(), value);
    if (take(r, '['))
        return read_container(r, json_array(), value);
    if (take(r, '"')) {
        char *text = NULL;
        const gfab_status status = read_string(r, &text);
        *value = status ? NULL : json_string(text);
        free(text);
        return status || *value ? status : gfab_told(GFAB_ERR_NO_MEMORY, r->diag);
    }
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strncmp(r->at, words[i], strlen(words[i])) == 0) {
            r->at += strlen(words[i]);
            *value = i == 2 ? json_null() : json_boolean(i == 0); /* no memory of their own */
            return GFAB_OK;
        }
    return read_number(r, value);
}

static gfab_status read_value(reader *r, json_t **value)
{
    const gfab_status status = read_any(r, value);
    if (status) {
        json_decref(*value);
        *value = NULL;
    }
    return status;
}

static gfab_status parse(const char *text, bool capped, json_t **value, gfab_diag *diag)
{
    reader r = {text, 1, 0, capped, diag};
    *value = NULL;
    if (next(&r) != '{' && *r.at != '[')
        return bad(&r, "it begins with neither { nor [");
    gfab_status status = read_value(&r, value);
    if (!status && next(&r) != '\0') {
        status = bad(&r, "more behind its end");
        json_decref(*value);
        *value = NULL;
    }
    return status;
}

gfab_status gfab_json_parse(const char *text, json_t **value, gfab_diag *diag)
{
    return parse(text, false, value, diag);
}

gfab_status gfab_json_parse_capped(const char *text, json_t **value, gfab_diag *diag)
{
    return parse(text, true, value, diag);
}

gfab_status gfab_json_read(FILE *file, json_t **value, gfab_diag *diag)
{
    gfab_text text;
    *value = NULL;
    gfab_status status = gfab_text_read(file, &text, diag);
    if (!status)
        status = parse(text.bytes, false, value, diag);
    free(text.bytes);
    return status;
}
