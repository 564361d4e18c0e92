// Which particles: numbers, words, boxes and spheres, or a list of such. Words go by where the particles are when the
// body has been placed:
//
//     top bottom (y)   left right (x)   front back (z)     each with "edge": within a hundredth of that way of the
//                                                          farthest particle
//     corners          of a grid                           ends, first, last   of a rope
//     rim              of triangles: edges that only one of them has           all
#include "protocol/scene/internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct selection {
    struct scene_reader *reader;
    const struct scene_body *body;
    uint8_t *chosen; // by particle
};

static bool refuse_word(struct scene_reader *reader, const char *word)
{
    return scene_refuse(
        reader,
        "\"%.60s\" is wrong: there are top edge, bottom edge, left edge, right edge, front edge, "
        "back edge, corners, ends, first, last, rim and all",
        word);
}

static bool choose_edge(struct selection *selection, int axis, double sign)
{
    const struct scene_body *body = selection->body;
    double most = -INFINITY, least = INFINITY;
    for (uint32_t i = 0; i < body->count; i++) {
        double x = sign * body->positions[3 * (size_t)i + axis];
        most = x > most ? x : most;
        least = x < least ? x : least;
    }
    for (uint32_t i = 0; i < body->count; i++) {
        double x = sign * body->positions[3 * (size_t)i + axis];
        selection->chosen[i] |= x >= most - 0.01 * (most - least);
    }
    return true;
}

static int compare_edges(const void *a, const void *b)
{
    return memcmp(a, b, 2 * sizeof(uint32_t));
}

// Edges as (low, high) sorted, so that those of two triangles stand side by side.
static bool choose_rim(struct selection *selection)
{
    const struct scene_body *body = selection->body;
    if (body->corners != 3) {
        return scene_refuse(selection->reader, "\"rim\" is of bodies that consist of triangles");
    }
    size_t count = (size_t)body->element_count * 3;
    uint32_t(*edges)[2] = malloc((count + 1) * sizeof *edges);
    if (!edges) {
        return scene_refuse_memory(selection->reader);
    }
    for (size_t e = 0; e < count; e++) {
        const uint32_t *corner = body->elements + e / 3 * 3;
        uint32_t a = corner[e % 3], b = corner[(e + 1) % 3];
        edges[e][0] = a < b ? a : b;
        edges[e][1] = a < b ? b : a;
    }
    bool any = false;
    qsort(edges, count, sizeof *edges, compare_edges);
    for (size_t e = 0, end; e < count; e = end) {
        for (end = e + 1; end < count && compare_edges(edges[e], edges[end]) == 0;) {
            end++;
        }
        if (end == e + 1 && edges[e][1] < body->count) {
            selection->chosen[edges[e][0]] = selection->chosen[edges[e][1]] = 1;
            any = true;
        }
    }
    free(edges);
    return any || scene_refuse(selection->reader, "\"rim\" picks nothing: the surface is closed");
}

static bool choose_word(struct selection *selection, const char *word)
{
    static const struct {
        const char *word;
        int axis;
        double sign;
    } edges[] = {{"top edge", 1, 1},   {"bottom edge", 1, -1}, {"left edge", 0, -1},
                 {"right edge", 0, 1}, {"front edge", 2, 1},   {"back edge", 2, -1}};
    const struct scene_body *body = selection->body;
    bool first = strcmp(word, "first") == 0, last = strcmp(word, "last") == 0,
         ends = strcmp(word, "ends") == 0;
    for (size_t e = 0; e < sizeof edges / sizeof edges[0]; e++) {
        if (strcmp(edges[e].word, word) == 0) {
            return choose_edge(selection, edges[e].axis, edges[e].sign);
        }
    }
    if (strcmp(word, "rim") == 0) {
        return choose_rim(selection);
    }
    if (strcmp(word, "all") == 0) {
        memset(selection->chosen, 1, body->count);
        return true;
    }
    if (strcmp(word, "corners") == 0) {
        if (body->columns == 0) {
            return scene_refuse(selection->reader, "\"corners\" is of grids");
        }
        selection->chosen[0] = selection->chosen[body->columns - 1] = 1;
        selection->chosen[body->count - 1] = selection->chosen[body->count - body->columns] = 1;
        return true;
    }
    if (!first && !last && !ends) {
        return refuse_word(selection->reader, word);
    }
    selection->chosen[0] |= first || ends;
    selection->chosen[body->count - 1] |= last || ends;
    return true;
}

