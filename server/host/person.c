#include "host/person.h"

#include "protocol/types.h"

#include <inttypes.h>
#include <stdio.h>

void host_person_init(struct host_person *person, uint32_t id)
{
    *person = (struct host_person){.id = id};
    snprintf(person->name, sizeof person->name, "session-%" PRIu32, id);
}

static void copy_name(char out[HOST_PERSON_NAME_SIZE], const struct protocol_string *name)
{
    snprintf(out, HOST_PERSON_NAME_SIZE, "%.*s", (int)name->size, name->size == 0 ? "" : name->data);
}

void host_person_introduce(struct host_person *person, const struct protocol_string *name,
                           const struct protocol_string *program)
{
    host_person_init(person, person->id);
    copy_name(person->program, program);
    if (name->size > 0) {
        copy_name(person->name, name);
    }
}
