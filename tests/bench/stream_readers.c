// Those who read, as one process: each socket is read when there is something, into one buffer. For ages the bytes are scanned,
// and of each frame the tick is looked for in its first bytes.
#include "protocol/scan.h"
#include "stream.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
    SAMPLES_MAX = 4 * 1000 * 1000,
    READ_BYTES = 256 * 1024,
    HEAD_BYTES = 208, // of a message, in which its tick and part stand
    STALLED_BUFFER = 4096,
    EVENTS = 256,
    WAIT_S = 60,
};

static const struct protocol_scan_limits limits = {.bytes = UINT64_C(1) << 30, .depth = 16, .nodes = 1 << 22};

struct reader {
    int fd;
    uint32_t world;
    bool ready;
    struct protocol_scan scan;
    size_t head_size;
    uint8_t head[HEAD_BYTES];
};

uint64_t bench_now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

void bench_sleep_s(double seconds)
{
    const time_t whole = (time_t)seconds;
    struct timespec left = {whole, (long)((seconds - (double)whole) * 1e9)};
    while (nanosleep(&left, &left) != 0 && errno == EINTR) {
    }
}

// ------------------------------------------------------------------------------------------------------ messages

static bool is_frame(const uint8_t *head, size_t size)
{
    static const uint8_t begin[] = "\x93\x02\xac"
                                   "stream.frame";
    return size >= sizeof begin - 1 && memcmp(head, begin, sizeof begin - 1) == 0;
}

// The unsigned number behind a key.
static uint64_t number_behind(const uint8_t *head, size_t size, const char *key)
{
    const size_t key_size = strlen(key);
    const uint8_t *at = memmem(head, size, key, key_size);
    if (at == NULL) {
        return UINT64_MAX;
    }
    at += key_size;
    size_t left = (size_t)(head + size - at);
    if (left == 0) {
        return UINT64_MAX;
    }
    if (*at < 0x80) {
        return *at;
    }
    const size_t bytes = *at >= 0xcc && *at <= 0xcf ? (size_t)1 << (*at - 0xcc) : 0;
    if (bytes == 0 || left <= bytes) {
        return UINT64_MAX;
    }
    uint64_t value = 0;
    for (size_t i = 1; i <= bytes; i++) {
        value = value << 8 | at[i];
    }
    return value;
}

// True where it is the last part of a frame.
static bool is_last_part(const uint8_t *head, size_t size)
{
    return number_behind(head, size, "\xa4part") + 1 == number_behind(head, size, "\xa5parts");
}

static void note(struct bench_readers_shared *shared, const struct reader *reader, uint64_t now_ns)
{
    if (!is_frame(reader->head, reader->head_size) || !is_last_part(reader->head, reader->head_size)) {
        return;
    }
    const unsigned count = atomic_load_explicit(&shared->sample_count, memory_order_relaxed);
    if (count == SAMPLES_MAX) {
        return;
    }
    shared->samples[count] = (struct bench_sample){
        .world = reader->world,
        .tick = number_behind(reader->head, reader->head_size, "\xa4tick"),
        .at_ns = now_ns,
    };
    atomic_store_explicit(&shared->sample_count, count + 1, memory_order_release);
}

static bool take(struct bench_readers_shared *shared, struct reader *reader, const uint8_t *bytes,
                 size_t size)
{
    const bool measuring = atomic_load_explicit(&shared->measuring, memory_order_relaxed);
    const uint64_t now_ns = bench_now_ns();
    while (size > 0) {
        size_t used;
        const enum protocol_scan_status status = protocol_scan_feed(&reader->scan, bytes, size, &used);
        const size_t room = HEAD_BYTES - reader->head_size;
        const size_t kept = used < room ? used : room;
        memcpy(reader->head + reader->head_size, bytes, kept);
        reader->head_size += kept;
        if (status > PROTOCOL_SCAN_DONE) {
            return false;
        }
        if (status == PROTOCOL_SCAN_DONE) {
            if (measuring) {
                note(shared, reader, now_ns);
            }
            protocol_scan_init(&reader->scan, &limits);
            reader->head_size = 0;
        }
        bytes += used;
        size -= used;
    }
    return true;
}

// ------------------------------------------------------------------------------------------------------- process

static int reach(uint16_t port, bool stalled)
{
    const struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const int small = STALLED_BUFFER, yes = 1;
    if (fd < 0) {
        return -1;
    }
    if (stalled) {
        setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &small, sizeof small);
    }
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    if (connect(fd, (const struct sockaddr *)&address, sizeof address) != 0) {
        close(fd);
        return -1;
    }
    return fd;
}

