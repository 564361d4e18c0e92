// Whether what edit.restore is given agrees with itself: no thing is to go and to be there, or is spoken of twice.
//
//     parameters ─▶ mentions (id, list, entry) of bodies, constraints, ... ─▶ by id ─▶ those of one id beside each other
//
// An edit.restore that a server makes (capture.c) names each thing once: among what goes, or in one of the lists.
#include "document/restore.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

// In the order in which the mentions of one id are looked at.
enum role { GOES, COMES, PARTS, OWN, PARTICLES, CONSTRAINTS, MOTIONS, ROLES };

struct mention {
    uint64_t id;
    enum role role;
    uint32_t index; // of its entry in its list
};

#define BIT(role) (1u << (role))

struct space {
    const char *noun;
    struct {
        const char *list, *field;
        uint32_t against; // BIT of the roles that an earlier mention of the same id must not have
    } roles[ROLES];
};

// The inverse of what removes a body, and constraints that it came with, has both bodies and own.
static const struct space body_space = {
    "body",
    {
        [GOES] = {"removed.bodies", NULL, 0},
        [COMES] = {"bodies", "body", BIT(GOES) | BIT(COMES)},
        [PARTS] = {"parts", "body", BIT(GOES) | BIT(COMES) | BIT(PARTS)},
        [OWN] = {"own", "body", BIT(GOES)},
        [PARTICLES] = {"particles", "body", BIT(GOES) | BIT(COMES)},
        [CONSTRAINTS] = {"constraints", "bodies", BIT(GOES)},
        [MOTIONS] = {"motions", "body", BIT(GOES)},
    },
};

static const struct space own_space = {
    "this kind of constraints of body",
    {[OWN] = {"own", "type", BIT(OWN)}},
};

static const struct space constraint_space = {
    "constraint",
    {
        [GOES] = {"removed.constraints", NULL, 0},
        [OWN] = {"own", "constraints", BIT(GOES) | BIT(OWN)},
        [CONSTRAINTS] = {"constraints", "constraints", BIT(GOES) | BIT(OWN) | BIT(CONSTRAINTS)},
    },
};

// A collider or motion may be removed so that another one comes back under its id.
static const struct space collider_space = {
    "collider",
    {
        [GOES] = {"removed.colliders", NULL, 0},
        [COMES] = {"colliders", "collider.collider", BIT(COMES)},
        [PARTS] = {"colliders", "collider.collider", BIT(GOES) | BIT(COMES) | BIT(PARTS)},
        [MOTIONS] = {"motions", "collider", BIT(GOES)},
    },
};

static const struct space motion_space = {
    "motion",
    {[COMES] = {"motions", "motion", BIT(COMES)}},
};

// ---------------------------------------------------------------------------------------------------------
// Mentions of one space

struct mentions {
    const struct document_restore *restore;
    struct mention *items;
    uint32_t count;
};

static bool begin(struct mentions *mentions, const struct document_restore *restore, uint64_t most)
{
    *mentions = (struct mentions){.restore = restore};
    mentions->items = document_maker_alloc(&restore->maker, most, sizeof(struct mention));
    return mentions->items != NULL;
}

static void mention(struct mentions *mentions, enum role role, uint32_t index, uint64_t id)
{
    if (id != 0) {
        mentions->items[mentions->count++] = (struct mention){id, role, index};
    }
}

static void mention_going(struct mentions *mentions, const struct document_ids *ids)
{
    for (uint32_t i = 0; i < ids->count; i++) {
        mention(mentions, GOES, 0, ids->items[i]);
    }
}

static int by_id(const void *a, const void *b)
{
    const struct mention *one = a, *other = b;
    if (one->id != other->id) {
        return one->id < other->id ? -1 : 1;
    }
    if (one->role != other->role) {
        return one->role < other->role ? -1 : 1;
    }
    return one->index < other->index ? -1 : one->index > other->index;
}

static bool refuse(const struct mentions *mentions, const struct space *space, const struct mention *earlier,
                   const struct mention *later)
{
    const struct document_reader place =
        document_maker_at(&mentions->restore->maker, space->roles[later->role].list, later->index);
    const uint64_t id = space == &own_space ? later->id / SIM_KIND_COUNT : later->id;
    char in[64];
    if (earlier->role == GOES) {
        snprintf(in, sizeof in, "%s", space->roles[GOES].list);
    } else {
        snprintf(in, sizeof in, "%s[%u]", space->roles[earlier->role].list, earlier->index);
    }
    return document_reader_refuse(&place, PROTOCOL_CODE_INVALID, space->roles[later->role].field,
                                  "%s %" PRIu64 " is in %s too; must be in one of them", space->noun, id, in);
}

