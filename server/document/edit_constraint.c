// Constraints: constraint.add, constraint.set, constraint.remove.
#include "document/scope.h"

#define SAME(NAME, name)                                                                    \
    _Static_assert((int)PROTOCOL_CONSTRAINT_ADD_PARAMS_TYPE_##NAME == (int)SIM_##NAME &&    \
                       (int)PROTOCOL_CONSTRAINT_LIST_PARAMS_TYPE_##NAME == (int)SIM_##NAME, \
                   "kinds of constraints stand in the same order on the wire and in the sim");
SIM_KINDS(SAME)

struct ready {
    enum sim_kind kind;
    uint32_t count;
    const uint32_t *ids, *bodies, *particles;
    uint32_t *added;
    bool *concerned; // bodies, by their position: those that the constraints hold
    struct sim_constraint_values values;
    struct sim_joint_values joint;
};

static void concern(const struct document *document, struct ready *ready, uint32_t body)
{
    const struct document_thing *thing = document_things_by_id(&document->bodies, body);
    if (thing) {
        ready->concerned[thing - document->bodies.items] = true;
    }
}

// The bodies of ready->ids. Those that a body came with stand next to each other and concern that one alone.
static bool concern_holders(const struct document *document, struct document_edit *edit, struct ready *ready)
{
    uint32_t first = 0, count = 0;
    ready->concerned = document_edit_alloc(edit, document->bodies.count, sizeof *ready->concerned);
    edit->concerned = ready->concerned;
    for (uint32_t i = 0; ready->concerned && i < ready->count; i++) {
        struct sim_constraint constraint;
        struct sim_body_info info;
        if (ready->ids[i] - first < count || !sim_constraint_get(document->sim, ready->ids[i], &constraint)) {
            continue; // what does not exist is refused by the sim
        }
        for (uint32_t p = 0; p < sim_stencil_size(constraint.kind); p++) {
            concern(document, ready, constraint.bodies[p]);
        }
        sim_body_info(document->sim, constraint.bodies[0], &info);
        if (constraint.id - info.constraint_first[constraint.kind] < info.constraint_count[constraint.kind]) {
            first = info.constraint_first[constraint.kind];
            count = info.constraint_count[constraint.kind];
        }
    }
    return ready->concerned != NULL;
}

static void touch_concerned(struct document *document, const struct document_edit *edit)
{
    const struct ready *ready = edit->ready;
    for (uint32_t b = 0; b < document->bodies.count; b++) {
        if (ready->concerned[b]) {
            document_touch(document, edit, &document->bodies, document->bodies.items[b].id);
        }
    }
}

static bool bodies_of(const struct document *document, struct document_edit *edit,
                      struct protocol_constraint_add_params *params, const uint32_t **out)
{
    const struct document_reader reader = document_edit_reader(edit);
    bool one = params->has & PROTOCOL_HAS_CONSTRAINT_ADD_PARAMS_BODY;
    bool many = params->has & PROTOCOL_HAS_CONSTRAINT_ADD_PARAMS_BODIES;
    if (one == many) {
        return document_refuse(edit, PROTOCOL_CODE_INVALID, "body",
                               "body: give either body (of all particles) or bodies (one id a particle)");
    }
    if (many) {
        return document_reader_count(&reader, "bodies", params->bodies.count, params->particles.count,
                                     "one a particle") &&
               document_reader_u32s(&reader, "bodies", &params->bodies, out);
    }
    uint32_t body, *bodies = document_edit_alloc(edit, params->particles.count, sizeof *bodies);
    if (!bodies || !document_find_body(document, edit, &params->body, &body)) {
        return false;
    }
    for (uint32_t i = 0; i < params->particles.count; i++) {
        bodies[i] = body;
    }
    *out = bodies;
    return true;
}

// The values that both constraint.add and constraint.set can give; NULL: not given.
struct said {
    const struct protocol_array *rest, *compliance, *damping, *stiffness, *rest_end, *seconds, *force_limit,
        *ratio, *friction;
};

