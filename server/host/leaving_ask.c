// Handles the sessions of a world that is leaving. The lists themselves know no session (leaving.c).
#include "host/leaving.h"
#include "host/session_internal.h"
#include "protocol/error.h"

#include <stdlib.h>
#include <string.h>

bool host_leaving_asked(struct host_leaving *leaving, struct host_session *session, const uint8_t *bytes,
                        size_t size)
{
    struct protocol_error error;
    uint8_t *copy = host_session_has_room(session, size, &error) ? malloc(size) : NULL;
    if (copy) {
        memcpy(copy, bytes, size);
    }
    const bool kept = host_leaving_keep(leaving, session->id, copy, size);
    if (kept) {
        host_session_request_begin(session, size);
    }
    return kept;
}

static void ask(struct host_left *left, struct host_sessions *sessions)
{
    struct host_session *session = host_session_find(sessions, left->session);
    if (session) {
        host_session_request_end(session, left->charged);
    }
    session = host_session_find(sessions, left->session); // the session may have ended when its request did
    if (session) {
        sessions->options.on_again(sessions->options.message_context, session, left->bytes, left->size);
    } else {
        free(left->bytes);
    }
    free(left);
}

void host_leaving_ask(struct host_leaving *leaving, struct host_sessions *sessions)
{
    if (leaving->first) {
        leaving->first_last->next = leaving->then;
    }
    struct host_left *left = leaving->first ? leaving->first : leaving->then;
    *leaving = (struct host_leaving){0};
    while (left) {
        struct host_left *next = left->next;
        ask(left, sessions);
        left = next;
    }
}
