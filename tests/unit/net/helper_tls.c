#include "helper_tls.h"

#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MUST(condition)                                                                   \
    do {                                                                                  \
        if (!(condition)) {                                                               \
            fprintf(stderr, "%s:%d: cannot go on: %s\n", __FILE__, __LINE__, #condition); \
            abort();                                                                      \
        }                                                                                 \
    } while (0)

static void add_extension(X509 *cert, int which, const char *value)
{
    X509V3_CTX about;
    X509V3_set_ctx_nodb(&about);
    X509V3_set_ctx(&about, cert, cert, NULL, NULL, 0);
    X509_EXTENSION *extension = X509V3_EXT_conf_nid(NULL, &about, which, value);
    MUST(extension && X509_add_ext(cert, extension, -1) == 1);
    X509_EXTENSION_free(extension);
}

void helper_tls_make(struct helper_tls *tls, long from_s, long for_s)
{
    snprintf(tls->folder, sizeof tls->folder, "/tmp/weft-tls-XXXXXX");
    MUST(mkdtemp(tls->folder));
    snprintf(tls->cert, sizeof tls->cert, "%s/cert.pem", tls->folder);
    snprintf(tls->key, sizeof tls->key, "%s/key.pem", tls->folder);
    EVP_PKEY *key = EVP_EC_gen("P-256");
    X509 *cert = X509_new();
    MUST(key && cert);
    X509_set_version(cert, 2);
    ASN1_INTEGER_set(X509_get_serialNumber(cert), 1);
    X509_gmtime_adj(X509_getm_notBefore(cert), from_s);
    X509_gmtime_adj(X509_getm_notAfter(cert), from_s + for_s);
    X509_set_pubkey(cert, key);
    X509_NAME_add_entry_by_txt(X509_get_subject_name(cert), "CN", MBSTRING_ASC,
                               (const unsigned char *)"localhost", -1, -1, 0);
    X509_set_issuer_name(cert, X509_get_subject_name(cert));
    add_extension(cert, NID_basic_constraints, "critical,CA:TRUE");
    add_extension(cert, NID_subject_alt_name, "DNS:localhost,IP:127.0.0.1");
    MUST(X509_sign(cert, key, EVP_sha256()) > 0);
    FILE *file = fopen(tls->cert, "w");
    MUST(file && PEM_write_X509(file, cert) == 1 && fclose(file) == 0);
    file = fopen(tls->key, "w");
    MUST(file && PEM_write_PrivateKey(file, key, NULL, NULL, 0, NULL, NULL) == 1 && fclose(file) == 0);
    X509_free(cert);
    EVP_PKEY_free(key);
}

void helper_tls_remove(const struct helper_tls *tls)
{
    unlink(tls->cert);
    unlink(tls->key);
    rmdir(tls->folder);
}

void helper_tls_client_init(struct helper_tls_client *client, const struct helper_tls *tls)
{
    client->context = SSL_CTX_new(TLS_client_method());
    MUST(client->context && SSL_CTX_load_verify_file(client->context, tls->cert) == 1);
    SSL_CTX_set_verify(client->context, SSL_VERIFY_PEER, NULL);
    client->ssl = SSL_new(client->context);
    client->in = BIO_new(BIO_s_mem());
    client->out = BIO_new(BIO_s_mem());
    MUST(client->ssl && client->in && client->out && SSL_set1_host(client->ssl, "localhost") == 1);
    SSL_set_bio(client->ssl, client->in, client->out);
    SSL_set_connect_state(client->ssl);
}

void helper_tls_client_deinit(struct helper_tls_client *client)
{
    SSL_free(client->ssl);
    SSL_CTX_free(client->context);
}
