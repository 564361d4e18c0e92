// Takes the answers to a client's requests: learns from them what worlds there are, and checks them.
#include "simulator.h"

#include "clock.h"
#include "twin/twin.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef unsigned long long ull;

static void join_again(struct client *client, uint32_t place)
{
    client->joined[place] = (struct joined){.rejoin = true};
    if (client->server->worlds[place].here && client_may_ask(client)) {
        snprintf(client->run->text, sizeof client->run->text, "{'world': %u}",
                 client->server->worlds[place].id);
        client_ask(client, PROTOCOL_METHOD_WORLD_JOIN, ASKED_JOIN, place);
    }
}

static void ask_for_control(struct client *client, uint32_t place)
{
    if (!client->server->worlds[place].here || client->run->quiet) {
        return;
    }
    snprintf(client->run->text, sizeof client->run->text, "{'world': %u}", client->server->worlds[place].id);
    client_ask(client, PROTOCOL_METHOD_WORLD_CONTROL, ASKED_PLAIN, place);
}

// Sends calls that never arrived again, unchanged.
static void send_lost(struct client *client, const msgpack_object *lost)
{
    for (uint32_t i = 0; lost != NULL && lost->type == MSGPACK_OBJECT_ARRAY && i < lost->via.array.size;
         i++) {
        const uint32_t msgid = (uint32_t)lost->via.array.ptr[i].via.u64;
        uint32_t at = 0;
        while (at < client->asked_count && client->asked[at].msgid != msgid) {
            at++;
        }
        if (at == client->asked_count) {
            simulator_fail(client->run, "client %u is to send request %u again, which it did not name",
                           client->index, msgid);
            return;
        }
        client->asked[at].order = ++client->order;
        link_send(client->link, client->asked[at].bytes, client->asked[at].size);
    }
}

// It was away for less than the grace, and nobody ended it.
static bool must_be_kept(const struct client *client, uint64_t sent_ns)
{
    const struct simulated_server *server = client->server;
    return client->broken_ns > 0 && client->broken_lives == server->lives &&
           sent_ns + SECOND / 2 < client->broken_ns + server->grace_ns &&
           (server->expelled_ns == 0 || server->expelled_ns + 5 * SECOND < client->broken_ns);
}

static void hear_hello(struct client *client, const msgpack_object *result, uint64_t sent_ns)
{
    const bool resumed = object_true(result, "resumed"), had_key = client->key[0] != '\0';
    const uint32_t session = (uint32_t)object_number(result, "session");
    client->ready = true;
    client->ready_moment = ++client->run->moment;
    if (client->doubled && resumed) {
        simulator_fail(client->run, "client %u names a request twice, and goes on with its session",
                       client->index);
    }
    if (had_key && must_be_kept(client, sent_ns)) {
        run_counts.kept_sessions++;
        if (!resumed) {
            simulator_fail(client->run, "client %u comes back in time, and session %u is gone", client->index,
                           client->session);
        }
    }
    if (!resumed) {
        run_counts.anew += had_key;
        client_forget(client);
    } else if (!had_key || session != client->session) {
        simulator_fail(client->run, "client %u goes on with session %u, and had %u", client->index, session,
                       client->session);
    }
    object_text(result, "resume", client->key, sizeof client->key);
    client->session = session;
    if (!resumed) {
        return;
    }
    run_counts.resumed++;
    client->resumed_order = client->order;
    client->stream_ended = client->stream_last;
    send_lost(client, object_at(result, "lost"));
    for (uint32_t i = 0; i < client->server->world_count; i++) {
        if (client->joined[i].in && client->joined[i].control_known) {
            ask_for_control(client, i);
        }
    }
    const msgpack_object *rejoin = object_at(result, "rejoin");
    for (uint32_t i = 0; rejoin != NULL && rejoin->type == MSGPACK_OBJECT_ARRAY && i < rejoin->via.array.size;
         i++) {
        const struct known_world *world =
            server_world(client->server, (uint32_t)rejoin->via.array.ptr[i].via.u64);
        if (world != NULL) {
            join_again(client, client_place_of(client, world));
        }
    }
}

