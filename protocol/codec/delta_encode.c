// Encoding delta: positions to whole steps, the change of each against its prediction, symbols, bytes.
//
//     positions ─ grid ─▶ steps ─ less the moment before ─▶ rows ─ predict ─▶ symbols, bits ─ rANS ─▶ chunk
//
// Symbols are made in the order of the plan and coded from the last to the first, for rANS is read the other way round.
#include "protocol/assert.h"
#include "protocol/codec/grid.h"
#include "protocol/codec/predict.h"
#include "protocol/codec/rans.h"

#include <stdlib.h>
#include <string.h>

enum { CLASSES = 2, LANES = 3 };

struct codec_encoder {
    const struct codec_plan *plan;
    struct held held;
    bool is_alone;        // the next chunk must do without the past: who began with a key has none
    bool is_raw;          // the last chunk was plain: `steps` has the bits of its positions
    uint32_t (*rows)[4];  // count + 1; the last is zeros
    uint32_t (*steps)[4]; // what at becomes
    uint32_t *symbols;    // a byte for each of x, y, z; its highest bit: class
    uint8_t *bits;
    uint32_t *words;
    uint32_t counts[LANES][256]; // by such a byte
};

static void *rows_create(size_t count)
{
    return malloc(count * sizeof(uint32_t[4]));
}

struct codec_encoder *codec_encoder_create(const struct codec_plan *plan)
{
    struct codec_encoder *encoder = calloc(1, sizeof *encoder);
    size_t count = (size_t)plan->count + 1;
    if (!encoder) {
        return NULL;
    }
    encoder->plan = plan;
    encoder->held.at = rows_create(count);
    encoder->held.past = rows_create(count);
    encoder->rows = rows_create(count);
    encoder->steps = rows_create(count);
    encoder->symbols = malloc(count * sizeof *encoder->symbols);
    encoder->bits = malloc(3 * sizeof(uint32_t) * count + 1024); // at most 30 bits a symbol, and the tables
    encoder->words = malloc(sizeof *encoder->words * count);
    if (!encoder->held.at || !encoder->held.past || !encoder->rows || !encoder->steps || !encoder->symbols ||
        !encoder->bits || !encoder->words) {
        codec_encoder_destroy(encoder);
        return NULL;
    }
    memset(encoder->rows[plan->count], 0, sizeof *encoder->rows);
    return encoder;
}

void codec_encoder_destroy(struct codec_encoder *encoder)
{
    if (encoder) {
        free(encoder->held.at);
        free(encoder->held.past);
        free(encoder->rows);
        free(encoder->steps);
        free(encoder->symbols);
        free(encoder->bits);
        free(encoder->words);
        free(encoder);
    }
}

void codec_encoder_forget(struct codec_encoder *encoder)
{
    encoder->held.has = encoder->is_raw = false;
}

size_t codec_encoder_bytes(uint32_t count)
{
    const size_t vertex =
        4 * sizeof(uint32_t[4]) + sizeof(uint32_t) + 3 * sizeof(uint32_t) + sizeof(uint32_t);
    return sizeof(struct codec_encoder) + 1024 + vertex * ((size_t)count + 1);
}

// ------------------------------------------------------------------------------------------------------ grid

// The bits of the largest coordinate, its sign away: above all finite ones where one is not finite.
static uint32_t largest_bits(const float *positions, size_t number_count)
{
    uint32_t largest = 0;
    for (size_t i = 0; i < number_count; i++) {
        uint32_t bits;
        memcpy(&bits, positions + i, sizeof bits);
        bits &= 0x7FFFFFFF;
        largest = bits > largest ? bits : largest;
    }
    return largest;
}

// The spacing of floats at one of these bits: 2^(exponent - 150).
static double spacing(uint32_t bits)
{
    uint32_t exponent = bits >> 23 > 0 ? bits >> 23 : 1;
    uint64_t wide = (uint64_t)(exponent + 1023 - 150) << 52;
    double result;
    memcpy(&result, &wide, sizeof result);
    return result;
}

static struct grid grid_choose(uint32_t largest, float tolerance)
{
    struct grid grid = {.tolerance = tolerance, .fine = GRID_MAX};
    while (grid.fine > 1 && spacing(largest) * (double)(1U << grid.fine) > (double)tolerance) {
        grid.fine--;
    }
    return grid;
}

// False if positions are not finite, or further from 0 than the grid is counted.
static bool grid_fits(uint32_t largest, struct grid grid)
{
    float value;
    memcpy(&value, &largest, sizeof value);
    return largest < 0x7F800000 && (double)value < grid_step(grid) * (double)GRID_COUNT_MAX;
}

