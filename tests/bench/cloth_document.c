#include "cloth_document.h"

#include "protocol/params.h"
#include "scene.h"

#include <stdio.h>
#include <string.h>

struct document *bench_cloth_document(const struct bench_cloth *cloth)
{
    struct bench_mesh mesh;
    struct protocol_document given;
    struct protocol_document_body body;
    struct protocol_error error;
    msgpack_zone zone;
    struct document *document = NULL;
    if (!bench_mesh_init(&mesh, cloth->bends ? BENCH_QUADRATIC : BENCH_EDGES, cloth->width)) {
        return NULL;
    }
    if (msgpack_zone_init(&zone, 8192)) {
        protocol_defaults(&protocol_document_type, &given);
        protocol_defaults(&protocol_world_settings_type, &given.settings);
        protocol_defaults(&protocol_document_body_type, &body);
        body.kind = PROTOCOL_DOCUMENT_BODY_KIND_CLOTH;
        body.positions = (struct protocol_array){PROTOCOL_ARRAY_F64, 3 * mesh.particle_count, mesh.positions};
        body.triangles =
            (struct protocol_array){PROTOCOL_ARRAY_U32, mesh.corners * mesh.element_count, mesh.elements};
        body.pins = (struct protocol_array){PROTOCOL_ARRAY_U32, 4, mesh.pins};
        body.bend.model = PROTOCOL_BEND_MATERIAL_MODEL_QUADRATIC;
        body.thickness = cloth->thickness;
        body.self_contact = cloth->thickness > 0;
        body.has |= PROTOCOL_HAS_DOCUMENT_BODY_TRIANGLES | PROTOCOL_HAS_DOCUMENT_BODY_PINS |
                    PROTOCOL_HAS_DOCUMENT_BODY_SELF_CONTACT;
        body.has |= cloth->bends ? PROTOCOL_HAS_DOCUMENT_BODY_BEND : 0;
        if (cloth->rests) {
            memset(given.settings.gravity, 0, sizeof given.settings.gravity);
        }
        given.settings.has = PROTOCOL_HAS_ALL & ~PROTOCOL_HAS_WORLD_SETTINGS_WIND;
        given.bodies = (struct protocol_list){.items = &body, .count = 1};
        document = document_make(&given, "", &zone, &error);
        if (!document) {
            fprintf(stderr, "a cloth: %s\n", error.text);
        }
        msgpack_zone_destroy(&zone);
    }
    bench_mesh_deinit(&mesh);
    return document;
}
