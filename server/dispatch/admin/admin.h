// The room for the server itself. Most of it is methods of class server (call.h); other files of dispatch call only these functions.
// Loop thread only.
#ifndef WEFT_DISPATCH_ADMIN_ADMIN_H
#define WEFT_DISPATCH_ADMIN_ADMIN_H

struct base_buffer;
struct dispatch_limits;
struct dispatch_server;
struct host_sessions;

// Returns the text of /metrics, in Prometheus' text format 0.0.4. One reference; NULL if memory runs out.
struct base_buffer *dispatch_admin_metrics(const struct dispatch_server *server,
                                           const struct host_sessions *sessions);
// Packs the limits of api.json, with the values that options set, for server.info. One reference; NULL if memory runs out.
struct base_buffer *dispatch_admin_limits(const struct dispatch_limits *limits);

#endif
