// Pairs that are near at rest: from sampled vertices and edges, a walk over the elements that come within the distance.
#include "protocol/sizing/sizing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    SAMPLES_MAX = 1024, // vertices
    VISITS_MAX = 2048,  // elements of one walk
    AROUND_MAX = 4096,  // elements at a vertex that are looked at
    WORK_MAX = 4194304, // elements of all walks together
};

struct walk {
    const struct sizing_mesh *mesh;
    double distance;
    uint32_t *first, *around; // elements at vertex v: around[first[v]] ... around[first[v + 1] - 1]
    uint32_t *visited;        // by element: the walk that came upon it last
    uint32_t *queue;
    uint32_t number; // of the walk
    uint64_t work;
    bool more;
};

static const double *at(const struct walk *walk, uint32_t vertex)
{
    return walk->mesh->positions + 3 * (size_t)vertex;
}

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static double clamp01(double x)
{
    return fmin(fmax(x, 0), 1);
}

static void apart(const double *a, const double *b, double out[3])
{
    for (int i = 0; i < 3; i++) {
        out[i] = a[i] - b[i];
    }
}

// Squared distance of two segments (Ericson, Real-Time Collision Detection, 5.1.9). A point is a segment with equal ends.
static double segments(const double *p, const double *p_end, const double *q, const double *q_end)
{
    double d[3], e[3], r[3], gap[3];
    apart(p_end, p, d);
    apart(q_end, q, e);
    apart(p, q, r);
    const double a = dot(d, d), b = dot(d, e), c = dot(d, r), f = dot(e, r), ee = dot(e, e);
    double s = 0, t = 0;
    if (a > 0 && ee > 0) {
        const double below = a * ee - b * b;
        s = below > 0 ? clamp01((b * f - c * ee) / below) : 0;
        t = (b * s + f) / ee;
        if (t < 0 || t > 1) {
            t = clamp01(t);
            s = clamp01((b * t - c) / a);
        }
    } else if (a > 0) {
        s = clamp01(-c / a);
    } else if (ee > 0) {
        t = clamp01(f / ee);
    }
    for (int i = 0; i < 3; i++) {
        gap[i] = r[i] + d[i] * s - e[i] * t;
    }
    return dot(gap, gap);
}

// Squared distance of a point from an element: from its plane if the point is over its inside, else from its sides.
static double from_element(const struct walk *walk, const double *point, const uint32_t *corner)
{
    const double *a = at(walk, corner[0]), *b = at(walk, corner[1]);
    if (walk->mesh->corners == 2) {
        return segments(point, point, a, b);
    }
    const double *c = at(walk, corner[2]);
    double u[3], v[3], w[3];
    apart(b, a, u);
    apart(c, a, v);
    apart(point, a, w);
    const double uu = dot(u, u), uv = dot(u, v), vv = dot(v, v), wu = dot(w, u), wv = dot(w, v);
    const double below = uu * vv - uv * uv;
    const double s = vv * wu - uv * wv, t = uu * wv - uv * wu;
    if (below > 0 && s >= 0 && t >= 0 && s + t <= below) {
        double gap[3];
        for (int i = 0; i < 3; i++) {
            gap[i] = w[i] - (u[i] * s + v[i] * t) / below;
        }
        return dot(gap, gap);
    }
    return fmin(fmin(segments(point, point, a, b), segments(point, point, b, c)),
                segments(point, point, c, a));
}

static bool holds(const struct walk *walk, uint32_t element, uint32_t vertex)
{
    const uint32_t *corner = walk->mesh->elements + (size_t)element * walk->mesh->corners;
    return corner[0] == vertex || corner[1] == vertex || (walk->mesh->corners == 3 && corner[2] == vertex);
}

// Whether the element is the first at vertex a that has vertex b too: then it counts for their edge.
static bool owns(const struct walk *walk, uint32_t element, uint32_t a, uint32_t b)
{
    for (uint32_t i = walk->first[a]; i < walk->first[a + 1]; i++) {
        if (holds(walk, walk->around[i], b)) {
            return walk->around[i] == element;
        }
    }
    return false;
}

// Squared distance of the segment from an element whose sides it does not share: never less than it is from its sides, where
// the elements are part of one surface.
static double from_sides(const struct walk *walk, const double *p, const double *q, const uint32_t *corner)
{
    const uint32_t sides = walk->mesh->corners == 2 ? 1 : 3;
    double least = INFINITY;
    for (uint32_t k = 0; k < sides; k++) {
        least =
            fmin(least, segments(p, q, at(walk, corner[k]), at(walk, corner[(k + 1) % walk->mesh->corners])));
    }
    return least;
}

