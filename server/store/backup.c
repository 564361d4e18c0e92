// Copies the database as it is at one moment. A read transaction holds that moment while pages are copied in
// steps, so that writes neither wait nor get into the copy. Until it ends the log cannot start over, and
// grows.
#include "store/read.h"

#include <dirent.h>
#include <errno.h>
#include <string.h>

enum { STEP_PAGES = 256 };

static bool is_empty(const char *path)
{
    DIR *folder = opendir(path);
    if (!folder) {
        return errno == ENOENT;
    }
    const struct dirent *item;
    bool empty = true;
    while (empty && (item = readdir(folder))) {
        empty = strcmp(item->d_name, ".") == 0 || strcmp(item->d_name, "..") == 0;
    }
    closedir(folder);
    return empty;
}

static int copy(sqlite3 *to, sqlite3 *from, void (*on_progress)(void *context, uint64_t done, uint64_t of),
                void *context)
{
    sqlite3_backup *backup = sqlite3_backup_init(to, "main", from, "main");
    if (!backup) {
        return sqlite3_errcode(to);
    }
    int code;
    do {
        code = sqlite3_backup_step(backup, STEP_PAGES);
        const int all = sqlite3_backup_pagecount(backup), left = sqlite3_backup_remaining(backup);
        if (on_progress && (code == SQLITE_OK || code == SQLITE_DONE)) {
            on_progress(context, (uint64_t)(all - left), (uint64_t)all);
        }
    } while (code == SQLITE_OK);
    const int end = sqlite3_backup_finish(backup);
    return code == SQLITE_DONE ? end : code;
}

static enum fault_code copy_into(struct sqlite_reader *reader, const struct store_folder *folder,
                                 void (*on_progress)(void *context, uint64_t done, uint64_t of),
                                 void *context, struct store_error *error)
{
    sqlite3 *to = NULL;
    int code = sqlite3_open_v2(folder->db, &to,
                               SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX |
                                   SQLITE_OPEN_EXRESCODE,
                               folder->checked);
    if (code == SQLITE_OK) {
        int reserved = STORE_PAGE_SUM;
        sqlite3_file_control(to, "main", SQLITE_FCNTL_RESERVE_BYTES, &reserved);
        code = sqlite3_exec(to, "PRAGMA page_size = 4096; PRAGMA synchronous = FULL", NULL, NULL, NULL);
    }
    enum fault_code status = FAULT_NONE;
    if (code == SQLITE_OK) {
        status = store_sqlite_read_begin(reader, error);
        uint64_t some;
        code = store_db_ask(reader->db, "SELECT count(*) FROM store", &some); // the moment begins here
        if (code == SQLITE_OK && status == FAULT_NONE) {
            code = copy(to, reader->db, on_progress, context);
        }
        store_sqlite_read_end(reader);
    }
    if (status == FAULT_NONE && code != SQLITE_OK) {
        status = store_db_fail(to, code, 0, 0, folder->db, error);
    }
    store_db_close(to);
    return status;
}

enum fault_code store_sqlite_backup(struct store_reader *base, const char *path,
                                    void (*on_progress)(void *context, uint64_t done, uint64_t of),
                                    void *context, struct store_error *error)
{
    struct sqlite_reader *reader = (struct sqlite_reader *)base;
    struct store_folder folder;
    if (!is_empty(path)) {
        return store_fail(error, FAULT_IO, 0, 0,
                          "%s is not an empty folder: a copy is made into one of its own", path);
    }
    enum fault_code status = store_folder_open(reader->store->folder.vfs, path, false, &folder, error);
    if (status != FAULT_NONE) {
        return status;
    }
    status = copy_into(reader, &folder, on_progress, context, error);
    if (status == FAULT_NONE) {
        status = store_folder_sync(&folder, error);
    }
    store_folder_close(&folder);
    return status;
}
