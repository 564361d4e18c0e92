// Reads the address of brokers, and connects to one of them.
#include "store/nats_link_internal.h"

#include "store/backend.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum {
    CONNECT_MS = 2000,
    AGAIN_MS = 250,  // time between two brokers that are tried
    ALIVE_MS = 1000, // time between signs of life that a broker is asked for
    TRIES = 8,       // each has a signature that can be sent in 255 of 256 cases
    NO_MESSAGE = 10037,
    NO_STREAM = 10059
};

// ---------------------------------------------------------------------------------------------------------
// Errors

// Whether waiting is of no use after this refusal. A broker whose cluster is not complete yet refuses in many
// words; these are final.
static bool is_settled(const char *text)
{
    static const char *const words[] = {"not enabled", "not supported", "maximum", "exceeded"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (strstr(text, words[i])) {
            return true;
        }
    }
    return false;
}

// Whether an error passes by itself. Errors of names do: if containers start together, names are not known at
// once.
static bool is_passing(natsStatus status, const char *text)
{
    switch (status) {
    case NATS_TIMEOUT:
    case NATS_NO_RESPONDERS:
    case NATS_NO_SERVER:
    case NATS_IO_ERROR:
    case NATS_SYS_ERROR:
    case NATS_CONNECTION_CLOSED:
    case NATS_CONNECTION_DISCONNECTED:
    case NATS_STALE_CONNECTION:
    case NATS_INSUFFICIENT_BUFFER: // this is returned without a connection, since nothing is buffered for the
                                   // next one
        return true;
    case NATS_ERR:
        return !is_settled(text);
    default:
        return false;
    }
}

enum fault_code store_nats_passing(struct store_error *error, bool passing, enum fault_code status)
{
    if (error) {
        error->passing = passing;
    }
    return status;
}

enum fault_code store_nats_fail(struct store_error *error, uint32_t list, natsStatus status, int code,
                                const char *doing)
{
    const char *text = nats_GetLastError(NULL);
    if (status == NATS_NOT_FOUND || code == NO_MESSAGE || code == NO_STREAM) {
        return store_fail(error, FAULT_NOT_FOUND, list, 0, "%s: there is none", doing);
    }
    if (status == NATS_NO_MEMORY) {
        return store_fail(error, FAULT_MEMORY, list, 0, "%s: no memory", doing);
    }
    text = status != NATS_ERR || !text || !text[0] ? natsStatus_GetText(status) : text;
    return store_nats_passing(error, is_passing(status, text),
                              store_fail(error, FAULT_IO, list, 0, "%s: %s", doing, text));
}

// Explains a protocol error. A broker hangs up on a client without the right certificate, before the client's
// first word.
static const char *hint_of(const struct store_nats_address *address, natsStatus status)
{
    if (!address->tls || status != NATS_PROTOCOL_ERROR) {
        return "";
    }
    return address->certificate ? ": it does not take the certificate of --store-cert"
                                : ": it asks for a certificate, which --store-cert and --store-key name";
}

// If one of several brokers refuses, and others cannot be reached, the error is the refusal: the library
// keeps its text.
enum fault_code store_nats_fail_connect(struct store_error *error, const struct store_nats_address *address,
                                        natsStatus status, const char *doing)
{
    const char *text = nats_GetLastError(NULL);
    const bool refused = text && strstr(text, "Authorization Violation");
    (void)store_nats_fail(error, 0, refused ? NATS_CONNECTION_AUTH_FAILED : status, 0, doing);
    (void)fault_set(&error->fault, error->fault.code, NULL, "%s%s", error->fault.text,
                    hint_of(address, status));
    return store_nats_passing(error, error->passing && status != NATS_ERR, error->fault.code);
}

// ---------------------------------------------------------------------------------------------------------
// Addresses: nats://[USER:PASSWORD@]HOST[:PORT],…[/NAME], or tls://…

static bool name_fits(const char *name)
{
    const size_t size = strlen(name);
    return size > 0 && size < STORE_NATS_NAME_SIZE &&
           strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-_") == size;
}