static bool values_of(struct document_edit *edit, const struct said *said, struct ready *ready)
{
    const struct document_reader reader = document_edit_reader(edit);
    const char *const per = "one a constraint";
    struct sim_constraint_values *values = &ready->values;
    const uint32_t count = ready->count;
    return (!said->rest || document_reader_f64s(&reader, "rest", said->rest, count, per, &values->rest)) &&
           (!said->compliance ||
            document_reader_f64s(&reader, "compliance", said->compliance, count, per, &values->compliance)) &&
           (!said->damping ||
            document_reader_f64s(&reader, "damping", said->damping, count, per, &values->damping)) &&
           (!said->stiffness ||
            document_reader_f64s(&reader, "stiffness", said->stiffness, count, per, &values->stiffness)) &&
           (!said->rest_end ||
            document_reader_f64s(&reader, "rest_end", said->rest_end, count, per, &values->rest_end)) &&
           (!said->seconds ||
            document_reader_f64s(&reader, "seconds", said->seconds, count, per, &values->seconds)) &&
           (!said->force_limit || document_reader_f64s(&reader, "force_limit", said->force_limit, count, per,
                                                       &values->force_limit)) &&
           (!said->ratio ||
            document_reader_f64s(&reader, "ratio", said->ratio, count, per, &values->ratio)) &&
           (!said->friction ||
            document_reader_f64s(&reader, "friction", said->friction, count, per, &values->friction));
}

bool document_check_constraint_add(const struct document *document, struct document_edit *edit)
{
    struct protocol_constraint_add_params *params = edit->resolved;
    const struct document_reader reader = document_edit_reader(edit);
    const uint64_t has = params->has;
    const struct said said = {
        .rest = has & PROTOCOL_HAS_CONSTRAINT_ADD_PARAMS_REST ? &params->rest : NULL,
        .compliance = has & PROTOCOL_HAS_CONSTRAINT_ADD_PARAMS_COMPLIANCE ? &params->compliance : NULL,
        .damping = has & PROTOCOL_HAS_CONSTRAINT_ADD_PARAMS_DAMPING ? &params->damping : NULL,
        .stiffness = has & PROTOCOL_HAS_CONSTRAINT_ADD_PARAMS_STIFFNESS ? &params->stiffness : NULL,
        .rest_end = has & PROTOCOL_HAS_CONSTRAINT_ADD_PARAMS_REST_END ? &params->rest_end : NULL,
        .seconds = has & PROTOCOL_HAS_CONSTRAINT_ADD_PARAMS_SECONDS ? &params->seconds : NULL,
        .force_limit = has & PROTOCOL_HAS_CONSTRAINT_ADD_PARAMS_FORCE_LIMIT ? &params->force_limit : NULL,
        .ratio = has & PROTOCOL_HAS_CONSTRAINT_ADD_PARAMS_RATIO ? &params->ratio : NULL,
        .friction = has & PROTOCOL_HAS_CONSTRAINT_ADD_PARAMS_FRICTION ? &params->friction : NULL,
    };
    const struct document_joins joins = {
        .sides = has & PROTOCOL_HAS_CONSTRAINT_ADD_PARAMS_SIDES ? &params->sides : NULL,
        .weights = has & PROTOCOL_HAS_CONSTRAINT_ADD_PARAMS_WEIGHTS ? &params->weights : NULL,
    };
    struct ready *ready = edit->ready = document_edit_alloc(edit, 1, sizeof *ready);
    if (!ready) {
        return false;
    }
    ready->kind = (enum sim_kind)params->type;
    const uint32_t stencil = sim_stencil_size(ready->kind);
    const bool join = sim_joins(ready->kind), joint = ready->kind == SIM_JOINT;
    struct document_jointed jointed = DOCUMENT_JOINTED(CONSTRAINT_ADD_PARAMS, params);
    DOCUMENT_JOINTED_NEW(CONSTRAINT_ADD_PARAMS, params, &jointed);
    ready->values.joint = joint || document_jointed_any(&jointed) ? &ready->joint : NULL;
    if (!join && !joint && (joins.sides || joins.weights)) {
        return document_reader_refuse(&reader, PROTOCOL_CODE_INVALID, joins.sides ? "sides" : "weights",
                                      "given for constraints of another kind; only joins have it");
    }
    ready->count = params->particles.count / stencil;
    if (join && !document_joins_count(&reader, &joins, params->particles.count, &ready->count)) {
        return false;
    }
    if (joint && !document_jointed_count(&reader, &jointed, params->particles.count, &ready->count)) {
        return false;
    }
    if (!join && !joint && (ready->count == 0 || params->particles.count % stencil != 0)) {
        return document_refuse(edit, PROTOCOL_CODE_INVALID, "particles",
                               "particles: length %u; must be a positive multiple of %u",
                               params->particles.count, stencil);
    }
    ready->added = document_edit_alloc(edit, ready->count, sizeof *ready->added);
    ready->concerned = document_edit_alloc(edit, document->bodies.count, sizeof *ready->concerned);
    if (!ready->added || !ready->concerned || !bodies_of(document, edit, params, &ready->bodies)) {
        return false;
    }
    edit->concerned = ready->concerned;
    for (uint32_t i = 0; i < params->particles.count; i++) {
        if (i == 0 || ready->bodies[i] != ready->bodies[i - 1]) {
            concern(document, ready, ready->bodies[i]);
        }
    }
    return document_reader_u32s(&reader, "particles", &params->particles, &ready->particles) &&
           (!join || document_joins_expand(&reader, &joins, ready->count, &ready->bodies, &ready->particles,
                                           &ready->values.weights)) &&
           (!joint || document_jointed_expand(&reader, &jointed, ready->count, &ready->bodies,
                                              &ready->particles, &ready->joint)) &&
           (!ready->values.joint ||
            document_jointed_values(&reader, &jointed, ready->count, &ready->joint)) &&
           values_of(edit, &said, ready) &&
           document_lengths_fit(document, edit, ready->kind, NULL, ready->values.compliance, ready->count);
}