static bool agree(struct mentions *mentions, const struct space *space)
{
    const struct mention *first[ROLES] = {NULL};
    uint32_t seen = 0;
    bool sorted = true;
    for (uint32_t i = 1; i < mentions->count && sorted; i++) {
        sorted = by_id(&mentions->items[i - 1], &mentions->items[i]) <= 0;
    }
    if (!sorted) {
        qsort(mentions->items, mentions->count, sizeof *mentions->items, by_id);
    }
    for (uint32_t i = 0; i < mentions->count; i++) {
        const struct mention *at = &mentions->items[i];
        seen = i > 0 && at->id == at[-1].id ? seen : 0;
        const uint32_t against = seen & space->roles[at->role].against;
        for (int role = 0; role < ROLES && against != 0; role++) {
            if (against & BIT(role)) {
                return refuse(mentions, space, first[role], at);
            }
        }
        if (!(seen & BIT(at->role))) {
            first[at->role] = at;
        }
        seen |= BIT(at->role);
        seen &= at->role == COMES ? ~BIT(GOES) : ~0u; // it is there again
    }
    return true;
}

// ---------------------------------------------------------------------------------------------------------
// The spaces

static bool bodies_agree(const struct document_restore *restore)
{
    const struct protocol_edit_restore_params *given = restore->given;
    const struct protocol_document_body *bodies = given->bodies.items;
    const struct protocol_restore_body *parts = given->parts.items;
    struct mentions mentions;
    uint64_t most = (uint64_t)restore->removed_bodies.count + given->bodies.count + given->parts.count +
                    given->own.count + given->particles.count + given->motions.count;
    for (uint32_t i = 0; i < given->constraints.count; i++) {
        most += (uint64_t)restore->batches[i].count * sim_stencil_size(restore->batches[i].kind);
    }
    if (!begin(&mentions, restore, most)) {
        return false;
    }
    mention_going(&mentions, &restore->removed_bodies);
    for (uint32_t i = 0; i < given->bodies.count; i++) {
        mention(&mentions, COMES, i, bodies[i].body);
    }
    for (uint32_t i = 0; i < given->parts.count; i++) {
        mention(&mentions, PARTS, i, parts[i].body);
    }
    for (uint32_t i = 0; i < given->own.count; i++) {
        mention(&mentions, OWN, i, restore->own[i].body);
    }
    for (uint32_t i = 0; i < given->particles.count; i++) {
        mention(&mentions, PARTICLES, i, restore->particles[i].body);
    }
    for (uint32_t i = 0; i < given->constraints.count && restore->removed_bodies.count > 0; i++) {
        const struct sim_image_constraints *batch = &restore->batches[i];
        for (uint32_t k = 0; k < batch->count * sim_stencil_size(batch->kind); k++) {
            if (k == 0 || batch->bodies[k] != batch->bodies[k - 1]) {
                mention(&mentions, CONSTRAINTS, i, batch->bodies[k]);
            }
        }
    }
    for (uint32_t i = 0; i < given->motions.count; i++) {
        mention(&mentions, MOTIONS, i, restore->motions[i].body);
    }
    return agree(&mentions, &body_space);
}

static bool own_agree(const struct document_restore *restore)
{
    struct mentions mentions;
    if (!begin(&mentions, restore, restore->given->own.count)) {
        return false;
    }
    for (uint32_t i = 0; i < restore->given->own.count; i++) {
        const struct sim_own *own = &restore->own[i];
        mention(&mentions, OWN, i, (uint64_t)own->body * SIM_KIND_COUNT + own->kind);
    }
    return agree(&mentions, &own_space);
}

