// Texts of tokens and invitations: a word, and 33 random bytes in the letters of URLs.
//
//     weft_AAAAAAAA BBBBBBBB…     the first 6 bytes find it in the book (the key), all of them prove it (the hash)
#ifndef WEFT_ACCESS_SECRET_H
#define WEFT_ACCESS_SECRET_H

#include "access/access.h"

enum access_kind { ACCESS_TOKEN, ACCESS_INVITE };

bool access_secret_start(void); // false: there is no randomness to be had
void access_secret_make(enum access_kind kind, char text[ACCESS_SECRET_SIZE], uint64_t *key,
                        uint8_t hash[32]);
bool access_secret_read(enum access_kind kind, const struct protocol_string *text, uint64_t *key,
                        uint8_t hash[32]);
bool access_secret_same(const uint8_t a[32], const uint8_t b[32]); // in constant time

void access_hash_print(const uint8_t hash[32], char out[65]);
bool access_hash_parse(const char *text, uint8_t hash[32]);

#endif
