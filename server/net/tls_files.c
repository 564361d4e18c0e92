// Decides what may be spoken: TLS 1.2 and 1.3, ephemeral keys, ciphers that authenticate. Nothing is negotiated again, or
// compressed.
//
// A session is resumed by a ticket whose key is the context's, so reading the files again ends all of them. If clients need
// certificates there are no tickets: each certificate is looked at each time.
#include "net/tls.h"

#include "base/thread.h"
#include "net/net.h"

#include <errno.h>
#include <inttypes.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

enum { TLS_PATH_MAX = 4096 };

struct net_tls {
    struct base_mutex *mutex; // of context, which threads of loops take
    SSL_CTX *context;
    int64_t expires; // seconds since 1970
    bool dials;      // for connections that are made here
    char cert[TLS_PATH_MAX], key[TLS_PATH_MAX], ca[TLS_PATH_MAX];
};

// Ciphers of TLS 1.2. Those of 1.3 are all sound.
#define TLS_CIPHERS "ECDHE+AESGCM:ECDHE+CHACHA20"
#define TLS_GROUPS "X25519:P-256:P-384"

// ---------------------------------------------------------------------------------------------------------
// Saying what is wrong

struct told {
    char *text;
    size_t size;
};

static bool wrong(const struct told *told, const char *format, ...) __attribute__((format(printf, 2, 3)));

// Always false.
static bool wrong(const struct told *told, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(told->text, told->size, format, arguments);
    va_end(arguments);
    ERR_clear_error();
    return false;
}

static const char *queue_text(void)
{
    unsigned long code = ERR_peek_error();
    const char *text = code ? ERR_reason_error_string(code) : NULL;
    return text ? text : "it cannot be read";
}

static bool readable(const struct told *told, const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file) {
        return wrong(told, "%s: %s", path, strerror(errno));
    }
    // A folder can be opened.
    bool good = fgetc(file) != EOF;
    int number = errno;
    bool failed = ferror(file) != 0;
    fclose(file);
    return good || wrong(told, "%s: %s", path, failed ? strerror(number) : "it is empty");
}

// ---------------------------------------------------------------------------------------------------------
// Reading

// Nobody is there to be asked.
static int no_passphrase(char *out, int size, int writing, void *context)
{
    (void)size;
    (void)writing;
    (void)context;
    out[0] = 0;
    return 0;
}

static void date_text(const ASN1_TIME *at, char out[32])
{
    struct tm utc = {0};
    snprintf(out, 32, "?");
    if (ASN1_TIME_to_tm(at, &utc) == 1) {
        strftime(out, 32, "%Y-%m-%d %H:%M:%S UTC", &utc);
    }
}

static bool in_its_time(const struct told *told, const char *path, const X509 *cert, int64_t *expires)
{
    char date[32];
    struct tm utc = {0};
    if (X509_cmp_current_time(X509_get0_notAfter(cert)) <= 0) {
        date_text(X509_get0_notAfter(cert), date);
        return wrong(told, "%s: the certificate has expired: it was good until %s", path, date);
    }
    if (X509_cmp_current_time(X509_get0_notBefore(cert)) > 0) {
        date_text(X509_get0_notBefore(cert), date);
        return wrong(told, "%s: the certificate is not good yet: it will be from %s", path, date);
    }
    *expires = ASN1_TIME_to_tm(X509_get0_notAfter(cert), &utc) == 1 ? (int64_t)timegm(&utc) : INT64_MAX;
    return true;
}

static bool read_pair(const struct told *told, const struct net_tls *tls, SSL_CTX *context, int64_t *expires)
{
    if (!readable(told, tls->cert) || !readable(told, tls->key)) {
        return false;
    }
    SSL_CTX_set_default_passwd_cb(context, no_passphrase);
    if (SSL_CTX_use_certificate_chain_file(context, tls->cert) != 1) {
        return wrong(told, "%s: no certificate in PEM that can be used: %s", tls->cert, queue_text());
    }
    ERR_clear_error();
    if (SSL_CTX_use_PrivateKey_file(context, tls->key, SSL_FILETYPE_PEM) != 1) {
        unsigned long code = ERR_peek_last_error();
        if (ERR_GET_LIB(code) == ERR_LIB_X509 && ERR_GET_REASON(code) == X509_R_KEY_VALUES_MISMATCH) {
            return wrong(told, "%s is not the key of the certificate in %s", tls->key, tls->cert);
        }
        return wrong(told, "%s: no key in PEM that can be used (a passphrase is not asked for): %s", tls->key,
                     queue_text());
    }
    if (SSL_CTX_check_private_key(context) != 1) {
        return wrong(told, "%s is not the key of the certificate in %s", tls->key, tls->cert);
    }
    return in_its_time(told, tls->cert, SSL_CTX_get0_certificate(context), expires);
}

static bool read_client_ca(const struct told *told, const struct net_tls *tls, SSL_CTX *context)
{
    if (tls->ca[0] == 0) {
        return true;
    }
    if (!readable(told, tls->ca)) {
        return false;
    }
    STACK_OF(X509_NAME) *names = SSL_load_client_CA_file(tls->ca);
    if (!names || SSL_CTX_load_verify_file(context, tls->ca) != 1) {
        sk_X509_NAME_pop_free(names, X509_NAME_free);
        return wrong(told, "%s: no certificate in PEM that can be used: %s", tls->ca, queue_text());
    }
    SSL_CTX_set_client_CA_list(context, names);
    SSL_CTX_set_verify(context, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, NULL);
    SSL_CTX_set_options(context, SSL_OP_NO_TICKET);
    return SSL_CTX_set_num_tickets(context, 0) == 1 || wrong(told, "%s: %s", tls->ca, queue_text());
}

