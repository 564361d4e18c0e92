#include "store/reserve.h"

#include "base/room.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

// Gives a file room. posix_fallocate returns an error's number, and leaves the room that it gave before the
// error.
static int give_room(int file, uint64_t bytes)
{
    const int number = posix_fallocate(file, 0, (off_t)bytes);
    if (number != 0) {
        (void)!ftruncate(file, 0);
    }
    return number;
}

bool store_reserve_hold(struct store_reserve *reserve)
{
    if (reserve->held || reserve->bytes == 0) {
        return true;
    }
    const int file = open(reserve->path, O_WRONLY | O_CREAT | O_CLOEXEC, S_IRUSR | S_IWUSR);
    const int number = file < 0 ? errno : give_room(file, reserve->bytes);
    if (file >= 0) {
        close(file);
    }
    reserve->held = number == 0;
    // A limit on the size of files stays, so then there is no reserve.
    if (base_room_lacks(number) && number != EFBIG) {
        errno = number;
        return false;
    }
    return true;
}

bool store_reserve_release(struct store_reserve *reserve)
{
    const bool held = reserve->held;
    reserve->held = false;
    return held && truncate(reserve->path, 0) == 0;
}
