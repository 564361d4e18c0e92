// Files of a folder, read when listening begins and served from memory ever after: a path is looked up among
// those that were found then, and never becomes the name of a file. What shrinks is kept as gzip as well.
#ifndef WEFT_NET_HTTP_FILES_H
#define WEFT_NET_HTTP_FILES_H

#include "net/http_head.h"

#include <stdbool.h>
#include <stddef.h>

struct base_buffer;

enum {
    NET_FILES_MAX = 4096,
    NET_FILES_DEPTH_MAX = 8,
    NET_FILES_TAG_SIZE = 24,
};

struct net_file_body {
    struct base_buffer *bytes;    // NULL: there is no such variant
    char tag[NET_FILES_TAG_SIZE]; // ETag, with its quotes
};

struct net_file {
    char *path;       // from the folder, begins with /
    const char *type; // Content-Type
    bool immutable;   // its name changes with its content
    struct net_file_body plain, gzip;
};

struct net_files;
// Files and folders whose names begin with a dot, and what is no regular file (a symbolic link, say), are
// left out. NULL with *reason (static text). A folder that is not there has no files.
struct net_files *net_files_load(const char *folder, const char **reason);
void net_files_destroy(struct net_files *files); // NULL is allowed
size_t net_files_count(const struct net_files *files);
// /x/ stands for /x/index.html. NULL where there is none.
const struct net_file *net_files_find(const struct net_files *files, struct net_http_text path);

#endif
