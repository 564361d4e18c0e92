#include "base/room.h"

#include <errno.h>
#include <signal.h>

void base_room_start(void)
{
    (void)signal(SIGXFSZ, SIG_IGN);
}

bool base_room_lacks(int number)
{
    return number == ENOSPC || number == EDQUOT || number == EFBIG;
}
