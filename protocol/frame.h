// Layout of stream.frame: HEAD (64 bytes, one for each client) followed by SHARED (one for all).
//
//     93 02 AC "stream.frame" 91 DE nn nn
//     A6 "stream" CE u32   A3 "seq" CE u32   A7 "dropped" CE u32   A1 "_" C4 07 00×7        = 64 bytes
//     world, tick, substep, time, revision, part, parts, [measures], [grabs], [colliders], [contact], padding,
//     bodies DD n, chunk …
//
// Every chunk is one map. Its offset and its size are multiples of 8, and so is the offset of every array's bytes in it. So
// clients can use the arrays in place. Offsets count from the start of the message. "_" is padding.
#ifndef WEFT_PROTOCOL_FRAME_H
#define WEFT_PROTOCOL_FRAME_H

#include <stdint.h>

// stream.records begins with a head in which nothing is aligned:
//
//     93 02 AE "stream.records" 91 DE nn nn   A6 "stream" CE u32   A3 "seq" CE u32          = 42 bytes
enum { PROTOCOL_FRAME_HEAD_SIZE = 64, PROTOCOL_FRAME_HEAD_KEYS = 4 };
enum { PROTOCOL_RECORDS_HEAD_SIZE = 42, PROTOCOL_RECORDS_HEAD_KEYS = 2 };

// Write the head. key_count is the number of entries in the whole map, those of the head included.
void protocol_frame_head(uint8_t head[PROTOCOL_FRAME_HEAD_SIZE], uint32_t key_count, uint32_t stream,
                         uint32_t seq, uint32_t dropped);
void protocol_records_head(uint8_t head[PROTOCOL_RECORDS_HEAD_SIZE], uint32_t key_count, uint32_t stream,
                           uint32_t seq);

#endif