// Makes one address for each server, all with the user that is named before the first.
static bool address_servers(struct store_nats_address *out, char *rest)
{
    char *at = strrchr(rest, '@');
    const char *user = at ? rest : "";
    char *used = out->text;
    if (at) {
        *at = 0;
        rest = at + 1;
    }
    for (char *host; (host = strsep(&rest, ","));) {
        const size_t left = (size_t)(out->text + sizeof out->text - used);
        if (host[0] == 0 || out->count == STORE_NATS_SERVERS_MAX) {
            return false;
        }
        const int size =
            snprintf(used, left, "%s://%s%s%s", out->tls ? "tls" : "nats", user, at ? "@" : "", host);
        if (size < 0 || (size_t)size >= left) {
            return false;
        }
        out->servers[out->count++] = used;
        used += size + 1;
    }
    return out->count > 0;
}

bool store_nats_address_read(const char *url, struct store_nats_address *out)
{
    char copy[STORE_NATS_URL_SIZE];
    *out = (struct store_nats_address){.name = "weft", .tls = strncmp(url, "tls://", strlen("tls://")) == 0};
    const size_t scheme = strlen(out->tls ? "tls://" : "nats://");
    if ((!out->tls && strncmp(url, "nats://", scheme) != 0) || strlen(url) >= sizeof copy) {
        return false;
    }
    (void)snprintf(copy, sizeof copy, "%s", url + scheme);
    char *slash = strchr(copy, '/');
    if (slash) {
        *slash = 0;
        if (!name_fits(slash + 1)) {
            return false;
        }
        (void)snprintf(out->name, sizeof out->name, "%s", slash + 1);
    }
    return address_servers(out, copy);
}

// ---------------------------------------------------------------------------------------------------------
// Names

void store_nats_stream_name(const struct store_nats_link *link, uint32_t list,
                            char out[STORE_NATS_SUBJECT_SIZE])
{
    (void)snprintf(out, STORE_NATS_SUBJECT_SIZE, "%s-w-%" PRIu32, link->name, list);
}

const char *store_nats_subject_end(enum store_nats_kind kind)
{
    return kind == STORE_NATS_PIECE ? "piece" : kind == STORE_NATS_IMAGE ? "image" : "log";
}

void store_nats_subject_name(const struct store_nats_link *link, uint32_t list, const char *end,
                             char out[STORE_NATS_SUBJECT_SIZE])
{
    (void)snprintf(out, STORE_NATS_SUBJECT_SIZE, "%s.w.%" PRIu32 ".%s", link->name, list, end);
}

// ---------------------------------------------------------------------------------------------------------
// The connection; the library's threads

static void on_connected(natsConnection *connection, void *context)
{
    (void)connection;
    const struct store_nats_link *link = context;
    if (!atomic_load(&link->given_up)) {
        link->events.on_change(link->events.context, true);
    }
}

static void on_disconnected(natsConnection *connection, void *context)
{
    (void)connection;
    const struct store_nats_link *link = context;
    if (!atomic_load(&link->given_up)) {
        link->events.on_change(link->events.context, false);
    }
}

void store_nats_settle(struct store_nats_link *link, bool *over)
{
    base_mutex_lock(&link->mutex);
    *over = true;
    base_cond_signal(&link->quiet);
    base_mutex_unlock(&link->mutex);
}

static void on_closed(natsConnection *connection, void *context)
{
    (void)connection;
    struct store_nats_link *link = context;
    store_nats_settle(link, &link->closed);
}

static void on_trouble(natsConnection *connection, natsSubscription *subscription, natsStatus status,
                       void *context)
{
    // Whether a message is lost is found when its answer does not come.
    (void)connection;
    (void)subscription;
    (void)status;
    (void)context;
}

// Requires TLS for tls://…, and a certificate for the broker's name from a trusted authority.
static natsStatus secure(const struct store_nats_address *address, natsOptions *options)
{
    natsStatus status = address->tls ? natsOptions_SetSecure(options, true) : NATS_OK;
    if (status == NATS_OK && address->tls && address->authorities) {
        status = natsOptions_LoadCATrustedCertificates(options, address->authorities);
    }
    if (status == NATS_OK && address->tls && address->certificate) {
        status = natsOptions_LoadCertificatesChain(options, address->certificate, address->key);
    }
    if (status == NATS_OK && address->credentials) {
        status = store_nats_credentials_use(address->credentials, options);
    }
    return status;
}

