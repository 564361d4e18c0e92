// Tokens, roles in worlds, invitations, rate limits of persons, and the audit log. The module knows no session, and only the
// ids of worlds. Loop thread only, unless a function says otherwise.
//
//     book     tokens and invitations, by the hashes of their secrets; grants (world, name, role)
//     likeness which names look alike, by Unicode's data
//     file     the book on disk: each time it is written as a whole and replaces the one before
//     usage    token buckets, which limit the rates of a person
//     audit    lines of JSON, written by a thread of its own
//
// A change is made in memory at once. It is durable when access_image_write has written an image taken after it.
//
// Secrets have 216 random bits, so one plain hash is enough (BLAKE2b, without salt or stretching). Secrets are never kept,
// logged or shown again. Hashes are compared in constant time. now_s is Unix time in seconds; now_ns is base_now_ns.
#ifndef WEFT_ACCESS_ACCESS_H
#define WEFT_ACCESS_ACCESS_H

#include "access/likeness.h"
#include "protocol/types.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum {
    // Bytes, with the terminating zero.
    ACCESS_NAME_SIZE = 65,
    ACCESS_SECRET_SIZE = 64, // the text of a token or an invitation
    ACCESS_ERROR_SIZE = 512,
};

struct access;

// ---------------------------------------------------------------------------------------------------------
// The book

// Opens the book in the file, or an empty one if there is no such file. worlds_last: worlds survive this process. If they do not,
// grants and invitations are dropped, because ids of worlds will be used again. NULL with *error if the file cannot be read or is
// damaged, or memory runs out.
struct access *access_open(const char *file, bool worlds_last, char error[ACCESS_ERROR_SIZE]);
void access_close(struct access *access); // NULL is allowed

// The person that a token stands for. Tokens with the same name are the same person.
struct access_person {
    uint32_t token; // its id
    enum protocol_role role;
    uint64_t expires_s; // 0: never
    char name[ACCESS_NAME_SIZE];
};

// Finds the person of a token's secret, which a client sent. False if the text is not a token that is in the book and has not
// expired.
bool access_know(struct access *access, const struct protocol_string *text, uint64_t now_s,
                 struct access_person *person);
// Whether the token with this id is in the book: false once it was revoked or removed.
bool access_holds(const struct access *access, uint32_t token);

enum access_outcome { ACCESS_DONE, ACCESS_NONE, ACCESS_FULL, ACCESS_MEMORY, ACCESS_TAKEN, ACCESS_ALIKE };

// Makes a token, and writes its text to secret; it cannot be had again. FULL, MEMORY.
enum access_outcome access_token_create(struct access *access, const char *name, enum protocol_role role,
                                        uint64_t now_s, uint64_t expires_s, uint32_t *id,
                                        char secret[ACCESS_SECRET_SIZE]);
// Removes the token with this id or, if name is not NULL, all tokens of that name. Returns how many it removed.
uint32_t access_token_revoke(struct access *access, uint32_t id, const char *name);

struct access_token {
    uint32_t id;
    enum protocol_role role;
    uint64_t created_s, expires_s;
    uint64_t expired_ns; // monotonic time at which it was first seen expired; 0: it was not. Not in the file
    uint64_t key;        // the part of the secret by which it is found
    uint8_t hash[32];    // of the whole secret
    char name[ACCESS_NAME_SIZE];
    struct access_likeness likeness; // of the name
};
// Arrays that these functions return belong to the book, and are valid until it changes.
const struct access_token *access_tokens(const struct access *access, uint32_t *count); // ascending ids

// The role of a name in a world: the greater of its own and that of "*", which stands for everybody. ANYONE: none.
enum protocol_role access_role(const struct access *access, uint32_t world, const char *name);
// Most grants and invitations of a world.
enum { ACCESS_WORLD_GRANTS = 256, ACCESS_WORLD_INVITES = 64 };
// Gives a name a role in a world in place of the one that it had; ANYONE takes it away (NONE if it had none). The maker of the
// world is remembered as its maker in any case. `by` is the person who gives it; "" if that is not known. FULL, MEMORY.
enum access_outcome access_grant(struct access *access, uint32_t world, const char *name,
                                 enum protocol_role role, const char *by);
// Remembers that this person made the world, and makes them its OWNER. FULL, MEMORY.
enum access_outcome access_made(struct access *access, uint32_t world, const char *name);
const char *access_maker(const struct access *access, uint32_t world); // NULL: not known
// Whether a new person may have this name. TAKEN: a person with a token, or with a role in some world, has it, or it is "*".
// ALIKE: it looks like *like, which is such a name or "*". NONE: it is free. MEMORY.
enum access_outcome access_name_check(const struct access *access, const char *name, const char **like);
// Forgets the worlds that this person made and for which gone() is true, except the `most` with the highest ids. So nobody can fill
// the book by making and deleting worlds.
void access_forget_gone(struct access *access, const char *name, uint32_t most,
                        bool (*gone)(void *context, uint32_t world), void *context);
// Whether invitations may still make new persons: the last quarter of the room for tokens is kept for admins.
bool access_takes_guests(const struct access *access);
// Forgets the grants, invitations and control role of a world that is gone for good.
void access_forget(struct access *access, uint32_t world);