void document_scope_constraint_add(const struct document *document, const struct document_edit *edit,
                                   struct document_scope *scope)
{
    const struct ready *ready = edit->ready;
    struct sim_next_ids next;
    sim_next_ids(document->sim, &next);
    for (uint32_t i = 0; i < ready->count; i++) {
        ready->added[i] = next.constraint + i; // as they are going to be
    }
    document_scope_constraints(scope, ready->added, ready->count);
    scope->next = true;
}

bool document_change_constraint_add(struct document *document, struct document_edit *edit)
{
    const struct ready *ready = edit->ready;
    struct protocol_constraint_add_result *result = edit->result;
    struct fault fault;
    uint32_t first;
    if (sim_constraints_add(document->sim, ready->kind, ready->count, ready->bodies, ready->particles,
                            &ready->values, &first, &fault) != FAULT_NONE) {
        return document_refuse_fault(edit, &fault);
    }
    for (uint32_t i = 0; i < ready->count; i++) {
        ready->added[i] = first + i;
    }
    *result = (struct protocol_constraint_add_result){
        .has = PROTOCOL_HAS_ALL,
        .constraints = {PROTOCOL_ARRAY_U32, ready->count, ready->added},
        .revision = document_commit(document),
        .tick = document->tick,
    };
    touch_concerned(document, edit);
    return true;
}

bool document_check_constraint_set(const struct document *document, struct document_edit *edit)
{
    const struct protocol_constraint_set_params *params = edit->resolved;
    const struct document_reader reader = document_edit_reader(edit);
    const uint64_t has = params->has;
    const struct said said = {
        .rest = has & PROTOCOL_HAS_CONSTRAINT_SET_PARAMS_REST ? &params->rest : NULL,
        .compliance = has & PROTOCOL_HAS_CONSTRAINT_SET_PARAMS_COMPLIANCE ? &params->compliance : NULL,
        .damping = has & PROTOCOL_HAS_CONSTRAINT_SET_PARAMS_DAMPING ? &params->damping : NULL,
        .stiffness = has & PROTOCOL_HAS_CONSTRAINT_SET_PARAMS_STIFFNESS ? &params->stiffness : NULL,
        .rest_end = has & PROTOCOL_HAS_CONSTRAINT_SET_PARAMS_REST_END ? &params->rest_end : NULL,
        .seconds = has & PROTOCOL_HAS_CONSTRAINT_SET_PARAMS_SECONDS ? &params->seconds : NULL,
        .force_limit = has & PROTOCOL_HAS_CONSTRAINT_SET_PARAMS_FORCE_LIMIT ? &params->force_limit : NULL,
        .ratio = has & PROTOCOL_HAS_CONSTRAINT_SET_PARAMS_RATIO ? &params->ratio : NULL,
        .friction = has & PROTOCOL_HAS_CONSTRAINT_SET_PARAMS_FRICTION ? &params->friction : NULL,
    };
    struct ready *ready = edit->ready = document_edit_alloc(edit, 1, sizeof *ready);
    if (!ready) {
        return false;
    }
    ready->count = params->constraints.count;
    ready->values.mend = params->mend;
    const struct document_jointed jointed = DOCUMENT_JOINTED(CONSTRAINT_SET_PARAMS, params);
    ready->values.joint = document_jointed_any(&jointed) || jointed.motor_given ? &ready->joint : NULL;
    return document_reader_u32s(&reader, "constraints", &params->constraints, &ready->ids) &&
           (!ready->values.joint ||
            document_jointed_values(&reader, &jointed, ready->count, &ready->joint)) &&
           concern_holders(document, edit, ready) && values_of(edit, &said, ready) &&
           document_lengths_fit(document, edit, SIM_DISTANCE, ready->ids, ready->values.compliance,
                                ready->count);
}