enum fault_code store_nats_check_files(const struct store_nats_address *address, struct store_error *error)
{
    natsOptions *options = NULL;
    enum fault_code status = FAULT_NONE;
    if (natsOptions_Create(&options) != NATS_OK) {
        return store_fail(error, FAULT_MEMORY, 0, 0, "no memory for a store");
    }
    if (address->authorities &&
        natsOptions_LoadCATrustedCertificates(options, address->authorities) != NATS_OK) {
        status = store_fail(error, FAULT_IO, 0, 0, "--store-ca %.200s: it has no certificates (PEM): %.200s",
                            address->authorities, nats_GetLastError(NULL));
    } else if (address->certificate &&
               natsOptions_LoadCertificatesChain(options, address->certificate, address->key) != NATS_OK) {
        status = store_fail(error, FAULT_IO, 0, 0,
                            "--store-cert %.150s, --store-key %.150s: they are no certificate and its key "
                            "(PEM): %.120s",
                            address->certificate, address->key, nats_GetLastError(NULL));
    }
    natsOptions_Destroy(options);
    return status;
}

natsStatus store_nats_connect(const struct store_nats_address *address, struct store_nats_link *link,
                              natsConnection **out)
{
    const struct store_nats_hearers hearers = {on_connected, on_disconnected, on_closed, link};
    return store_nats_connect_heard(address, link ? &hearers : NULL, out);
}

// Connects, and tries again with another nonce if a signature could not be sent.
static natsStatus connect_signed(natsOptions *options, struct store_nats_credentials *credentials,
                                 natsConnection **out)
{
    natsStatus status = NATS_OK;
    bool again = true;
    for (int tries = 0; again && tries < TRIES; tries++) {
        if (credentials) {
            credentials->signature_lost = false;
        }
        status = natsConnection_Connect(out, options);
        again = status != NATS_OK && credentials && credentials->signature_lost;
    }
    return status;
}

natsStatus store_nats_connect_heard(const struct store_nats_address *address,
                                    const struct store_nats_hearers *hearers, natsConnection **out)
{
    natsOptions *options = NULL;
    natsStatus status = natsOptions_Create(&options);
    const char *servers[STORE_NATS_SERVERS_MAX];
    memcpy(servers, address->servers, sizeof servers);
    if (status == NATS_OK) {
        status = natsOptions_SetServers(options, servers, address->count);
    }
    if (status == NATS_OK) {
        status = secure(address, options);
    }
    if (status == NATS_OK) {
        (void)natsOptions_SetName(options, "weftd");
        (void)natsOptions_SetTimeout(options, CONNECT_MS);
        (void)natsOptions_SetMaxReconnect(options, -1);
        (void)natsOptions_SetReconnectWait(options, AGAIN_MS);
        (void)natsOptions_SetReconnectJitter(options, AGAIN_MS / 2, AGAIN_MS / 2);
        (void)natsOptions_SetReconnectBufSize(options, 0);
        (void)natsOptions_SetPingInterval(options, ALIVE_MS);
        (void)natsOptions_SetMaxPingsOut(options, 2);
        (void)natsOptions_SetSendAsap(options, true);
        (void)natsOptions_SetFailRequestsOnDisconnect(options, true);
        (void)natsOptions_SetWriteDeadline(options, CONNECT_MS);
        (void)natsOptions_SetNoEcho(options, true);
        (void)natsOptions_SetErrorHandler(options, on_trouble, NULL);
        if (hearers) {
            (void)natsOptions_SetDisconnectedCB(options, hearers->disconnected, hearers->context);
            (void)natsOptions_SetReconnectedCB(options, hearers->connected, hearers->context);
            (void)natsOptions_SetClosedCB(options, hearers->closed, hearers->context);
        }
        status = connect_signed(options, address->credentials, out);
    }
    natsOptions_Destroy(options);
    return status;
}
