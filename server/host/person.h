// Describes a person. Unless a token vouches for it, this is what the client says of itself, and each visit
// is a person of its own.
#ifndef WEFT_HOST_PERSON_H
#define WEFT_HOST_PERSON_H

#include <stdint.h>

struct protocol_string;

enum { HOST_PERSON_NAME_SIZE = 65 };

struct host_person {
    uint32_t id; // id of the session with which it came
    char name[HOST_PERSON_NAME_SIZE];
    char program[HOST_PERSON_NAME_SIZE];
};

void host_person_init(struct host_person *person, uint32_t id); // the name is "session-ID"
// Sets name and program. An empty name becomes "session-ID" again. A text that is too long is cut off.
void host_person_introduce(struct host_person *person, const struct protocol_string *name,
                           const struct protocol_string *program);

#endif
