// Declarations that the files of `weft-bench stream` share: a server of its own, the processes beside it, and the
// readers.
//
//     weftd          a process on a free port of loopback; worlds are made through libweft
//     bare           a process with libuv alone, which writes one shared buffer to whoever connects, again and again
//     readers        a process with as many sockets as there are subscribers, the same for both
#ifndef WEFT_BENCH_STREAM_H
#define WEFT_BENCH_STREAM_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct weft_client;

// ---------------------------------------------------------------------------------------------------------
// Servers

struct bench_served {
    pid_t pid;
    uint16_t port;
    struct weft_client *client; // NULL: bare
    uint32_t *worlds;
    uint32_t world_count;
};

// Both: false with a line on stderr. program NULL: the weftd beside this program.
bool bench_served_start(struct bench_served *served, const char *program, uint32_t connections);
bool bench_served_bare(struct bench_served *served, const uint8_t *bytes, size_t size);
void bench_served_stop(struct bench_served *served);

// As many worlds alike, whose frames have about so many bytes, at rest. Cloths that hang, or points that fall slowly, which
// cost next to nothing.
bool bench_served_worlds(struct bench_served *served, uint32_t count, uint32_t frame_bytes,
                         uint32_t tick_rate, bool cloth);
bool bench_served_play(struct bench_served *served, double rate);
void bench_served_forget(struct bench_served *served);    // deletes its worlds
double bench_served_lost_ms(struct bench_served *served); // time that its first worlds gave up, together

double bench_served_loop_s(const struct bench_served *served);  // processor time of the thread that writes
double bench_served_all_s(const struct bench_served *served);   // of the whole process
uint64_t bench_served_bytes(const struct bench_served *served); // resident
// Bytes that the kernel holds to be sent, of all connections; *most of one.
uint64_t bench_served_queued(const struct bench_served *served, uint64_t *most);

// ---------------------------------------------------------------------------------------------------------
// Readers

struct bench_reading {
    uint16_t port;
    uint32_t count;
    const uint32_t *worlds; // taken in turns; NULL: nothing is asked for
    uint32_t world_count, every;
    bool ages;    // notes when which frame came
    bool stalled; // subscribes, and never reads
};

struct bench_sample {
    uint32_t world; // which of them
    uint64_t tick, at_ns;
};

struct bench_readers_shared {
    atomic_uint ready; // got something; stalled ones: have asked
    atomic_bool failed, measuring;
    atomic_ullong bytes; // read
    atomic_uint sample_count;
    struct bench_sample samples[];
};

struct bench_readers {
    pid_t pid;
    uint32_t count;
    size_t size; // of shared
    struct bench_readers_shared *shared;
};

bool bench_readers_start(struct bench_readers *readers, const struct bench_reading *reading);
bool bench_readers_wait(const struct bench_readers *readers); // until all are ready
void bench_readers_stop(struct bench_readers *readers);

// A whole frame of a world as it comes, in all its parts; NULL with a line on stderr.
uint8_t *bench_frame_of(uint16_t port, uint32_t world, size_t *size);

struct bench_ages {
    uint32_t count;
    double loop_ms, all_ms; // processor time of the server for a tick, meanwhile
    double p50_ms, p99_ms, p999_ms, most_ms;
};
// Sorts the samples. Of each world the frame that came soonest after its tick was due has age 0.
void bench_ages_of(const struct bench_readers *readers, uint32_t world_count, uint32_t tick_rate,
                   struct bench_ages *ages);

uint64_t bench_now_ns(void);
void bench_sleep_s(double seconds);

#endif
