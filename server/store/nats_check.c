// Checks that brokers are as required: new enough, with JetStream, and with nothing acknowledged that is not
// on a disk. Only a user of the system account is told the last.
#include "store/nats_link_internal.h"

#include "store/backend.h"

#include <jansson.h>

#include <stdio.h>
#include <string.h>

enum { VERSION_MAJOR = 2, VERSION_MINOR = 15, HEARD_MS = 500, HEARD_ALL_MS = 50 };

static bool new_enough(const char *version)
{
    int major = 0, minor = 0;
    return version && sscanf(version, "%d.%d", &major, &minor) == 2 &&
           (major > VERSION_MAJOR || (major == VERSION_MAJOR && minor >= VERSION_MINOR));
}

static enum fault_code check_broker(const json_t *told, struct store_error *error)
{
    const json_t *server = json_object_get(told, "server");
    const json_t *config =
        json_object_get(json_object_get(json_object_get(told, "data"), "jetstream"), "config");
    const char *name = json_string_value(json_object_get(server, "name"));
    const char *version = json_string_value(json_object_get(server, "ver"));
    if (!new_enough(version)) {
        return store_fail(error, FAULT_IO, 0, 0, "broker %.60s has version %.20s; it takes %d.%d or later",
                          name ? name : "?", version ? version : "?", VERSION_MAJOR, VERSION_MINOR);
    }
    if (config && !json_is_true(json_object_get(config, "sync_always"))) {
        return store_fail(error, FAULT_IO, 0, 0,
                          "broker %.60s acknowledges what is not on its disk yet: it needs "
                          "\"sync_interval: always\" in the block jetstream of its configuration",
                          name ? name : "?");
    }
    return FAULT_NONE;
}

// Returns how long to wait for one more broker to tell about itself. There may be more brokers than were
// named.
static int patience_ms(int heard, int named)
{
    return heard == 0 ? STORE_NATS_WAIT_MS : heard < named ? HEARD_MS : HEARD_ALL_MS;
}

// Asks every broker, and each tells about itself. More than half of the named ones have to. Closes the
// connection.
static enum fault_code check_all(natsConnection *connection, int named, struct store_error *error)
{
    natsInbox *inbox = NULL;
    natsSubscription *heard = NULL;
    enum fault_code status = FAULT_NONE;
    int count = 0;
    natsStatus code = natsInbox_Create(&inbox);
    if (code == NATS_OK) {
        code = natsConnection_SubscribeSync(&heard, connection, inbox);
    }
    if (code == NATS_OK) {
        code = natsConnection_PublishRequestString(connection, "$SYS.REQ.SERVER.PING.VARZ", inbox, "");
    }
    natsMsg *message = NULL;
    natsStatus next = NATS_OK;
    while (code == NATS_OK && status == FAULT_NONE &&
           (next = natsSubscription_NextMsg(&message, heard, patience_ms(count, named))) == NATS_OK) {
        json_t *told = json_loadb(natsMsg_GetData(message), (size_t)natsMsg_GetDataLength(message), 0, NULL);
        if (told && json_object_get(told, "data")) {
            count++;
            status = check_broker(told, error);
        }
        json_decref(told);
        natsMsg_Destroy(message);
    }
    if (status == FAULT_NONE && (code != NATS_OK || count <= named / 2)) {
        status = store_nats_passing(
            error, next != NATS_NO_RESPONDERS, // no user of the system account
            store_fail(error, FAULT_IO, 0, 0,
                       "%d of %d brokers tell whether they sync what they acknowledge: it takes a "
                       "user of the system account, and more than half of them",
                       count, named));
    }
    natsConnection_Close(connection);
    natsSubscription_Destroy(heard);
    natsInbox_Destroy(inbox);
    return status;
}

enum fault_code store_nats_check_sync(const struct store_nats_link_place *place, int named,
                                      struct store_error *error)
{
    const char *check = place->check;
    struct store_nats_address address;
    struct store_nats_credentials credentials;
    natsConnection *connection = NULL;
    if (strcmp(check, "none") == 0) {
        return FAULT_NONE;
    }
    if (!store_nats_address_read(check, &address)) {
        return store_fail(error, FAULT_IO, 0, 0, "the address of the check is no address of brokers");
    }
    address.authorities = place->authorities;
    address.certificate = place->certificate;
    address.key = place->key;
    address.credentials = store_nats_credentials_of(&credentials, place->check_credentials);
    const natsStatus code = store_nats_connect(&address, NULL, &connection);
    const enum fault_code status =
        code == NATS_OK ? check_all(connection, named, error)
                        : store_nats_fail_connect(error, &address, code, "asking brokers whether they sync");
    natsConnection_Destroy(connection);
    return status;
}

// A broker without JetStream does not get it by waiting. One whose cluster is not complete yet does not
// answer, or says so.
static enum fault_code check_jetstream(struct store_nats_link *link, bool has, struct store_error *error)
{
    jsAccountInfo *info = NULL;
    jsErrCode why = 0;
    natsStatus code = js_GetAccountInfo(&info, link->js, NULL, &why);
    jsAccountInfo_Destroy(info);
    if (code == NATS_NO_RESPONDERS && !has) {
        return store_fail(error, FAULT_IO, 0, 0,
                          "the broker has no JetStream: it needs a block jetstream in its configuration");
    }
    return code == NATS_OK ? FAULT_NONE
                           : store_nats_fail(error, 0, code == NATS_NOT_FOUND ? NATS_NO_RESPONDERS : code,
                                             (int)why, "asking the broker for JetStream");
}

enum fault_code store_nats_check_version(struct store_nats_link *link, struct store_error *error)
{
    natsMsg *message = NULL;
    natsStatus code = natsConnection_RequestString(&message, link->connection, "$SYS.REQ.USER.INFO", "",
                                                   STORE_NATS_WAIT_MS);
    if (code != NATS_OK) {
        return store_nats_fail(error, 0, code, 0, "asking the broker for its version");
    }
    json_t *told = json_loadb(natsMsg_GetData(message), (size_t)natsMsg_GetDataLength(message), 0, NULL);
    const enum fault_code status = check_broker(told, error);
    const bool has = json_is_true(json_object_get(json_object_get(told, "server"), "jetstream"));
    json_decref(told);
    natsMsg_Destroy(message);
    return status == FAULT_NONE ? check_jetstream(link, has, error) : status;
}
