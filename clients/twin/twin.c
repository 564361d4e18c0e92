#include "twin/internal.h"

#include "document/document.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const size_t image_bytes_default = (size_t)1 << 30, waiting_bytes_default = (size_t)64 << 20;

struct twin *twin_create(const struct twin_bounds *bounds)
{
    struct twin *twin = calloc(1, sizeof *twin);
    if (!twin) {
        return NULL;
    }
    twin->bounds = bounds ? *bounds : (struct twin_bounds){0};
    if (twin->bounds.image_bytes == 0) {
        twin->bounds.image_bytes = image_bytes_default;
    }
    if (twin->bounds.waiting_bytes == 0) {
        twin->bounds.waiting_bytes = waiting_bytes_default;
    }
    return twin;
}

void twin_forget(struct twin *twin)
{
    for (; twin->count > 0; twin->count--) {
        free(twin->inputs[twin->first].bytes);
        twin->first = (twin->first + 1) % twin->capacity;
    }
    twin->waiting_bytes = 0;
    twin->image_parts = twin->image_part = 0;
    protocol_bytes_deinit(&twin->image);
    protocol_bytes_clear(&twin->before);
}

void twin_destroy(struct twin *twin)
{
    if (!twin) {
        return;
    }
    twin_forget(twin);
    free(twin->inputs);
    protocol_bytes_deinit(&twin->before);
    document_destroy(twin->document);
    free(twin);
}

static void lose(struct twin *twin)
{
    twin_forget(twin);
    twin->state.lost = true;
    twin->state.losses++;
    twin->state.told_tick = twin->state.tick;
    twin->clock = (struct twin_clock){.tick = (double)twin->state.tick};
}

bool twin_lose(struct twin *twin, enum protocol_code code, struct protocol_error *error, const char *format,
               ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(twin->text, sizeof twin->text, format, arguments);
    va_end(arguments);
    lose(twin);
    protocol_error_set(error, code, NULL, "%s", twin->text);
    return false;
}

void twin_differs(struct twin *twin, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(twin->text, sizeof twin->text, format, arguments);
    va_end(arguments);
    lose(twin);
    twin->state.differs = true;
    twin->state.differences++;
}

static bool reserve(struct twin *twin)
{
    if (twin->count < twin->capacity) {
        return true;
    }
    const size_t capacity = twin->capacity ? 2 * twin->capacity : 64;
    struct twin_input *grown = malloc(capacity * sizeof *grown);
    if (!grown) {
        return false;
    }
    for (size_t i = 0; twin->capacity > 0 && i < twin->count; i++) {
        grown[i] = twin->inputs[(twin->first + i) % twin->capacity];
    }
    free(twin->inputs);
    twin->inputs = grown;
    twin->first = 0;
    twin->capacity = capacity;
    return true;
}

bool twin_wait(struct twin *twin, const struct twin_input *input, struct protocol_error *error)
{
    const size_t size = sizeof *input + input->size;
    if (size > twin->bounds.waiting_bytes - twin->waiting_bytes) {
        free(input->bytes);
        return twin_lose(twin, PROTOCOL_CODE_LIMIT, error,
                         "more than %zu bytes wait: the twin does not come after its world",
                         twin->bounds.waiting_bytes);
    }
    if (!reserve(twin)) {
        free(input->bytes);
        return twin_lose(twin, PROTOCOL_CODE_MEMORY, error, "no memory for what the server told");
    }
    twin->inputs[(twin->first + twin->count++) % twin->capacity] = *input;
    twin->waiting_bytes += size;
    return true;
}

uint64_t twin_wanted(const struct twin *twin, uint64_t now_us)
{
    const uint64_t tick = twin_clock_tick(&twin->clock, now_us);
    return tick < twin->state.told_tick ? tick : twin->state.told_tick;
}

struct twin_state twin_state(const struct twin *twin)
{
    struct twin_state state = twin->state;
    state.delay_s = twin->clock.delay_us * 1e-6;
    state.text = twin->text;
    return state;
}

const struct document *twin_document(const struct twin *twin)
{
    return twin->document;
}
