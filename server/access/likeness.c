// ICU normalizes, folds and makes skeletons; libsodium hashes what comes of it.
#include "access/likeness.h"

#include "access/access.h"
#include "protocol/utf8/utf8.h"

#include <sodium.h>
#include <stdio.h>
#include <string.h>
#include <unicode/unorm2.h>
#include <unicode/uspoof.h>
#include <unicode/ustring.h>

// A character of 3 bytes becomes 18 code units at most under NFKC, and a skeleton of one is shorter than that.
enum { UNITS_MAX = 8192 };

struct text {
    UChar units[UNITS_MAX];
    int32_t size;
};

static const UNormalizer2 *folding, *composing;
static USpoofChecker *spoof;

bool access_likeness_start(char error[ACCESS_ERROR_SIZE])
{
    UErrorCode status = U_ZERO_ERROR;
    if (spoof) {
        return true;
    }
    folding = unorm2_getNFKCCasefoldInstance(&status);
    composing = unorm2_getNFKCInstance(&status);
    USpoofChecker *made = uspoof_open(&status);
    if (U_SUCCESS(status)) {
        spoof = made;
        return true;
    }
    snprintf(error, ACCESS_ERROR_SIZE, "Unicode's data for comparing names cannot be had from ICU: %s",
             u_errorName(status));
    return false;
}

static void normalize(const UNormalizer2 *form, const struct text *in, struct text *out, UErrorCode *status)
{
    out->size = unorm2_normalize(form, in->units, in->size, out->units, UNITS_MAX, status);
}

// White space goes as well: a thin one inside a name is not seen, and at its ends no one is.
static void strip(struct text *text)
{
    int32_t kept = 0;
    for (int32_t at = 0; at < text->size;) {
        const int32_t first = at;
        UChar32 code;
        U16_NEXT(text->units, at, text->size, code);
        if (protocol_utf8_is_invisible((uint32_t)code)) {
            continue;
        }
        memmove(text->units + kept, text->units + first, (size_t)(at - first) * sizeof *text->units);
        kept += at - first;
    }
    text->size = kept;
}

static void hash(const UNormalizer2 *form, const struct text *name, uint8_t out[16], UErrorCode *status)
{
    struct text one, other;
    normalize(form, name, &one, status);
    if (U_FAILURE(*status)) {
        return;
    }
    other.size = uspoof_getSkeleton(spoof, 0, one.units, one.size, other.units, UNITS_MAX, status);
    if (U_FAILURE(*status)) {
        return;
    }
    normalize(folding, &other, &one, status);
    if (U_FAILURE(*status)) {
        return;
    }
    strip(&one);
    crypto_generichash(out, 16, (const uint8_t *)one.units, (size_t)one.size * sizeof *one.units, NULL, 0);
}

bool access_likeness_of(const char *name, struct access_likeness *out)
{
    UErrorCode status = U_ZERO_ERROR;
    struct text text;
    memset(out, 0, sizeof *out);
    u_strFromUTF8(text.units, UNITS_MAX, &text.size, name, -1, &status);
    if (U_FAILURE(status)) {
        return false;
    }
    strip(&text);
    hash(folding, &text, out->folded, &status);
    if (U_SUCCESS(status)) {
        hash(composing, &text, out->shown, &status);
    }
    return U_SUCCESS(status);
}

bool access_likeness_same(const struct access_likeness *a, const struct access_likeness *b)
{
    return memcmp(a->folded, b->folded, sizeof a->folded) == 0 ||
           memcmp(a->shown, b->shown, sizeof a->shown) == 0;
}