static void hear_join(struct client *client, const struct asked *asked, const msgpack_object *result)
{
    struct joined *joined = &client->joined[asked->world];
    const uint64_t revision = object_number(result, "revision");
    // The world was deleted and had back since it joined, which ended that.
    const bool gone = joined->in && joined->moment < client->server->worlds[asked->world].gone_moment;
    // Answers kept for it come before the notices that it missed, and are useless if it has to join again.
    if (!gone && (joined->in || joined->rejoin) && asked->order <= client->resumed_order) {
        return;
    }
    // An answer that was kept may speak of the world before it was deleted and had back, which is told by no `rejoin`.
    if (asked->order <= client->resumed_order &&
        asked->moment < client->server->worlds[asked->world].gone_moment) {
        join_again(client, asked->world);
        return;
    }
    if (!gone && joined->in && joined->revision != revision) {
        simulator_fail(
            client->run, "client %u joined world %u again at revision %llu, and was told of all up to %llu",
            client->index, client->server->worlds[asked->world].id, (ull)revision, (ull)joined->revision);
    }
    *joined = (struct joined){
        .in = true, .revision = revision, .order = client->order, .moment = ++client->run->moment};
}

static bool hash_in(const msgpack_object *result, struct hash_at *hash)
{
    *hash = (struct hash_at){.tick = object_number(result, "tick"),
                             .revision = object_number(result, "revision")};
    return object_text(result, "hash", hash->text, sizeof hash->text);
}

static void hear_saved(struct client *client, const struct asked *asked, const msgpack_object *result)
{
    struct simulated_server *server = client->server;
    const msgpack_object *document = object_at(result, "document");
    msgpack_packer packer;
    if (document == NULL) {
        return;
    }
    msgpack_sbuffer_clear(&server->saved);
    msgpack_packer_init(&packer, &server->saved, msgpack_sbuffer_write);
    msgpack_pack_object(&packer, *document);
    if (server->saved.size > SAVED_BYTES) {
        msgpack_sbuffer_clear(&server->saved);
    }
    server->saved_substeps = server->worlds[asked->world].substeps;
}

// Somebody may have it back, or delete it again, meanwhile.
static bool is_restored(const struct simulated_server *server, uint32_t id)
{
    const struct run *run = server->run;
    for (uint32_t i = 0; i < run->client_count; i++) {
        for (uint32_t n = 0; n < run->clients[i].asked_count; n++) {
            const struct asked *asked = &run->clients[i].asked[n];
            if (run->clients[i].server == server &&
                (asked->method == PROTOCOL_METHOD_WORLD_RESTORE ||
                 (asked->what == ASKED_DELETE && server->worlds[asked->world].id == id))) {
                return true;
            }
        }
    }
    return false;
}

// Keeps the document that the world was opened from, as it was sent.
static void keep_document(struct known_world *world, const struct asked *asked)
{
    msgpack_unpacked unpacked;
    msgpack_packer packer;
    size_t offset = 0;
    msgpack_unpacked_init(&unpacked);
    (void)msgpack_unpack_next(&unpacked, (const char *)asked->bytes, asked->size, &offset);
    const msgpack_object *document = object_at(&unpacked.data.via.array.ptr[3].via.array.ptr[0], "document");
    msgpack_sbuffer_clear(&world->document);
    msgpack_packer_init(&packer, &world->document, msgpack_sbuffer_write);
    if (document != NULL) {
        msgpack_pack_object(&packer, *document);
    }
    world->replays = document != NULL;
    msgpack_unpacked_destroy(&unpacked);
}

