/* SPDX-License-Identifier: MIT */
/* A sweep as curves over two logarithmic axes, with the crossings marked and a band that says who is first. */
#include "advise.h"

#define WIDTH 1240
#define HEIGHT 720
#define LEFT 84
#define RIGHT 300 /* room for the legend */
#define TOP 84
#define BOTTOM 96
#define PLOT_WIDTH (WIDTH - LEFT - RIGHT)
#define PLOT_HEIGHT (HEIGHT - TOP - BOTTOM)
#define BAND_HEIGHT 12
#define LEGEND_STEP 20

static const char *const colours[] = {"#2f6fb3", "#d9822b", "#3f8f4f", "#b3323f", "#7a4fa3", "#8a6d3b",
                                      "#0f8b8d", "#c2529b", "#5f6b7a", "#a8a000", "#1b4f72", "#e05a00"};
static const char *const dashes[] = {"", " stroke-dasharray=\"7 3\"", " stroke-dasharray=\"2 3\""};

#define COLOURS (sizeof colours / sizeof *colours)
#define DASHES (sizeof dashes / sizeof *dashes)

/* log2 of a ratio above 0, in 1 / 4096: whole places by shifting, the others by squaring. */
static int64_t logarithm(gfab_ratio ratio)
{
    int64_t whole = 0;
    uint64_t a = ratio.numerator, b = ratio.denominator;
    while (a >= (uint64_t)1 << 31 || b >= (uint64_t)1 << 31) {
        a = (a + 1) / 2;
        b = (b + 1) / 2;
    }
    a = a == 0 ? 1 : a;
    while (a >= 2 * b) {
        b *= 2;
        whole++;
    }
    while (a < b) {
        a *= 2;
        whole--;
    }
    uint64_t mantissa = (a << 30) / b; /* 2^30 .. 2^31 */
    int64_t result = whole;
    for (int i = 0; i < 12; i++) {
        mantissa = mantissa * mantissa >> 30;
        const bool up = mantissa >= (uint64_t)1 << 31;
        mantissa >>= up;
        result = 2 * result + up;
    }
    return result;
}

typedef struct axis {
    int64_t low, high; /* logarithms */
} axis;

typedef struct picture {
    FILE *file;
    const advise_sweep *sweep;
    axis x, y;
} picture;

/* Tenths of a pixel. */
static int64_t along(const axis *a, gfab_ratio value, int64_t size)
{
    const int64_t range = a->high - a->low;
    return (logarithm(value) - a->low) * size * 10 / (range == 0 ? 1 : range);
}

static int64_t x_of(const picture *p, gfab_ratio value)
{
    return LEFT * 10 + along(&p->x, value, PLOT_WIDTH);
}

static int64_t y_of(const picture *p, gfab_ratio value)
{
    return (TOP + PLOT_HEIGHT) * 10 - along(&p->y, value, PLOT_HEIGHT);
}

static void put_tenths(FILE *file, const char *before, int64_t tenths)
{
    fprintf(file, "%s%lld.%lld", before, (long long)(tenths / 10), (long long)(tenths % 10));
}

static void put_text(FILE *file, int64_t x, int64_t y, const char *more, const char *text)
{
    fprintf(file, "<text x=\"%lld\" y=\"%lld\"%s>%s</text>\n", (long long)x, (long long)y, more, text);
}

/* The range of all values: curves and bound. */
static void find_range(picture *p)
{
    const advise_sweep *sweep = p->sweep;
    p->x = (axis){logarithm(sweep->at[0]), logarithm(sweep->at[sweep->points - 1])};
    p->y = (axis){INT64_MAX, INT64_MIN};
    for (size_t i = 0; i < sweep->points; i++) {
        for (size_t s = 0; s <= sweep->count; s++) {
            const bool bound = s == sweep->count;
            if (!bound && !sweep->series[s].values[i].known)
                continue;
            const gfab_ratio total = bound ? sweep->bound[i] : sweep->series[s].values[i].advice.total;
            const int64_t at = logarithm(advise_time(sweep, total));
            p->y.low = at < p->y.low ? at : p->y.low;
            p->y.high = at > p->y.high ? at : p->y.high;
        }
    }
    const int64_t margin = (p->y.high - p->y.low) / 40 + 200;
    p->y.low -= margin;
    p->y.high += margin;
}

