// The book in memory, for the files of this module.
#ifndef WEFT_ACCESS_BOOK_INTERNAL_H
#define WEFT_ACCESS_BOOK_INTERNAL_H

#include "access/access.h"

#include "base/thread.h"

#include <stdatomic.h>

enum { ACCESS_TOKENS_MAX = 16384, ACCESS_GRANTS_MAX = 65536, ACCESS_PATH_SIZE = 4096 };

// Shared with images under way, which may outlive nothing else.
struct access_file {
    struct base_mutex mutex; // of what is on the disk
    uint64_t written;        // number of the newest image there
    char path[ACCESS_PATH_SIZE];
    atomic_uint refs;
};

struct access_control_row {
    uint32_t world;
    enum protocol_role role;
};

// Rows stand by ascending id; grants by world and name.
struct access {
    struct access_token *tokens;
    struct access_invite *invites;
    struct access_grant *grants;
    struct access_control_row *controls;
    uint32_t token_count, token_room;
    uint32_t invite_count, invite_room;
    uint32_t grant_count, grant_room;
    uint32_t control_count, control_room;
    uint32_t last_id; // of tokens and invitations
    uint64_t images;  // that were made
    struct access_file *file;
    struct access_usage *usages;
};

// Room for one more row of `size` bytes at `place`, the others moved up. NULL: no memory.
void *access_rows_insert(void **rows, uint32_t *count, uint32_t *room, size_t size, uint32_t place);
enum access_outcome access_token_put(struct access *access, const struct access_token *token);
enum access_outcome access_invite_put(struct access *access, const struct access_invite *invite);
struct access_grant_put {
    uint32_t world;
    enum protocol_role role;
    bool made;
    const char *name, *by;
};
enum access_outcome access_grant_put(struct access *access, const struct access_grant_put *put);
bool access_token_same(const struct access *access,
                       const struct access_token *token); // one of this secret is there
void access_usages_destroy(struct access *access);

// file.c
bool access_file_read(struct access *access, bool worlds_last, char error[ACCESS_ERROR_SIZE]);

#endif