// Most worlds are for more people than one.
static void let_others_in(struct client *client, const struct asked *asked, struct known_world *world)
{
    static const char *const roles[] = {"viewer", "editor", "owner"};
    struct run *run = client->run;
    struct chance chance = chance_of(run->options.seed, FOR_INPUT, (UINT64_C(2) << 32) + asked->input);
    const uint32_t user = chance_below(&chance, USERS + 1), role = chance_below(&chance, 3);
    for (uint32_t i = 1; i <= USERS; i++) {
        const uint32_t one = i == USERS ? user : i, given = i == USERS ? role : 1;
        if (chance_one_in(&chance, 3)) {
            continue;
        }
        char name[8] = "*";
        if (one < USERS) {
            snprintf(name, sizeof name, "u%u", one);
        }
        snprintf(run->text, sizeof run->text, "{'world': %" PRIu32 ", 'user': '%s', 'role': '%s'}", world->id,
                 name, roles[given]);
        run->about = (struct about){.number = one, .other = given};
        world_give(world, one, run->input);
        client_ask(client, PROTOCOL_METHOD_ACCESS_GRANT, ASKED_PLAIN, client_place_of(client, world));
    }
}

// A branch is what the world was then, and no world begins where one failed.
static void look_at_branch(struct client *client, const struct asked *asked, const msgpack_object *result)
{
    struct known_world *world = server_world(client->server, (uint32_t)object_number(result, "world"));
    const uint64_t tick = object_number(result, "tick");
    if (asked->other > 0 && tick != asked->other - 1) {
        simulator_fail(client->run, "client %u asks for a branch at tick %u, and is given tick %llu",
                       client->index, asked->other - 1, (ull)tick);
    }
    if (world == NULL || asked->number == 0) {
        return;
    }
    world->branched = true;
    world->branch_of = asked->world;
    world->branch_tick = tick;
    world->branch_revision = object_number(result, "revision");
    for (int i = 0; i < 2; i++) {
        snprintf(client->run->text, sizeof client->run->text, "{'world': %" PRIu32 "}", world->id);
        client_ask(client, i == 0 ? PROTOCOL_METHOD_WORLD_GET : PROTOCOL_METHOD_WORLD_HASH,
                   i == 0 ? ASKED_BRANCHED : ASKED_BRANCH_HASH, client_place_of(client, world));
    }
}

static void hear_branched(struct client *client, const struct asked *asked, const msgpack_object *result)
{
    const struct known_world *world = &client->server->worlds[asked->world];
    char state[16];
    object_text(result, "state", state, sizeof state);
    run_counts.branches++;
    run_counts.failed_branches += client->server->worlds[world->branch_of].failed;
    if (strcmp(state, "failed") == 0 && object_number(result, "tick") == world->branch_tick) {
        simulator_fail(client->run, "world %u was branched at tick %llu, where world %u had failed",
                       world->id, (ull)world->branch_tick, client->server->worlds[world->branch_of].id);
    }
}

static void hear_branch_hash(struct client *client, const struct asked *asked, const struct hash_at *hash)
{
    struct simulated_server *server = client->server;
    const struct known_world *world = &server->worlds[asked->world];
    if (world->branched && hash->tick == world->branch_tick && hash->revision == world->branch_revision) {
        server_hash(server, &server->worlds[world->branch_of], hash, true);
    }
}

// Whoever deletes a world can have it back at once.
static void hear_deleted(struct client *client, const struct asked *asked)
{
    struct simulated_server *server = client->server;
    struct run *run = client->run;
    struct known_world *world = &server->worlds[asked->world];
    struct chance chance = chance_of(run->options.seed, FOR_INPUT, (UINT64_C(3) << 32) + asked->input);
    const bool alone = !is_restored(server, world->id);
    world->gone_moment = ++run->moment;
    world->here = false;
    if (run->quiet || !chance_one_in(&chance, 2)) {
        return;
    }
    snprintf(run->text, sizeof run->text, "{'world': %" PRIu32 "}", world->id);
    run->about = (struct about){.number = asked->world, .other = alone};
    client_ask(client, PROTOCOL_METHOD_WORLD_RESTORE, ASKED_RESTORE, NO_WORLD);
}

