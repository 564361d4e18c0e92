// The file of a take of records. Numbers are little-endian, sums XXH3's of 64 bits.
//
//     head:    "wefttake" | u32 4 | u32 version of the solver | u32 tick rate | u32 0 | 64 bytes: version of the server
//              | u64 sum of all that
//     a piece: 8 bytes that mark it | u32 kind | u32 bytes | u64 number | u64 tick | u64 sum of the bytes
//              | u64 sum of what is before it | bytes
//
// Pieces are found one after another, and after damage by their mark; there are few of them, so they need no index.
#include "record/inputs.h"

#include "protocol/array/reserve.h"
#include "record/take_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "numbers are written as they lie in memory");

enum { HEAD_BYTES = 24 + RECORD_MAKER_SIZE + 8, PIECE_HEAD = 48 };

static const unsigned char mark[TAKE_MARK] = {0x8F, 'w', 'i', 'n', 'p', 'u', 't', 0xE3};

struct record_inputs {
    int file;
    char *path;
    struct record_inputs_head head;
    struct record_piece *pieces;
    uint64_t count, capacity;
    uint64_t end;  // of the last piece
    uint64_t next; // number of the next piece to be written
    unsigned char *buffer;
    size_t buffer_size;
};

void record_inputs_close(struct record_inputs *inputs)
{
    if (!inputs) {
        return;
    }
    if (inputs->file >= 0) {
        close(inputs->file);
    }
    free(inputs->pieces);
    free(inputs->buffer);
    free(inputs->path);
    free(inputs);
}

static struct record_inputs *open_file(const char *path, int flags, struct fault *fault)
{
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    struct record_inputs *inputs = calloc(1, sizeof *inputs);
    if (!inputs) {
        record_fail_memory(fault);
        return NULL;
    }
    inputs->path = strdup(path);
    inputs->file = open(path, flags | O_CLOEXEC, 0666);
    inputs->end = HEAD_BYTES;
    if (!inputs->path) {
        record_fail_memory(fault);
    } else if (inputs->file < 0) {
        fault_set(fault, FAULT_IO, NULL, "%s cannot be opened: %s", path, strerror(errno));
    } else if ((flags & O_RDWR) != 0 && fcntl(inputs->file, F_OFD_SETLK, &whole) != 0) {
        fault_set(fault, FAULT_BUSY, NULL, "%s is in use by another program", path);
    } else {
        return inputs;
    }
    record_inputs_close(inputs);
    return NULL;
}

// ---------------------------------------------------------------------------------------------------------
// Writing

static void put_head(unsigned char out[HEAD_BYTES], const struct record_inputs_head *head)
{
    const uint32_t numbers[4] = {TAKE_INPUTS, head->solver, head->tick_rate, 0};
    memcpy(out, TAKE_MAGIC, TAKE_MARK);
    memcpy(out + TAKE_MARK, numbers, sizeof numbers);
    memcpy(out + 24, head->maker, RECORD_MAKER_SIZE);
    const uint64_t sum = take_sum(out, HEAD_BYTES - sizeof sum);
    memcpy(out + HEAD_BYTES - sizeof sum, &sum, sizeof sum);
}

struct record_inputs *record_inputs_create(const char *path, const struct record_inputs_head *head,
                                           struct fault *fault)
{
    unsigned char bytes[HEAD_BYTES];
    struct record_inputs *inputs = open_file(path, O_RDWR | O_CREAT, fault);
    if (!inputs) {
        return NULL;
    }
    inputs->head = *head;
    put_head(bytes, head);
    bool done = ftruncate(inputs->file, 0) == 0 ||
                fault_set(fault, FAULT_IO, NULL, "%s cannot be emptied: %s", path, strerror(errno));
    done = done && record_file_put(inputs->file, path, bytes, sizeof bytes, 0, fault);
    if (!done) {
        record_inputs_close(inputs);
        return NULL;
    }
    return inputs;
}

