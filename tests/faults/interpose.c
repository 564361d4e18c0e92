// Makes system calls of a program fail when a test says so: preloaded into weftd, and into programs on libweft.
//
//     WEFT_FAULTS=FILE LD_PRELOAD=libweft_faults.so weftd …
//
// FILE is mapped by the program and by the test, which both look at it (struct faults; tests/faults/faults.py has the
// same layout). Where `way` names a way in, one call of it fails as the system would let it fail, and then none until
// the test names a way again: the call with which the count comes to `at`, or, where that is 0, the next one that has
// come down a stack on which none has failed yet; of several programs that run beside each other, each looks at its share of
// the stacks. With WEFT_FAULTS_TRACE set its stack goes to standard error. Blocks of the heap that live are counted, so that
// a test sees what a refusal leaves behind.
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

enum way { WAY_NONE, WAY_HEAP, WAY_ACCEPT, WAY_SEND, WAY_THREAD, WAY_SYNC, WAY_COUNT };
enum { STACKS_MAX = 1 << 14, FRAMES_MAX = 24, OBJECTS_MAX = 64 };

struct faults {
    _Atomic uint32_t way;
    _Atomic uint32_t fired; // calls that failed since the test set it to 0
    _Atomic uint64_t at;    // the call that fails, from 1; 0: the next on a new stack
    _Atomic uint32_t share; // of the stacks, which of how many; shares 0: all
    _Atomic uint32_t shares;
    _Atomic int64_t blocks; // of the heap, that live
    _Atomic uint64_t seen[WAY_COUNT];
    _Atomic uint64_t sync_ms;            // that each sync takes longer, unless it is told less meanwhile
    _Atomic uint64_t stacks[STACKS_MAX]; // on which a call has failed: an open hash table
};

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
void __libc_free(void *memory);

// Until the program has begun its own work calls go through and only blocks are counted.
static struct faults idle;
static struct faults *faults = &idle;
static bool traces;

// Load addresses of the program and its libraries, which differ each time: stack addresses are given relative to them.
static struct object {
    uintptr_t from, until;
} objects[OBJECTS_MAX];
static int object_count;

static int note_object(struct dl_phdr_info *info, size_t size, void *context)
{
    (void)size, (void)context;
    struct object object = {UINTPTR_MAX, 0};
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        if (segment->p_type == PT_LOAD) {
            const uintptr_t from = info->dlpi_addr + segment->p_vaddr;
            object.from = from < object.from ? from : object.from;
            object.until = from + segment->p_memsz > object.until ? from + segment->p_memsz : object.until;
        }
    }
    objects[object_count++] = object;
    return object_count == OBJECTS_MAX;
}

static uintptr_t place_of(uintptr_t frame)
{
    for (int i = 0; i < object_count; i++) {
        if (frame >= objects[i].from && frame < objects[i].until) {
            return frame - objects[i].from + ((uintptr_t)i << 48);
        }
    }
    return frame;
}

