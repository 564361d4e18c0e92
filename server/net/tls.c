#include "net/tls.h"

#include "net/net.h"
#include "protocol/array/reserve.h"

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509_vfy.h>
#include <openssl/x509v3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    TLS_OUT_MIN = 1024,
    TLS_AROUND_MAX = 64, // bytes around a record's plaintext
    TLS_PROTOCOL_MAX = 32,
};

struct net_tls_side {
    SSL *ssl;
    BIO *network; // the half that faces the socket
    bool failed;
    char reason[NET_TLS_REASON_MAX];
};

// ---------------------------------------------------------------------------------------------------------
// Life

static struct net_tls_side *create(const struct net_tls *tls, const char *protocol)
{
    struct net_tls_side *side = calloc(1, sizeof *side);
    BIO *inner = NULL;
    if (!side) {
        return NULL;
    }
    ERR_clear_error();
    SSL_CTX *context = net_tls_context(tls);
    side->ssl = SSL_new(context);
    SSL_CTX_free(context);
    if (!side->ssl || BIO_new_bio_pair(&inner, NET_TLS_PAIR_BYTES, &side->network, NET_TLS_PAIR_BYTES) != 1 ||
        SSL_set_app_data(side->ssl, (void *)protocol) != 1) {
        BIO_free(inner);
        net_tls_side_destroy(side);
        return NULL;
    }
    SSL_set_bio(side->ssl, inner, inner);
    return side;
}

struct net_tls_side *net_tls_side_create(const struct net_tls *tls, const char *protocol)
{
    struct net_tls_side *side = create(tls, protocol);
    if (side) {
        SSL_set_accept_state(side->ssl);
    }
    return side;
}

