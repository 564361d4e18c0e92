#include "access/secret.h"

#include "base/assert.h"
#include "base/random.h"

#include <sodium.h>
#include <string.h>

enum { RAW_BYTES = 33, KEY_BYTES = 6 };

static const char *const words[] = {[ACCESS_TOKEN] = "weft_", [ACCESS_INVITE] = "weftinvite_"};

bool access_secret_start(void)
{
    return sodium_init() >= 0;
}

static void digest(enum access_kind kind, const uint8_t raw[RAW_BYTES], uint64_t *key, uint8_t hash[32])
{
    // An invitation is no token, even if its bytes were.
    uint8_t kinds[RAW_BYTES + 1] = {(uint8_t)kind};
    memcpy(kinds + 1, raw, RAW_BYTES);
    crypto_generichash(hash, 32, kinds, sizeof kinds, NULL, 0);
    sodium_memzero(kinds, sizeof kinds);
    *key = 0;
    for (int i = 0; i < KEY_BYTES; i++) {
        *key = *key << 8 | raw[i];
    }
}

void access_secret_make(enum access_kind kind, char text[ACCESS_SECRET_SIZE], uint64_t *key, uint8_t hash[32])
{
    uint8_t raw[RAW_BYTES];
    const bool made = base_random(raw, sizeof raw);
    BASE_ASSERT(made); // a secret that somebody could guess is worse than none
    size_t used = strlen(words[kind]);
    memcpy(text, words[kind], used);
    sodium_bin2base64(text + used, ACCESS_SECRET_SIZE - used, raw, sizeof raw,
                      sodium_base64_VARIANT_URLSAFE_NO_PADDING);
    digest(kind, raw, key, hash);
    sodium_memzero(raw, sizeof raw);
}

bool access_secret_read(enum access_kind kind, const struct protocol_string *text, uint64_t *key,
                        uint8_t hash[32])
{
    const size_t word = strlen(words[kind]);
    uint8_t raw[RAW_BYTES];
    size_t size = 0;
    const char *end = NULL;
    const bool good = text->size == word + RAW_BYTES / 3 * 4 && memcmp(text->data, words[kind], word) == 0 &&
                      sodium_base642bin(raw, sizeof raw, text->data + word, text->size - word, NULL, &size,
                                        &end, sodium_base64_VARIANT_URLSAFE_NO_PADDING) == 0 &&
                      size == RAW_BYTES && end == text->data + text->size;
    if (good) {
        digest(kind, raw, key, hash);
    }
    sodium_memzero(raw, sizeof raw);
    return good;
}

bool access_secret_same(const uint8_t a[32], const uint8_t b[32])
{
    return sodium_memcmp(a, b, 32) == 0;
}

void access_hash_print(const uint8_t hash[32], char out[65])
{
    sodium_bin2hex(out, 65, hash, 32);
}

bool access_hash_parse(const char *text, uint8_t hash[32])
{
    size_t size = 0;
    return strlen(text) == 64 && sodium_hex2bin(hash, 32, text, 64, NULL, &size, NULL) == 0 && size == 32;
}