// The values that the edit sets, and those that it ends with them.
static uint32_t values_set(const struct document *document, const struct document_edit *edit)
{
    static const struct {
        uint64_t given;
        uint32_t fields;
    } fields[] = {
#define SET(name, field) {PROTOCOL_HAS_CONSTRAINT_SET_PARAMS_##name, SIM_FIELD_##field}
        SET(REST, REST),
        SET(COMPLIANCE, COMPLIANCE),
        SET(DAMPING, DAMPING),
        SET(STIFFNESS, STIFFNESS),
        SET(REST_END, REST_END),
        SET(SECONDS, REST_END),
        SET(FORCE_LIMIT, FORCE_LIMIT),
        SET(MEND, FORCE_LIMIT),
        SET(RATIO, RATIO),
        SET(FRICTION, FRICTION),
        SET(LIMITS, LIMITS),
        SET(TURN_COMPLIANCE, TURN_COMPLIANCE),
        SET(MOTOR, MOTOR),
        SET(MOTOR_TARGET, MOTOR_TARGET),
        SET(MOTOR_MOST, MOTOR_MOST),
        SET(MOTOR_COMPLIANCE, MOTOR_COMPLIANCE),
#undef SET
    };
    const struct protocol_constraint_set_params *params = edit->resolved;
    const struct ready *ready = edit->ready;
    uint32_t set = 0;
    for (size_t f = 0; f < sizeof fields / sizeof *fields; f++) {
        set |= params->has & fields[f].given ? fields[f].fields : 0;
    }
    const bool gives = set & (SIM_FIELD_COMPLIANCE | SIM_FIELD_DAMPING), stiff = set & SIM_FIELD_STIFFNESS,
               moves = set & (SIM_FIELD_REST | SIM_FIELD_REST_END);
    for (uint32_t i = 0; i < ready->count; i++) {
        struct sim_constraint constraint;
        if (!sim_constraint_get(document->sim, ready->ids[i], &constraint)) {
            continue;
        }
        set |= gives && constraint.material.stiffness >= 0 ? SIM_FIELD_STIFFNESS : 0;
        set |= stiff && constraint.material.compliance > 0 ? SIM_FIELD_COMPLIANCE : 0;
        set |= stiff && constraint.material.damping > 0 ? SIM_FIELD_DAMPING : 0;
        set |= moves && sim_joins(constraint.kind) ? SIM_FIELD_REST | SIM_FIELD_REST_END : 0;
        set |= sim_slides(constraint.kind) && (set & (SIM_FIELD_REST | SIM_FIELD_RATIO | SIM_FIELD_FRICTION))
                   ? SIM_FIELD_SIDE
                   : 0;
    }
    return set;
}

void document_scope_constraint_set(const struct document *document, const struct document_edit *edit,
                                   struct document_scope *scope)
{
    const struct ready *ready = edit->ready;
    document_scope_constraint_values(scope, ready->ids, ready->count, values_set(document, edit));
    scope->rests = scope->rests || ready->values.rest;
}

bool document_change_constraint_set(struct document *document, struct document_edit *edit)
{
    const struct ready *ready = edit->ready;
    struct protocol_constraint_set_result *result = edit->result;
    struct fault fault;
    if (sim_constraints_set(document->sim, ready->ids, ready->count, &ready->values, &fault) != FAULT_NONE) {
        return document_refuse_fault(edit, &fault);
    }
    *result = (struct protocol_constraint_set_result){
        .has = PROTOCOL_HAS_ALL, .revision = document_commit(document), .tick = document->tick};
    touch_concerned(document, edit);
    return true;
}

bool document_check_constraint_remove(const struct document *document, struct document_edit *edit)
{
    const struct protocol_constraint_remove_params *params = edit->resolved;
    const struct document_reader reader = document_edit_reader(edit);
    struct ready *ready = edit->ready = document_edit_alloc(edit, 1, sizeof *ready);
    if (!ready) {
        return false;
    }
    ready->count = params->constraints.count;
    return document_reader_u32s(&reader, "constraints", &params->constraints, &ready->ids) &&
           concern_holders(document, edit, ready);
}

void document_scope_constraint_remove(const struct document *document, const struct document_edit *edit,
                                      struct document_scope *scope)
{
    (void)document;
    const struct ready *ready = edit->ready;
    document_scope_constraints(scope, ready->ids, ready->count);
    scope->going = true;
}

bool document_change_constraint_remove(struct document *document, struct document_edit *edit)
{
    const struct ready *ready = edit->ready;
    struct protocol_constraint_remove_result *result = edit->result;
    struct fault fault;
    if (sim_constraints_remove(document->sim, ready->ids, ready->count, &fault) != FAULT_NONE) {
        return document_refuse_fault(edit, &fault);
    }
    *result = (struct protocol_constraint_remove_result){
        .has = PROTOCOL_HAS_ALL, .revision = document_commit(document), .tick = document->tick};
    touch_concerned(document, edit);
    return true;
}
