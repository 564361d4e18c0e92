#include "helper_brokers.h"

#include "base/clock.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <nats/nats.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *program(void)
{
    const char *path = getenv("WEFT_NATS_SERVER");
    return path && path[0] ? path : "nats-server";
}

bool brokers_there(void)
{
    char line[512];
    (void)snprintf(line, sizeof line, "'%s' --version >/dev/null 2>&1", program());
    return system(line) == 0;
}

// Ports below those that the system gives to outgoing connections, because a broker that is dead for a while needs its
// own again. Each process has a few of its own.
static uint16_t free_port(void)
{
    enum { FIRST = 20000, PROCESSES = 1000, EACH = 12 };
    static int given;
    for (int i = 0; i < EACH; i++) {
        const int port = FIRST + getpid() % PROCESSES * EACH + given++ % EACH;
        struct sockaddr_in address = {.sin_family = AF_INET,
                                      .sin_port = htons((uint16_t)port),
                                      .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
        const int fd = socket(AF_INET, SOCK_STREAM, 0), on = 1;
        if (fd < 0 || setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) != 0) {
            abort();
        }
        const bool is_free = bind(fd, (struct sockaddr *)&address, sizeof address) == 0;
        close(fd);
        if (is_free) {
            return (uint16_t)port;
        }
    }
    abort();
}

static void path_of(const struct brokers *brokers, int which, const char *what, char out[160])
{
    (void)snprintf(out, 160, "%s/%d.%s", brokers->place.above, which, what);
}

static void write_config(const struct brokers *brokers, int which, bool sync)
{
    char path[160], store[160];
    path_of(brokers, which, "conf", path);
    path_of(brokers, which, "store", store);
    FILE *file = fopen(path, "w");
    if (!file) {
        abort();
    }
    (void)fprintf(file, "listen: \"127.0.0.1:%d\"\nserver_name: b%d\n", brokers->ports[which], which);
    (void)fprintf(file, "jetstream { store_dir: \"%s\"%s }\n", store, sync ? ", sync_interval: always" : "");
    (void)fprintf(file, "accounts { $SYS { users: [ {user: sys, password: pw} ] } }\n");
    if (brokers->count > 1) {
        (void)fprintf(file, "cluster { name: c, listen: \"127.0.0.1:%d\", routes: [",
                      brokers->cluster_ports[which]);
        for (int i = 0; i < brokers->count; i++) {
            (void)fprintf(file, "%s\"nats://127.0.0.1:%d\"", i > 0 ? ", " : " ", brokers->cluster_ports[i]);
        }
        (void)fprintf(file, " ] }\n");
    }
    (void)fclose(file);
}

void broker_begin(struct brokers *brokers, int which)
{
    char config[160], log[160];
    path_of(brokers, which, "conf", config);
    path_of(brokers, which, "log", log);
    const pid_t process = fork();
    if (process == 0) {
        (void)prctl(PR_SET_PDEATHSIG, SIGKILL); // a test that fails leaves none behind
        const int fd = open(log, O_WRONLY | O_CREAT | O_APPEND, 0600);
        (void)dup2(fd, STDERR_FILENO);
        (void)dup2(fd, STDOUT_FILENO);
        (void)execlp(program(), program(), "-c", config, (char *)NULL);
        _exit(127);
    }
    brokers->processes[which] = process;
}

void broker_kill(struct brokers *brokers, int which)
{
    if (brokers->processes[which] > 0) {
        (void)kill(brokers->processes[which], SIGKILL);
        (void)waitpid(brokers->processes[which], NULL, 0);
    }
    brokers->processes[which] = 0;
}

static void run(const char *format, const char *from, const char *to)
{
    char line[512];
    (void)snprintf(line, sizeof line, format, from, to);
    if (system(line) != 0) {
        abort();
    }
}

void broker_wipe(const struct brokers *brokers, int which)
{
    char store[160];
    path_of(brokers, which, "store", store);
    run("rm -r '%s'", store, "");
}

void broker_put_aside(const struct brokers *brokers, int which)
{
    char store[160], aside[160];
    path_of(brokers, which, "store", store);
    path_of(brokers, which, "aside", aside);
    run("cp -a '%s' '%s'", store, aside);
}

void broker_put_back(const struct brokers *brokers, int which)
{
    char store[160], aside[160];
    path_of(brokers, which, "store", store);
    path_of(brokers, which, "aside", aside);
    broker_wipe(brokers, which);
    run("mv '%s' '%s'", aside, store);
}

void brokers_anew(struct brokers *brokers)
{
    static int count;
    (void)snprintf(brokers->name, sizeof brokers->name, "test_%d", ++count);
    (void)snprintf(brokers->url, sizeof brokers->url, "nats://%s/%s", brokers->hosts, brokers->name);
}

