// Reference for a module of WebAssembly: pasts of worlds with the hash at each tick, as native code computes them.
//
//     machine_pasts programs FIRST COUNT      random programs (helper_program.h), live with several sessions, as records
//     machine_pasts scene TICKS FILE...       scenes, stepped
//     machine_pasts time TICKS FILE           a scene, timed: milliseconds a tick with each instruction set, on standard error
//
// To standard output, each as a letter, the size of what follows (u32, little-endian) and that:
//
//     n  a name                    i  an image, d  a document: a machine begins     r  a record     s  one tick
//     f  one tick, which fails     h  tick and hash (u64 each)                      p  body (u32) and its positions (f32)
#include "base/clock.h"
#include "helper_program.h"
#include "helper_world.h"
#include "protocol/scene/scene.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void die(const char *what)
{
    fprintf(stderr, "machine_pasts: %s\n", what);
    exit(1);
}

static void put(char kind, const void *data, size_t size)
{
    const uint32_t length = (uint32_t)size;
    const uint8_t head[5] = {(uint8_t)kind, (uint8_t)length, (uint8_t)(length >> 8), (uint8_t)(length >> 16),
                             (uint8_t)(length >> 24)};
    fwrite(head, 1, sizeof head, stdout);
    fwrite(data, 1, size, stdout);
}

static void put_hash(const struct document *document)
{
    const uint64_t told[2] = {document->tick, document_hash(document)};
    put('h', told, sizeof told);
}

static void put_image(const struct document *document)
{
    struct protocol_bytes bytes = {0};
    if (!document_image_pack(document, &bytes)) {
        die("no image");
    }
    put('i', bytes.data, bytes.size);
    protocol_bytes_deinit(&bytes);
}

static void put_positions(const struct document *document)
{
    for (uint32_t b = 0; b < document->bodies.count; b++) {
        const struct document_thing *body = &document->bodies.items[b];
        const size_t size = sizeof body->id + 3 * sizeof(float) * body->particle_count;
        uint8_t *told = malloc(size);
        float *x = malloc(size);
        if (told == NULL || x == NULL) {
            die("no memory");
        }
        sim_body_positions(document->sim, body->id, 0, body->particle_count, x);
        memcpy(told, &body->id, sizeof body->id);
        memcpy(told + sizeof body->id, x, size - sizeof body->id);
        put('p', told, size);
        free(told);
        free(x);
    }
}

static void step(struct document *document)
{
    document_step(document, NULL, NULL);
    put(document->failed ? 'f' : 's', "", 0);
    put_hash(document);
}

// ---------------------------------------------------------------------------------------------------------
// Random programs

static void live(struct helper *helper)
{
    for (uint32_t i = 0; i < PROGRAM_EDITS; i++) {
        struct program_input input;
        program_choose(&input);
        helper_post(helper, program_below(2) ? HELPER_ANN : HELPER_BOB, input.method, input.notation);
        helper_turn(helper);
        if (program_below(16) == 0) {
            world_post_gone(helper->world, HELPER_BOB);
            helper_turn(helper);
        }
        for (uint32_t ticks = program_below(4); ticks > 0 && helper->world->time->state != WORLD_FAILED;
             ticks--) {
            helper_post(helper, HELPER_EVE, "world.step", "{'world': 1, 'ticks': 1}");
            helper_turns(helper, 2);
        }
        helper_forget(helper);
    }
}

static void again(struct document *document, const struct helper *helper)
{
    const struct world_records *records = &helper->world->keep->records;
    put_image(document);
    for (uint64_t i = records->first; i < records->next; i++) {
        const struct world_record *bytes = &records->items[i % records->capacity];
        struct document_record record;
        struct protocol_error error = {0};
        msgpack_zone zone;
        if (!msgpack_zone_init(&zone, MSGPACK_ZONE_CHUNK_SIZE) ||
            !document_record_read(bytes->bytes, bytes->size, &zone, &record, &error)) {
            die(error.text);
        }
        while (document->tick < record.tick) {
            step(document);
        }
        if (!document_replay(document, &record, &zone, &error)) {
            die(error.text);
        }
        put('r', bytes->bytes, bytes->size);
        put_hash(document);
        msgpack_zone_destroy(&zone);
    }
    while (document->tick < helper->world->document->tick) {
        step(document);
    }
    if (document_hash(document) != document_hash(helper->world->document)) {
        die("the records came to another world");
    }
}

