// A weftd of our own, and a program with libuv alone that writes as much to as many.
#include "stream.h"

#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <uv.h>
#include <weft.h>

enum { PATH_BYTES = 4096, LINE_BYTES = 256, WAIT_MS = 20000, BACKLOG = 4096, LOST_OF = 8 };

// ---------------------------------------------------------------------------------------------------------- weftd

static bool find_program(const char *program, char out[PATH_BYTES])
{
    if (program != NULL) {
        return snprintf(out, PATH_BYTES, "%s", program) < PATH_BYTES;
    }
    const ssize_t size = readlink("/proc/self/exe", out, PATH_BYTES - 16);
    out[size > 0 ? size : 0] = '\0';
    char *name = strrchr(out, '/');
    if (name == NULL) {
        return false;
    }
    memcpy(name, "/weftd", sizeof "/weftd");
    return true;
}

static void become_weftd(const char *path, uint32_t connections, int lines)
{
    char sessions[16];
    snprintf(sessions, sizeof sessions, "%u", connections);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    dup2(lines, STDERR_FILENO);
    execl(path, path, "--listen", "127.0.0.1:0", "--http", "none", "--max-sessions", sessions, "--log-level",
          "error", (char *)NULL);
    dprintf(STDERR_FILENO, "%s cannot be started\n", path);
    _exit(127);
}

// Reads lines until the one with the address. What comes later is thrown away with the pipe's other end.
static bool hear_port(int lines, uint16_t *port)
{
    char line[LINE_BYTES];
    size_t size = 0;
    while (size < sizeof line - 1 && read(lines, line + size, 1) == 1) {
        if (line[size++] != '\n') {
            continue;
        }
        line[size] = '\0';
        const char *colon = strrchr(line, ':');
        if (strncmp(line, "listening rpc ", 14) == 0 && colon != NULL) {
            *port = (uint16_t)strtoul(colon + 1, NULL, 10);
            return true;
        }
        fprintf(stderr, "weft-bench: weftd: %s", line);
        size = 0;
    }
    fputs("weft-bench: weftd does not start\n", stderr);
    return false;
}

bool bench_served_start(struct bench_served *served, const char *program, uint32_t connections)
{
    char path[PATH_BYTES], address[32];
    struct weft_error error;
    int lines[2];
    *served = (struct bench_served){0};
    if (!find_program(program, path) || pipe2(lines, O_CLOEXEC) != 0) {
        return false;
    }
    served->pid = fork();
    if (served->pid == 0) {
        become_weftd(path, connections, lines[1]);
    }
    close(lines[1]);
    const bool heard = served->pid > 0 && hear_port(lines[0], &served->port);
    close(lines[0]);
    if (!heard) {
        bench_served_stop(served);
        return false;
    }
    snprintf(address, sizeof address, "127.0.0.1:%u", served->port);
    served->client = weft_connect(address, WAIT_MS, &error);
    if (served->client == NULL) {
        fprintf(stderr, "weft-bench: %s\n", error.text);
        bench_served_stop(served);
    }
    return served->client != NULL;
}

void bench_served_stop(struct bench_served *served)
{
    if (served->client != NULL) {
        weft_close(served->client);
    }
    if (served->pid > 0) {
        kill(served->pid, SIGKILL);
        waitpid(served->pid, NULL, 0);
    }
    free(served->worlds);
    *served = (struct bench_served){0};
}

// --------------------------------------------------------------------------------------------------------- worlds

static bool call(struct bench_served *served, const char *method, const struct weft_params *params,
                 struct weft_reply *reply)
{
    struct weft_error error;
    if (weft_call(served->client, method, params, reply, &error)) {
        return true;
    }
    fprintf(stderr, "weft-bench: %s: %s: %s\n", method, error.code, error.text);
    return false;
}

// A square of side x side, 1 cm between neighbours.
static bool add_body(struct bench_served *served, uint32_t world, uint32_t side, bool cloth)
{
    const uint32_t cells = (side - 1) * (side - 1), pins[] = {0, side - 1};
    float *positions = malloc(sizeof(float[3]) * side * side);
    uint32_t *triangles = malloc(sizeof(uint32_t[6]) * (cells + 1)), *t = triangles;
    bool good = positions != NULL && triangles != NULL;
    for (uint32_t i = 0; good && i < side * side; i++) {
        const uint32_t x = i % side, z = i / side;
        positions[3 * i] = 0.01F * (float)x;
        positions[3 * i + 1] = 0;
        positions[3 * i + 2] = 0.01F * (float)z;
        if (x + 1 < side && z + 1 < side) {
            const uint32_t corners[] = {i, i + 1, i + side, i + 1, i + side + 1, i + side};
            memcpy(t, corners, sizeof corners);
            t += 6;
        }
    }
    struct weft_params params;
    weft_params_init(&params);
    if (good) {
        weft_params_u64(&params, "world", world);
        weft_params_string(&params, "kind", cloth ? "cloth" : "points");
        weft_params_f32_array(&params, "positions", positions, (size_t)3 * side * side);
        if (cloth) {
            weft_params_u32_array(&params, "triangles", triangles, 6 * cells);
            weft_params_u32_array(&params, "pins", pins, 2);
        }
        good = call(served, "body.add", &params, NULL);
    }
    weft_params_deinit(&params);
    free(positions);
    free(triangles);
    return good;
}

