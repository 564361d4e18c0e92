#include "secure.h"

#include <arpa/inet.h>
#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509_vfy.h>
#include <openssl/x509v3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PLAIN_BYTES = 16 * 1024, FEED_BYTES = 64 * 1024, PUT_BYTES = 1 << 30 };

struct weft_secure {
    SSL_CTX *context;
    SSL *ssl;
    BIO *in, *out; // owned by SSL
    bool ended;
    char host[sizeof((struct weft_address *)0)->host];
    bool named; // weft_tls set the name, whatever the host
};

bool weft_secure_wanted(const struct weft_address *address, const struct weft_tls *tls)
{
    return address->secure || (tls && tls->on);
}

// ---------------------------------------------------------------------------------------------------------
// Errors

static const char *queue_text(void)
{
    const unsigned long code = ERR_peek_error();
    const char *text = code ? ERR_reason_error_string(code) : NULL;
    return text ? text : "no reason is known";
}

static bool fail_file(struct weft_error *error, const char *path, const char *what)
{
    weft_fail(error, WEFT_KIND_LOCAL, "FILE", "%s: %s: %s", path, what, queue_text());
    ERR_clear_error();
    return false;
}

static bool fail_shake(const struct weft_secure *secure, struct weft_error *error)
{
    const long verified = SSL_get_verify_result(secure->ssl);
    const char *host = secure->host;
    if (verified == X509_V_ERR_HOSTNAME_MISMATCH || verified == X509_V_ERR_IP_ADDRESS_MISMATCH) {
        weft_fail(error, WEFT_KIND_TRANSPORT, "CERTIFICATE",
                  "the server's certificate is for another name than %s", host);
    } else if (verified != X509_V_OK && SSL_get_verify_mode(secure->ssl) != SSL_VERIFY_NONE) {
        weft_fail(error, WEFT_KIND_TRANSPORT, "CERTIFICATE",
                  "the certificate of the server at %s is not trusted: %s", host,
                  X509_verify_cert_error_string(verified));
    } else if (ERR_GET_REASON(ERR_peek_error()) == SSL_R_WRONG_VERSION_NUMBER) {
        weft_fail(error, WEFT_KIND_TRANSPORT, "TLS", "the server at %s does not speak TLS at this port",
                  host);
    } else {
        weft_fail(error, WEFT_KIND_TRANSPORT, "TLS", "no TLS with the server at %s: %s", host, queue_text());
    }
    ERR_clear_error();
    return false;
}

// ---------------------------------------------------------------------------------------------------------
// Life

static bool load_files(struct weft_secure *secure, const struct weft_tls *tls, struct weft_error *error)
{
    SSL_CTX *context = secure->context;
    if (tls && tls->no_verify) {
        SSL_CTX_set_verify(context, SSL_VERIFY_NONE, NULL);
    } else {
        SSL_CTX_set_verify(context, SSL_VERIFY_PEER, NULL);
        if (tls && tls->ca) {
            if (SSL_CTX_load_verify_file(context, tls->ca) != 1) {
                return fail_file(error, tls->ca, "no certificate in PEM that can be used");
            }
        } else if (SSL_CTX_set_default_verify_paths(context) != 1) {
            return fail_file(error, "the system's certificates", "they cannot be used");
        }
    }
    if (!tls || (!tls->cert && !tls->key)) {
        return true;
    }
    if (!tls->cert || !tls->key) {
        return weft_fail(error, WEFT_KIND_LOCAL, "USAGE",
                         "a certificate and its key belong together: %s is missing",
                         tls->cert ? "the key" : "the certificate");
    }
    if (SSL_CTX_use_certificate_chain_file(context, tls->cert) != 1) {
        return fail_file(error, tls->cert, "no certificate in PEM that can be used");
    }
    ERR_clear_error();
    if (SSL_CTX_use_PrivateKey_file(context, tls->key, SSL_FILETYPE_PEM) != 1 ||
        SSL_CTX_check_private_key(context) != 1) {
        return fail_file(error, tls->key, "no key in PEM that can be used with that certificate");
    }
    return true;
}

static bool name_server(struct weft_secure *secure, const char *name)
{
    uint8_t address[16];
    if (inet_pton(AF_INET, name, address) == 1 || inet_pton(AF_INET6, name, address) == 1) {
        return X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(secure->ssl), name) == 1;
    }
    SSL_set_hostflags(secure->ssl, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
    return SSL_set1_host(secure->ssl, name) == 1 && SSL_set_tlsext_host_name(secure->ssl, name) == 1;
}

bool weft_secure_restart(struct weft_secure *secure)
{
    static const unsigned char protocols[] = "\4weft";
    ERR_clear_error();
    SSL_free(secure->ssl); // frees in and out as well
    secure->ended = false;
    secure->ssl = SSL_new(secure->context);
    secure->in = BIO_new(BIO_s_mem());
    secure->out = BIO_new(BIO_s_mem());
    if (!secure->ssl || !secure->in || !secure->out ||
        SSL_set_min_proto_version(secure->ssl, TLS1_2_VERSION) != 1 || !name_server(secure, secure->host) ||
        SSL_set_alpn_protos(secure->ssl, protocols, sizeof protocols - 1) != 0) {
        BIO_free(secure->in);
        BIO_free(secure->out);
        SSL_free(secure->ssl);
        secure->ssl = NULL;
        return false;
    }
    SSL_set_bio(secure->ssl, secure->in, secure->out);
    SSL_set_connect_state(secure->ssl);
    (void)SSL_do_handshake(secure->ssl); // writes the handshake's first bytes
    return true;
}