static bool read_trust(const struct told *told, const struct net_tls *tls, SSL_CTX *context)
{
    SSL_CTX_set_verify(context, SSL_VERIFY_PEER, NULL);
    if (tls->ca[0] == 0) {
        return SSL_CTX_set_default_verify_paths(context) == 1 ||
               wrong(told, "whom the system trusts cannot be read: %s", queue_text());
    }
    return readable(told, tls->ca) &&
           (SSL_CTX_load_verify_file(context, tls->ca) == 1 ||
            wrong(told, "%s: no certificate in PEM that can be used: %s", tls->ca, queue_text()));
}

// ---------------------------------------------------------------------------------------------------------
// What may be spoken

// A peer that offers protocols wants one of them. Bytes that a browser was made to send to the port of another protocol are refused.
static int choose_protocol(SSL *ssl, const unsigned char **out, unsigned char *out_size,
                           const unsigned char *in, unsigned in_size, void *context)
{
    const char *ours = SSL_get_app_data(ssl);
    size_t length = strlen(ours);
    (void)context;
    for (unsigned at = 0; at < in_size; at += 1u + in[at]) {
        if (in[at] == length && at + 1 + length <= in_size && memcmp(in + at + 1, ours, length) == 0) {
            *out = in + at + 1;
            *out_size = (unsigned char)length;
            return SSL_TLSEXT_ERR_OK;
        }
    }
    return SSL_TLSEXT_ERR_ALERT_FATAL;
}

static bool set_rules(SSL_CTX *context)
{
    static const unsigned char name[] = "weft";
    SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION |
                                     SSL_OP_CIPHER_SERVER_PREFERENCE | SSL_OP_PRIORITIZE_CHACHA);
    // Buffers of what is idle are given back; what is written may lie elsewhere when it is tried again.
    SSL_CTX_set_mode(context, SSL_MODE_RELEASE_BUFFERS | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
    SSL_CTX_set_security_level(context, 2); // no RSA below 2048 bits, no SHA-1
    SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
    SSL_CTX_set_alpn_select_cb(context, choose_protocol, NULL);
    return SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION) == 1 &&
           SSL_CTX_set_cipher_list(context, TLS_CIPHERS) == 1 &&
           SSL_CTX_set1_groups_list(context, TLS_GROUPS) == 1 && SSL_CTX_set_num_tickets(context, 1) == 1 &&
           SSL_CTX_set_session_id_context(context, name, sizeof name - 1) == 1;
}

static SSL_CTX *context_read(const struct net_tls *tls, const struct told *told, int64_t *expires)
{
    ERR_clear_error();
    SSL_CTX *context = SSL_CTX_new(tls->dials ? TLS_client_method() : TLS_server_method());
    if (!context || !set_rules(context)) {
        wrong(told, "TLS cannot begin: %s", queue_text());
    } else if ((tls->cert[0] == 0 || read_pair(told, tls, context, expires)) &&
               (tls->dials ? read_trust(told, tls, context) : read_client_ca(told, tls, context))) {
        return context;
    }
    SSL_CTX_free(context);
    return NULL;
}

// ---------------------------------------------------------------------------------------------------------
// For listening, and for being dialed

static struct net_tls *create(bool dials, const struct net_tls_files *files, char *text, size_t size)
{
    const struct told told = {text, size};
    struct net_tls *tls = calloc(1, sizeof *tls);
    if (!tls) {
        wrong(&told, "no memory");
        return NULL;
    }
    tls->mutex = malloc(sizeof *tls->mutex);
    if (!tls->mutex) {
        wrong(&told, "no memory");
        free(tls);
        return NULL;
    }
    base_mutex_init(tls->mutex);
    tls->dials = dials;
    snprintf(tls->cert, sizeof tls->cert, "%s", files->cert ? files->cert : "");
    snprintf(tls->key, sizeof tls->key, "%s", files->key ? files->key : "");
    snprintf(tls->ca, sizeof tls->ca, "%s", files->client_ca ? files->client_ca : "");
    if (!net_tls_reload(tls, text, size)) {
        net_tls_destroy(tls);
        return NULL;
    }
    return tls;
}

struct net_tls *net_tls_create(const struct net_tls_files *files, char *text, size_t size)
{
    return create(false, files, text, size);
}

struct net_tls *net_tls_create_trust(const struct net_tls_trust *trust, char *text, size_t size)
{
    return create(true, &(struct net_tls_files){trust->cert, trust->key, trust->ca}, text, size);
}

bool net_tls_reload(struct net_tls *tls, char *text, size_t size)
{
    const struct told told = {text, size};
    int64_t expires = 0;
    SSL_CTX *context = context_read(tls, &told, &expires);
    if (!context) {
        return false;
    }
    base_mutex_lock(tls->mutex);
    SSL_CTX *before = tls->context;
    tls->context = context;
    base_mutex_unlock(tls->mutex);
    SSL_CTX_free(before);
    tls->expires = expires;
    return true;
}

void net_tls_destroy(struct net_tls *tls)
{
    if (tls) {
        SSL_CTX_free(tls->context);
        base_mutex_deinit(tls->mutex);
        free(tls->mutex);
        free(tls);
    }
}

int64_t net_tls_expires(const struct net_tls *tls)
{
    return tls->expires;
}

bool net_tls_key_is_open(const struct net_tls *tls)
{
    struct stat about;
    return stat(tls->key, &about) == 0 && (about.st_mode & S_IRWXO) != 0;
}

SSL_CTX *net_tls_context(const struct net_tls *tls)
{
    base_mutex_lock(tls->mutex);
    SSL_CTX *context = tls->context;
    SSL_CTX_up_ref(context);
    base_mutex_unlock(tls->mutex);
    return context;
}
