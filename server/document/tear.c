// Tears in documents and edits: thresholds, what has torn, and edits that can no longer be taken back because of it.
#include "document/change.h"
#include "document/filler.h"
#include "document/maker.h"

#define REVISION_MAX 9007199254740992.0 // 2^53: doubles hold all below

bool document_tear_merge(const struct document_reader *reader, const struct protocol_tear *given, bool make,
                         struct sim_tear *tear)
{
    tear->force = given->has & PROTOCOL_HAS_TEAR_FORCE ? given->force : tear->force;
    tear->strain = given->has & PROTOCOL_HAS_TEAR_STRAIN ? given->strain : tear->strain;
    if (make && !((given->has & PROTOCOL_HAS_TEAR_MOST) && given->most > 0)) {
        return document_reader_refuse(
            reader, PROTOCOL_CODE_INVALID, "tear.most",
            "missing or 0; must be the greatest number of particles that may split off");
    }
    tear->most = make ? given->most : tear->most;
    return true;
}

bool document_tear_fill(const struct sim_tear *tear, struct protocol_tear *out)
{
    *out = (struct protocol_tear){.has = PROTOCOL_HAS_TEAR_MOST |
                                         (tear->force > 0 ? PROTOCOL_HAS_TEAR_FORCE : 0) |
                                         (tear->strain > 0 ? PROTOCOL_HAS_TEAR_STRAIN : 0),
                                  .force = tear->force,
                                  .strain = tear->strain,
                                  .most = tear->most};
    return tear->most > 0;
}

bool document_torn_take(const struct document_reader *place, const struct protocol_torn *given,
                        struct sim_body_desc *desc)
{
    struct sim_tears *tears = document_reader_alloc(place, 1, sizeof *tears);
    uint64_t *revisions = document_reader_alloc(place, given->origins.count, sizeof *revisions);
    const double *since = NULL;
    if (!tears || !revisions) {
        return false;
    }
    *tears = (struct sim_tears){
        .own = given->own, .used = given->origins.count, .since = revisions, .cut_count = given->cuts.count};
    if (!document_reader_count(place, "torn.triangles", given->triangles.count, 3 * desc->triangle_count,
                               NULL) ||
        !document_reader_u32s(place, "torn.triangles", &given->triangles, &tears->triangles) ||
        !document_reader_u32s(place, "torn.origins", &given->origins, &tears->origins) ||
        !document_reader_u32s(place, "torn.cuts", &given->cuts, &tears->cuts) ||
        !document_reader_f64s(place, "torn.since", &given->since, tears->used, NULL, &since)) {
        return false;
    }
    for (uint32_t i = 0; i < tears->used; i++) {
        if (!(since[i] >= 0 && since[i] < REVISION_MAX)) {
            return document_reader_refuse(place, PROTOCOL_CODE_INVALID, "torn.since",
                                          "element %u is %g; must be a revision", i, since[i]);
        }
        revisions[i] = (uint64_t)since[i];
    }
    desc->torn = tears;
    return true;
}

uint32_t document_nameable(const struct document *document, const struct document_thing *body)
{
    struct sim_tears tears;
    return sim_body_tears(document->sim, body->id, &tears) ? tears.own + tears.used : body->particle_count;
}

// ---------------------------------------------------------------------------------------------------------
// Edits that can no longer be taken back

// Whether a particle has split since a revision.
static bool has_split(const struct sim_tears *tears, uint32_t particle, uint64_t revision)
{
    bool has = false;
    for (uint32_t i = 0; i < tears->used && !has; i++) {
        has = tears->origins[i] == particle && tears->since[i] >= revision;
    }
    return has;
}

// Finds the tears of a body that has split since a revision. False if it has not.
static bool tears_since(const struct document *document, uint32_t body, uint64_t revision,
                        struct sim_tears *tears)
{
    return sim_body_tears(document->sim, body, tears) && tears->used > 0 &&
           tears->since[tears->used - 1] >= revision;
}

static bool refuse_split(const struct document *document, struct document_edit *edit, uint32_t body,
                         uint32_t particle, uint64_t revision)
{
    const struct document_thing *thing = document_things_by_id(&document->bodies, body);
    return document_refuse(
        edit, PROTOCOL_CODE_CONFLICT, "revision",
        "revision: particle %u of body \"%s\" (%u) is gone as it was: it split when the body tore, "
        "after revision %llu; no undo takes a tear back, world.seek and world.branch do",
        particle, thing ? thing->name : "", body, (unsigned long long)revision);
}

// particles: NULL stands for all.
static bool check_split(const struct document *document, struct document_edit *edit, uint32_t body,
                        const struct protocol_array *particles, uint64_t revision)
{
    struct sim_tears tears;
    const uint32_t *indices = NULL;
    if (!tears_since(document, body, revision, &tears)) {
        return true;
    }
    if (!particles) {
        return refuse_split(document, edit, body, tears.origins[tears.used - 1], revision);
    }
    const struct document_reader reader = {.error = &edit->error, .zone = edit->zone, .subject = "the edit"};
    if (!document_reader_u32s(&reader, "particles", particles, &indices)) {
        return false;
    }
    bool done = true;
    for (uint32_t i = 0; done && i < particles->count; i++) {
        done = !has_split(&tears, indices[i], revision) ||
               refuse_split(document, edit, body, indices[i], revision);
    }
    return done;
}

static bool check_constraints(const struct document *document, struct document_edit *edit,
                              const struct protocol_document_constraints *batch, uint64_t revision)
{
    const struct document_reader reader = {.error = &edit->error, .zone = edit->zone, .subject = "the edit"};
    const bool apart = batch->has & PROTOCOL_HAS_DOCUMENT_CONSTRAINTS_BODIES;
    const uint32_t *particles = NULL, *bodies = NULL;
    if (!apart) {
        return check_split(document, edit, batch->body.id, &batch->particles, revision);
    }
    if (!document_reader_u32s(&reader, "particles", &batch->particles, &particles) ||
        !document_reader_u32s(&reader, "bodies", &batch->bodies, &bodies)) {
        return false;
    }
    bool done = true;
    for (uint32_t i = 0; done && i < batch->particles.count && i < batch->bodies.count; i++) {
        struct sim_tears tears;
        done = !tears_since(document, bodies[i], revision, &tears) ||
               !has_split(&tears, particles[i], revision) ||
               refuse_split(document, edit, bodies[i], particles[i], revision);
    }
    return done;
}

bool document_untorn(const struct document *document, struct document_edit *edit,
                     const struct protocol_restore_step *step, uint64_t revision)
{
    const struct protocol_restore_particles *particles = step->particles.items;
    const struct protocol_document_motion *motions = step->motions.items;
    bool done = true;
    for (uint32_t i = 0; done && i < step->particles.count; i++) {
        const bool some = particles[i].has & PROTOCOL_HAS_RESTORE_PARTICLES_PARTICLES;
        done =
            check_split(document, edit, particles[i].body, some ? &particles[i].particles : NULL, revision);
    }
    for (uint32_t i = 0; done && i < step->motions.count; i++) {
        done = motions[i].body.id == 0 ||
               check_split(document, edit, motions[i].body.id, &motions[i].particles, revision);
    }
    const struct protocol_document_constraints *batches = step->constraints.items;
    for (uint32_t i = 0; done && i < step->constraints.count; i++) {
        done = check_constraints(document, edit, &batches[i], revision);
    }
    return done;
}
