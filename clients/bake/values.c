// Reads the values of --set: separated by commas, with ranges expanded.
//
//     0.1,0.2            those
//     0:1:0.25           0 0.25 0.5 0.75 1: from, to (which may be one of them), step
//     1e-8:1e-4:log5     1e-8 1e-7 1e-6 1e-5 1e-4: from, to, how many, each the same multiple of the one before
//     [0,-9.8,0]         one: what is within brackets, braces or quotes is left as it is
#include "bake/bake.h"

#include "protocol/array/reserve.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool add(struct bake_set *set, const char *text, size_t size, struct fault *fault)
{
    if (size == 0) {
        return fault_set(fault, FAULT_INVALID, NULL, "--set %.200s: a value is empty", set->path);
    }
    if (set->value_count == BAKE_VARIANTS_MAX) {
        return fault_set(fault, FAULT_LIMIT, NULL, "--set %.200s: more than %d values", set->path,
                         BAKE_VARIANTS_MAX);
    }
    if (!array_reserve(&set->values, &set->value_capacity, set->value_count + 1)) {
        return fault_set(fault, FAULT_MEMORY, NULL, "there is not enough memory");
    }
    set->values[set->value_count] = strndup(text, size);
    if (!set->values[set->value_count]) {
        return fault_set(fault, FAULT_MEMORY, NULL, "there is not enough memory");
    }
    set->value_count++;
    return true;
}

// Twelve digits, so that rounding errors of added steps do not show.
static bool add_number(struct bake_set *set, double number, struct fault *fault)
{
    char text[40];
    const int size = snprintf(text, sizeof text, "%.12g", number);
    return add(set, text, (size_t)size, fault);
}

static bool add_steps(struct bake_set *set, double from, double to, double step, struct fault *fault)
{
    // Rounding may put the last step slightly beyond `to`.
    const double steps = floor((to - from) / step + 1e-9);
    if (!(step != 0) || !(steps >= 0)) {
        return fault_set(fault, FAULT_INVALID, NULL, "--set %.200s: no step of %g leads from %g to %g",
                         set->path, step, from, to);
    }
    if (steps >= BAKE_VARIANTS_MAX) {
        return fault_set(fault, FAULT_LIMIT, NULL, "--set %.200s: more than %d values", set->path,
                         BAKE_VARIANTS_MAX);
    }
    for (uint32_t i = 0; i <= (uint32_t)steps; i++) {
        const double number = from + i * step;
        if (!add_number(set, fabs(number) < 1e-9 * fabs(step) ? 0 : number, fault)) {
            return false;
        }
    }
    return true;
}

static bool add_multiples(struct bake_set *set, double from, double to, double count, struct fault *fault)
{
    if (!(from * to > 0) || !(count >= 2 && count <= BAKE_VARIANTS_MAX) || count != floor(count)) {
        return fault_set(
            fault, FAULT_INVALID, NULL,
            "--set %.200s: logN goes from one number to another of the same sign, neither of them 0, "
            "in N values, 2 or more",
            set->path);
    }
    for (uint32_t i = 0; i < (uint32_t)count; i++) {
        const double number = i + 1 == (uint32_t)count ? to : from * pow(to / from, i / (count - 1));
        if (!add_number(set, number, fault)) {
            return false;
        }
    }
    return true;
}

// A text that begins as a number and a colon is a range. *is_range is false for anything else.
static bool add_range(struct bake_set *set, const char *text, size_t size, bool *is_range,
                      struct fault *fault)
{
    char copy[200], *end;
    *is_range = false;
    if (size >= sizeof copy) {
        return true;
    }
    snprintf(copy, sizeof copy, "%.*s", (int)size, text);
    const double from = strtod(copy, &end);
    if (end == copy || *end != ':') {
        return true;
    }
    *is_range = true;
    const char *second = end + 1;
    const double to = strtod(second, &end);
    const bool multiples = end != second && strncmp(end, ":log", 4) == 0;
    const char *third = end + (multiples ? 4 : 1);
    bool right = end != second && *end == ':';
    const double last = right ? strtod(third, &end) : 0;
    right = right && end != third && *end == '\0' && isfinite(from) && isfinite(to) && isfinite(last);
    if (!right) {
        return fault_set(fault, FAULT_INVALID, NULL,
                         "--set %.200s: \"%.100s\" is wrong: a range is FROM:TO:STEP, or FROM:TO:logN",
                         set->path, copy);
    }
    return multiples ? add_multiples(set, from, to, last, fault) : add_steps(set, from, to, last, fault);
}

bool bake_values_split(const char *text, struct bake_set *set, struct fault *fault)
{
    int depth = 0;
    bool quoted = false, is_range;
    const char *begin = text;
    for (const char *c = text;; c++) {
        quoted = *c == '"' ? !quoted : quoted;
        depth += !quoted && (*c == '[' || *c == '{');
        depth -= !quoted && (*c == ']' || *c == '}');
        if (*c != '\0' && (*c != ',' || depth > 0 || quoted)) {
            continue;
        }
        if (!add_range(set, begin, (size_t)(c - begin), &is_range, fault) ||
            (!is_range && !add(set, begin, (size_t)(c - begin), fault))) {
            return false;
        }
        if (*c == '\0') {
            return true;
        }
        begin = c + 1;
    }
}
