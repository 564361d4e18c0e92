// Who a session is, as far as something vouches for it (server/access). Loop thread only.
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
    struct access_person person; // token 0: none was shown
    struct access_usage *usage;  // with a token
};

bool host_sessions_ask(const struct host_sessions *sessions); // for tokens
// It may do things: it has shown a token, or none is asked for.
bool host_session_known(const struct host_session *session);
const struct access_person *
host_session_person(const struct host_session *session); // NULL: no token was shown
// In the server; ADMIN where no tokens are asked for.
enum protocol_role host_session_role(const struct host_session *session);
// Who this is: the same for all sessions of one person, where tokens say who that is; else the name that the session goes
// by, which proves nothing. Empty: it has shown no token yet.
const char *host_person_key(const struct host_session *session);
struct access_usage *host_session_usage(const struct host_session *session); // NULL: no token was shown
// A token was shown: its person is the session's from now on. False without memory.
bool host_session_vouch(struct host_session *session, const struct access_person *person);
uint64_t host_session_origin(const struct host_session *session); // as net_conn_origin

// Whose share a session takes of something that all have together: its person's or, where no tokens are asked for, its address's.
// Loopback is not bounded by address, unless the options say so, since a proxy may stand for many there.
struct host_sharer {
    bool is_bounded;
    uint64_t origin;
    char name[ACCESS_NAME_SIZE];
};
struct host_sharer host_session_sharer(const struct host_session *session);
bool host_sharer_same(const struct host_sharer *a, const struct host_sharer *b);

// It has to do with this world, or with a view of it.
bool host_session_visits(const struct host_session *session, uint32_t world);
// Ends it: what it may do has been taken from it. Its last message says so.
void host_session_expel(struct host_session *session, const char *text);
// Ends it when what is queued has been sent.
void host_session_dismiss(struct host_session *session, const char *reason);
// Each session, which may be ended by it.
void host_sessions_each(struct host_sessions *sessions,
                        void (*visit)(void *context, struct host_session *session), void *context);

// The audit log, if there is one.
struct host_deed {
    const char *method, *outcome, *detail; // NULL: none
    uint32_t world;
};
void host_audit(const struct host_session *session, const char *what, const struct host_deed *deed);
// A call came to its end: those that change something are written down, and all that were denied or met a limit.
void host_audit_call(const struct host_session *session, enum protocol_method method, uint32_t world,
                     const struct protocol_error *error); // NULL, or OK: it was done
bool host_audited(const struct host_session *session, enum protocol_method method);

#endif
