// The version of the solver is raised with the golden hashes: what is kept of a world's past goes on exactly with the version
// that made it, and says so by this number.
#include "base/hash.h"
#include "sim/sim.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

// The digest is that of the lines of tests/golden/sim.txt that are no comments. If this fails, the hashes were changed: raise
// SIM_SOLVER_VERSION, then put both here. The version stays if the solver of before comes to the same new hashes, because a
// scene digests something else.
static const struct {
    uint32_t version;
    uint64_t digest;
} golden = {3, UINT64_C(0x83fea91d75ecdd41)};

static void the_version_goes_with_the_golden_hashes(void **state)
{
    (void)state;
    char line[256];
    FILE *file = fopen("tests/golden/sim.txt", "re");
    struct base_hash *hash = base_hash_create();
    assert_non_null(file);
    assert_non_null(hash);
    while (fgets(line, sizeof line, file)) {
        if (line[0] != '#') {
            base_hash_bytes(hash, line, strlen(line));
        }
    }
    fclose(file);
    const uint64_t digest = base_hash_digest(hash);
    base_hash_destroy(hash);
    assert_int_equal(sim_solver_version(), SIM_SOLVER_VERSION);
    assert_int_equal(sim_solver_version(), golden.version);
    if (digest != golden.digest) {
        fail_msg("the golden hashes are others, their digest %#llx: raise SIM_SOLVER_VERSION",
                 (unsigned long long)digest);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_version_goes_with_the_golden_hashes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