// The nearest whole number, ties to even, for |value| < 2^31: adding 3 2^51 leaves no room for a fraction.
static inline uint32_t nearest(double value)
{
    double moved = value + 6755399441055744.0;
    uint64_t bits;
    memcpy(&bits, &moved, sizeof bits);
    return (uint32_t)bits;
}

// steps and rows; `from`: what to take from the steps, NULL for nothing. Returns whether anything is left.
static bool round_positions(struct codec_encoder *encoder, const float *positions, struct grid grid,
                            const uint32_t (*from)[4])
{
    const struct codec_plan *plan = encoder->plan;
    double inverse = 1 / grid_step(grid);
    row any = row_of(0, 0, 0);
    for (uint32_t place = 0; place < plan->count; place++) {
        const float *position = positions + 3 * (size_t)plan->vertex[place];
        row steps = row_of(nearest((double)position[0] * inverse), nearest((double)position[1] * inverse),
                           nearest((double)position[2] * inverse));
        row moved = from ? row_sub(steps, row_load(from[place])) : steps;
        row_store(encoder->steps[place], steps);
        row_store(encoder->rows[place], moved);
        any = row_or(any, moved);
    }
    return (row_at(any, 0) | row_at(any, 1) | row_at(any, 2)) != 0;
}

// --------------------------------------------------------------------------------------------------- symbols

// 16, 17: 16 to 23, 24 to 31; 18, 19: 32 to 47, 48 to 63; and so on, and the bits below those two.
static uint32_t split(uint32_t folded, struct bit_writer *writer)
{
    if (folded < RANS_DIRECT) {
        return folded;
    }
    uint32_t below = 30 - (uint32_t)__builtin_clz(folded);
    bits_put(writer, folded & ((1U << below) - 1), below);
    return RANS_DIRECT + 2 * (below - 3) + (folded >> below & 1);
}

// Symbols of rows, counted by class; and what is past for the next frame, where it is wanted.
ROW_INLINE void make_all(struct codec_encoder *encoder, struct weights weights, bool has_past,
                         struct bit_writer *writer)
{
    const struct codec_plan *plan = encoder->plan;
    const uint32_t(*rows)[4] = (const uint32_t(*)[4])encoder->rows;
    memset(encoder->counts, 0, sizeof encoder->counts);
    for (uint32_t place = 0; place < plan->count; place++) {
        row past = has_past ? row_load(encoder->held.past[place]) : row_of(0, 0, 0),
            own = row_load(rows[place]);
        struct prediction prediction = predict(rows, plan->from[place], past, weights);
        row folded = residual_fold(row_sub(own, prediction.at), prediction.turned);
        row_store(encoder->held.past[place], row_sub(row_twice(own), prediction.own));
        uint32_t x = row_at(folded, 0), y = row_at(folded, 1), z = row_at(folded, 2);
        if (__builtin_expect((x | y | z) >= RANS_DIRECT, 0)) {
            x = split(x, writer);
            y = split(y, writer);
            z = split(z, writer);
        }
        row class = row_up(prediction.odd, 7);
        x |= row_at(class, 0);
        y |= row_at(class, 1);
        z |= row_at(class, 2);
        encoder->counts[0][x]++;
        encoder->counts[1][y]++;
        encoder->counts[2][z]++;
        encoder->symbols[place] = x | y << 8 | z << 16;
    }
}

static void make_baseline(struct codec_encoder *encoder, struct weights weights, bool has_past,
                          struct bit_writer *writer)
{
    make_all(encoder, weights, has_past, writer);
}

#ifdef ROW_AVX2
ROW_AVX2 static void make_avx2(struct codec_encoder *encoder, struct weights weights, bool has_past,
                               struct bit_writer *writer)
{
    make_all(encoder, weights, has_past, writer);
}
#endif

static void make_symbols(struct codec_encoder *encoder, struct weights weights, bool has_past,
                         struct bit_writer *writer)
{
#ifdef ROW_AVX2
    if (__builtin_cpu_supports("avx2")) {
        make_avx2(encoder, weights, has_past, writer);
        return;
    }
#endif
    make_baseline(encoder, weights, has_past, writer);
}

// ----------------------------------------------------------------------------------------------------- bytes