static void programs(uint32_t first, uint32_t count)
{
    for (uint32_t program = first; program < first + count; program++) {
        char name[32];
        struct protocol_world_create_params settings;
        program_begin(program);
        struct helper *helper = helper_create(NULL);
        document_settings(helper->world->document, &settings);
        live(helper);
        struct document *document = document_create(&settings);
        if (document == NULL || helper->world->keep->records.first != 0) {
            die("no past from its beginning");
        }
        put('n', name, (size_t)snprintf(name, sizeof name, "program %" PRIu32, program));
        again(document, helper);
        document_destroy(document);
        helper_destroy(helper);
    }
}

// ---------------------------------------------------------------------------------------------------------
// Scenes

static struct document *open_scene(const char *path, bool told)
{
    struct scene scene = {0};
    struct fault fault = {0};
    struct protocol_error error = {0};
    if (!scene_read(path, &scene, &fault)) {
        die(fault.text);
    }
    struct document *document = document_from(scene.document, scene.size, &error);
    if (document == NULL) {
        die(error.text);
    }
    if (told) {
        put('n', path, strlen(path));
        put('d', scene.document, scene.size);
    }
    scene_deinit(&scene);
    return document;
}

static void scenes(uint64_t ticks, char **paths)
{
    for (; *paths != NULL; paths++) {
        struct document *document = open_scene(*paths, true);
        put_hash(document);
        for (uint64_t i = 0; i < ticks && !document->failed; i++) {
            step(document);
            if (i == ticks / 2 && !document->failed) {
                put_image(document);
            }
        }
        put_positions(document);
        document_destroy(document);
    }
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void timed(uint64_t ticks, const char *path)
{
    double *ms = calloc(ticks, sizeof *ms);
    for (int isa = 0; isa < SIM_ISA_COUNT && ms != NULL && ticks > 0; isa++) {
        if (!sim_isa_available((enum sim_isa)isa)) {
            continue;
        }
        sim_isa_choose((enum sim_isa)isa);
        struct document *document = open_scene(path, false);
        for (uint64_t i = 0; i < ticks && !document->failed; i++) {
            const uint64_t begin = base_now_ns();
            document_step(document, NULL, NULL);
            ms[i] = 1e-6 * (double)(base_now_ns() - begin);
        }
        qsort(ms, ticks, sizeof *ms, compare);
        fprintf(stderr, "%-8s median %.3f ms a tick, best %.3f; hash %016" PRIx64 "\n",
                sim_isa_name((enum sim_isa)isa), ms[ticks / 2], ms[0], document_hash(document));
        document_destroy(document);
    }
    free(ms);
}

int main(int argc, char **argv)
{
    if (argc == 4 && strcmp(argv[1], "programs") == 0) {
        programs((uint32_t)strtoul(argv[2], NULL, 10), (uint32_t)strtoul(argv[3], NULL, 10));
    } else if (argc >= 4 && strcmp(argv[1], "scene") == 0) {
        scenes(strtoull(argv[2], NULL, 10), argv + 3);
    } else if (argc == 4 && strcmp(argv[1], "time") == 0) {
        timed(strtoull(argv[2], NULL, 10), argv[3]);
    } else {
        die("say programs FIRST COUNT, scene TICKS FILE..., or time TICKS FILE");
    }
    if (fflush(stdout) != 0 || ferror(stdout)) {
        die("cannot write");
    }
    return 0;
}