static void come_upon(struct walk *walk, uint32_t vertex, uint32_t *count)
{
    uint32_t end = walk->first[vertex + 1];
    if (end - walk->first[vertex] > AROUND_MAX) {
        end = walk->first[vertex] + AROUND_MAX;
        walk->more = true;
    }
    for (uint32_t i = walk->first[vertex]; i < end && *count < VISITS_MAX; i++) {
        const uint32_t element = walk->around[i];
        if (walk->visited[element] != walk->number) {
            walk->visited[element] = walk->number;
            walk->queue[(*count)++] = element;
        }
    }
}

// Pairs of the edge from a to b with other edges; of a vertex, where a is b, with elements.
static double walk_from(struct walk *walk, uint32_t a, uint32_t b)
{
    const double *p = at(walk, a), *q = at(walk, b), square = walk->distance * walk->distance;
    const uint32_t corners = walk->mesh->corners, sides = corners == 2 ? 1 : 3;
    uint32_t count = 0;
    double found = 0;
    walk->number++;
    come_upon(walk, a, &count);
    come_upon(walk, b, &count);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t element = walk->queue[i];
        const uint32_t *corner = walk->mesh->elements + (size_t)element * corners;
        const bool touches = holds(walk, element, a) || holds(walk, element, b);
        const bool near =
            touches || (a == b ? from_element(walk, p, corner) : from_sides(walk, p, q, corner)) < square;
        walk->work++;
        if (!near) {
            continue;
        }
        found += a == b && !touches && corners == 3 ? 1 : 0;
        for (uint32_t k = 0; a != b && k < sides; k++) {
            const uint32_t c = corner[k], d = corner[(k + 1) % corners];
            const bool shares = c == a || c == b || d == a || d == b;
            if (!shares && owns(walk, element, c, d) && segments(p, q, at(walk, c), at(walk, d)) < square) {
                found += 0.5; // the other edge finds this one
            }
        }
        for (uint32_t k = 0; k < corners; k++) {
            come_upon(walk, corner[k], &count);
        }
    }
    walk->more = walk->more || count == VISITS_MAX;
    return found;
}

// The pairs of a vertex, and of the edges that go from it to greater ones.
static double pairs_of(struct walk *walk, uint32_t vertex)
{
    const uint32_t corners = walk->mesh->corners;
    double found = walk_from(walk, vertex, vertex);
    for (uint32_t i = walk->first[vertex]; i < walk->first[vertex + 1] && walk->work < WORK_MAX; i++) {
        const uint32_t element = walk->around[i];
        const uint32_t *corner = walk->mesh->elements + (size_t)element * corners;
        for (uint32_t k = 0; k < corners; k++) {
            if (corner[k] > vertex && owns(walk, element, vertex, corner[k])) {
                found += walk_from(walk, vertex, corner[k]);
            }
        }
    }
    return found;
}

static bool walk_init(struct walk *walk, const struct sizing_mesh *mesh, double distance)
{
    const size_t entries = (size_t)mesh->element_count * mesh->corners;
    *walk = (struct walk){.mesh = mesh,
                          .distance = distance,
                          .first = calloc((size_t)mesh->vertex_count + 2, sizeof *walk->first),
                          .around = malloc((entries + 1) * sizeof *walk->around),
                          .visited = calloc((size_t)mesh->element_count + 1, sizeof *walk->visited),
                          .queue = malloc(VISITS_MAX * sizeof *walk->queue)};
    if (!walk->first || !walk->around || !walk->visited || !walk->queue) {
        return false;
    }
    uint32_t *next = walk->first + 1; // while they are filled, place v + 1 is where the next of vertex v goes
    for (size_t i = 0; i < entries; i++) {
        next[mesh->elements[i] + 1]++;
    }
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        next[v + 1] += next[v];
    }
    for (size_t i = 0; i < entries; i++) {
        walk->around[next[mesh->elements[i]]++] = (uint32_t)(i / mesh->corners);
    }
    return true;
}

static void walk_deinit(struct walk *walk)
{
    free(walk->first);
    free(walk->around);
    free(walk->visited);
    free(walk->queue);
}

bool sizing_pairs(const struct sizing_mesh *mesh, double distance, double *pairs, bool *more)
{
    struct walk walk;
    const bool good = walk_init(&walk, mesh, distance);
    const uint32_t step = mesh->vertex_count / SAMPLES_MAX + 1;
    double sum = 0;
    uint32_t looked = 0;
    for (uint32_t v = 0; good && v < mesh->vertex_count && walk.work < WORK_MAX; v += step) {
        sum += pairs_of(&walk, v);
        looked++;
    }
    *pairs = looked > 0 ? sum / looked * mesh->vertex_count : 0;
    *more = good && (walk.more || walk.work >= WORK_MAX);
    walk_deinit(&walk);
    return good;
}