bool weft_secure_rename(struct weft_secure *secure, const char *host)
{
    if (!secure->named) {
        snprintf(secure->host, sizeof secure->host, "%s", host);
    }
    return weft_secure_restart(secure);
}

struct weft_secure *weft_secure_create(const struct weft_tls *tls, const char *host, struct weft_error *error)
{
    struct weft_secure *secure = calloc(1, sizeof *secure);
    if (!secure) {
        weft_fail_memory(error);
        return NULL;
    }
    secure->named = tls && tls->name;
    snprintf(secure->host, sizeof secure->host, "%s", secure->named ? tls->name : host);
    ERR_clear_error();
    secure->context = SSL_CTX_new(TLS_client_method());
    if (!secure->context) {
        goto no_memory;
    }
    SSL_CTX_set_options(secure->context, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION);
    SSL_CTX_set_mode(secure->context, SSL_MODE_RELEASE_BUFFERS | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
    if (!load_files(secure, tls, error)) {
        goto cleanup;
    }
    if (SSL_CTX_set_min_proto_version(secure->context, TLS1_2_VERSION) != 1 || !weft_secure_restart(secure)) {
        goto no_memory;
    }
    return secure;

no_memory:
    weft_fail_memory(error);
cleanup:
    weft_secure_destroy(secure);
    return NULL;
}

void weft_secure_destroy(struct weft_secure *secure)
{
    if (!secure) {
        return;
    }
    SSL_free(secure->ssl);
    SSL_CTX_free(secure->context);
    free(secure);
}

bool weft_secure_ready(const struct weft_secure *secure)
{
    return SSL_is_init_finished(secure->ssl) == 1;
}

bool weft_secure_ended(const struct weft_secure *secure)
{
    return secure->ended;
}

// ---------------------------------------------------------------------------------------------------------
// Incoming bytes

// Decrypts all records that are whole. False with *error.
static bool open_records(struct weft_secure *secure, weft_receive_fn *receive, struct weft_client *client,
                         struct weft_error *error)
{
    uint8_t plain[PLAIN_BYTES];
    while (!weft_client_is_cut(client)) {
        size_t got = 0;
        ERR_clear_error();
        const int status = SSL_read_ex(secure->ssl, plain, sizeof plain, &got);
        if (status == 1) {
            receive(client, plain, got);
            continue;
        }
        const int why = SSL_get_error(secure->ssl, status);
        if (why == SSL_ERROR_ZERO_RETURN) {
            secure->ended = true;
        }
        if (why == SSL_ERROR_ZERO_RETURN || why == SSL_ERROR_WANT_READ || why == SSL_ERROR_WANT_WRITE) {
            return true;
        }
        // For example the alert of a TLS 1.3 server that wants a certificate: it comes after this side has finished the
        // handshake.
        return fail_shake(secure, error);
    }
    return true;
}

bool weft_secure_feed(struct weft_secure *secure, weft_receive_fn *receive, struct weft_client *client,
                      const uint8_t *data, size_t size, struct weft_error *error)
{
    while (size > 0) {
        const size_t step = size < FEED_BYTES ? size : FEED_BYTES;
        if (BIO_write(secure->in, data, (int)step) != (int)step) {
            return weft_fail_memory(error);
        }
        data += step;
        size -= step;
        if (!weft_secure_ready(secure)) {
            ERR_clear_error();
            const int status = SSL_do_handshake(secure->ssl);
            if (status != 1) {
                if (SSL_get_error(secure->ssl, status) != SSL_ERROR_WANT_READ) {
                    return fail_shake(secure, error);
                }
                continue;
            }
        }
        if (!open_records(secure, receive, client, error)) {
            return false;
        }
    }
    return true;
}

// ---------------------------------------------------------------------------------------------------------
// Outgoing bytes

bool weft_secure_put(struct weft_secure *secure, const void *data, size_t size, struct weft_error *error)
{
    const char *from = data;
    while (size > 0) {
        size_t put = 0;
        ERR_clear_error();
        if (SSL_write_ex(secure->ssl, from, size < PUT_BYTES ? size : PUT_BYTES, &put) != 1) {
            return fail_shake(secure, error);
        }
        from += put;
        size -= put;
    }
    return true;
}

void weft_secure_end(struct weft_secure *secure)
{
    if (weft_secure_ready(secure)) {
        ERR_clear_error();
        (void)SSL_shutdown(secure->ssl);
        ERR_clear_error();
    }
}

size_t weft_secure_take(struct weft_secure *secure, char **bytes)
{
    const size_t size = BIO_ctrl_pending(secure->out);
    *bytes = size > 0 ? malloc(size) : NULL;
    if (!*bytes) {
        return 0;
    }
    const int got = BIO_read(secure->out, *bytes, (int)size);
    if (got <= 0) {
        free(*bytes);
        *bytes = NULL;
    }
    return got > 0 ? (size_t)got : 0;
}
