// Reads and writes keys and messages, which are JSON. Somebody who may write to the brokers may do much, but a text is taken only if
// it fits here, and nothing else of it is.
#include "cluster/cluster_internal.h"

#include <jansson.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool take_text(const json_t *object, const char *name, char *out, size_t room)
{
    const char *text = json_string_value(json_object_get(object, name));
    if (!text || strlen(text) >= room) {
        return false;
    }
    for (const char *at = text; *at; at++) {
        if ((unsigned char)*at < 0x20 || *at == 0x7f) {
            return false;
        }
    }
    (void)snprintf(out, room, "%s", text);
    return true;
}

static uint64_t take_count(const json_t *object, const char *name)
{
    const json_int_t value = json_integer_value(json_object_get(object, name));
    return value > 0 ? (uint64_t)value : 0;
}

static uint32_t take_u32(const json_t *object, const char *name)
{
    const uint64_t value = take_count(object, name);
    return value < UINT32_MAX ? (uint32_t)value : UINT32_MAX;
}

static char *dump(json_t *object)
{
    char *text = object ? json_dumps(object, JSON_COMPACT) : NULL;
    json_decref(object);
    return text;
}

// Servers of the first version do not say theirs.
static struct cluster_version take_version(const json_t *object)
{
    const uint32_t solver = take_u32(object, "solver");
    return (struct cluster_version){.solver = solver > 0 ? solver : CLUSTER_NATS_SOLVER_UNSAID,
                                    .api = take_u32(object, "api")};
}

bool cluster_nats_run_fits(const char *run, size_t size)
{
    return size == CLUSTER_RUN_SIZE - 1 && strspn(run, "0123456789abcdef") >= size;
}

char *cluster_nats_beat_write(const struct cluster_nats_beat *beat)
{
    const struct cluster_server *told = &beat->told;
    return dump(json_pack("{sI ss ss ss ss sb sf sI sI sb sb sI sI}", "beat", (json_int_t)beat->beat, "name",
                          told->name, "folder", beat->folder, "tcp", told->tcp, "web", told->web, "tls",
                          (int)told->tls, "ms", told->load.ms, "worlds", (json_int_t)told->load.worlds,
                          "sessions", (json_int_t)told->load.sessions, "draining", (int)told->draining,
                          "over", (int)beat->over, "solver", (json_int_t)told->version.solver, "api",
                          (json_int_t)told->version.api));
}

bool cluster_nats_beat_read(const char *bytes, size_t size, struct cluster_nats_beat *out)
{
    json_t *object = json_loadb(bytes, size, 0, NULL);
    struct cluster_server *told = &out->told;
    *out = (struct cluster_nats_beat){.beat = take_count(object, "beat"),
                                      .over = json_is_true(json_object_get(object, "over"))};
    const double ms = json_number_value(json_object_get(object, "ms"));
    told->load.ms = isfinite(ms) && ms > 0 ? ms : 0;
    told->load.worlds = take_u32(object, "worlds");
    told->load.sessions = take_u32(object, "sessions");
    told->draining = json_is_true(json_object_get(object, "draining"));
    told->tls = json_is_true(json_object_get(object, "tls"));
    told->version = take_version(object);
    const bool fits = out->beat > 0 && take_text(object, "name", told->name, sizeof told->name) &&
                      take_text(object, "folder", out->folder, sizeof out->folder) &&
                      take_text(object, "tcp", told->tcp, sizeof told->tcp) &&
                      take_text(object, "web", told->web, sizeof told->web);
    json_decref(object);
    return fits;
}

// Leaves out what is no UTF-8.
static json_t *text_of(const char *text)
{
    json_t *string = json_string(text);
    return string ? string : json_string("");
}

// One line, also where it was cut within a character.
static json_t *line_of(const char *text)
{
    char line[CLUSTER_TEXT_SIZE];
    (void)snprintf(line, sizeof line, "%s", text);
    json_t *string = json_string(line);
    for (char *at = line; *at; at++) {
        const unsigned char byte = (unsigned char)*at;
        if (byte < 0x20 || byte == 0x7f || (byte >= 0x80 && !string)) {
            *at = byte < 0x20 ? ' ' : '?';
        }
    }
    json_decref(string);
    return json_string(line);
}