static bool constraints_agree(const struct document_restore *restore)
{
    const struct protocol_edit_restore_params *given = restore->given;
    struct mentions mentions;
    uint64_t most = restore->removed_constraints.count;
    for (uint32_t i = 0; i < given->own.count; i++) {
        most += restore->own[i].count;
    }
    for (uint32_t i = 0; i < given->constraints.count; i++) {
        most += restore->batches[i].count;
    }
    if (!begin(&mentions, restore, most)) {
        return false;
    }
    mention_going(&mentions, &restore->removed_constraints);
    for (uint32_t i = 0; i < given->own.count; i++) {
        for (uint32_t c = 0; c < restore->own[i].count; c++) {
            mention(&mentions, OWN, i, restore->own[i].ids[c]);
        }
    }
    for (uint32_t i = 0; i < given->constraints.count; i++) {
        for (uint32_t c = 0; c < restore->batches[i].count; c++) {
            mention(&mentions, CONSTRAINTS, i, restore->batches[i].ids[c]);
        }
    }
    return agree(&mentions, &constraint_space);
}

static bool colliders_agree(const struct document_restore *restore)
{
    const struct protocol_edit_restore_params *given = restore->given;
    const struct protocol_restore_collider *colliders = given->colliders.items;
    struct mentions mentions;
    if (!begin(&mentions, restore,
               (uint64_t)restore->removed_colliders.count + given->colliders.count + given->motions.count)) {
        return false;
    }
    mention_going(&mentions, &restore->removed_colliders);
    for (uint32_t i = 0; i < given->colliders.count; i++) {
        const bool parts = colliders[i].has & PROTOCOL_HAS_RESTORE_COLLIDER_PARTS;
        mention(&mentions, parts ? PARTS : COMES, i, colliders[i].collider.collider);
    }
    for (uint32_t i = 0; i < given->motions.count; i++) {
        mention(&mentions, MOTIONS, i, restore->motions[i].collider);
    }
    return agree(&mentions, &collider_space);
}

static bool motions_agree(const struct document_restore *restore)
{
    struct mentions mentions;
    if (!begin(&mentions, restore, restore->given->motions.count)) {
        return false;
    }
    for (uint32_t i = 0; i < restore->given->motions.count; i++) {
        mention(&mentions, COMES, i, restore->motions[i].id);
    }
    return agree(&mentions, &motion_space);
}

// ---------------------------------------------------------------------------------------------------------
// Particles: several entries may speak of one body, but not of the same particles.

// Marks those of the entry; one that is marked already is a contradiction. Particles that the body does not have are the
// sim's to refuse.
static bool mark(const struct document_restore *restore, uint32_t entry, uint8_t *marks, uint32_t count)
{
    const struct sim_restore_particles *given = &restore->particles[entry];
    for (uint32_t p = 0; p < given->count; p++) {
        const uint32_t particle = given->particles[p].particle;
        if (particle < count && (marks[particle / 8] & 1u << particle % 8)) {
            const struct document_reader place = document_maker_at(&restore->maker, "particles", entry);
            return document_reader_refuse(&place, PROTOCOL_CODE_INVALID, "particles",
                                          "particle %u of body %u is named twice; must be named once",
                                          particle, given->body);
        }
        if (particle < count) {
            marks[particle / 8] = (uint8_t)(marks[particle / 8] | 1u << particle % 8);
        }
    }
    return true;
}

static bool particles_agree(const struct document *document, const struct document_restore *restore)
{
    struct mentions mentions;
    uint8_t *marks = NULL;
    if (!begin(&mentions, restore, restore->given->particles.count)) {
        return false;
    }
    for (uint32_t i = 0; i < restore->given->particles.count; i++) {
        mention(&mentions, PARTICLES, i, restore->particles[i].body);
    }
    qsort(mentions.items, mentions.count, sizeof *mentions.items, by_id);
    for (uint32_t i = 0; i < mentions.count; i++) {
        const struct mention *at = &mentions.items[i];
        const struct document_thing *body = document_things_by_id(&document->bodies, (uint32_t)at->id);
        const bool another = i > 0 && at[-1].id == at->id;
        if (!another) {
            marks = body ? document_maker_alloc(&restore->maker, body->particle_count / 8 + 1, 1) : NULL;
        }
        if (body && (!marks || !mark(restore, at->index, marks, body->particle_count))) {
            return false;
        }
    }
    return true;
}

bool document_restore_agrees(const struct document *document, const struct document_restore *restore)
{
    return bodies_agree(restore) && own_agree(restore) && constraints_agree(restore) &&
           colliders_agree(restore) && motions_agree(restore) && particles_agree(document, restore);
}