static const char *length_text(uint64_t bytes, char *text, size_t size)
{
    if (bytes >= 1024 && bytes % 1024 == 0)
        snprintf(text, size, "%lluk", (unsigned long long)(bytes / 1024));
    else
        snprintf(text, size, "%llu", (unsigned long long)bytes);
    return text;
}

static void put_mark(const picture *p, bool vertical, gfab_ratio value, const char *label)
{
    const axis *a = vertical ? &p->y : &p->x;
    const int64_t at = logarithm(value);
    if (at < a->low || at > a->high)
        return;
    const int64_t place = (vertical ? y_of(p, value) : x_of(p, value)) / 10;
    if (vertical)
        fprintf(p->file, "<path d=\"M%d %lldH%d\"/>\n", LEFT, (long long)place, WIDTH - RIGHT);
    else
        fprintf(p->file, "<path d=\"M%lld %dV%d\"/>\n", (long long)place, TOP, HEIGHT - BOTTOM);
    fprintf(p->file, "<text stroke=\"none\" x=\"%lld\" y=\"%lld\" text-anchor=\"%s\">%s</text>\n",
            (long long)(vertical ? LEFT - 8 : place), (long long)(vertical ? place + 4 : HEIGHT - BOTTOM + 34),
            vertical ? "end" : "middle", label);
}

/* Lines at 1, 2 and 5 times powers of ten; for lengths at powers of two. */
static void put_grid(const picture *p)
{
    static const uint64_t steps[] = {1, 2, 5};
    char label[32];
    fputs("<g stroke=\"#e4e7eb\" stroke-width=\"1\" font-size=\"11\" fill=\"#616e7c\">\n", p->file);
    for (int64_t power = 0; p->sweep->length && power < 50; power++) {
        const uint64_t bytes = (uint64_t)1 << power;
        put_mark(p, false, (gfab_ratio){bytes, 1}, length_text(bytes, label, sizeof label));
    }
    for (int vertical = p->sweep->length ? 1 : 0; vertical < 2; vertical++) {
        const axis *a = vertical ? &p->y : &p->x;
        /* Only 1 where the range is of more than six decades. */
        const size_t many = a->high - a->low > 6 * 13607 ? 1 : 3;
        uint64_t scale = 1000000;
        for (int power = -6; power <= 12; power++) {
            for (size_t i = 0; i < many; i++) {
                const gfab_ratio value = power < 0 ? (gfab_ratio){steps[i], scale} : (gfab_ratio){steps[i] * scale, 1};
                put_mark(p, vertical != 0, value, cli_decimal(value, power < 0 ? (unsigned)-power : 0).text);
            }
            scale = power < -1 ? scale / 10 : power == -1 ? 1 : scale * 10;
        }
    }
    fprintf(p->file, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"none\" stroke=\"#9aa5b1\"/>\n</g>\n",
            LEFT, TOP, PLOT_WIDTH, PLOT_HEIGHT);
}

static void put_style(FILE *file, size_t series)
{
    fprintf(file, "stroke=\"%s\"%s", colours[series % COLOURS], dashes[series / COLOURS % DASHES]);
}

