// Arrays that grow, as protocol/array/reserve.h says, for rooms that stand on base alone.
#ifndef WEFT_BASE_ARRAY_H
#define WEFT_BASE_ARRAY_H

#include "protocol/array/reserve.h"

#endif
