// An id that a folder of worlds keeps, in a file of its own beside the store's.
#ifndef WEFT_HOST_FOLDER_ID_H
#define WEFT_HOST_FOLDER_ID_H

#include <stdbool.h>

enum { HOST_FOLDER_ID_SIZE = 17 }; // 16 hex digits

// By which a server that is started again in the same folder knows that the one before is over: there is only one at a time.
bool host_folder_id(const char *folder, char id[HOST_FOLDER_ID_SIZE]);

#endif