// A selection that picks nothing is a mistake, mostly one of units or of the place of the body.
static bool picked(const struct selection *selection, bool any)
{
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    if (any) {
        return true;
    }
    for (uint32_t i = 0; i < selection->body->count; i++) {
        for (int axis = 0; axis < 3; axis++) {
            double x = selection->body->positions[3 * (size_t)i + axis];
            low[axis] = fmin(low[axis], x);
            high[axis] = fmax(high[axis], x);
        }
    }
    return scene_refuse(selection->reader,
                        "picks no particle; the body reaches from [%.4g, %.4g, %.4g] to [%.4g, %.4g, %.4g]",
                        low[0], low[1], low[2], high[0], high[1], high[2]);
}

static bool choose_box(struct selection *selection, const json_t *box)
{
    double low[3], high[3];
    scene_enter(selection->reader, "box");
    if (!json_is_array(box) || json_array_size(box) != 2) {
        return scene_refuse(selection->reader, "must be two corners: [[x, y, z], [x, y, z]]");
    }
    if (!scene_vector(selection->reader, json_array_get(box, 0), 3, low) ||
        !scene_vector(selection->reader, json_array_get(box, 1), 3, high)) {
        return false;
    }
    bool any = false;
    for (uint32_t i = 0; i < selection->body->count; i++) {
        const double *x = selection->body->positions + 3 * (size_t)i;
        bool inside = true;
        for (int axis = 0; axis < 3; axis++) {
            double a = fmin(low[axis], high[axis]), b = fmax(low[axis], high[axis]);
            inside = inside && x[axis] >= a && x[axis] <= b;
        }
        selection->chosen[i] |= inside;
        any = any || inside;
    }
    return picked(selection, any);
}

static bool choose_sphere(struct selection *selection, const json_t *sphere)
{
    static const char *const members[] = {"center", "radius", NULL};
    double center[3] = {0, 0, 0}, radius = 1;
    scene_enter(selection->reader, "sphere");
    if (!json_is_object(sphere) || !scene_check_members(selection->reader, sphere, members, NULL) ||
        !scene_member_vector(selection->reader, sphere, "center", 3, center) ||
        !scene_member_number(selection->reader, sphere, "radius", 0, 1e9, &radius)) {
        return json_is_object(sphere) ? false
                                      : scene_refuse(selection->reader, "must have a center and a radius");
    }
    bool any = false;
    for (uint32_t i = 0; i < selection->body->count; i++) {
        double far = 0;
        for (int axis = 0; axis < 3; axis++) {
            double d = selection->body->positions[3 * (size_t)i + axis] - center[axis];
            far += d * d;
        }
        selection->chosen[i] |= far <= radius * radius;
        any = any || far <= radius * radius;
    }
    return picked(selection, any);
}

static bool choose_number(struct selection *selection, const json_t *number)
{
    uint32_t index = 0;
    if (!scene_whole(selection->reader, number, 0, selection->body->count - 1, &index)) {
        return false;
    }
    selection->chosen[index] = 1;
    return true;
}

static bool choose(struct selection *selection, const json_t *selector)
{
    static const char *const members[] = {"box", "sphere", NULL};
    if (json_is_string(selector)) {
        return choose_word(selection, json_string_value(selector));
    }
    if (json_is_integer(selector)) {
        return choose_number(selection, selector);
    }
    if (!json_is_object(selector)) {
        return scene_refuse(selection->reader,
                            "must be a particle's number, a word such as \"top edge\", a box or a sphere");
    }
    const json_t *box = json_object_get(selector, "box"), *sphere = json_object_get(selector, "sphere");
    if (!scene_check_members(selection->reader, selector, members, NULL)) {
        return false;
    }
    if ((box != NULL) == (sphere != NULL)) {
        return scene_refuse(selection->reader, "must have a box or a sphere, one of them");
    }
    size_t before = strlen(selection->reader->place);
    bool done = box ? choose_box(selection, box) : choose_sphere(selection, sphere);
    scene_leave(selection->reader, before);
    return done;
}