static void hear_made(struct client *client, const struct asked *asked, const msgpack_object *result)
{
    struct known_world *world =
        server_learn(client->server, (uint32_t)object_number(result, "world"), client->user);
    if (world == NULL) {
        return;
    }
    rights_made(client->server, world, client->user, asked->method == PROTOCOL_METHOD_WORLD_RESTORE);
    if (client->server->tokens && asked->what == ASKED_CREATE) {
        let_others_in(client, asked, world);
    }
    if (asked->what == ASKED_CREATE && asked->method == PROTOCOL_METHOD_WORLD_CREATE) {
        world->substeps = asked->number;
        world->replays = true;
    }
    if (asked->method == PROTOCOL_METHOD_WORLD_OPEN) {
        keep_document(world, asked);
    }
}

static void hear_not_restored(struct client *client, const struct asked *asked, const struct answer *answer)
{
    const struct simulated_server *server = client->server;
    const struct known_world *world = &server->worlds[asked->number];
    const uint64_t now_ns = simulator_clock.now_ns;
    if (asked->other == 0 || world->here || strcmp(answer->code, "NOT_FOUND") != 0 ||
        (server->expelled_ns > 0 && server->expelled_ns + 5 * SECOND > now_ns) ||
        (server->jumped_ns > 0 && server->jumped_ns + 5 * SECOND > now_ns)) {
        return;
    }
    simulator_fail(client->run, "client %u has deleted world %u, and cannot have it back: %s", client->index,
                   world->id, answer->text);
}

static void hear_list(struct client *client, const msgpack_object *result, uint64_t sent_ns)
{
    const struct simulated_server *server = client->server;
    const msgpack_object *worlds = object_at(result, "worlds");
    for (uint32_t i = 0; worlds != NULL && server->tokens && i < worlds->via.array.size; i++) {
        const uint32_t id = (uint32_t)object_number(&worlds->via.array.ptr[i], "world");
        const struct known_world *world = server_world(client->server, id);
        if (world != NULL && !(world->may_see >> client->user & 1) &&
            sent_ns > world->hidden_ns[client->user]) {
            simulator_fail(client->run, "client %u sees world %u in a list, in which u%u has no role",
                           client->index, id, client->user);
        }
    }
}

static void hear_subscribed(struct client *client, const struct asked *asked, const msgpack_object *result)
{
    for (uint32_t i = 0; i < STREAMS; i++) {
        struct simulated_stream *stream = &client->streams[i];
        if (stream->id != 0) {
            continue;
        }
        *stream =
            (struct simulated_stream){.id = (uint32_t)object_number(result, "stream"), .world = asked->world};
        if (asked->number == 1) {
            stream->twin = twin_create(NULL);
        }
        run_counts.twins += stream->twin != NULL;
        return;
    }
}

static void hear_unsubscribed(struct client *client, uint32_t id)
{
    for (uint32_t i = 0; i < STREAMS; i++) {
        if (client->streams[i].id == id) {
            client_stream_drop(&client->streams[i]);
        }
    }
}

static void hear_grab(struct client *client, const struct asked *asked, const msgpack_object *result)
{
    const uint32_t at = client->run->input % GRABS;
    client->grabs[at] = (uint32_t)object_number(result, "grab");
    client->grab_world[at] = asked->world;
}

// Nobody of that name hears of the world from now on, unless somebody gave them a role since this was asked for.
static void hear_revoked(struct client *client, const struct asked *asked, uint64_t sent_ns)
{
    struct known_world *world = &client->server->worlds[asked->world];
    const uint32_t user = asked->number;
    if (user >= USERS || user == 0 || world->everybody || world->granted_at[user] >= asked->input) {
        return;
    }
    world->may_see &= ~(1u << user);
    world->hidden_ns[user] = sent_ns;
}

