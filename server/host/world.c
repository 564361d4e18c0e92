#include "host/world.h"

#include "base/clock.h"
#include "host/presence.h"
#include "host/world_internal.h"

uint32_t host_world_id(const struct host_world *world)
{
    return world->id;
}

const char *host_world_name(const struct host_world *world)
{
    return world->name;
}

bool host_world_is_view(const struct host_world *world)
{
    return world->view.of != 0;
}

uint32_t host_world_shown(const struct host_world *world)
{
    return world->view.of != 0 ? world->view.of : world->id;
}

bool host_world_is_for(const struct host_world *world, uint32_t session)
{
    return world->view.of == 0 || world->view.session == session;
}

bool host_world_is_closing(const struct host_world *world)
{
    return world->closing;
}

bool host_world_is_leaving(const struct host_world *world)
{
    return world->elsewhere;
}

bool host_world_keep_asked(struct host_world *world, struct host_session *session, const uint8_t *bytes,
                           size_t size)
{
    return host_leaving_asked(&world->leaving, session, bytes, size);
}

void host_world_face(const struct host_world *world, struct world_face *face)
{
    world_face(world->world, face);
}

void host_world_durable(const struct host_world *world, struct world_durable *durable)
{
    world_durable(world->world, world->gate.durable, durable);
}

bool host_world_published(const struct host_world *world, struct world_published *published)
{
    return world_published(world->world, published) && !host_gate_holds(&world->gate, published->position);
}

struct document_constants host_world_constants(const struct host_world *world)
{
    return world_constants_of(world->world);
}

void host_world_load(const struct host_world *world, struct world_load *load)
{
    world_load(world->world, load);
}

void host_world_play(struct host_world *world)
{
    world_play(world->world, 1, false, base_now_ns());
}

void host_world_post_document(struct host_world *view, struct document *document)
{
    world_post_document(view->world, document);
}

struct document *host_world_take_document(struct host_world *view)
{
    return world_take_document(view->world);
}

void host_world_charge(struct host_world *world, struct world_quota *quota)
{
    world_charge(world->world, quota);
    world->charged = true;
}

bool host_world_is_charged(const struct host_world *world)
{
    return world->charged;
}

uint32_t host_world_control(const struct host_world *world)
{
    return world->control;
}

void host_world_set_control(struct host_world *world, uint32_t session)
{
    world->control = session;
}

bool host_world_control_is_told(const struct host_world *world)
{
    return world->control == world->control_told;
}

void host_world_tell_control(struct host_world *world)
{
    world->control_told = world->control;
}

bool host_world_show(const struct host_world *world, struct host_present *present,
                     const struct protocol_presence_set_params *params, struct protocol_error *error)
{
    return host_presence_set(world->presence, present, params, error);
}
