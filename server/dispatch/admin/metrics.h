// What /metrics and /healthz say.
#ifndef WEFT_DISPATCH_ADMIN_METRICS_H
#define WEFT_DISPATCH_ADMIN_METRICS_H

struct base_buffer;
struct dispatch_server;
struct host_sessions;

// Prometheus' text format, version 0.0.4. One reference; NULL without memory. Loop thread.
struct base_buffer *dispatch_metrics_text(const struct dispatch_server *server,
                                          const struct host_sessions *sessions);

#endif
