// The credentials of a session: the person that its token proves (server/access), and what rights, limits and audit lines
// follow from that. Loop thread only.
#ifndef WEFT_HOST_BADGE_H
#define WEFT_HOST_BADGE_H

#include "access/access.h"
#include "protocol/generated/api.h"

#include <stdbool.h>
#include <stdint.h>

struct host_session;
struct host_sessions;
struct protocol_error;

struct host_badge {
    struct access_person person; // person.token is 0 if no token was shown
    struct access_usage *usage;  // a reference; NULL if no token was shown
};

bool host_sessions_ask(const struct host_sessions *sessions); // whether tokens are asked for
// Whether the session may do things: it has shown a token, or none is asked for.
bool host_session_known(const struct host_session *session);
// Returns the person of the session's token. NULL: no token was shown.
const struct access_person *host_session_person(const struct host_session *session);
// Returns the session's role in the server; ADMIN if no tokens are asked for.
enum protocol_role host_session_role(const struct host_session *session);
// Returns the key of the session's person. It is the same for all sessions of one person, if tokens say who
// that is. Otherwise it is the name that the session goes by, which proves nothing. Empty: the session has
// shown no token yet.
const char *host_person_key(const struct host_session *session);
struct access_usage *host_session_usage(const struct host_session *session); // NULL: no token was shown
// Gives the session the person of a token that was shown. False if memory runs out.
bool host_session_vouch(struct host_session *session, const struct access_person *person);
uint64_t host_session_origin(const struct host_session *session); // returns the same as net_conn_origin

// The person or address that is charged for a session's share of something that all sessions have together:
// the person, or the address if no tokens are asked for. Loopback is not bounded by address, unless the
// options say so, because a proxy may use it for many clients.
struct host_sharer {
    bool is_bounded;
    uint64_t origin;
    char name[ACCESS_NAME_SIZE];
};
// Returns the sharer that is charged for a session.
struct host_sharer host_session_sharer(const struct host_session *session);
bool host_sharer_same(const struct host_sharer *a, const struct host_sharer *b);

// Whether the session visits this world, or a view of it.
bool host_session_visits(const struct host_session *session, uint32_t world);
// Ends the session, because its token was revoked or its role taken away. Its last message says so.
void host_session_expel(struct host_session *session, const char *text);
// Ends the session when what is queued has been sent.
void host_session_dismiss(struct host_session *session, const char *reason);
// Calls `visit` for each session. The callback may end the session.
void host_sessions_each(struct host_sessions *sessions,
                        void (*visit)(void *context, struct host_session *session), void *context);

// An entry of the audit log.
struct host_deed {
    const char *method, *outcome, *detail; // NULL: none
    uint32_t world;
};
// Writes an entry of this session into the audit log.
void host_audit(const struct host_session *session, const char *what, const struct host_deed *deed);
// Writes the outcome of a call into the audit log, if it changes something, was denied or met a limit. A NULL error, or
// one with the code OK, means success.
void host_audit_call(const struct host_session *session, enum protocol_method method, uint32_t world,
                     const struct protocol_error *error);
// Whether successful calls of this method go into the audit log.
bool host_audited(const struct host_session *session, enum protocol_method method);

#endif