static void hear_rest(struct client *client, const struct asked *asked, const msgpack_object *result)
{
    const struct joined *joined = &client->joined[asked->world];
    struct known_world *world = &client->server->worlds[asked->world];
    char state[16];
    object_text(result, "state", state, sizeof state);
    world->failed = world->failed || strcmp(state, "failed") == 0;
    const uint64_t revision = object_number(result, "revision");
    if (joined->in && joined->revision != revision) {
        simulator_fail(client->run, "world %u rests at revision %llu, and client %u heard of all up to %llu",
                       world->id, (ull)revision, client->index, (ull)joined->revision);
    }
    for (uint32_t i = 0; i < STREAMS; i++) {
        const struct simulated_stream *stream = &client->streams[i];
        if (stream->twin == NULL || stream->world != asked->world) {
            continue;
        }
        const struct twin_state twin = twin_state(stream->twin);
        if (twin.begun && twin.differences > 0) {
            simulator_fail(client->run, "a twin of world %u differs: %s", world->id, twin.text);
        }
    }
}

static void hear_rest_hash(struct client *client, const struct asked *asked, const struct hash_at *hash)
{
    struct known_world *world = &client->server->worlds[asked->world];
    if (world->rest.text[0] == '\0') {
        world->rest = *hash;
    } else if (strcmp(world->rest.text, hash->text) != 0 || world->rest.tick != hash->tick) {
        simulator_fail(client->run,
                       "world %u rests with the hash %s at tick %llu, and client %u is told %s at tick %llu",
                       world->id, world->rest.text, (ull)world->rest.tick, client->index, hash->text,
                       (ull)hash->tick);
    }
}

static void hear_records(struct client *client, const struct asked *asked, const msgpack_object *result)
{
    struct known_world *world = &client->server->worlds[asked->world];
    const msgpack_object *records = object_at(result, "records");
    char hash[17] = "", text[512] = "";
    if (records == NULL || records->type != MSGPACK_OBJECT_ARRAY || world->rest.text[0] == '\0' ||
        records->via.array.size != object_number(result, "sequence")) {
        return;
    }
    run_counts.replays++;
    world->replayed = true;
    if (!replay_world(world, records, world->rest.tick, hash, text, sizeof text)) {
        simulator_fail(client->run, "world %u cannot be replayed: %s", world->id, text);
    } else if (strcmp(hash, world->rest.text) != 0) {
        simulator_fail(client->run, "world %u comes to the hash %s from its records, and has %s at tick %llu",
                       world->id, hash, world->rest.text, (ull)world->rest.tick);
    }
}

// Whether there is a hash in the answer, in *hash.
static bool hear_hash(struct client *client, const struct asked *asked, const msgpack_object *result,
                      struct hash_at *hash)
{
    struct known_world *world = &client->server->worlds[asked->world];
    const bool past = asked->what == ASKED_SEEK;
    run_counts.seeks += past;
    if (past && asked->other > 0 && object_true(result, "exact") &&
        object_number(result, "tick") != asked->other - 1) {
        simulator_fail(client->run, "client %u looks at tick %u of the past, and is shown tick %llu",
                       client->index, asked->other - 1, (ull)object_number(result, "tick"));
    }
    if (!hash_in(result, hash)) {
        return false;
    }
    if (asked->what == ASKED_REST_HASH) {
        hear_rest_hash(client, asked, hash);
    } else if (!past || object_true(result, "exact")) {
        server_hash(client->server, world, hash, past);
    }
    return true;
}

// Takes answers to calls that do not concern one world, or concern more than the server.
static void hear_of_others(struct client *client, const struct asked *asked, const msgpack_object *result,
                           uint64_t sent_ns)
{
    struct simulated_server *server = client->server;
    switch (asked->what) {
    case ASKED_HELLO:
        hear_hello(client, result, sent_ns);
        break;
    case ASKED_LIST:
        hear_list(client, result, sent_ns);
        break;
    case ASKED_SUBSCRIBE:
        hear_subscribed(client, asked, result);
        break;
    case ASKED_UNSUBSCRIBE:
        hear_unsubscribed(client, asked->number);
        break;
    case ASKED_REVOKE:
        hear_revoked(client, asked, sent_ns);
        break;
    case ASKED_INVITE:
        object_text(result, "invite", server->secrets[server->secret_next % SECRETS],
                    sizeof server->secrets[0]);
        server->secret_world[server->secret_next % SECRETS] = asked->world;
        server->secret_role[server->secret_next++ % SECRETS] = asked->other;
        break;
    default:
        break;
    }
}

