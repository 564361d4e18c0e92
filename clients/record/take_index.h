// The places of a compressed take's frames.
//
//     head │ record, record, … │ index
//
//     a record: 8 bytes that mark it | u64 number of the frame | u64 tick | u32 substep | u32 back: records since the key
//               | u32 bytes of the body | u32 1 where poses are in it | u64 sum of the body | u64 sum of what is before it
//               | body (take_packed.c)
//     the index: of each record u64 its place | u64 number | u32 bytes of the body | u32 back, and 2^31 where it has poses
//                | u64 place of the index | u64 records | u64 sum of all that | "weftends"
//
// Sums are XXH3's, of 64 bits; that of the index goes on from one portion of 1,024 records to the next.
// A record whose back is 0 is a key: it needs no other. One with another builds on the record before it, which has the
// number before. An index is written when a take is closed. Where there is none, for the program was killed, or where it
// is damaged, records are found from one to the next, and behind damage by their mark.
#ifndef WEFT_RECORD_TAKE_INDEX_H
#define WEFT_RECORD_TAKE_INDEX_H

#include "record/take_file.h"

enum { TAKE_RECORD_HEAD = 56, TAKE_GROUP = 128 }; // bytes; records from key to key at most

struct take_record {
    uint64_t number, tick;
    uint32_t substep, back, size; // size: bytes of the body
    bool has_poses;
    uint64_t sum; // of the body
};

struct take_place {
    uint64_t at, number;
    uint32_t size, back;
    uint32_t poses_back; // records before this one that its poses are in
};

struct take_index {
    struct take_place *places;
    uint64_t count, capacity;
    uint64_t end; // of the last record
};

void take_record_put(unsigned char out[TAKE_RECORD_HEAD], const struct take_record *record);
bool take_record_get(const unsigned char in[TAKE_RECORD_HEAD], struct take_record *record);

// Whether a record goes on where the last of the index ended, in its numbers and what it builds on.
bool take_index_follows(const struct take_index *index, const struct take_record *record);
// One that follows; false without memory.
bool take_index_add(struct take_index *index, const struct take_record *record, uint64_t at);
// body_max: bytes that a body may have.
bool take_index_read(struct take_index *index, const struct record_take *take, uint64_t file_bytes,
                     uint64_t body_max, struct fault *fault);
bool take_index_write(const struct take_index *index, struct record_take *take, struct fault *fault);

#endif