char *cluster_nats_world_write(const struct cluster_nats_key *key)
{
    const struct cluster_nats_trouble *trouble = &key->trouble;
    json_t *object = json_pack("{ss so sI sI}", "server", key->run, "label", text_of(key->label), "solver",
                               (json_int_t)key->version.solver, "api", (json_int_t)key->version.api);
    json_t *tried = object && trouble->count > 0 ? json_array() : NULL;
    for (uint32_t i = 0; tried && i < trouble->count; i++) {
        (void)json_array_append_new(tried, json_string(trouble->tried[i]));
    }
    if (tried) {
        (void)json_object_set_new(object, "tried", tried);
        (void)json_object_set_new(object, "lasting", json_boolean(trouble->lasting));
        (void)json_object_set_new(object, "why", line_of(trouble->why));
    }
    return dump(object);
}

static void take_tried(const json_t *object, struct cluster_nats_trouble *out)
{
    const json_t *tried = json_object_get(object, "tried");
    for (size_t i = 0; i < json_array_size(tried) && out->count < CLUSTER_TRIES; i++) {
        const char *run = json_string_value(json_array_get(tried, i));
        if (run && cluster_nats_run_fits(run, strlen(run))) {
            (void)snprintf(out->tried[out->count++], CLUSTER_RUN_SIZE, "%s", run);
        }
    }
}

bool cluster_nats_world_text_read(const char *bytes, size_t size, struct cluster_nats_key *out)
{
    json_t *object = json_loadb(bytes, size, 0, NULL);
    *out = (struct cluster_nats_key){0};
    take_tried(object, &out->trouble);
    out->trouble.lasting = json_is_true(json_object_get(object, "lasting"));
    const bool fits =
        take_text(object, "server", out->run, sizeof out->run) &&
        (cluster_nats_run_fits(out->run, strlen(out->run)) || (!out->run[0] && out->trouble.count > 0));
    (void)take_text(object, "label", out->label, sizeof out->label);
    out->version = take_version(object);
    (void)take_text(object, "why", out->trouble.why, sizeof out->trouble.why);
    json_decref(object);
    if (!fits) {
        *out = (struct cluster_nats_key){0};
    }
    return fits;
}

char *cluster_nats_holder_write(uint32_t world, const char *run)
{
    return dump(json_pack("{sI ss}", "world", (json_int_t)world, "server", run));
}

bool cluster_nats_holder_read(const char *bytes, size_t size, struct cluster_nats_holder *out)
{
    json_t *object = json_loadb(bytes, size, 0, NULL);
    const uint64_t world = take_count(object, "world");
    const bool fits = world > 0 && world <= UINT32_MAX &&
                      take_text(object, "server", out->run, sizeof out->run) &&
                      cluster_nats_run_fits(out->run, strlen(out->run));
    out->world = fits ? (uint32_t)world : 0;
    json_decref(object);
    return fits;
}

void cluster_nats_label_key(const char *label, char out[2 * CLUSTER_NAME_SIZE])
{
    static const char digits[] = "0123456789abcdef";
    size_t at = 0;
    for (; label[at] && at < CLUSTER_NAME_SIZE - 1; at++) {
        out[2 * at] = digits[(unsigned char)label[at] >> 4];
        out[2 * at + 1] = digits[(unsigned char)label[at] & 15];
    }
    out[2 * at] = 0;
}

bool cluster_nats_world_key_read(const char *key, uint32_t *world)
{
    char *end = NULL;
    const unsigned long long id = strtoull(key, &end, 10);
    *world = id <= UINT32_MAX ? (uint32_t)id : 0;
    return *key >= '1' && *key <= '9' && *end == 0 && *world > 0;
}

char *cluster_nats_answer_write(bool done, const char *text)
{
    json_t *told = json_string(text);
    return dump(json_pack("{sb so}", "done", (int)done, "text", told ? told : json_string("")));
}

bool cluster_nats_answer_read(const char *bytes, size_t size, char text[CLUSTER_TEXT_SIZE])
{
    json_t *object = json_loadb(bytes, size, 0, NULL);
    const bool done = json_is_true(json_object_get(object, "done"));
    if (!take_text(object, "text", text, CLUSTER_TEXT_SIZE)) {
        (void)snprintf(text, CLUSTER_TEXT_SIZE, "an answer of another kind");
    }
    json_decref(object);
    return done;
}
