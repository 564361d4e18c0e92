// Bytes from a TLS peer: instead of a handshake, in the middle of one, and after it. The first byte of the input
// chooses which, the second the size of the pieces.
#include "fuzz.h"

#include "../unit/net/helper_tls.h"
#include "net/tls.h"

#include <string.h>

enum { ROOM = 64 * 1024 + 2 * NET_TLS_PAIR_BYTES };

static struct helper_tls files;
static struct net_tls *tls;

static void remove_files(void)
{
    net_tls_destroy(tls);
    helper_tls_remove(&files);
}

static void start(void)
{
    char text[200];
    if (tls) {
        return;
    }
    helper_tls_make(&files, -60, 1000000);
    tls = net_tls_create(&(struct net_tls_files){files.cert, files.key, NULL}, text, sizeof text);
    FUZZ_ASSERT(tls != NULL);
    atexit(remove_files);
}

static enum net_tls_outcome shake_pieces(struct net_tls_side *side, const uint8_t *data, size_t size,
                                         size_t piece, struct net_tls_bytes *out)
{
    enum net_tls_outcome outcome = NET_TLS_MORE;
    for (size_t at = 0; at < size && outcome == NET_TLS_MORE;) {
        size_t used = 0, step = piece < size - at ? piece : size - at;
        outcome = net_tls_shake(side, data + at, step, &used, out);
        FUZZ_ASSERT(used <= step && (outcome != NET_TLS_MORE || used == step));
        FUZZ_ASSERT(outcome != NET_TLS_FAILED || net_tls_reason(side)[0] != '\0');
        FUZZ_ASSERT(outcome != NET_TLS_ENDED);
        at += used;
    }
    return outcome;
}

static void open_pieces(struct net_tls_side *side, const uint8_t *data, size_t size, size_t piece,
                        struct net_tls_bytes *out)
{
    static uint8_t plain[ROOM];
    enum net_tls_outcome outcome = NET_TLS_MORE;
    for (size_t at = 0; at < size && outcome == NET_TLS_MORE;) {
        size_t plain_size = 0, step = piece < size - at ? piece : size - at;
        outcome = net_tls_open(side, data + at, step, plain, sizeof plain, &plain_size, out);
        FUZZ_ASSERT(plain_size == 0); // nobody who has no keys is believed
        at += step;
    }
}

// An honest client's handshake, where flight number `which` is changed by the input: place, value, place, value ...
static bool shake_client(struct net_tls_side *side, const uint8_t *data, size_t size, int which,
                         struct net_tls_bytes *out)
{
    struct helper_tls_client client;
    helper_tls_client_init(&client, &files);
    enum net_tls_outcome outcome = NET_TLS_MORE;
    for (int flight = 0; flight < 4 && outcome == NET_TLS_MORE; flight++) {
        uint8_t bytes[8192];
        SSL_do_handshake(client.ssl);
        int came = BIO_read(client.out, bytes, sizeof bytes);
        if (came <= 0) {
            break;
        }
        for (size_t i = 0; flight == which && i + 1 < size; i += 2) {
            bytes[data[i] * (size_t)came / 256] ^= data[i + 1];
        }
        outcome = shake_pieces(side, bytes, (size_t)came, sizeof bytes, out);
        if (out->size > 0) {
            BIO_write(client.in, out->data, (int)out->size);
        }
        out->size = 0;
    }
    helper_tls_client_deinit(&client);
    return outcome == NET_TLS_DONE;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 2) {
        return 0;
    }
    start();
    struct net_tls_bytes out = {0};
    struct net_tls_side *side = net_tls_side_create(tls, "weft");
    FUZZ_ASSERT(side != NULL);
    const size_t piece = 1u + data[1] * 16u;
    if (data[0] % 3 == 0) {
        shake_pieces(side, data + 2, size - 2, piece, &out);
    } else if (data[0] % 3 == 1) {
        shake_client(side, data + 2, size - 2, data[0] / 3 % 2, &out);
    } else {
        FUZZ_ASSERT(shake_client(side, NULL, 0, -1, &out));
        open_pieces(side, data + 2, size - 2, piece, &out);
    }
    net_tls_seal_end(side, &out);
    net_tls_side_destroy(side);
    free(out.data);
    return 0;
}