static void put_curve(const picture *p, size_t series)
{
    bool pen = false;
    fputs("<path fill=\"none\" stroke-width=\"2\" ", p->file);
    if (series == p->sweep->count)
        fputs("stroke=\"#9aa5b1\" stroke-dasharray=\"3 4\"", p->file);
    else
        put_style(p->file, series);
    fputs(" d=\"", p->file);
    for (size_t i = 0; i < p->sweep->points; i++) {
        const bool bound = series == p->sweep->count;
        const bool known = bound || p->sweep->series[series].values[i].known;
        if (known) {
            const gfab_ratio total = bound ? p->sweep->bound[i] : p->sweep->series[series].values[i].advice.total;
            put_tenths(p->file, pen ? "L" : "M", x_of(p, p->sweep->at[i]));
            put_tenths(p->file, " ", y_of(p, advise_time(p->sweep, total)));
        }
        pen = known;
    }
    fputs("\"/>\n", p->file);
}

/* Circles, where something was measured. */
static void put_measured(const picture *p)
{
    for (size_t i = 0; i < p->sweep->measured_count; i++) {
        const advise_measured *m = &p->sweep->measured[i];
        const int64_t at = logarithm(m->time);
        if (at < p->y.low || at > p->y.high)
            continue;
        put_tenths(p->file, "<circle r=\"3.5\" fill=\"#ffffff\" stroke-width=\"1.6\" cx=\"", x_of(p, m->at));
        put_tenths(p->file, "\" cy=\"", y_of(p, m->time));
        fprintf(p->file, "\" stroke=\"%s\"/>\n", colours[m->series % COLOURS]);
    }
}

/* A band below the axis in the colour of the first, and a line where it changes. */
static void put_crossings(const picture *p)
{
    const advise_sweep *sweep = p->sweep;
    int64_t from = LEFT * 10, last_label = -1000;
    const int y = HEIGHT - BOTTOM + 4;
    fputs("<g font-size=\"11\" fill=\"#1f2933\" text-anchor=\"middle\">\n", p->file);
    for (size_t i = 0; i <= sweep->crossing_count; i++) {
        const bool end = i == sweep->crossing_count;
        const advise_crossing *c = &sweep->crossings[i];
        const size_t series = end ? sweep->first[sweep->points - 1] : sweep->length ? c->above : c->below;
        const gfab_ratio place = end ? sweep->at[sweep->points - 1] : advise_crossing_at(sweep, c);
        const int64_t to = x_of(p, place);
        put_tenths(p->file, "<rect x=\"", from);
        fprintf(p->file, "\" y=\"%d\" height=\"%d\" fill=\"%s\"", y, BAND_HEIGHT, colours[series % COLOURS]);
        put_tenths(p->file, " width=\"", to - from);
        fputs("\"/>\n", p->file);
        if (!end) {
            put_tenths(p->file, "<path stroke=\"#1f2933\" stroke-dasharray=\"2 4\" d=\"M", to);
            fprintf(p->file, " %dV%d\"/>\n", TOP, y + BAND_HEIGHT);
            const int64_t label_y = to - last_label < 450 ? TOP - 18 : TOP - 6;
            const uint64_t size = place.numerator / place.denominator;
            put_text(p->file, to / 10, label_y, "", cli_decimal(place, size >= 100 ? 0 : size >= 10 ? 1 : 2).text);
            last_label = label_y == TOP - 6 ? to : last_label;
        }
        from = to;
    }
    fputs("</g>\n", p->file);
}

