// The room of the server itself. Most of it is methods of class server (call.h); what else of it is asked for stands here. Loop thread
// only.
#ifndef WEFT_DISPATCH_ADMIN_ADMIN_H
#define WEFT_DISPATCH_ADMIN_ADMIN_H

struct base_buffer;
struct dispatch_limits;
struct dispatch_server;
struct host_sessions;

// The text of /metrics: Prometheus' text format, version 0.0.4. One reference; NULL without memory.
struct base_buffer *dispatch_admin_metrics(const struct dispatch_server *server,
                                           const struct host_sessions *sessions);
// The limits of api.json with those that the options set, as server.info has them. One reference; NULL
// without memory.
struct base_buffer *dispatch_admin_limits(const struct dispatch_limits *limits);

#endif
