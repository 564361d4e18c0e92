// Writes what sessions do into the audit log, if there is one.
#include "host/badge.h"

#include "host/session_internal.h"
#include "protocol/error.h"

bool host_audited(const struct host_session *session, enum protocol_method method)
{
    return session->sessions->options.audit && protocol_methods[method].role >= PROTOCOL_ROLE_EDITOR &&
           method != PROTOCOL_METHOD_GRAB_MOVE;
}

void host_audit(const struct host_session *session, const char *what, const struct host_deed *deed)
{
    char address[80];
    const struct host_sessions_options *options = &session->sessions->options;
    const bool known = !options->access || session->badge.person.token != 0;
    if (!options->audit) {
        return;
    }
    host_session_peer(session, address, sizeof address);
    access_audit(options->audit, &(struct access_event){
                                     .what = what,
                                     .outcome = deed->outcome,
                                     .method = deed->method,
                                     .detail = deed->detail,
                                     .world = deed->world,
                                     .user = known ? session->person.name : NULL,
                                     .token = session->badge.person.token,
                                     .session = session->id,
                                     .address = address,
                                 });
}

void host_audit_call(const struct host_session *session, enum protocol_method method, uint32_t world,
                     const struct protocol_error *error)
{
    const bool refused = error && error->code != PROTOCOL_CODE_OK;
    const bool told = refused && (error->code == PROTOCOL_CODE_DENIED || error->code == PROTOCOL_CODE_LIMIT);
    if (!told && !host_audited(session, method)) {
        return;
    }
    host_audit(session, refused ? "refused" : "call",
               &(struct host_deed){
                   .method = protocol_methods[method].name,
                   .outcome = refused ? protocol_codes[error->code].name : "ok",
                   .world = world,
               });
}