static void make_tables(struct codec_encoder *encoder, struct bit_writer *writer,
                        struct rans_symbol symbols[256])
{
    for (int odd = 0; odd < CLASSES; odd++) {
        uint32_t counts[RANS_SYMBOLS];
        uint16_t frequencies[RANS_SYMBOLS];
        for (int s = 0; s < RANS_SYMBOLS; s++) {
            int at = odd << 7 | s;
            counts[s] = encoder->counts[0][at] + encoder->counts[1][at] + encoder->counts[2][at];
        }
        rans_normalise(counts, frequencies);
        rans_table_put(writer, frequencies);
        rans_symbols_make(frequencies, symbols + (odd << 7));
    }
}

// Returns where the words begin; they end where their room does.
static uint32_t *put_words(const struct codec_encoder *encoder, const struct rans_symbol table[256],
                           uint64_t states[RANS_STATES])
{
    uint32_t *words = encoder->words + encoder->plan->count;
    for (int i = 0; i < RANS_STATES; i++) {
        states[i] = RANS_LOW;
    }
    for (uint32_t place = encoder->plan->count; place-- > 0;) {
        uint32_t symbols = encoder->symbols[place];
        uint64_t *state = &states[place % RANS_STATES];
        *state = rans_put(*state, &table[symbols & 0xFF], &table[symbols >> 8 & 0xFF], &table[symbols >> 16],
                          &words);
    }
    return words;
}

static uint8_t *put_u32(uint8_t *out, uint32_t value)
{
    for (int i = 0; i < 4; i++) {
        *out++ = (uint8_t)(value >> 8 * i);
    }
    return out;
}

// Writes everything behind the head: tables and bits, words, states. Returns its end, NULL if it would pass `limit`.
static uint8_t *put_rows(struct codec_encoder *encoder, const uint32_t (*past)[4], uint8_t *out,
                         const uint8_t *limit)
{
    const struct codec_plan *plan = encoder->plan;
    struct weights weights = fit_weights(plan, (const uint32_t(*)[4])encoder->rows, past);
    struct rans_symbol table[256];
    uint64_t states[RANS_STATES];
    // The bits of the symbols are made before their tables are known, and come behind them.
    struct bit_writer writer = {.out = encoder->bits};
    make_symbols(encoder, weights, past != NULL, &writer);
    bits_end(&writer);
    uint8_t tables[512];
    size_t bit_size = (size_t)(writer.out - encoder->bits);
    writer = (struct bit_writer){.out = tables};
    make_tables(encoder, &writer, table);
    bits_end(&writer);
    size_t table_size = (size_t)(writer.out - tables);
    const uint32_t *end = encoder->words + plan->count, *words = put_words(encoder, table, states);
    size_t size = 3 + 20 + table_size + bit_size + 4 * (size_t)(end - words) + sizeof states;
    if (size > (size_t)(limit - out)) {
        return NULL;
    }
    *out++ = (uint8_t)weights.outer;
    *out++ = (uint8_t)weights.opposite;
    *out++ = (uint8_t)weights.past;
    out = number_put(out, table_size);
    out = number_put(out, bit_size);
    memcpy(out, tables, table_size);
    memcpy(out + table_size, encoder->bits, bit_size);
    for (out += table_size + bit_size; words < end; words++) {
        out = put_u32(out, *words);
    }
    for (int i = 0; i < RANS_STATES; i++) {
        out = put_u32(put_u32(out, (uint32_t)states[i]), (uint32_t)(states[i] >> 32));
    }
    return out;
}

// Writes the head, which all kinds of chunks have.
static uint8_t *put_head(uint8_t *out, uint8_t kind, uint32_t count, uint64_t moment)
{
    *out++ = kind;
    out = number_put(out, count);
    return number_put(out, moment);
}

size_t codec_delta_plain(const float *positions, uint32_t count, uint64_t moment, uint8_t *out)
{
    uint8_t *at = put_head(out, DELTA_RAW, count, moment);
    for (size_t i = 0; i < 3 * (size_t)count; i++) {
        uint32_t bits;
        memcpy(&bits, positions + i, sizeof bits);
        at = put_u32(at, bits);
    }
    return (size_t)(at - out);
}

static size_t put_raw(struct codec_encoder *encoder, const float *positions, uint64_t moment, uint8_t *out)
{
    for (uint32_t i = 0; i < encoder->plan->count; i++) {
        memcpy(encoder->steps[i], positions + 3 * (size_t)i, 3 * sizeof *positions);
    }
    encoder->held.has = false;
    encoder->is_raw = true;
    return codec_delta_plain(positions, encoder->plan->count, moment, out);
}

