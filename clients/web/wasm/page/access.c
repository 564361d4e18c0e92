// access/access.h where nobody is asked for a token: no book is ever opened, so there are no secrets or names to make or to compare, no
// file of them, and no audit log.
#include "access/access.h"

#include "access/secret.h"
#include "base/assert.h"

void access_secret_make(enum access_kind kind, char text[ACCESS_SECRET_SIZE], uint64_t *key, uint8_t hash[32])
{
    (void)kind;
    (void)text;
    (void)key;
    (void)hash;
    BASE_ASSERT(false); // there is no book
}

bool access_secret_read(enum access_kind kind, const struct protocol_string *text, uint64_t *key,
                        uint8_t hash[32])
{
    (void)kind;
    (void)text;
    (void)key;
    (void)hash;
    return false;
}

bool access_secret_same(const uint8_t a[32], const uint8_t b[32])
{
    (void)a;
    (void)b;
    return false;
}

bool access_likeness_of(const char *name, struct access_likeness *out)
{
    (void)name;
    *out = (struct access_likeness){0};
    return false;
}

bool access_likeness_same(const struct access_likeness *a, const struct access_likeness *b)
{
    (void)a;
    (void)b;
    return false;
}

struct access_image *access_image(struct access *access)
{
    (void)access;
    return NULL;
}

bool access_image_write(struct access_image *image, char error[ACCESS_ERROR_SIZE])
{
    (void)image;
    (void)error;
    BASE_ASSERT(false); // there is none
    return false;
}

uint32_t access_adopt(struct access *access)
{
    (void)access;
    return 0;
}

void access_audit(struct access_audit *audit, const struct access_event *event)
{
    BASE_ASSERT(!audit);
    (void)event;
}