__attribute__((constructor)) static void map_faults(void)
{
    void *frame;
    (void)backtrace(&frame, 1); // loads its library the first time: blocks that are nobody's
    (void)dl_iterate_phdr(note_object, NULL);
    traces = getenv("WEFT_FAULTS_TRACE") != NULL;
    const char *path = getenv("WEFT_FAULTS");
    int file = path != NULL ? open(path, O_RDWR | O_CLOEXEC) : -1;
    if (file < 0) {
        return;
    }
    void *mapped = mmap(NULL, sizeof *faults, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    if (mapped != MAP_FAILED) {
        faults = mapped;
    }
}

static uint64_t stack_hash(enum way way)
{
    void *frames[FRAMES_MAX];
    int count = backtrace(frames, FRAMES_MAX);
    uint64_t hash = way;
    for (int i = 0; i < count; i++) {
        hash = (hash ^ place_of((uintptr_t)frames[i])) * UINT64_C(0x9E3779B97F4A7C15);
        hash ^= hash >> 29;
    }
    return hash != 0 ? hash : 1;
}

// True for the first call on a stack of this program's share.
static bool stack_is_new(enum way way)
{
    static _Thread_local bool inside; // looking at a stack asks for memory the first time
    if (inside) {
        return false;
    }
    inside = true;
    uint64_t hash = stack_hash(way);
    inside = false;
    const uint32_t shares = atomic_load(&faults->shares);
    if (shares != 0 && (hash >> 32) % shares != atomic_load(&faults->share)) {
        return false;
    }
    for (uint32_t tries = 0; tries < STACKS_MAX; tries++) {
        _Atomic uint64_t *place = &faults->stacks[(hash + tries) % STACKS_MAX];
        uint64_t there = 0;
        if (atomic_compare_exchange_strong(place, &there, hash)) {
            return true;
        }
        if (there == hash) {
            return false;
        }
    }
    return false;
}

static bool fails(enum way way)
{
    uint64_t seen = atomic_fetch_add(&faults->seen[way], 1) + 1;
    if (atomic_load(&faults->way) != way) {
        return false;
    }
    uint64_t at = atomic_load(&faults->at);
    if (at != 0 ? seen != at : !stack_is_new(way)) {
        return false;
    }
    atomic_store(&faults->way, WAY_NONE);
    atomic_fetch_add(&faults->fired, 1);
    if (traces) {
        void *frames[FRAMES_MAX];
        backtrace_symbols_fd(frames, backtrace(frames, FRAMES_MAX), STDERR_FILENO);
    }
    return true;
}

static void *counted(void *memory)
{
    if (memory != NULL) {
        atomic_fetch_add(&faults->blocks, 1);
    } else {
        errno = ENOMEM;
    }
    return memory;
}

void *malloc(size_t size)
{
    return counted(fails(WAY_HEAP) ? NULL : __libc_malloc(size));
}

void *calloc(size_t count, size_t size)
{
    return counted(fails(WAY_HEAP) ? NULL : __libc_calloc(count, size));
}

void *realloc(void *memory, size_t size)
{
    if (fails(WAY_HEAP)) {
        errno = ENOMEM;
        return NULL;
    }
    void *grown = __libc_realloc(memory, size);
    if (memory == NULL) {
        return counted(grown);
    }
    if (grown == NULL && size == 0) { // glibc frees it
        atomic_fetch_sub(&faults->blocks, 1);
    }
    return grown;
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return counted(fails(WAY_HEAP) ? NULL : __libc_memalign(alignment, size));
}

int posix_memalign(void **memory, size_t alignment, size_t size)
{
    int before = errno;
    void *made = aligned_alloc(alignment, size);
    errno = before;
    if (made == NULL) {
        return ENOMEM;
    }
    *memory = made;
    return 0;
}

void free(void *memory)
{
    if (memory != NULL) {
        atomic_fetch_sub(&faults->blocks, 1);
    }
    __libc_free(memory);
}

// The system's own of a function. Looked up without the heap's help, by a name that is there.
#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

int accept(int listener, struct sockaddr *restrict address, socklen_t *restrict size)
{
    if (fails(WAY_ACCEPT)) {
        errno = ENFILE;
        return -1;
    }
    return NEXT(accept)(listener, address, size);
}

int accept4(int listener, struct sockaddr *restrict address, socklen_t *restrict size, int flags)
{
    if (fails(WAY_ACCEPT)) {
        errno = ENFILE;
        return -1;
    }
    return NEXT(accept4)(listener, address, size, flags);
}

// Only what goes to a socket counts.
static bool send_fails(int file)
{
    int type;
    socklen_t size = sizeof type;
    int before = errno;
    bool socket = getsockopt(file, SOL_SOCKET, SO_TYPE, &type, &size) == 0;
    errno = before;
    if (!socket || !fails(WAY_SEND)) {
        return false;
    }
    errno = ENOBUFS;
    return true;
}

ssize_t write(int file, const void *data, size_t size)
{
    return send_fails(file) ? -1 : NEXT(write)(file, data, size);
}

ssize_t writev(int file, const struct iovec *parts, int count)
{
    return send_fails(file) ? -1 : NEXT(writev)(file, parts, count);
}

ssize_t send(int file, const void *data, size_t size, int flags)
{
    return send_fails(file) ? -1 : NEXT(send)(file, data, size, flags);
}

ssize_t sendmsg(int file, const struct msghdr *message, int flags)
{
    return send_fails(file) ? -1 : NEXT(sendmsg)(file, message, flags);
}

// As a disk that is busy, and one that is broken.
static bool sync_fails(void)
{
    for (uint64_t ms = 0; ms < atomic_load(&faults->sync_ms); ms++) {
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
    if (fails(WAY_SYNC)) {
        errno = EIO;
        return true;
    }
    return false;
}

int fsync(int file)
{
    return sync_fails() ? -1 : NEXT(fsync)(file);
}

int fdatasync(int file)
{
    return sync_fails() ? -1 : NEXT(fdatasync)(file);
}

int pthread_create(pthread_t *restrict thread, const pthread_attr_t *restrict attributes,
                   void *(*run)(void *), void *restrict context)
{
    return fails(WAY_THREAD) ? EAGAIN : NEXT(pthread_create)(thread, attributes, run, context);
}
