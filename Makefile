# What people type; CMake does the work (CMakePresets.json). Each target first sees to the packages it needs
# (scripts/packages.txt). Programs land in build/<preset>/bin.
.DEFAULT_GOAL := build
.PHONY: build no-studio site demo cluster-demo check test clean format tidy bench fuzz soak coverage deb install uninstall

JOBS ?= $(shell nproc 2>/dev/null || echo 2)
STUDIO ?= ON
export JOBS STUDIO
PREFIX ?= /usr/local
PRESET ?= release

# The programs, libraries and the studio, optimised, without the tests (unless they were configured before).
# STUDIO=OFF (make STUDIO=OFF, make demo STUDIO=OFF, make install STUDIO=OFF) needs neither node nor npm.
build:
	@scripts/install-packages.sh build $(if $(filter OFF,$(STUDIO)),,studio)
	@scripts/build.sh release

# The same without the studio: where npm cannot reach its registry, or there is no node.
no-studio:
	@$(MAKE) --no-print-directory build STUDIO=OFF

# The studio as a static page: worlds run in the browser, and any server of files has it.
site:
	@scripts/install-packages.sh build studio
	@scripts/site.sh

# A world worth looking at, in a browser or in this terminal. Ends on Ctrl-C, or after DEMO_SECONDS.
demo: build
	@scripts/demo.sh

# One world on three brokers and two servers, all on this machine: Enter kills the server that runs it, and the other goes on.
cluster-demo: build
	@scripts/install-packages.sh cluster
	@scripts/cluster-demo.sh

# Everything that must hold for a commit. What CI runs.
check:
	@scripts/install-packages.sh build studio check
	@scripts/check.sh

# The tests of one preset: make test PRESET=asan
test:
	@scripts/install-packages.sh build studio check
	@scripts/build.sh $(PRESET) tests
	@ctest --test-dir build/$(PRESET) --output-on-failure --no-tests=error -j $(JOBS)

format:
	@scripts/install-packages.sh build studio check
	@scripts/sources.sh | xargs clang-format -i

tidy:
	@scripts/install-packages.sh build studio check
	@scripts/build.sh release tests
	@scripts/tidy.sh build/release

# How fast it is here. docs/measurements/README.md says how to read it.
bench:
	@scripts/install-packages.sh build studio check bench
	@scripts/build.sh bench tests
	@scripts/bench.sh build/bench

# Each fuzz target for FUZZ_SECONDS, from its corpus on.
fuzz:
	@scripts/install-packages.sh build studio check
	@scripts/build.sh fuzz tests
	@scripts/fuzz.sh build/fuzz

# What takes long: calls to the system that fail, Debian packages from nothing, one outcome from every compiler, level,
# instruction set and number of threads; then new seeds for SOAK_SECONDS.
soak:
	@scripts/install-packages.sh build studio check package
	@scripts/soak.sh

coverage:
	@scripts/install-packages.sh build studio check
	@scripts/build.sh coverage tests
	@scripts/coverage.sh build/coverage

# Debian packages, into the folder above this one, as dpkg-buildpackage puts them.
deb:
	@scripts/install-packages.sh build $(if $(filter OFF,$(STUDIO)),,studio) package
	@DEB_BUILD_OPTIONS="parallel=$(JOBS)" dpkg-buildpackage -b -us -uc -d $(if $(filter OFF,$(STUDIO)),-Ppkg.weft.nostudio)

install: build
	@cmake --install build/release --prefix $(PREFIX)

# Removes what the last make install put somewhere; a configuration that was changed stays.
uninstall:
	@scripts/uninstall.sh build/release

clean:
	rm -rf build