void brokers_start(struct brokers *brokers, int count, bool sync)
{
    *brokers = (struct brokers){.count = count};
    place_make(&brokers->place);
    for (int i = 0; i < count; i++) {
        brokers->ports[i] = free_port();
        brokers->cluster_ports[i] = free_port();
    }
    size_t used = 0;
    for (int i = 0; i < count; i++) {
        used += (size_t)snprintf(brokers->hosts + used, sizeof brokers->hosts - used, "%s127.0.0.1:%d",
                                 i > 0 ? "," : "", brokers->ports[i]);
        write_config(brokers, i, sync);
    }
    (void)snprintf(brokers->check, sizeof brokers->check, "nats://sys:pw@%s", brokers->hosts);
    brokers_anew(brokers);
    for (int i = 0; i < count; i++) {
        broker_begin(brokers, i);
    }
}

void brokers_stop(struct brokers *brokers)
{
    for (int i = 0; i < brokers->count; i++) {
        broker_kill(brokers, i);
    }
    place_remove(&brokers->place);
}

struct store_options brokers_options(const struct brokers *brokers, struct heard *heard, const char *folder)
{
    struct store_options options = heard_options(heard, folder);
    options.brokers = brokers->url;
    options.check = brokers->check;
    return options;
}

struct store *brokers_open(const struct store_options *options)
{
    const uint64_t deadline_ns = base_now_ns() + UINT64_C(60000000000);
    struct store_error error = {0};
    struct store *store = store_open(options, &error);
    while (!store && error.fault.code == FAULT_IO && base_now_ns() < deadline_ns) {
        (void)usleep(50000);
        store = store_open(options, &error);
    }
    if (!store) {
        (void)fprintf(stderr, "no store: %s\n", error.fault.text);
    }
    return store;
}

// ---------------------------------------------------------------------------------------------------------

struct client {
    natsConnection *connection;
    jsCtx *js;
};

static bool client_open(const struct brokers *brokers, struct client *client)
{
    char url[64];
    int which = 0;
    while (which < brokers->count - 1 && brokers->processes[which] == 0) {
        which++;
    }
    (void)snprintf(url, sizeof url, "nats://127.0.0.1:%d", brokers->ports[which]);
    *client = (struct client){0};
    return natsConnection_ConnectTo(&client->connection, url) == NATS_OK &&
           natsConnection_JetStream(&client->js, client->connection, NULL) == NATS_OK;
}

static void client_close(struct client *client)
{
    jsCtx_Destroy(client->js);
    natsConnection_Destroy(client->connection);
}

static void stream_of(const struct brokers *brokers, uint32_t list, char out[64])
{
    (void)snprintf(out, 64, "%s-w-%u", brokers->name, list);
}

static void ends_of(const struct brokers *brokers, uint32_t list, uint64_t *bytes, uint64_t *last)
{
    char stream[64];
    struct client client;
    jsStreamInfo *info = NULL;
    *bytes = *last = 0;
    stream_of(brokers, list, stream);
    if (client_open(brokers, &client) && js_GetStreamInfo(&info, client.js, stream, NULL, NULL) == NATS_OK) {
        *bytes = info->State.Bytes;
        *last = info->State.LastSeq;
    }
    jsStreamInfo_Destroy(info);
    client_close(&client);
}

uint64_t brokers_bytes(const struct brokers *brokers, uint32_t list)
{
    uint64_t bytes, last;
    ends_of(brokers, list, &bytes, &last);
    return bytes;
}

uint64_t brokers_last(const struct brokers *brokers, uint32_t list)
{
    uint64_t bytes, last;
    ends_of(brokers, list, &bytes, &last);
    return last;
}

bool brokers_remove(const struct brokers *brokers, uint32_t list, uint64_t sequence)
{
    char stream[64];
    struct client client;
    stream_of(brokers, list, stream);
    const bool removed =
        client_open(brokers, &client) && js_DeleteMsg(client.js, stream, sequence, NULL, NULL) == NATS_OK;
    client_close(&client);
    return removed;
}

bool brokers_cut(const struct brokers *brokers, uint32_t list, uint64_t before)
{
    char stream[64];
    struct client client;
    jsOptions options;
    jsOptions_Init(&options);
    options.Stream.Purge.Sequence = before;
    stream_of(brokers, list, stream);
    const bool done = client_open(brokers, &client) &&
                      (before > 0 ? js_PurgeStream(client.js, stream, &options, NULL)
                                  : js_DeleteStream(client.js, stream, NULL, NULL)) == NATS_OK;
    client_close(&client);
    return done;
}

bool brokers_publish(const struct brokers *brokers, uint32_t list, const void *bytes, size_t size)
{
    char subject[64];
    struct client client;
    (void)snprintf(subject, sizeof subject, "%s.w.%u.log", brokers->name, list);
    const bool done = client_open(brokers, &client) &&
                      js_Publish(NULL, client.js, subject, bytes, (int)size, NULL, NULL) == NATS_OK;
    client_close(&client);
    return done;
}

bool brokers_forget(const struct brokers *brokers, uint32_t list)
{
    char stream[64], subject[96];
    struct client client;
    jsOptions options;
    jsOptions_Init(&options);
    (void)snprintf(stream, sizeof stream, "KV_%s-lists", brokers->name);
    (void)snprintf(subject, sizeof subject, "$KV.%s-lists.%u", brokers->name, list);
    options.Stream.Purge.Subject = subject;
    const bool done =
        client_open(brokers, &client) && js_PurgeStream(client.js, stream, &options, NULL) == NATS_OK;
    client_close(&client);
    return done;
}