struct access_grant {
    uint32_t world;
    enum protocol_role role;
    bool made;                       // the person made the world
    char name[ACCESS_NAME_SIZE];     // "*": everybody
    char by[ACCESS_NAME_SIZE];       // the person who gave the role last; "": not known
    struct access_likeness likeness; // of the name
};
// The grants of one world, sorted by name.
const struct access_grant *access_grants(const struct access *access, uint32_t world, uint32_t *count);
// Counts the roles that `by` gave to others, in one world or (world 0) in all, and copies the first `room` of them to out.
uint32_t access_given(const struct access *access, uint32_t world, const char *by, struct access_grant *out,
                      uint32_t room);

// The role that is needed to play, pause, step and reset a world: EDITOR unless it was set. MEMORY, FULL.
enum protocol_role access_control(const struct access *access, uint32_t world);
enum access_outcome access_control_set(struct access *access, uint32_t world, enum protocol_role role);

struct access_invite {
    uint32_t id, world, uses; // uses: how often it can still be used
    enum protocol_role role;
    uint64_t expires_s;          // 0: never
    uint64_t expired_ns;         // as in access_token
    uint64_t key;                // as in access_token
    uint8_t hash[32];            // as in access_token
    char name[ACCESS_NAME_SIZE]; // the person who made it
};
// Makes an invitation with the world, role, uses, expires_s and name of `like`, and writes its text to secret. FULL, MEMORY.
enum access_outcome access_invite_create(struct access *access, const struct access_invite *like,
                                         uint32_t *id, char secret[ACCESS_SECRET_SIZE]);
// NULL if the text is not an invitation that is in the book and has not expired.
const struct access_invite *access_invite_find(const struct access *access,
                                               const struct protocol_string *text, uint64_t now_s);
void access_invite_use(struct access *access, uint32_t id);                    // the last use removes it
bool access_invite_revoke(struct access *access, uint32_t world, uint32_t id); // false: there is none
const struct access_invite *access_invites(const struct access *access, uint32_t *count); // ascending ids

// The invitations that one person made, into one world or (world 0) all, and that give more than the role `above`. A person
// whose role was lowered could come back by them.
struct access_own {
    uint32_t world;
    enum protocol_role above;
    const char *name;
};
// Counts them, and copies the first `room` of them to out.
uint32_t access_invites_own(const struct access *access, const struct access_own *own,
                            struct access_invite *out, uint32_t room);
void access_invites_end(struct access *access, const struct access_own *own); // removes them

// Tokens and invitations that have expired are refused at once. access_expire, which is called now and then, removes those that it
// has seen expired for an hour of monotonic time. The wall clock may be wrong for a while; what it makes expire comes back when
// it is right again, but what was removed does not.
enum { ACCESS_EXPIRED_S = 3600 };
void access_expire(struct access *access, uint64_t now_s, uint64_t now_ns);

// ---------------------------------------------------------------------------------------------------------
// The file

// An image: the book as it was at one moment. NULL if memory runs out.
struct access_image;
struct access_image *access_image(struct access *access);
// Writes the image to the file and waits for the disk, unless a newer one is there already; then destroys it. False with *error if
// it cannot be written. Any thread.
bool access_image_write(struct access_image *image, char error[ACCESS_ERROR_SIZE]);

// Makes a token without a running server, for an operator who can write beside the book's file. It goes to FILE.new. A server
// adopts it when it starts, and when a client sends a token that it does not know. False with *error.
bool access_token_leave(const char *file, const char *name, enum protocol_role role, uint64_t now_s,
                        uint64_t expires_s, char secret[ACCESS_SECRET_SIZE], char error[ACCESS_ERROR_SIZE]);
uint32_t access_adopt(struct access *access); // returns the number of tokens adopted

// ---------------------------------------------------------------------------------------------------------
// Rate limits of a person, by token buckets (not the tokens above)

enum access_bucket { ACCESS_MESSAGES, ACCESS_BYTES, ACCESS_EDITS, ACCESS_BUCKETS };
struct access_rates {
    uint64_t a_second[ACCESS_BUCKETS]; // 0: no limit. A bucket holds two seconds' worth
};
// All sessions of a name share one. The caller unrefs it before access_close. NULL if memory runs out.
struct access_usage;
struct access_usage *access_usage_get(struct access *access, const char *name, uint64_t now_ns);
void access_usage_unref(struct access_usage *usage); // NULL is allowed
// Takes `amount` from a bucket, or nothing and returns false if it holds less. An amount beyond the bucket's size takes all of a full
// bucket.
bool access_usage_take(struct access_usage *usage, enum access_bucket bucket, uint64_t a_second,
                       uint64_t amount, uint64_t now_ns);

// ---------------------------------------------------------------------------------------------------------
// The audit log

struct access_audit;
// Opens the file to append to it, and starts the thread. A new file gets the mode 0600. NULL with *error.
struct access_audit *access_audit_open(const char *file, char error[ACCESS_ERROR_SIZE]);
// Writes the lines that wait, for at most patience_ms, and ends the thread. If that hangs in a write it is left behind.
void access_audit_close(struct access_audit *audit, uint32_t patience_ms);
// Opens the file again before the next line is written: an operator has moved it away.
void access_audit_reopen(struct access_audit *audit);
// The fields of a line; NULL and 0 are left out.
struct access_event {
    const char *what;    // "connect", "hello", "refused", "call", ...
    const char *outcome; // "ok" or an error's code
    const char *method, *user, *address, *detail;
    uint32_t session, world, token;
};
// Queues a line and never waits. If 1 MiB is queued already the line is dropped and counted; a later line tells the count.
// audit may be NULL: nothing happens. Any thread.
void access_audit(struct access_audit *audit, const struct access_event *event);
uint64_t access_audit_dropped(const struct access_audit *audit); // lines dropped so far

#endif