// Whom the certificate has to be of. Names go to the server too, which may have several.
static bool expect(SSL *ssl, const char *name)
{
    X509_VERIFY_PARAM *verified = SSL_get0_param(ssl);
    if (X509_VERIFY_PARAM_set1_ip_asc(verified, name) == 1) {
        return true;
    }
    ERR_clear_error();
    SSL_set_hostflags(ssl, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
    return SSL_set1_host(ssl, name) == 1 && SSL_set_tlsext_host_name(ssl, name) == 1;
}

struct net_tls_side *net_tls_side_dial(const struct net_tls *tls, const char *protocol, const char *name)
{
    uint8_t offered[TLS_PROTOCOL_MAX + 1];
    const size_t size = strlen(protocol);
    struct net_tls_side *side = size <= TLS_PROTOCOL_MAX ? create(tls, protocol) : NULL;
    if (!side) {
        return NULL;
    }
    offered[0] = (uint8_t)size;
    memcpy(offered + 1, protocol, size);
    // 0 is good here.
    if (!expect(side->ssl, name) || SSL_set_alpn_protos(side->ssl, offered, (unsigned)size + 1) != 0) {
        net_tls_side_destroy(side);
        return NULL;
    }
    SSL_set_connect_state(side->ssl);
    return side;
}

void net_tls_side_destroy(struct net_tls_side *side)
{
    if (side) {
        SSL_free(side->ssl);
        BIO_free(side->network);
        free(side);
    }
}

const char *net_tls_reason(const struct net_tls_side *side)
{
    return side->reason;
}

// ---------------------------------------------------------------------------------------------------------
// Failure

static enum net_tls_outcome fail(struct net_tls_side *side, const char *reason)
{
    side->failed = true;
    if (side->reason[0] == 0) {
        snprintf(side->reason, sizeof side->reason, "%s", reason);
    }
    return NET_TLS_FAILED;
}

// Fails with what OpenSSL says, in words.
static enum net_tls_outcome fail_by_queue(struct net_tls_side *side)
{
    unsigned long code = ERR_peek_error();
    const char *text = code ? ERR_reason_error_string(code) : NULL;
    const long verified = SSL_get_verify_result(side->ssl);
    if (ERR_GET_REASON(code) == SSL_R_CERTIFICATE_VERIFY_FAILED && verified != X509_V_OK) {
        text = X509_verify_cert_error_string(verified);
    }
    ERR_clear_error();
    return fail(side, text ? text : "what came is no TLS");
}

// ---------------------------------------------------------------------------------------------------------
// Between the halves

static bool room_for(struct net_tls_bytes *out, size_t more)
{
    const size_t least = out->size + more;
    return array_reserve(&out->data, &out->capacity, least > TLS_OUT_MIN ? least : TLS_OUT_MIN);
}

// False without memory.
static bool take_out(struct net_tls_side *side, struct net_tls_bytes *out)
{
    size_t pending;
    while ((pending = BIO_ctrl_pending(side->network)) > 0) {
        if (!room_for(out, pending)) {
            fail(side, "the server has run out of memory");
            return false;
        }
        int got = BIO_read(side->network, out->data + out->size, (int)pending);
        if (got <= 0) {
            break;
        }
        out->size += (size_t)got;
    }
    return true;
}

static size_t put_in(struct net_tls_side *side, const uint8_t *in, size_t size)
{
    size_t room = BIO_ctrl_get_write_guarantee(side->network);
    size_t step = size < room ? size : room;
    int put = step > 0 ? BIO_write(side->network, in, (int)step) : 0;
    return put > 0 ? (size_t)put : 0;
}

// ---------------------------------------------------------------------------------------------------------
// In

enum net_tls_outcome net_tls_shake(struct net_tls_side *side, const uint8_t *in, size_t size, size_t *used,
                                   struct net_tls_bytes *out)
{
    *used = 0;
    for (;;) {
        size_t put = put_in(side, in + *used, size - *used);
        *used += put;
        ERR_clear_error();
        int status = SSL_do_handshake(side->ssl);
        int error = status == 1 ? SSL_ERROR_NONE : SSL_get_error(side->ssl, status);
        size_t out_before = out->size;
        if (!take_out(side, out)) {
            return NET_TLS_FAILED;
        }
        if (error == SSL_ERROR_NONE) {
            return NET_TLS_DONE;
        }
        if (error != SSL_ERROR_WANT_READ && error != SSL_ERROR_WANT_WRITE) {
            return fail_by_queue(side);
        }
        if (*used == size && (error == SSL_ERROR_WANT_READ || out->size == out_before)) {
            return NET_TLS_MORE;
        }
        if (put == 0 && out->size == out_before) {
            return fail(side, "a message of the handshake is too long");
        }
    }
}

enum net_tls_outcome net_tls_open(struct net_tls_side *side, const uint8_t *in, size_t in_size,
                                  uint8_t *plain, size_t plain_room, size_t *plain_size,
                                  struct net_tls_bytes *out)
{
    size_t used = 0;
    *plain_size = 0;
    if (side->failed) {
        return NET_TLS_FAILED;
    }
    for (;;) {
        size_t put = put_in(side, in + used, in_size - used);
        used += put;
        size_t got = 0;
        ERR_clear_error();
        int status = SSL_read_ex(side->ssl, plain + *plain_size, plain_room - *plain_size, &got);
        int error = status == 1 ? SSL_ERROR_NONE : SSL_get_error(side->ssl, status);
        *plain_size += got;
        if (!take_out(side, out)) {
            return NET_TLS_FAILED;
        }
        if (error == SSL_ERROR_ZERO_RETURN) {
            return NET_TLS_ENDED;
        }
        if (error != SSL_ERROR_NONE && error != SSL_ERROR_WANT_READ && error != SSL_ERROR_WANT_WRITE) {
            return fail_by_queue(side);
        }
        if (error == SSL_ERROR_WANT_READ && used == in_size) {
            return NET_TLS_MORE;
        }
        if (*plain_size == plain_room) {
            return fail(side, "more came out of it than went in");
        }
    }
}

// ---------------------------------------------------------------------------------------------------------
// Out

bool net_tls_reserve(struct net_tls_bytes *out, size_t plain)
{
    return room_for(out, plain + (plain / NET_TLS_RECORD_BYTES + 1) * TLS_AROUND_MAX);
}

bool net_tls_seal(struct net_tls_side *side, const void *plain, size_t size, struct net_tls_bytes *out)
{
    size_t written = 0;
    // First comes what stands in the pair from before, such as an answer to the peer's change of keys.
    if (side->failed || !take_out(side, out)) {
        return false;
    }
    ERR_clear_error();
    if (SSL_write_ex(side->ssl, plain, size, &written) != 1 || written != size) {
        fail_by_queue(side);
        return false;
    }
    return take_out(side, out);
}

void net_tls_seal_end(struct net_tls_side *side, struct net_tls_bytes *out)
{
    if (!side->failed && SSL_is_init_finished(side->ssl)) {
        ERR_clear_error();
        (void)SSL_shutdown(side->ssl); // 0: the peer has not answered, which nobody waits for
        ERR_clear_error();
    }
    (void)take_out(side, out);
}