static bool add_world(struct bench_served *served, uint32_t side, uint32_t tick_rate, bool cloth,
                      uint32_t *world)
{
    struct weft_params params;
    struct weft_reply reply = {0};
    weft_params_init(&params);
    weft_params_u64(&params, "tick_rate", tick_rate);
    weft_params_bool(&params, "long_edges", false); // the time of frames is measured, not that of ticks
    weft_params_string(&params, "bending", "swept");
    weft_params_bool(&params, "sleep", false);
    if (!cloth) {
        weft_params_u64(&params, "substeps", 1);
        weft_params_vec3(&params, "gravity", 0, -1e-4, 0);
    }
    const bool good = call(served, "world.create", &params, &reply);
    *world = good ? (uint32_t)weft_u64(weft_get(&reply.result, "world"), 0) : 0;
    weft_reply_destroy(&reply);
    weft_params_deinit(&params);
    return good && add_body(served, *world, side, cloth);
}

bool bench_served_worlds(struct bench_served *served, uint32_t count, uint32_t frame_bytes,
                         uint32_t tick_rate, bool cloth)
{
    enum { AROUND = 240, PARTICLE = 12 };
    const double particles = frame_bytes > AROUND ? (frame_bytes - AROUND) / (double)PARTICLE : 1;
    const uint32_t side = particles > 4 ? (uint32_t)lround(sqrt(particles)) : 2;
    served->worlds = calloc(count, sizeof *served->worlds);
    served->world_count = 0;
    while (served->worlds != NULL && served->world_count < count &&
           add_world(served, side, tick_rate, cloth, &served->worlds[served->world_count])) {
        served->world_count++;
    }
    return served->worlds != NULL && served->world_count == count;
}

static bool for_worlds(struct bench_served *served, const char *method, double rate)
{
    bool good = true;
    for (uint32_t i = 0; i < served->world_count && good; i++) {
        struct weft_params params;
        weft_params_init(&params);
        weft_params_u64(&params, "world", served->worlds[i]);
        if (rate >= 0) {
            weft_params_f64(&params, "rate", rate);
        }
        good = call(served, method, &params, NULL);
        weft_params_deinit(&params);
    }
    return good;
}

bool bench_served_play(struct bench_served *served, double rate)
{
    return for_worlds(served, "world.play", rate);
}

void bench_served_forget(struct bench_served *served)
{
    for_worlds(served, "world.delete", -1);
    free(served->worlds);
    served->worlds = NULL;
    served->world_count = 0;
}

double bench_served_lost_ms(struct bench_served *served)
{
    double lost_us = 0;
    for (uint32_t i = 0; i < served->world_count && i < LOST_OF; i++) {
        struct weft_params params;
        struct weft_reply reply = {0};
        weft_params_init(&params);
        weft_params_u64(&params, "world", served->worlds[i]);
        if (call(served, "world.get", &params, &reply)) {
            lost_us += weft_f64(weft_get(&reply.result, "time_lost_us"), 0);
        }
        weft_reply_destroy(&reply);
        weft_params_deinit(&params);
    }
    return lost_us * 1e-3;
}

// -------------------------------------------------------------------------------------------- what the system says

double bench_served_loop_s(const struct bench_served *served)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/task/%d/schedstat", (int)served->pid, (int)served->pid);
    FILE *file = fopen(path, "r");
    uint64_t ns = 0;
    if (file != NULL) {
        if (fscanf(file, "%" SCNu64, &ns) != 1) {
            ns = 0;
        }
        fclose(file);
    }
    return (double)ns * 1e-9;
}

