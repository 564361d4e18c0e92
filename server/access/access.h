// Decides who may do what: tokens, roles in worlds, invitations, what a person may use, and the audit log. Knows no session, and
// of a world only its id. Loop thread only, unless it says so.
//
//     book     tokens and invitations by the hashes of their secrets; grants (world, person, role)
//     likeness which names look alike, by Unicode's data
//     file     the book on the disk: written as a whole each time, and put in the place of the one before
//     usage    token buckets of a person
//     audit    lines of JSON, written by a thread of its own
//
// Secrets have 216 random bits, so one hash of them is as good as many (BLAKE2b, no salt, nothing to stretch); they are never
// kept, logged or told again. Hashes are compared in constant time.
#ifndef WEFT_ACCESS_ACCESS_H
#define WEFT_ACCESS_ACCESS_H

#include "access/likeness.h"
#include "protocol/types.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum {
    ACCESS_NAME_SIZE = 65,
    ACCESS_SECRET_SIZE = 64, // of the text of a token or an invitation, with its end
    ACCESS_ERROR_SIZE = 512,
};

struct access;

// ---------------------------------------------------------------------------------------------------------
// The book

// The book that the file holds, or an empty one if there is no such file. Grants and invitations are left out if worlds do
// not last, because ids of worlds begin again then. NULL with a text: it cannot be read, is damaged, or memory is short.
struct access *access_open(const char *file, bool worlds_last, char error[ACCESS_ERROR_SIZE]);
void access_close(struct access *access); // NULL is allowed

// The person that a token stands for. Tokens of one name are one person.
struct access_person {
    uint32_t token; // id
    enum protocol_role role;
    uint64_t expires_s; // 0: never
    char name[ACCESS_NAME_SIZE];
};

// The person of a token, if it is good. The text may be anything. now_s is Unix time, as everywhere here.
bool access_know(struct access *access, const struct protocol_string *text, uint64_t now_s,
                 struct access_person *person);
// Whether a token is still in the book.
bool access_holds(const struct access *access, uint32_t token);

enum access_outcome { ACCESS_DONE, ACCESS_NONE, ACCESS_FULL, ACCESS_MEMORY, ACCESS_TAKEN, ACCESS_ALIKE };

// Makes a token; secret is its text, the only time that it is told. FULL, MEMORY.
enum access_outcome access_token_create(struct access *access, const char *name, enum protocol_role role,
                                        uint64_t now_s, uint64_t expires_s, uint32_t *id,
                                        char secret[ACCESS_SECRET_SIZE]);
// By id, or all of a name where that is not NULL. How many there were.
uint32_t access_token_revoke(struct access *access, uint32_t id, const char *name);

struct access_token {
    uint32_t id;
    enum protocol_role role;
    uint64_t created_s, expires_s;
    uint64_t
        expired_ns; // of a clock that nobody sets: since when it has been seen as expired; 0: it has not. Not written
    uint64_t key; // the part of the secret that finds it
    uint8_t hash[32];
    char name[ACCESS_NAME_SIZE];
    struct access_likeness likeness; // of the name
};
const struct access_token *access_tokens(const struct access *access, uint32_t *count); // by ascending id

// The role that a name has in a world, by itself or because everybody has it. ANYONE: none.
enum protocol_role access_role(const struct access *access, uint32_t world, const char *name);
// ANYONE takes it back. The maker of the world stays its maker. A world has room for so many. FULL, MEMORY.
enum { ACCESS_WORLD_GRANTS = 256, ACCESS_WORLD_INVITES = 64 };
// `by` is the person who gives it; "" if nobody is known.
enum access_outcome access_grant(struct access *access, uint32_t world, const char *name,
                                 enum protocol_role role, const char *by);
// A world was made by somebody, who owns it. FULL, MEMORY.
enum access_outcome access_made(struct access *access, uint32_t world, const char *name);
const char *access_maker(const struct access *access, uint32_t world); // NULL: nobody known
// TAKEN: the name stands for somebody, who has a token, or a role somewhere. ALIKE: it stands for nobody, but looks like *like,
// which does, or like *, which is everybody. NONE: it is free. MEMORY.
enum access_outcome access_name_check(const struct access *access, const char *name, const char **like);
// Forgets the worlds that somebody made and that are `gone`, except for so many of the latest. So nobody fills the book by making
// worlds and deleting them.
void access_forget_gone(struct access *access, const char *name, uint32_t most,
                        bool (*gone)(void *context, uint32_t world), void *context);
// Whether somebody may still become a person by an invitation: a part of the room for tokens is kept for admins.
bool access_takes_guests(const struct access *access);
// The world is gone for good.
void access_forget(struct access *access, uint32_t world);

