// Decoding delta. What is held changes while a chunk is read: one that turns out wrong leaves nothing held.
#include "protocol/codec/grid.h"
#include "protocol/codec/predict.h"
#include "protocol/codec/rans.h"

#include <stdlib.h>
#include <string.h>

enum { STATES_SIZE = 8 * RANS_STATES };

struct codec_decoder {
    const struct codec_plan *plan;
    struct held held;
    uint32_t (*rows)[4]; // count + 1; the last is zeros
    struct rans_slots slots;
};

struct head {
    uint8_t kind;
    uint64_t moment, base;
    struct grid grid;
    struct weights weights;
    struct bit_reader tables, bits;
    const uint8_t *words, *states; // that end where the states begin
};

static void *rows_create(size_t count)
{
    return calloc(count, sizeof(uint32_t[4]));
}

struct codec_decoder *codec_decoder_create(const struct codec_plan *plan)
{
    struct codec_decoder *decoder = calloc(1, sizeof *decoder);
    size_t count = (size_t)plan->count + 1;
    if (!decoder) {
        return NULL;
    }
    decoder->plan = plan;
    decoder->held.at = rows_create(count);
    decoder->held.past = rows_create(count);
    decoder->rows = rows_create(count);
    if (!decoder->held.at || !decoder->held.past || !decoder->rows) {
        codec_decoder_destroy(decoder);
        return NULL;
    }
    return decoder;
}

size_t codec_delta_bound(uint32_t count)
{
    enum { HEAD_MAX = 48 };
    return HEAD_MAX + 3 * sizeof(float) * (size_t)count;
}

void codec_decoder_destroy(struct codec_decoder *decoder)
{
    if (decoder) {
        free(decoder->held.at);
        free(decoder->held.past);
        free(decoder->rows);
        free(decoder);
    }
}

bool codec_delta_moment(const struct codec_decoder *decoder, uint64_t *moment)
{
    *moment = decoder->held.moment;
    return decoder->held.has;
}

// ------------------------------------------------------------------------------------------------------ head