double bench_served_all_s(const struct bench_served *served)
{
    char path[64];
    unsigned long user = 0, system = 0;
    snprintf(path, sizeof path, "/proc/%d/stat", (int)served->pid);
    FILE *file = fopen(path, "r");
    if (file != NULL) {
        if (fscanf(file, "%*d (%*[^)]) %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &user,
                   &system) != 2) {
            user = system = 0;
        }
        fclose(file);
    }
    return (double)(user + system) / (double)sysconf(_SC_CLK_TCK);
}

uint64_t bench_served_bytes(const struct bench_served *served)
{
    char path[64];
    unsigned long pages = 0;
    snprintf(path, sizeof path, "/proc/%d/statm", (int)served->pid);
    FILE *file = fopen(path, "r");
    if (file != NULL) {
        if (fscanf(file, "%*u %lu", &pages) != 1) {
            pages = 0;
        }
        fclose(file);
    }
    return (uint64_t)pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

uint64_t bench_served_queued(const struct bench_served *served, uint64_t *most)
{
    FILE *file = fopen("/proc/net/tcp", "r");
    char line[512];
    uint64_t sum = 0;
    *most = 0;
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        unsigned port, state, queued;
        if (sscanf(line, " %*u: %*x:%x %*x:%*x %x %x:", &port, &state, &queued) != 3 ||
            port != served->port || state != 1) {
            continue;
        }
        sum += queued;
        *most = queued > *most ? queued : *most;
    }
    if (file != NULL) {
        fclose(file);
    }
    return sum;
}

// ----------------------------------------------------------------------------------------------------------- bare

struct bare {
    uv_loop_t loop;
    uv_tcp_t listener;
    uv_buf_t frame;
};

struct peer {
    uv_tcp_t tcp;
    uv_write_t write;
    struct bare *bare;
};

static void on_peer_closed(uv_handle_t *handle)
{
    free(handle->data);
}

static void on_written(uv_write_t *write, int status)
{
    struct peer *peer = write->data;
    if (status != 0 ||
        uv_write(&peer->write, (uv_stream_t *)&peer->tcp, &peer->bare->frame, 1, on_written) != 0) {
        uv_close((uv_handle_t *)&peer->tcp, on_peer_closed);
    }
}

static void on_peer(uv_stream_t *listener, int status)
{
    struct bare *bare = listener->data;
    struct peer *peer = status == 0 ? calloc(1, sizeof *peer) : NULL;
    if (peer == NULL) {
        return;
    }
    peer->bare = bare;
    peer->tcp.data = peer->write.data = peer;
    uv_tcp_init(&bare->loop, &peer->tcp);
    uv_accept(listener, (uv_stream_t *)&peer->tcp);
    uv_tcp_nodelay(&peer->tcp, 1);
    on_written(&peer->write, 0);
}

static void be_bare(atomic_uint *port, const uint8_t *bytes, size_t size)
{
    static struct bare bare;
    struct sockaddr_in address;
    int length = sizeof address;
    struct rlimit files;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    signal(SIGPIPE, SIG_IGN);
    if (getrlimit(RLIMIT_NOFILE, &files) == 0) {
        files.rlim_cur = files.rlim_max;
        setrlimit(RLIMIT_NOFILE, &files);
    }
    bare.frame = uv_buf_init((char *)bytes, (unsigned)size);
    bare.listener.data = &bare;
    uv_ip4_addr("127.0.0.1", 0, &address);
    if (uv_loop_init(&bare.loop) != 0 || uv_tcp_init(&bare.loop, &bare.listener) != 0 ||
        uv_tcp_bind(&bare.listener, (struct sockaddr *)&address, 0) != 0 ||
        uv_listen((uv_stream_t *)&bare.listener, BACKLOG, on_peer) != 0 ||
        uv_tcp_getsockname(&bare.listener, (struct sockaddr *)&address, &length) != 0) {
        return;
    }
    atomic_store(port, ntohs(address.sin_port));
    uv_run(&bare.loop, UV_RUN_DEFAULT);
}

bool bench_served_bare(struct bench_served *served, const uint8_t *bytes, size_t size)
{
    *served = (struct bench_served){0};
    atomic_uint *port = mmap(NULL, sizeof *port, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (port == MAP_FAILED) {
        return false;
    }
    served->pid = fork();
    if (served->pid == 0) {
        be_bare(port, bytes, size);
        _exit(1);
    }
    for (int i = 0; i < 2000 && served->pid > 0 && atomic_load(port) == 0; i++) {
        bench_sleep_s(0.001);
    }
    served->port = (uint16_t)atomic_load(port);
    munmap(port, sizeof *port);
    if (served->port == 0) {
        fputs("weft-bench: the program beside weftd does not start\n", stderr);
        bench_served_stop(served);
    }
    return served->port != 0;
}