static void hear_result(struct client *client, const struct asked *asked, const msgpack_object *result,
                        uint64_t sent_ns)
{
    struct hash_at hash;
    bool hashed = false;
    switch (asked->what) {
    case ASKED_HASH:
    case ASKED_REST_HASH:
    case ASKED_SEEK:
        hashed = hear_hash(client, asked, result, &hash);
        break;
    case ASKED_CREATE:
    case ASKED_OPEN:
        hear_made(client, asked, result);
        break;
    case ASKED_JOIN:
        hear_join(client, asked, result);
        break;
    case ASKED_LEAVE:
        if (!client->joined[asked->world].rejoin || asked->order > client->resumed_order) {
            client->joined[asked->world] = (struct joined){0};
        }
        break;
    case ASKED_DELETE:
        hear_deleted(client, asked);
        break;
    case ASKED_RESTORE:
        run_counts.restored++;
        hear_made(client, asked, result);
        break;
    case ASKED_BRANCH:
        hear_made(client, asked, result);
        look_at_branch(client, asked, result);
        break;
    case ASKED_BRANCHED:
        hear_branched(client, asked, result);
        break;
    case ASKED_BRANCH_HASH:
        if (hash_in(result, &hash)) {
            hear_branch_hash(client, asked, &hash);
        }
        break;
    case ASKED_REST_CONTROL:
        rights_rest(client, asked, result);
        break;
    case ASKED_SAVE:
        hear_saved(client, asked, result);
        break;
    case ASKED_GRAB:
        hear_grab(client, asked, result);
        break;
    case ASKED_BODY:
    case ASKED_BACK:
        client->server->worlds[asked->world].bodies++;
        if (asked->what == ASKED_BACK) {
            bracket_take_back(client, asked->world, (uint32_t)object_number(result, "body"),
                              object_number(result, "revision"));
        }
        break;
    case ASKED_REST:
        hear_rest(client, asked, result);
        break;
    case ASKED_RECORDS:
        hear_records(client, asked, result);
        break;
    default:
        hear_of_others(client, asked, result, sent_ns);
    }
    if (asked->part != NOT_BRACKETED) {
        bracket_hear(client, asked, result, hashed ? &hash : NULL);
    }
}

static void hear_refusal(struct client *client, const struct asked *asked, const struct answer *answer)
{
    const char *code = answer->code;
    // The server's own fault, or no code at all.
    if (code[0] == '\0' || strcmp(code, "INTERNAL") == 0 || strcmp(code, "MEMORY") == 0) {
        simulator_fail(client->run, "client %u: %s is refused with %s: %s", client->index,
                       protocol_methods[asked->method].name, code, answer->text);
    }
    if (asked->part != NOT_BRACKETED) {
        bracket_hear(client, asked, NULL, NULL);
    }
    if (asked->what == ASKED_RESTORE) {
        hear_not_restored(client, asked, answer);
    }
    if (asked->what != ASKED_HELLO || client->link == NULL) {
        return;
    }
    if (client->doubled && strcmp(code, "INVALID") == 0) { // said again as it should be
        run_counts.doubled++;
        client->doubled = false;
        client_say_hello(client);
    } else { // it goes, and comes as somebody new
        client->key[0] = '\0';
        link_cut(client->link, true, true);
    }
}