bool brokers_step_down(const struct brokers *brokers, uint32_t list)
{
    char stream[64], subject[128];
    struct client client;
    natsMsg *reply = NULL;
    stream_of(brokers, list, stream);
    (void)snprintf(subject, sizeof subject, "$JS.API.STREAM.LEADER.STEPDOWN.%s", stream);
    const bool done = client_open(brokers, &client) &&
                      natsConnection_RequestString(&reply, client.connection, subject, "", 5000) == NATS_OK &&
                      !strstr(natsMsg_GetData(reply), "\"error\"");
    natsMsg_Destroy(reply);
    client_close(&client);
    return done;
}

// Number of the broker among b0, b1, … whose name follows "leader" in a broker's answer; -1: none.
static int leader_in(natsMsg *message)
{
    const char *at = message ? strstr(natsMsg_GetData(message), "\"leader\":\"b") : NULL;
    return at ? atoi(at + strlen("\"leader\":\"b")) : -1;
}

// A broker's description of the stream; NULL: none.
static natsMsg *tell_of(const struct brokers *brokers, uint32_t list)
{
    char stream[64], subject[128];
    struct client client;
    natsMsg *told = NULL;
    stream_of(brokers, list, stream);
    (void)snprintf(subject, sizeof subject, "$JS.API.STREAM.INFO.%s", stream);
    if (client_open(brokers, &client)) {
        (void)natsConnection_RequestString(&told, client.connection, subject, "", 5000);
    }
    client_close(&client);
    return told;
}

int brokers_leader(const struct brokers *brokers, uint32_t list)
{
    natsMsg *told = tell_of(brokers, list);
    const int leader = leader_in(told);
    natsMsg_Destroy(told);
    return leader;
}

bool brokers_agree(const struct brokers *brokers, uint32_t list)
{
    const uint64_t deadline_ns = base_now_ns() + UINT64_C(60000000000);
    bool agree = false;
    while (!agree && base_now_ns() < deadline_ns) {
        natsMsg *told = tell_of(brokers, list);
        const char *first = told ? strstr(natsMsg_GetData(told), "\"current\":true") : NULL;
        agree = leader_in(told) >= 0 && first && strstr(first + 1, "\"current\":true");
        natsMsg_Destroy(told);
        (void)usleep(agree ? 0 : 50000);
    }
    return agree;
}

int brokers_follower(const struct brokers *brokers, uint32_t list)
{
    natsConnection *system = NULL;
    natsMsg *of_stream = tell_of(brokers, list), *of_all = NULL;
    if (natsConnection_ConnectTo(&system, brokers->check) == NATS_OK) {
        (void)natsConnection_RequestString(&of_all, system, "$SYS.REQ.SERVER.PING.JSZ", "", 5000);
    }
    const int one = leader_in(of_stream), other = leader_in(of_all);
    natsMsg_Destroy(of_stream);
    natsMsg_Destroy(of_all);
    natsConnection_Destroy(system);
    int which = 0;
    while (which == one || which == other) {
        which++;
    }
    return which;
}

static bool republish(struct client *client, natsMsg *message, bool changed)
{
    char *bytes = malloc((size_t)natsMsg_GetDataLength(message) + 1);
    const int size = natsMsg_GetDataLength(message);
    if (!bytes) {
        return false;
    }
    memcpy(bytes, natsMsg_GetData(message), (size_t)size);
    bytes[size / 2] ^= (char)(changed ? 1 : 0);
    const bool done =
        js_Publish(NULL, client->js, natsMsg_GetSubject(message), bytes, size, NULL, NULL) == NATS_OK;
    free(bytes);
    return done;
}

bool brokers_remake(const struct brokers *brokers, uint32_t list, uint64_t messages, uint64_t changed)
{
    enum { MOST = 64 };
    char stream[64], subjects[64];
    const char *subject = subjects;
    struct client client;
    natsMsg *all[MOST + 1] = {NULL};
    stream_of(brokers, list, stream);
    (void)snprintf(subjects, sizeof subjects, "%s.w.%u.*", brokers->name, list);
    bool done = messages <= MOST && client_open(brokers, &client);
    for (uint64_t i = 1; i <= messages && done; i++) {
        done = js_GetMsg(&all[i], client.js, stream, i, NULL, NULL) == NATS_OK;
    }
    jsStreamConfig config;
    jsStreamConfig_Init(&config);
    config.Name = stream;
    config.Subjects = &subject;
    config.SubjectsLen = 1;
    config.AllowDirect = true;
    done = done && js_DeleteStream(client.js, stream, NULL, NULL) == NATS_OK &&
           js_AddStream(NULL, client.js, &config, NULL, NULL) == NATS_OK;
    for (uint64_t i = 1; i <= messages; i++) {
        done = done && republish(&client, all[i], i == changed);
        natsMsg_Destroy(all[i]);
    }
    client_close(&client);
    return done;
}