// Rows are whole steps. 0 if positions as they are take less.
static size_t put_key(struct codec_encoder *encoder, uint64_t moment, struct grid grid, uint8_t *out)
{
    uint32_t bits, count = encoder->plan->count;
    memcpy(&bits, &grid.tolerance, sizeof bits);
    uint8_t *at = put_u32(put_head(out, DELTA_KEY, count, moment), bits);
    *at++ = (uint8_t)grid.fine;
    at = put_rows(encoder, NULL, at, out + codec_delta_bound(count));
    encoder->is_alone = true;
    return !at ? 0 : (size_t)(at - out);
}

// Rows are changes.
static size_t put_next(struct codec_encoder *encoder, uint64_t moment, uint8_t *out)
{
    uint32_t count = encoder->plan->count;
    const uint32_t(*past)[4] = encoder->is_alone ? NULL : (const uint32_t(*)[4])encoder->held.past;
    uint8_t *at = put_head(out, DELTA_NEXT, count, moment);
    at = number_put(at, moment - encoder->held.moment);
    at = put_rows(encoder, past, at, out + codec_delta_bound(count));
    encoder->is_alone = false;
    return !at ? 0 : (size_t)(at - out);
}

static size_t put_still(struct codec_encoder *encoder, uint64_t moment, uint8_t *out)
{
    uint8_t *at = put_head(out, DELTA_STILL, encoder->plan->count, moment);
    at = number_put(at, moment - encoder->held.moment);
    memset(encoder->held.past, 0, encoder->plan->count * sizeof *encoder->held.past);
    encoder->is_alone = false;
    return (size_t)(at - out);
}

bool codec_delta_stands_alone(const uint8_t *chunk)
{
    return chunk[0] == DELTA_RAW || chunk[0] == DELTA_KEY;
}

bool codec_delta_unchanged(const struct codec_encoder *encoder, const float *positions, float tolerance)
{
    const struct codec_plan *plan = encoder->plan;
    const struct held *held = &encoder->held;
    bool same = true;
    if (!held->has) {
        for (uint32_t i = 0; i < plan->count && same; i++) {
            const uint32_t *was = encoder->steps[i];
            uint32_t now[3];
            memcpy(now, positions + 3 * (size_t)i, sizeof now);
            same = was[0] == now[0] && was[1] == now[1] && was[2] == now[2];
        }
        return same && encoder->is_raw;
    }
    if (held->grid.tolerance != tolerance) {
        return false;
    }
    const double inverse = 1 / grid_step(held->grid), most = (double)GRID_COUNT_MAX;
    for (uint32_t place = 0; place < plan->count && same; place++) {
        for (int axis = 0; axis < 3 && same; axis++) {
            const double steps = (double)positions[3 * (size_t)plan->vertex[place] + axis] * inverse;
            same = steps > -most && steps < most && nearest(steps) == held->at[place][axis];
        }
    }
    return same;
}

size_t codec_delta_encode(struct codec_encoder *encoder, const float *positions, uint64_t moment,
                          float tolerance, uint8_t *out)
{
    PROTOCOL_ASSERT(tolerance >= GRID_TOLERANCE_MIN && tolerance <= GRID_TOLERANCE_MAX);
    struct held *held = &encoder->held;
    uint32_t count = encoder->plan->count, largest = largest_bits(positions, 3 * (size_t)count);
    struct grid grid = grid_choose(largest, tolerance);
    bool is_next = held->has && held->grid.tolerance == tolerance && held->grid.fine <= grid.fine &&
                   held->moment < moment;
    if (is_next) {
        grid = held->grid;
    }
    if (count == 0 || !grid_fits(largest, grid)) {
        return put_raw(encoder, positions, moment, out);
    }
    bool moves = round_positions(encoder, positions, grid, is_next ? (const uint32_t(*)[4])held->at : NULL);
    size_t size = !is_next ? put_key(encoder, moment, grid, out)
                  : moves  ? put_next(encoder, moment, out)
                           : put_still(encoder, moment, out);
    if (size == 0) {
        return put_raw(encoder, positions, moment, out);
    }
    uint32_t(*kept)[4] = held->at;
    held->at = encoder->steps;
    encoder->steps = kept;
    held->moment = moment;
    held->grid = grid;
    held->has = true;
    encoder->is_raw = false;
    return size;
}

size_t codec_delta_key(struct codec_encoder *encoder, uint8_t *out)
{
    if (!encoder->held.has) {
        return 0;
    }
    memcpy(encoder->rows, encoder->held.at, encoder->plan->count * sizeof *encoder->rows);
    size_t size = put_key(encoder, encoder->held.moment, encoder->held.grid, out);
    encoder->held.has = size > 0;
    return size;
}