// Numbers of particles, in a list or a file, in their order: malloc'd.
static bool read_indices(struct scene_reader *reader, const struct scene_body *body, const json_t *value,
                         uint32_t **indices, uint32_t *count)
{
    double *numbers;
    size_t size;
    bool integers;
    *indices = NULL;
    if (!scene_numbers(reader, value, 0, &numbers, &size, &integers)) {
        return false;
    }
    bool done = true;
    for (size_t i = 0; done && i < size; i++) {
        done = (integers || numbers[i] == floor(numbers[i])) && numbers[i] >= 0 && numbers[i] < body->count;
        if (!done) {
            scene_refuse(reader, "element %zu is %g; must be a whole number from 0 to %u", i, numbers[i],
                         body->count - 1);
        }
    }
    *indices = done && size <= UINT32_MAX ? malloc((size + 1) * sizeof **indices) : NULL;
    if (done && !*indices) {
        done = scene_refuse_memory(reader);
    }
    for (size_t i = 0; done && i < size; i++) {
        (*indices)[i] = (uint32_t)numbers[i];
    }
    *count = done ? (uint32_t)size : 0;
    free(numbers);
    return done;
}

static bool choose_file(struct selection *selection, const json_t *name)
{
    uint32_t *indices, count;
    if (!read_indices(selection->reader, selection->body, name, &indices, &count)) {
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        selection->chosen[indices[i]] = 1;
    }
    free(indices);
    return true;
}

bool scene_select(struct scene_reader *reader, const struct scene_body *body, const json_t *selector,
                  uint32_t **particles, uint32_t *count)
{
    struct selection selection = {
        .reader = reader, .body = body, .chosen = calloc((size_t)body->count + 1, 1)};
    *particles = NULL;
    *count = 0;
    if (!selection.chosen) {
        return scene_refuse_memory(reader);
    }
    bool done = true;
    if (body->count == 0) {
        done = scene_refuse(reader, "the body has no particles");
    } else if (json_is_array(selector)) {
        size_t index;
        json_t *item;
        json_array_foreach(selector, index, item)
        {
            size_t before = scene_enter(reader, "[%zu]", index);
            done = done && choose(&selection, item);
            scene_leave(reader, before);
        }
    } else if (json_is_string(selector) && scene_ends_with(json_string_value(selector), ".npy")) {
        done = choose_file(&selection, selector);
    } else {
        done = choose(&selection, selector);
    }
    for (uint32_t i = 0; done && i < body->count; i++) {
        *count += selection.chosen[i];
    }
    *particles = done ? malloc(((size_t)*count + 1) * sizeof **particles) : NULL;
    if (done && !*particles) {
        done = scene_refuse_memory(reader);
    }
    for (uint32_t i = 0, found = 0; done && i < body->count; i++) {
        if (selection.chosen[i]) {
            (*particles)[found++] = i;
        }
    }
    free(selection.chosen);
    return done;
}

bool scene_select_in_order(struct scene_reader *reader, const struct scene_body *body, const json_t *selector,
                           uint32_t **particles, uint32_t *count)
{
    bool numbers = json_is_array(selector) ||
                   (json_is_string(selector) && scene_ends_with(json_string_value(selector), ".npy"));
    size_t index;
    json_t *item;
    json_array_foreach(selector, index, item)
    {
        numbers = numbers && json_is_integer(item);
    }
    return numbers && body->count > 0 ? read_indices(reader, body, selector, particles, count)
                                      : scene_select(reader, body, selector, particles, count);
}