/* Series by their time at the last point, so that the legend stands as the curves end. */
static void put_legend(const picture *p)
{
    const advise_sweep *sweep = p->sweep;
    const size_t last = sweep->points - 1;
    bool done[ADVISE_MAX_SERIES] = {false};
    int64_t y = TOP + 10;
    char name[160];
    fputs("<g font-size=\"12\" fill=\"#3e4c59\">\n", p->file);
    for (size_t n = 0; n < sweep->count; n++, y += LEGEND_STEP) {
        size_t next = sweep->count;
        for (size_t s = 0; s < sweep->count; s++) {
            const advise_value *value = &sweep->series[s].values[last];
            if (done[s])
                continue;
            if (next == sweep->count ||
                (value->known &&
                 (!sweep->series[next].values[last].known ||
                  gfab_ratio_compare(value->advice.total, sweep->series[next].values[last].advice.total) > 0)))
                next = s;
        }
        done[next] = true;
        fprintf(p->file, "<path stroke-width=\"3\" ");
        put_style(p->file, next);
        fprintf(p->file, " d=\"M%d %lldh26\"/>\n", WIDTH - RIGHT + 16, (long long)y);
        put_text(p->file, WIDTH - RIGHT + 50, y + 4, "", advise_series_name(sweep, next, name, sizeof name));
    }
    fprintf(p->file, "<path stroke-width=\"2\" stroke=\"#9aa5b1\" stroke-dasharray=\"3 4\" d=\"M%d %lldh26\"/>\n",
            WIDTH - RIGHT + 16, (long long)y);
    put_text(p->file, WIDTH - RIGHT + 50, y + 4, "", "lower bound");
    if (sweep->measured_count != 0) {
        y += LEGEND_STEP;
        fprintf(p->file,
                "<circle r=\"3.5\" fill=\"#ffffff\" stroke=\"#3e4c59\" stroke-width=\"1.6\" cx=\"%d\" cy=\"%lld\"/>\n",
                WIDTH - RIGHT + 29, (long long)y);
        put_text(p->file, WIDTH - RIGHT + 50, y + 4, "", "measured");
    }
    put_text(
        p->file, LEFT, HEIGHT - 18, "",
        "The band has the colour of the fastest; a dotted line marks where another takes over, with the value above.");
    fputs("</g>\n", p->file);
}

void advise_svg(FILE *file, const advise_sweep *sweep)
{
    picture p = {.file = file, .sweep = sweep};
    find_range(&p);
    fprintf(file,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" "
            "font-family=\"DejaVu Sans, Verdana, sans-serif\">\n<rect width=\"%d\" height=\"%d\" fill=\"#ffffff\"/>\n",
            WIDTH, HEIGHT, WIDTH, HEIGHT, WIDTH, HEIGHT);
    fprintf(file,
            "<text x=\"%d\" y=\"34\" font-size=\"18\" font-weight=\"bold\" fill=\"#1f2933\">Gossip on %s: %s</text>\n",
            LEFT, sweep->topology, sweep->length ? "time per byte against message length" : "time against startup");
    if (sweep->length) {
        const gfab_ratio cycles = advise_time(sweep, sweep->unit);
        fprintf(file,
                "<text x=\"%d\" y=\"54\" font-size=\"12\" fill=\"#616e7c\">predicted cycles a byte; startup %s cycles, "
                "links of %u bit%s</text>\n",
                LEFT, cli_ratio(cycles).text, sweep->link_bits, sweep->link_bits == 1 ? "" : "s");
    } else {
        fprintf(
            file,
            "<text x=\"%d\" y=\"54\" font-size=\"12\" fill=\"#616e7c\">predicted, in units of one token's transfer, "
            "over r = startup / transfer of a token</text>\n",
            LEFT);
    }
    put_grid(&p);
    for (size_t s = 0; s <= sweep->count; s++)
        put_curve(&p, sweep->count - s);
    put_measured(&p);
    put_crossings(&p);
    fprintf(file, "<text x=\"%d\" y=\"%d\" font-size=\"12\" fill=\"#3e4c59\" text-anchor=\"middle\">%s</text>\n",
            LEFT + PLOT_WIDTH / 2, HEIGHT - BOTTOM + 54, sweep->length ? "message length in bytes" : "r");
    fprintf(file,
            "<text transform=\"translate(20 %d) rotate(-90)\" font-size=\"12\" fill=\"#3e4c59\" "
            "text-anchor=\"middle\">%s</text>\n",
            TOP + PLOT_HEIGHT / 2, sweep->length ? "cycles a byte" : "transfers of a token");
    put_legend(&p);
    fputs("</svg>\n", file);
}
