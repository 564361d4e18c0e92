#include "helper_peer.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <setjmp.h>

#include <cmocka.h>

static void *run(void *context)
{
    struct peer *peer = context;
    peer->fd = accept(peer->listening, NULL, NULL);
    if (peer->fd < 0) {
        peer->failed = true;
        return NULL;
    }
    const int on = 1;
    setsockopt(peer->fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    peer->script(peer);
    if (peer->fd >= 0) {
        close(peer->fd);
    }
    return NULL;
}

void peer_start(struct peer *peer, void (*script)(struct peer *peer))
{
    memset(peer, 0, sizeof *peer);
    peer->script = script;
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    peer->listening = socket(AF_INET, SOCK_STREAM, 0);
    assert_true(peer->listening >= 0);
    assert_int_equal(bind(peer->listening, (struct sockaddr *)&address, sizeof address), 0);
    assert_int_equal(listen(peer->listening, 1), 0);
    assert_int_equal(getsockname(peer->listening, (struct sockaddr *)&address, &size), 0);
    snprintf(peer->address, sizeof peer->address, "127.0.0.1:%u", ntohs(address.sin_port));
    assert_true(msgpack_unpacker_init(&peer->unpacker, 65536));
    msgpack_unpacked_init(&peer->message);
    assert_int_equal(pthread_create(&peer->thread, NULL, run, peer), 0);
}

void peer_join(struct peer *peer)
{
    pthread_join(peer->thread, NULL);
    close(peer->listening);
    msgpack_unpacked_destroy(&peer->message);
    msgpack_unpacker_destroy(&peer->unpacker);
    assert_false(peer->failed);
}

bool peer_read(struct peer *peer)
{
    while (msgpack_unpacker_next(&peer->unpacker, &peer->message) != MSGPACK_UNPACK_SUCCESS) {
        if (!msgpack_unpacker_reserve_buffer(&peer->unpacker, 65536)) {
            return false;
        }
        const ssize_t got = read(peer->fd, msgpack_unpacker_buffer(&peer->unpacker), 65536);
        if (got <= 0) {
            return false;
        }
        msgpack_unpacker_buffer_consumed(&peer->unpacker, (size_t)got);
    }
    return true;
}

void peer_write(struct peer *peer, const void *bytes, size_t size)
{
    const char *at = bytes;
    while (size) {
        const ssize_t put = send(peer->fd, at, size, MSG_NOSIGNAL);
        if (put <= 0) {
            return;
        }
        at += put;
        size -= (size_t)put;
    }
}

void peer_write_split(struct peer *peer, const void *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        peer_write(peer, (const char *)bytes + i, 1);
    }
}

void peer_expect(struct peer *peer, bool condition)
{
    if (!condition) {
        peer->failed = true;
    }
}

uint32_t peer_msgid(const struct peer *peer)
{
    const msgpack_object *root = &peer->message.data;
    return root->type == MSGPACK_OBJECT_ARRAY && root->via.array.size == 4
               ? (uint32_t)root->via.array.ptr[1].via.u64
               : UINT32_MAX;
}

bool peer_method_is(const struct peer *peer, const char *method)
{
    const msgpack_object *root = &peer->message.data;
    if (root->type != MSGPACK_OBJECT_ARRAY || root->via.array.size < 3) {
        return false;
    }
    const msgpack_object *name = &root->via.array.ptr[root->via.array.size - 2];
    return name->type == MSGPACK_OBJECT_STR && name->via.str.size == strlen(method) &&
           memcmp(name->via.str.ptr, method, strlen(method)) == 0;
}

static void pack_text(msgpack_packer *p, const char *text)
{
    msgpack_pack_str_with_body(p, text, strlen(text));
}

void peer_pack_result_u64(msgpack_sbuffer *out, uint32_t msgid, const char *field, uint64_t value)
{
    msgpack_packer p;
    msgpack_packer_init(&p, out, msgpack_sbuffer_write);
    msgpack_pack_array(&p, 4);
    msgpack_pack_int(&p, 1);
    msgpack_pack_uint32(&p, msgid);
    msgpack_pack_nil(&p);
    msgpack_pack_map(&p, 1);
    pack_text(&p, field);
    msgpack_pack_uint64(&p, value);
}

void peer_pack_notification_u64(msgpack_sbuffer *out, const char *method, const char *field, uint64_t value)
{
    msgpack_packer p;
    msgpack_packer_init(&p, out, msgpack_sbuffer_write);
    msgpack_pack_array(&p, 3);
    msgpack_pack_int(&p, 2);
    pack_text(&p, method);
    msgpack_pack_array(&p, 1);
    msgpack_pack_map(&p, 1);
    pack_text(&p, field);
    msgpack_pack_uint64(&p, value);
}

void peer_pack_frame(msgpack_sbuffer *out, uint32_t seq, uint32_t count)
{
    static const char *const zeros[] = {"dropped", "substep", "part"};
    static const char *const ones[] = {"stream", "world", "revision", "parts", "tick"};
    msgpack_packer p;
    msgpack_packer_init(&p, out, msgpack_sbuffer_write);
    msgpack_pack_array(&p, 3);
    msgpack_pack_int(&p, 2);
    pack_text(&p, "stream.frame");
    msgpack_pack_array(&p, 1);
    msgpack_pack_map(&p, 12);
    for (size_t i = 0; i < 3; i++) {
        pack_text(&p, zeros[i]);
        msgpack_pack_uint32(&p, 0);
    }
    for (size_t i = 0; i < 5; i++) {
        pack_text(&p, ones[i]);
        msgpack_pack_uint32(&p, 1);
    }
    pack_text(&p, "seq");
    msgpack_pack_uint32(&p, seq);
    pack_text(&p, "epoch");
    msgpack_pack_uint64(&p, UINT64_C(1) << 40);
    pack_text(&p, "time");
    msgpack_pack_double(&p, 0.5);
    pack_text(&p, "bodies");
    msgpack_pack_array(&p, 1);
    msgpack_pack_map(&p, 4);
    pack_text(&p, "body");
    msgpack_pack_uint32(&p, 1);
    pack_text(&p, "first");
    msgpack_pack_uint32(&p, 0);
    pack_text(&p, "count");
    msgpack_pack_uint32(&p, count);
    pack_text(&p, "positions");
    float *positions = malloc(sizeof(float) * 3 * (count + 1));
    for (uint32_t i = 0; i < 3 * count; i++) {
        positions[i] = (float)i;
    }
    msgpack_pack_ext_with_body(&p, positions, sizeof(float) * 3 * count, 0x17);
    free(positions);
}