static uint8_t *put_u32(uint8_t *at, const char *key, uint32_t value)
{
    const size_t size = strlen(key);
    *at++ = (uint8_t)(0xa0 | size);
    memcpy(at, key, size);
    at += size;
    *at++ = 0xce;
    for (int shift = 24; shift >= 0; shift -= 8) {
        *at++ = (uint8_t)(value >> shift);
    }
    return at;
}

static bool subscribe(int fd, uint32_t world, uint32_t every)
{
    static const uint8_t begin[] = "\x94\x00\x01\xb0"
                                   "stream.subscribe"
                                   "\x91\x82";
    uint8_t request[64];
    memcpy(request, begin, sizeof begin - 1);
    uint8_t *end = put_u32(request + sizeof begin - 1, "world", world);
    end = put_u32(end, "every", every);
    return send(fd, request, (size_t)(end - request), MSG_NOSIGNAL) == end - request;
}

static bool come(struct reader *reader, const struct bench_reading *reading, uint32_t index)
{
    reader->fd = reach(reading->port, reading->stalled);
    if (reader->fd < 0) {
        return false;
    }
    protocol_scan_init(&reader->scan, &limits);
    if (reading->worlds == NULL) {
        return true;
    }
    reader->world = index % reading->world_count;
    return subscribe(reader->fd, reading->worlds[reader->world], reading->every);
}

static bool read_one(struct bench_readers_shared *shared, struct reader *reader, bool ages, uint8_t *buffer)
{
    const ssize_t got = recv(reader->fd, buffer, READ_BYTES, MSG_DONTWAIT);
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) {
        return true;
    }
    if (got <= 0) {
        return false;
    }
    if (!reader->ready) {
        reader->ready = true;
        atomic_fetch_add(&shared->ready, 1);
    }
    atomic_fetch_add_explicit(&shared->bytes, (unsigned long long)got, memory_order_relaxed);
    return !ages || take(shared, reader, buffer, (size_t)got);
}

static void read_all(struct bench_readers_shared *shared, const struct bench_reading *reading,
                     struct reader *readers)
{
    static uint8_t buffer[READ_BYTES];
    struct epoll_event events[EVENTS];
    const int poll = epoll_create1(EPOLL_CLOEXEC);
    for (uint32_t i = 0; i < reading->count; i++) {
        struct epoll_event event = {.events = EPOLLIN, .data.ptr = &readers[i]};
        if (!come(&readers[i], reading, i) || epoll_ctl(poll, EPOLL_CTL_ADD, readers[i].fd, &event) != 0) {
            return;
        }
        // Readers that are connected do not wait for others.
        const int ready = i % 16 == 15 ? epoll_wait(poll, events, EVENTS, 0) : 0;
        for (int e = 0; e < ready; e++) {
            if (!read_one(shared, events[e].data.ptr, reading->ages, buffer)) {
                return;
            }
        }
    }
    while (true) {
        const int ready = epoll_wait(poll, events, EVENTS, -1);
        if (ready < 0 && errno != EINTR) {
            return;
        }
        for (int e = 0; e < ready; e++) {
            if (!read_one(shared, events[e].data.ptr, reading->ages, buffer)) {
                return;
            }
        }
    }
}

static void stall_all(struct bench_readers_shared *shared, const struct bench_reading *reading,
                      struct reader *readers)
{
    for (uint32_t i = 0; i < reading->count; i++) {
        if (!come(&readers[i], reading, i)) {
            return;
        }
        atomic_fetch_add(&shared->ready, 1);
    }
    while (true) {
        pause();
    }
}

static void process(struct bench_readers_shared *shared, const struct bench_reading *reading)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL); // nobody else would end it
    struct rlimit files;
    if (getrlimit(RLIMIT_NOFILE, &files) == 0) {
        files.rlim_cur = files.rlim_max;
        setrlimit(RLIMIT_NOFILE, &files);
    }
    struct reader *readers = calloc(reading->count, sizeof *readers);
    if (readers != NULL && reading->stalled) {
        stall_all(shared, reading, readers);
    } else if (readers != NULL) {
        read_all(shared, reading, readers);
    }
    fprintf(stderr, "weft-bench: a reader failed: %s\n",
            errno != 0 ? strerror(errno) : "the server ended it");
    atomic_store(&shared->failed, true);
    free(readers);
}