static void answer_read(const msgpack_object *parts, struct answer *answer)
{
    const bool good = parts[2].type == MSGPACK_OBJECT_NIL;
    *answer = (struct answer){.result = good ? &parts[3] : NULL};
    if (good) {
        return;
    }
    if (parts[2].type == MSGPACK_OBJECT_ARRAY && parts[2].via.array.size == 2) { // until a hello chose maps
        const msgpack_object_str *text = &parts[2].via.array.ptr[1].via.str;
        const char *colon = memchr(text->ptr, ':', text->size);
        const int size = colon != NULL ? (int)(colon - text->ptr) : 0;
        snprintf(answer->code, sizeof answer->code, "%.*s", size, text->ptr);
        snprintf(answer->text, sizeof answer->text, "%.*s", (int)text->size, text->ptr);
        return;
    }
    object_text(&parts[2], "code", answer->code, sizeof answer->code);
    if (!object_text(&parts[2], "text", answer->text, sizeof answer->text)) {
        answer->text[0] = '\0';
    }
}

// Whoever joined was told before that control went to somebody. That it went to nobody is told a little later.
static void hear_holder(struct client *client, const struct asked *asked, uint32_t holder)
{
    struct joined *joined = &client->joined[asked->world];
    if (asked->order > client->resumed_order && holder != 0 && joined->control_known) {
        run_counts.notices++;
        if (joined->control != holder) {
            simulator_fail(
                client->run,
                "session %u holds control of world %u, and client %u was told last that session %u "
                "does",
                holder, client->server->worlds[asked->world].id, client->index, joined->control);
        }
    }
    joined->control_known = true;
    joined->control = holder;
}

// Takes from an answer all that it says of its world.
static void hear_of_world(struct client *client, const struct asked *asked, const struct answer *answer)
{
    if (asked->world == NO_WORLD) {
        return;
    }
    struct known_world *world = &client->server->worlds[asked->world];
    struct joined *joined = &client->joined[asked->world];
    rights_answered(client, asked, answer);
    if (answer->result == NULL) {
        return;
    }
    known_answered(client, asked, answer->result);
    if (protocol_methods[asked->method].class_ != PROTOCOL_CLASS_SERVER &&
        object_at(answer->result, "tick") != NULL) {
        world->tick = object_number(answer->result, "tick");
    }
    if (asked->method == PROTOCOL_METHOD_WORLD_CONTROL && joined->in && asked->order > joined->order) {
        hear_holder(client, asked, (uint32_t)object_number(answer->result, "session"));
    }
}

void client_hear_answer(struct client *client, const msgpack_object *message, uint64_t sent_ns)
{
    const msgpack_object *parts = message->via.array.ptr;
    const uint32_t msgid = (uint32_t)parts[1].via.u64;
    uint32_t at = 0;
    while (at < client->asked_count && client->asked[at].msgid != msgid) {
        at++;
    }
    if (at == client->asked_count) {
        simulator_fail(client->run,
                       "client %u is answered request %u, which it did not ask or which was answered before",
                       client->index, msgid);
        return;
    }
    // A copy, because what is heard may ask for more.
    struct asked asked = client->asked[at];
    client->asked[at].bytes = NULL;
    client_asked_remove(client, &client->asked[at]);
    const bool good = parts[2].type == MSGPACK_OBJECT_NIL;
    if (simulator_logs(client->run)) {
        simulator_say_object(client->run, good ? "    is told" : "    is refused",
                             good ? &parts[3] : &parts[2]);
    }
    if (good && asked.ordered) {
        if (asked.order < client->answered_order[asked.world]) {
            simulator_fail(client->run,
                           "client %u: %s (request %u) is answered after what was asked behind it",
                           client->index, protocol_methods[asked.method].name, msgid);
        }
        client->answered_order[asked.world] = asked.order;
    }
    struct answer answer;
    answer_read(parts, &answer);
    if (asked.what != ASKED_REST_CONTROL) {
        hear_of_world(client, &asked, &answer);
    }
    if (good) {
        run_counts.answered[asked.method]++;
        hear_result(client, &asked, &parts[3], sent_ns);
    } else {
        run_counts.refused[asked.method]++;
        hear_refusal(client, &asked, &answer);
    }
    free(asked.bytes);
}
