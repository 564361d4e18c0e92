// How long it takes to make an image of a document, and a document of that: bench_image [WIDTH…].
//
// A square cloth with quadratic bending that touches itself hangs at its corners and falls for some ticks. Medians of RUNS, in
// processor time: the machine may be busy.
#include "cloth_document.h"
#include "document/document.h"
#include "protocol/params.h"
#include "scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { RUNS = 9, TICKS = 5 };

static uint64_t cpu_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static double median(double *values)
{
    qsort(values, RUNS, sizeof *values, by_value);
    return values[RUNS / 2];
}

static int measure(uint32_t width)
{
    double pack_ms[RUNS], read_ms[RUNS], free_ms[RUNS], hash_ms[RUNS], tick_ms;
    struct document *document =
        bench_cloth_document(&(struct bench_cloth){.width = width, .bends = true, .thickness = 0.004});
    struct protocol_bytes bytes = {0};
    if (!document) {
        return 1;
    }
    uint64_t from_ns = cpu_ns();
    for (int t = 0; t < TICKS; t++) {
        document_step(document, NULL, NULL);
    }
    tick_ms = (double)(cpu_ns() - from_ns) * 1e-6 / TICKS;
    for (int run = 0; run < RUNS; run++) {
        struct protocol_error error;
        protocol_bytes_deinit(&bytes);
        uint64_t at_ns[4] = {cpu_ns()};
        bool packed = document_image_pack(document, &bytes);
        at_ns[1] = cpu_ns();
        struct document *read = packed ? document_image_read(bytes.data, bytes.size, &error) : NULL;
        at_ns[2] = cpu_ns();
        uint64_t hash = document_hash(document), hashed_ns = cpu_ns();
        if (!read || document_hash(read) != hash) {
            fprintf(stderr, "bench_image: %s\n", packed && !read ? error.text : "it came to something else");
            return 1;
        }
        uint64_t end_ns = cpu_ns();
        document_destroy(read);
        at_ns[3] = cpu_ns();
        pack_ms[run] = (double)(at_ns[1] - at_ns[0]) * 1e-6;
        read_ms[run] = (double)(at_ns[2] - at_ns[1]) * 1e-6;
        hash_ms[run] = (double)(hashed_ns - at_ns[2]) * 1e-6;
        free_ms[run] = (double)(at_ns[3] - end_ns) * 1e-6;
    }
    printf("%4u x %-4u  pack %7.2f ms   read %7.2f ms   destroy %6.2f ms   hash %6.2f ms   %9zu B   a tick "
           "%7.2f ms\n",
           width, width, median(pack_ms), median(read_ms), median(free_ms), median(hash_ms), bytes.size,
           tick_ms);
    protocol_bytes_deinit(&bytes);
    document_destroy(document);
    return 0;
}

int main(int argc, char **argv)
{
    int wrong = 0;
    if (argc < 2) {
        wrong = measure(30) | measure(100) | measure(300);
    }
    for (int i = 1; i < argc; i++) {
        wrong |= measure((uint32_t)strtoul(argv[i], NULL, 10));
    }
    return wrong;
}
