// Keeps the id of a folder of worlds, in a file of its own beside the store's.
#ifndef WEFT_HOST_FOLDER_ID_H
#define WEFT_HOST_FOLDER_ID_H

#include <stdbool.h>

enum { HOST_FOLDER_ID_SIZE = 17 }; // 16 hex digits

// Reads the id, or makes one. By it a server that is started again in the same folder knows that the server
// before it has ended: there is only one at a time. False: it can neither be read nor made.
bool host_folder_id(const char *folder, char id[HOST_FOLDER_ID_SIZE]);

#endif