static void put_piece(unsigned char out[PIECE_HEAD], const struct record_piece *piece)
{
    const uint32_t numbers[2] = {(uint32_t)piece->kind, piece->size};
    memcpy(out, mark, sizeof mark);
    memcpy(out + 8, numbers, sizeof numbers);
    memcpy(out + 16, &piece->number, sizeof piece->number);
    memcpy(out + 24, &piece->tick, sizeof piece->tick);
    memcpy(out + 32, &piece->sum, sizeof piece->sum);
    const uint64_t sum = take_sum(out, PIECE_HEAD - sizeof sum);
    memcpy(out + PIECE_HEAD - sizeof sum, &sum, sizeof sum);
}

// The bytes are written first: a head without them would look like a damaged piece.
bool record_inputs_append(struct record_inputs *inputs, enum record_piece_kind kind, uint64_t tick,
                          const void *bytes, size_t size, struct fault *fault)
{
    unsigned char head[PIECE_HEAD];
    if (size > UINT32_MAX) {
        return fault_set(fault, FAULT_LIMIT, NULL, "%zu bytes are more than a piece of a take can have",
                         size);
    }
    const struct record_piece piece = {.kind = kind,
                                       .tick = tick,
                                       .number = inputs->next,
                                       .sum = take_sum(bytes, size),
                                       .size = (uint32_t)size};
    put_piece(head, &piece);
    if (!record_file_put(inputs->file, inputs->path, bytes, size, inputs->end + PIECE_HEAD, fault) ||
        !record_file_put(inputs->file, inputs->path, head, sizeof head, inputs->end, fault)) {
        return false;
    }
    inputs->end += PIECE_HEAD + size;
    inputs->next++;
    return true;
}

bool record_inputs_sync(struct record_inputs *inputs, struct fault *fault)
{
    return fdatasync(inputs->file) == 0 ||
           fault_set(fault, FAULT_IO, NULL, "%s cannot be written: %s", inputs->path, strerror(errno));
}

// ---------------------------------------------------------------------------------------------------------
// Reading

// *ours: it begins like a take of records.
static bool take_head(const unsigned char in[HEAD_BYTES], struct record_inputs_head *head, bool *ours)
{
    uint32_t numbers[4];
    uint64_t sum;
    memcpy(numbers, in + TAKE_MARK, sizeof numbers);
    memcpy(&sum, in + HEAD_BYTES - sizeof sum, sizeof sum);
    head->solver = numbers[1];
    head->tick_rate = numbers[2];
    memcpy(head->maker, in + 24, RECORD_MAKER_SIZE);
    head->maker[RECORD_MAKER_SIZE - 1] = '\0';
    *ours = memcmp(in, TAKE_MAGIC, TAKE_MARK) == 0 && numbers[0] == TAKE_INPUTS;
    return *ours && sum == take_sum(in, HEAD_BYTES - sizeof sum) && head->tick_rate > 0;
}

bool record_inputs_are(const char *path)
{
    struct fault fault;
    struct record_inputs_head head;
    unsigned char bytes[HEAD_BYTES] = {0};
    bool ours = false;
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file >= 0 && record_file_get(file, path, bytes, sizeof bytes, 0, &fault)) {
        take_head(bytes, &head, &ours);
    }
    if (file >= 0) {
        close(file);
    }
    return ours;
}

static bool get_piece(const struct record_inputs *inputs, uint64_t at, uint64_t file_bytes,
                      struct record_piece *piece)
{
    unsigned char in[PIECE_HEAD];
    struct fault fault;
    uint32_t numbers[2];
    uint64_t sum;
    if (file_bytes - at < PIECE_HEAD ||
        !record_file_get(inputs->file, inputs->path, in, sizeof in, at, &fault)) {
        return false;
    }
    memcpy(numbers, in + 8, sizeof numbers);
    memcpy(&sum, in + PIECE_HEAD - sizeof sum, sizeof sum);
    piece->at = at + PIECE_HEAD;
    piece->size = numbers[1];
    memcpy(&piece->number, in + 16, sizeof piece->number);
    memcpy(&piece->tick, in + 24, sizeof piece->tick);
    memcpy(&piece->sum, in + 32, sizeof piece->sum);
    if (memcmp(in, mark, sizeof mark) != 0 || sum != take_sum(in, PIECE_HEAD - sizeof sum) ||
        numbers[0] < RECORD_IMAGE || numbers[0] > RECORD_END || piece->size > file_bytes - piece->at) {
        return false;
    }
    piece->kind = (enum record_piece_kind)numbers[0];
    return true;
}

