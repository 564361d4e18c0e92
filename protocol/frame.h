// Layout of stream.frame: HEAD (64 bytes, one for each client) followed by SHARED (one for all).
//
//     93 02 AC "stream.frame" 91 DE nn nn
//     A6 "stream" CE u32   A3 "seq" CE u32   A7 "dropped" CE u32   A1 "_" C4 07 00×7        = 64 bytes
//     world, tick, substep, time, revision, part, parts, [measures], [grabs], [colliders], [contact], padding,
//     bodies DD n, chunk …
//
// Every chunk is a whole map that starts at, and is as long as, a multiple of 8; every array payload in it
// lies at a multiple of 8 from the start of the message.
#ifndef WEFT_PROTOCOL_FRAME_H
#define WEFT_PROTOCOL_FRAME_H

#include <stdint.h>

//
// stream.records has a head of its own, with nothing to align:
//
//     93 02 AE "stream.records" 91 DE nn nn   A6 "stream" CE u32   A3 "seq" CE u32          = 42 bytes
enum { PROTOCOL_FRAME_HEAD_SIZE = 64, PROTOCOL_FRAME_HEAD_KEYS = 4 };
enum { PROTOCOL_RECORDS_HEAD_SIZE = 42, PROTOCOL_RECORDS_HEAD_KEYS = 2 };

// key_count is that of the whole map, the four of the head included.
void protocol_frame_head(uint8_t head[PROTOCOL_FRAME_HEAD_SIZE], uint32_t key_count, uint32_t stream,
                         uint32_t seq, uint32_t dropped);
void protocol_records_head(uint8_t head[PROTOCOL_RECORDS_HEAD_SIZE], uint32_t key_count, uint32_t stream,
                           uint32_t seq);

#endif
