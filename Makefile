# What people type; CMake does the work (CMakePresets.json). Each target first sees to the packages it needs
# (scripts/packages.txt). Programs land in build/<preset>/bin.
.DEFAULT_GOAL := build
.PHONY: build demo check test clean format tidy bench fuzz soak coverage install

JOBS ?= $(shell nproc 2>/dev/null || echo 2)
export JOBS
PREFIX ?= /usr/local
PRESET ?= release

# The programs, libraries and the studio, optimised, without the tests (unless they were configured before).
build:
	@scripts/install-packages.sh build
	@scripts/build.sh release

# A world worth looking at, in a browser or in this terminal. Ends on Ctrl-C, or after DEMO_SECONDS.
demo: build
	@scripts/demo.sh

# Everything that must hold for a commit. What CI runs.
check:
	@scripts/install-packages.sh build check
	@scripts/check.sh

# The tests of one preset: make test PRESET=asan
test:
	@scripts/install-packages.sh build check
	@scripts/build.sh $(PRESET) tests
	@ctest --test-dir build/$(PRESET) --output-on-failure --no-tests=error -j $(JOBS)

format:
	@scripts/install-packages.sh build check
	@scripts/sources.sh | xargs clang-format -i

tidy:
	@scripts/install-packages.sh build check
	@scripts/build.sh release tests
	@scripts/tidy.sh build/release

# How fast it is here. docs/measurements/README.md says how to read it.
bench:
	@scripts/install-packages.sh build check bench
	@scripts/build.sh bench tests
	@scripts/bench.sh build/bench

# Each fuzz target for FUZZ_SECONDS, from its corpus on.
fuzz:
	@scripts/install-packages.sh build check fuzz
	@scripts/build.sh fuzz tests
	@scripts/fuzz.sh build/fuzz

# One outcome from every compiler, level, instruction set and number of threads; then new seeds for SOAK_SECONDS.
soak:
	@scripts/install-packages.sh build check
	@scripts/soak.sh

coverage:
	@scripts/install-packages.sh build check
	@scripts/build.sh coverage tests
	@scripts/coverage.sh build/coverage

install: build
	@cmake --install build/release --prefix $(PREFIX)

clean:
	rm -rf build