static bool add_piece(struct record_inputs *inputs, const struct record_piece *piece)
{
    if (!array_reserve(&inputs->pieces, &inputs->capacity, inputs->count + 1)) {
        return false;
    }
    inputs->pieces[inputs->count++] = *piece;
    inputs->end = piece->at + piece->size;
    inputs->next = piece->number + 1;
    return true;
}

static bool find_pieces(struct record_inputs *inputs, uint64_t file_bytes, struct fault *fault)
{
    unsigned char *room = malloc(TAKE_SEARCH);
    bool done = room || record_fail_memory(fault);
    struct record_piece piece;
    for (uint64_t at = HEAD_BYTES; done && at < file_bytes;) {
        if (!get_piece(inputs, at, file_bytes, &piece)) {
            done = record_file_find(inputs->file, inputs->path, mark, at + 1, file_bytes, room, &at, fault);
            continue;
        }
        if (piece.number >= inputs->next) {
            done = add_piece(inputs, &piece) || record_fail_memory(fault);
        }
        at = piece.at + piece.size;
    }
    free(room);
    return done;
}

struct record_inputs *record_inputs_open(const char *path, struct fault *fault)
{
    struct record_inputs *inputs = open_file(path, O_RDONLY, fault);
    unsigned char head[HEAD_BYTES];
    struct stat stat;
    bool ours = false, done = false;
    if (!inputs) {
        return NULL;
    }
    if (fstat(inputs->file, &stat) != 0 || !S_ISREG(stat.st_mode) || stat.st_size < HEAD_BYTES) {
        fault_set(fault, FAULT_INVALID, NULL, "%s is no take", path);
    } else if (!record_file_get(inputs->file, path, head, sizeof head, 0, fault)) {
        done = false;
    } else if (!take_head(head, &inputs->head, &ours)) {
        fault_set(fault, ours ? FAULT_DAMAGED : FAULT_INVALID, NULL,
                  ours ? "%s: its head is damaged" : "%s is no take of records", path);
    } else {
        done = find_pieces(inputs, (uint64_t)stat.st_size, fault);
    }
    if (!done) {
        record_inputs_close(inputs);
        return NULL;
    }
    return inputs;
}

const struct record_inputs_head *record_inputs_head(const struct record_inputs *inputs)
{
    return &inputs->head;
}

uint64_t record_inputs_bytes(const struct record_inputs *inputs)
{
    return inputs->end;
}

uint64_t record_inputs_count(const struct record_inputs *inputs)
{
    return inputs->count;
}

struct record_piece record_inputs_at(const struct record_inputs *inputs, uint64_t index)
{
    return inputs->pieces[index];
}

bool record_inputs_read(struct record_inputs *inputs, uint64_t index, const void **bytes, bool *damaged,
                        struct fault *fault)
{
    const struct record_piece *piece = &inputs->pieces[index];
    *damaged = false;
    if (piece->size > inputs->buffer_size || !inputs->buffer) {
        free(inputs->buffer);
        inputs->buffer_size = 0;
        inputs->buffer = malloc((size_t)piece->size + 1);
        if (!inputs->buffer) {
            return record_fail_memory(fault);
        }
        inputs->buffer_size = piece->size;
    }
    if (!record_file_get(inputs->file, inputs->path, inputs->buffer, piece->size, piece->at, fault)) {
        return false;
    }
    *damaged = take_sum(inputs->buffer, piece->size) != piece->sum;
    *bytes = inputs->buffer;
    return true;
}