ROW_INLINE uint32_t u32_at(const uint8_t *at)
{
    return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static bool read_grid(struct head *head, const uint8_t **at, const uint8_t *end)
{
    if (end - *at < 5) {
        return false;
    }
    uint32_t bits = u32_at(*at);
    memcpy(&head->grid.tolerance, &bits, sizeof bits);
    head->grid.fine = (*at)[4];
    *at += 5;
    return head->grid.tolerance >= GRID_TOLERANCE_MIN && head->grid.tolerance <= GRID_TOLERANCE_MAX &&
           head->grid.fine >= 1 && head->grid.fine <= GRID_MAX;
}

// Finds the parts of the chunk.
static bool read_parts(struct head *head, const uint8_t *at, const uint8_t *end)
{
    uint64_t table_size, bit_size;
    if (end - at < 3) {
        return false;
    }
    head->weights = (struct weights){(int8_t)at[0], (int8_t)at[1], (int8_t)at[2]};
    at += 3;
    if (!number_take(&at, end, &table_size) || !number_take(&at, end, &bit_size)) {
        return false;
    }
    uint64_t left = (uint64_t)(end - at);
    if (table_size > left || bit_size > left - table_size || left - table_size - bit_size < STATES_SIZE) {
        return false;
    }
    head->tables = (struct bit_reader){.data = at, .size = table_size};
    head->bits = (struct bit_reader){.data = at + table_size, .size = bit_size};
    head->words = at + table_size + bit_size;
    head->states = end - STATES_SIZE;
    return (head->states - head->words) % 4 == 0;
}

static enum codec_status read_head(const struct codec_decoder *decoder, const uint8_t *data, size_t size,
                                   struct head *head, const uint8_t **at)
{
    const uint8_t *end = data + size;
    uint64_t count, back;
    *at = data;
    if (size == 0) {
        return CODEC_INVALID;
    }
    head->kind = *(*at)++;
    if (head->kind > DELTA_STILL || !number_take(at, end, &count) || count != decoder->plan->count ||
        !number_take(at, end, &head->moment)) {
        return CODEC_INVALID;
    }
    if (head->kind == DELTA_RAW || head->kind == DELTA_KEY) {
        return CODEC_OK;
    }
    if (!number_take(at, end, &back) || back == 0 || back > head->moment) {
        return CODEC_INVALID;
    }
    head->base = head->moment - back;
    return decoder->held.has && decoder->held.moment == head->base ? CODEC_OK : CODEC_BASE;
}

// ------------------------------------------------------------------------------------------------------ rows

// The value of a symbol that has bits besides, or is none.
static inline uint32_t join(uint32_t symbol, struct bit_reader *bits)
{
    if (symbol < RANS_DIRECT) {
        return symbol;
    }
    if (symbol >= RANS_SYMBOLS) {
        bits->is_past = true;
        return 0;
    }
    uint32_t below = 3 + (symbol - RANS_DIRECT) / 2;
    return (2 + (symbol & 1)) << below | bits_take(bits, below);
}

// A batch of vertices of one level: predicted, then read, then put together. Each of these has a short way from one
// vertex to the next, and a long one through all three.
enum { BATCH = 64 };

struct batch {
    uint32_t at[BATCH][4], turned[BATCH][4], own[BATCH][4]; // of predictions
    uint32_t class[BATCH][4], folded[BATCH][4];             // class: where its slots begin
};

struct reading {
    uint64_t states[RANS_STATES];
    const uint8_t *words;
    struct bit_reader bits;
};

ROW_INLINE void predict_batch(const struct codec_decoder *decoder, const struct head *head, uint32_t place,
                              uint32_t count, bool has_past, struct batch *batch)
{
    const uint32_t(*rows)[4] = (const uint32_t(*)[4])decoder->rows;
    const uint32_t(*past)[4] = (const uint32_t(*)[4])decoder->held.past;
    const uint32_t(*from)[PLAN_FROM] = (const uint32_t(*)[PLAN_FROM])decoder->plan->from + place;
    const struct weights weights = head->weights;
    for (uint32_t i = 0; i < count; i++) {
        row before = has_past ? row_load(past[place + i]) : row_of(0, 0, 0);
        struct prediction prediction = predict(rows, from[i], before, weights);
        row_store(batch->at[i], prediction.at);
        row_store(batch->turned[i], prediction.turned);
        row_store(batch->own[i], prediction.own);
        row_store(batch->class[i], row_up(prediction.odd, RANS_BITS));
    }
}

ROW_INLINE uint32_t take(uint64_t *x, const struct rans_slots *slots, uint32_t class)
{
    uint32_t at = ((uint32_t)*x & (RANS_TOTAL - 1)) | class, part = slots->part[at];
    *x = (part & 0xFFFF) * (*x >> RANS_BITS) + (part >> 16);
    return slots->symbol[at];
}

// Three symbols and at most one word, without a branch: which way it goes is a matter of chance. Returns 1 if one of
// them has bits besides.
ROW_INLINE uint64_t take_row(uint64_t *state, const struct rans_slots *slots, const uint32_t class[4],
                             uint32_t symbols[4], const uint8_t **words)
{
    uint32_t x = take(state, slots, class[0]), y = take(state, slots, class[1]),
             z = take(state, slots, class[2]);
    uint64_t is_low = (*state - RANS_LOW) >> 63, filled = *state << 32 | u32_at(*words);
    *state ^= (*state ^ filled) & (0 - is_low);
    *words += 4 * is_low;
    symbols[0] = x;
    symbols[1] = y;
    symbols[2] = z;
    return (x | y | z) >= RANS_DIRECT;
}

// Joins the words of the vertices whose bits are set, in their order.
static void join_batch(uint32_t (*folded)[4], uint64_t large, struct bit_reader *bits)
{
    for (; large != 0; large &= large - 1) {
        uint32_t *symbols = folded[__builtin_ctzll(large)];
        symbols[0] = join(symbols[0], bits);
        symbols[1] = join(symbols[1], bits);
        symbols[2] = join(symbols[2], bits);
    }
}

// False if it would read beyond the states, which have room for the words of all of them.
ROW_INLINE bool take_batch(const struct rans_slots *slots, uint32_t place, uint32_t count,
                           struct reading *reading, const uint8_t *end, struct batch *batch)
{
    uint64_t a = reading->states[place % 4], b = reading->states[(place + 1) % 4];
    uint64_t c = reading->states[(place + 2) % 4], d = reading->states[(place + 3) % 4];
    const uint8_t *words = reading->words;
    uint64_t large = 0;
    uint32_t i = 0;
    for (; i + 4 <= count && words <= end; i += 4) {
        uint32_t(*class)[4] = batch->class + i, (*folded)[4] = batch->folded + i;
        uint64_t of_four = take_row(&a, slots, class[0], folded[0], &words);
        of_four |= take_row(&b, slots, class[1], folded[1], &words) << 1;
        of_four |= take_row(&c, slots, class[2], folded[2], &words) << 2;
        of_four |= take_row(&d, slots, class[3], folded[3], &words) << 3;
        large |= of_four << i;
    }
    reading->states[place % 4] = a;
    reading->states[(place + 1) % 4] = b;
    reading->states[(place + 2) % 4] = c;
    reading->states[(place + 3) % 4] = d;
    for (; i < count && words <= end; i++) {
        uint64_t *state = &reading->states[(place + i) % 4];
        large |= take_row(state, slots, batch->class[i], batch -> folded[i], &words) << i;
    }
    reading->words = words;
    if (i == count && large != 0) {
        join_batch(batch->folded, large, &reading->bits);
    }
    return i == count;
}

// Rows, what is held, and positions in the order of the body.
ROW_INLINE void put_together(struct codec_decoder *decoder, const struct batch *batch, uint32_t place,
                             uint32_t count, bool is_key, float *out)
{
    uint32_t(*rows)[4] = decoder->rows + place, (*held)[4] = decoder->held.at + place;
    uint32_t(*past)[4] = decoder->held.past + place;
    const uint32_t *vertex = decoder->plan->vertex + place;
    double step = grid_step(decoder->held.grid);
    for (uint32_t i = 0; i < count; i++) {
        row residual = residual_unfold(row_load(batch->folded[i]), row_load(batch->turned[i]));
        row own = row_add(row_load(batch->at[i]), residual);
        row at = is_key ? own : row_add(own, row_load(held[i]));
        row_store(rows[i], own);
        row_store(held[i], at);
        row_store(past[i], is_key ? row_of(0, 0, 0) : row_sub(row_twice(own), row_load(batch->own[i])));
        row_scale(at, step, out + 3 * (size_t)vertex[i]);
    }
}

ROW_INLINE bool read_batch(struct codec_decoder *decoder, const struct head *head, uint32_t place,
                           uint32_t count, bool is_key, struct reading *reading, float *out)
{
    struct batch batch;
    predict_batch(decoder, head, place, count, !is_key, &batch);
    if (!take_batch(&decoder->slots, place, count, reading, head->states, &batch)) {
        return false;
    }
    put_together(decoder, &batch, place, count, is_key, out);
    return true;
}

ROW_INLINE bool read_all(struct codec_decoder *decoder, const struct head *head, float *out)
{
    const struct codec_plan *plan = decoder->plan;
    struct reading reading = {.words = head->words, .bits = head->bits};
    uint64_t off = 0;
    for (uint32_t i = 0; i < RANS_STATES; i++) {
        const uint8_t *at = head->states + 8 * (size_t)i;
        reading.states[i] = u32_at(at) | (uint64_t)u32_at(at + 4) << 32;
        if (reading.states[i] < RANS_LOW || reading.states[i] > INT64_MAX) {
            return false;
        }
    }
    for (uint32_t level = 0, place = 0; level < plan->level_count; level++) {
        while (place < plan->ends[level]) {
            uint32_t left = plan->ends[level] - place, count = left < BATCH ? left : BATCH;
            bool is_read = head->kind == DELTA_KEY
                               ? read_batch(decoder, head, place, count, true, &reading, out)
                               : read_batch(decoder, head, place, count, false, &reading, out);
            if (!is_read) {
                return false;
            }
            place += count;
        }
    }
    // Whatever no encoder wrote ends elsewhere.
    for (uint32_t i = 0; i < RANS_STATES; i++) {
        off |= reading.states[i] ^ RANS_LOW;
    }
    return reading.words == head->states && off == 0 && bits_are_used(&reading.bits);
}

static bool read_all_baseline(struct codec_decoder *decoder, const struct head *head, float *out)
{
    return read_all(decoder, head, out);
}

#ifdef ROW_AVX2
ROW_AVX2 static bool read_all_avx2(struct codec_decoder *decoder, const struct head *head, float *out)
{
    return read_all(decoder, head, out);
}
#endif

static bool read_rows(struct codec_decoder *decoder, struct head *head, float *out)
{
    for (uint32_t odd = 0; odd < RANS_CLASSES; odd++) {
        if (!rans_table_take(&head->tables, &decoder->slots, odd)) {
            return false;
        }
    }
    if (!bits_are_used(&head->tables)) {
        return false;
    }
#ifdef ROW_AVX2
    if (__builtin_cpu_supports("avx2")) {
        return read_all_avx2(decoder, head, out);
    }
#endif
    return read_all_baseline(decoder, head, out);
}

// ----------------------------------------------------------------------------------------------------- floats

static bool read_still(struct codec_decoder *decoder, float *out)
{
    const struct codec_plan *plan = decoder->plan;
    double step = grid_step(decoder->held.grid);
    memset(decoder->held.past, 0, plan->count * sizeof *decoder->held.past);
    for (uint32_t place = 0; place < plan->count; place++) {
        row_scale(row_load(decoder->held.at[place]), step, out + 3 * (size_t)plan->vertex[place]);
    }
    return true;
}

static enum codec_status read_raw(struct codec_decoder *decoder, const uint8_t *at, const uint8_t *end,
                                  float *out)
{
    size_t number_count = 3 * (size_t)decoder->plan->count;
    if ((size_t)(end - at) != number_count * sizeof(float)) {
        return CODEC_INVALID;
    }
    for (size_t i = 0; i < number_count; i++) {
        uint32_t bits = u32_at(at + 4 * i);
        memcpy(out + i, &bits, sizeof bits);
    }
    decoder->held.has = false;
    return CODEC_OK;
}

enum codec_status codec_delta_decode(struct codec_decoder *decoder, const uint8_t *data, size_t size,
                                     float *out)
{
    struct head head;
    const uint8_t *at, *end = data + size;
    enum codec_status status = read_head(decoder, data, size, &head, &at);
    if (status != CODEC_OK) {
        return status;
    }
    if (head.kind == DELTA_RAW) {
        return read_raw(decoder, at, end, out);
    }
    bool is_key = head.kind == DELTA_KEY;
    if (head.kind == DELTA_STILL ? at != end
                                 : (is_key && !read_grid(&head, &at, end)) || !read_parts(&head, at, end)) {
        return CODEC_INVALID;
    }
    decoder->held.grid = is_key ? head.grid : decoder->held.grid;
    decoder->held.moment = head.moment;
    decoder->held.has =
        is_key || head.kind == DELTA_NEXT ? read_rows(decoder, &head, out) : read_still(decoder, out);
    return decoder->held.has ? CODEC_OK : CODEC_INVALID;
}