bool bench_readers_start(struct bench_readers *readers, const struct bench_reading *reading)
{
    *readers = (struct bench_readers){.count = reading->count};
    readers->size = sizeof *readers->shared + SAMPLES_MAX * sizeof(struct bench_sample);
    readers->shared =
        mmap(NULL, readers->size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (readers->shared == MAP_FAILED) {
        perror("weft-bench: memory of readers");
        readers->shared = NULL;
        return false;
    }
    readers->pid = fork();
    if (readers->pid == 0) {
        errno = 0;
        process(readers->shared, reading);
        _exit(1);
    }
    if (readers->pid < 0) {
        perror("weft-bench: fork");
        bench_readers_stop(readers);
        return false;
    }
    return true;
}

bool bench_readers_wait(const struct bench_readers *readers)
{
    const uint64_t until_ns = bench_now_ns() + WAIT_S * UINT64_C(1000000000);
    while (atomic_load(&readers->shared->ready) < readers->count) {
        if (atomic_load(&readers->shared->failed)) {
            return false;
        }
        if (bench_now_ns() > until_ns) {
            fprintf(stderr, "weft-bench: %u of %u readers got nothing\n",
                    readers->count - atomic_load(&readers->shared->ready), readers->count);
            return false;
        }
        bench_sleep_s(0.005);
    }
    return true;
}

void bench_readers_stop(struct bench_readers *readers)
{
    if (readers->pid > 0) {
        kill(readers->pid, SIGKILL);
        waitpid(readers->pid, NULL, 0);
    }
    if (readers->shared != NULL) {
        munmap(readers->shared, readers->size);
    }
    *readers = (struct bench_readers){0};
}

// --------------------------------------------------------------------------------------------------------- frames

uint8_t *bench_frame_of(uint16_t port, uint32_t world, size_t *size)
{
    const struct timeval patience = {.tv_sec = 10};
    const int fd = reach(port, false);
    size_t capacity = 1 << 22, at = 0, begin = 0, frame = 0, end = 0;
    uint8_t *bytes = malloc(capacity);
    bool whole = false, good = fd >= 0 && bytes != NULL && subscribe(fd, world, 1);
    struct protocol_scan scan;
    protocol_scan_init(&scan, &limits);
    if (good) {
        setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    }
    while (good && !whole) {
        const ssize_t got = at < capacity ? recv(fd, bytes + at, capacity - at, 0) : 0;
        const size_t until = got > 0 ? at + (size_t)got : at;
        good = got > 0;
        while (at < until && !whole) {
            size_t used;
            const enum protocol_scan_status status = protocol_scan_feed(&scan, bytes + at, until - at, &used);
            at += used;
            if (status != PROTOCOL_SCAN_DONE) {
                continue;
            }
            if (is_frame(bytes + begin, at - begin)) {
                frame = number_behind(bytes + begin, HEAD_BYTES, "\xa4part") == 0 ? begin : frame;
                whole = is_last_part(bytes + begin, HEAD_BYTES);
                end = at;
            }
            begin = at;
            protocol_scan_init(&scan, &limits);
        }
    }
    if (fd >= 0) {
        close(fd);
    }
    if (!whole) {
        fputs("weft-bench: no frame comes\n", stderr);
        free(bytes);
        return NULL;
    }
    *size = end - frame;
    memmove(bytes, bytes + frame, *size);
    return bytes;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

void bench_ages_of(const struct bench_readers *readers, uint32_t world_count, uint32_t tick_rate,
                   struct bench_ages *ages)
{
    const struct bench_sample *samples = readers->shared->samples;
    const uint32_t count = atomic_load_explicit(&readers->shared->sample_count, memory_order_acquire);
    double *soonest = malloc(world_count * sizeof *soonest);
    double *found = malloc((count > 0 ? count : 1) * sizeof *found);
    *ages = (struct bench_ages){0};
    if (count == 0 || soonest == NULL || found == NULL) {
        goto cleanup;
    }
    for (uint32_t w = 0; w < world_count; w++) {
        soonest[w] = 1e300;
    }
    const double tick_ms = 1e3 / tick_rate;
    const uint64_t origin_ns = samples[0].at_ns;
    for (uint32_t i = 0; i < count; i++) {
        const double late =
            (double)(int64_t)(samples[i].at_ns - origin_ns) * 1e-6 - (double)samples[i].tick * tick_ms;
        found[i] = late;
        if (late < soonest[samples[i].world]) {
            soonest[samples[i].world] = late;
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        found[i] -= soonest[samples[i].world];
    }
    qsort(found, count, sizeof *found, compare);
    *ages = (struct bench_ages){
        .count = count,
        .p50_ms = found[count / 2],
        .p99_ms = found[(size_t)(0.99 * (count - 1))],
        .p999_ms = found[(size_t)(0.999 * (count - 1))],
        .most_ms = found[count - 1],
    };
cleanup:
    free(soonest);
    free(found);
}