struct access_grant {
    uint32_t world;
    enum protocol_role role;
    bool made;
    char name[ACCESS_NAME_SIZE];
    char by[ACCESS_NAME_SIZE];       // the person who gave it last; "": nobody is known
    struct access_likeness likeness; // of the name
};
// The grants of one world, by name.
const struct access_grant *access_grants(const struct access *access, uint32_t world, uint32_t *count);
// Counts the roles that others have from `by`, in one world or (world 0) in all, and copies the first `room` of them.
uint32_t access_given(const struct access *access, uint32_t world, const char *by, struct access_grant *out,
                      uint32_t room);

// The role that is needed to play, pause, step and reset a world: EDITOR unless it was set. MEMORY, FULL.
enum protocol_role access_control(const struct access *access, uint32_t world);
enum access_outcome access_control_set(struct access *access, uint32_t world, enum protocol_role role);

struct access_invite {
    uint32_t id, world, uses;
    enum protocol_role role;
    uint64_t expires_s;
    uint64_t expired_ns; // as of a token
    uint64_t key;
    uint8_t hash[32];
    char name[ACCESS_NAME_SIZE]; // who made it
};
enum access_outcome access_invite_create(struct access *access, const struct access_invite *like,
                                         uint32_t *id, char secret[ACCESS_SECRET_SIZE]);
const struct access_invite *access_invite_find(const struct access *access,
                                               const struct protocol_string *text,
                                               uint64_t now_s);                // NULL: none that is good
void access_invite_use(struct access *access, uint32_t id);                    // one time less
bool access_invite_revoke(struct access *access, uint32_t world, uint32_t id); // false: there is none
const struct access_invite *access_invites(const struct access *access, uint32_t *count); // by id

// The invitations of one person into one world, or (world 0) into all, which give more than the role `above`: whoever is shut
// out, or may do less, would come back by them.
struct access_own {
    uint32_t world;
    enum protocol_role above;
    const char *name;
};
// Counts them, and copies the first `room` of them.
uint32_t access_invites_own(const struct access *access, const struct access_own *own,
                            struct access_invite *out, uint32_t room);
void access_invites_end(struct access *access, const struct access_own *own);

// Tokens and invitations that have expired are refused at once, and are removed when they have been seen as expired for an
// hour: the wall clock may be wrong for a while, and what it refuses can be good again; what is removed is lost.
// now_ns: of a clock that nobody sets.
enum { ACCESS_EXPIRED_S = 3600 };
void access_expire(struct access *access, uint64_t now_s, uint64_t now_ns);

// ---------------------------------------------------------------------------------------------------------
// The file

// The book as it is now, for access_image_write. NULL without memory.
struct access_image;
struct access_image *access_image(struct access *access);
// Any thread; ends the image. Writes it and waits for the disk, unless a newer one was written. False with a text.
bool access_image_write(struct access_image *image, char error[ACCESS_ERROR_SIZE]);

// Makes a token without the server, for somebody who may write beside its file: it stands in FILE.new until a server takes it
// from there (access_adopt, at its start and when a token comes that it does not know). False with a text.
bool access_token_leave(const char *file, const char *name, enum protocol_role role, uint64_t now_s,
                        uint64_t expires_s, char secret[ACCESS_SECRET_SIZE], char error[ACCESS_ERROR_SIZE]);
uint32_t access_adopt(struct access *access); // how many tokens came

// ---------------------------------------------------------------------------------------------------------
// What a person uses

enum access_bucket { ACCESS_MESSAGES, ACCESS_BYTES, ACCESS_EDITS, ACCESS_BUCKETS };
struct access_rates {
    uint64_t a_second[ACCESS_BUCKETS]; // 0: as many as come; twice as many may come at once
};
struct access_usage;
// The usage of a name, the same for all callers at a time. One reference; NULL if memory runs out.
struct access_usage *access_usage_get(struct access *access, const char *name, uint64_t now_ns);
void access_usage_unref(struct access_usage *usage); // NULL is allowed
// Takes so much, whole or not at all; false: there is not as much. What is larger than the bucket passes when that is full.
bool access_usage_take(struct access_usage *usage, enum access_bucket bucket, uint64_t a_second,
                       uint64_t amount, uint64_t now_ns);

// ---------------------------------------------------------------------------------------------------------
// The audit log

struct access_audit;
// Appends to the file, which has rights 0600 if it is made. NULL with a text.
struct access_audit *access_audit_open(const char *file, char error[ACCESS_ERROR_SIZE]);
// Writes what there is, for at most so long; one that hangs in a write is left.
void access_audit_close(struct access_audit *audit, uint32_t patience_ms);
// Opens the file again before the next line is written, as is wanted after it was moved away.
void access_audit_reopen(struct access_audit *audit);
// Fields of a line; NULL and 0 are left out.
struct access_event {
    const char *what;    // "connect", "hello", "refused", "call", ...
    const char *outcome; // "ok" or the word of an error
    const char *method, *user, *address, *detail;
    uint32_t session, world, token;
};
// Waits for nothing: a line for which there is no room is dropped and counted; the count is a line of its own later. NULL
// is allowed: nothing happens. Any thread.
void access_audit(struct access_audit *audit, const struct access_event *event);
uint64_t access_audit_dropped(const struct access_audit *audit);

#endif
