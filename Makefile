# What people type; CMake does the work (CMakePresets.json). `make help` lists it. Each target first sees to the packages it needs
# (scripts/packages.txt). Programs land in build/<preset>/bin.
.DEFAULT_GOAL := build
.PHONY: help build no-studio site docs demo cluster-demo check test clean format tidy bench fuzz soak coverage deb install uninstall

JOBS ?= $(shell nproc 2>/dev/null || echo 2)
STUDIO ?= ON
export JOBS STUDIO
PREFIX ?= /usr/local
PRESET ?= release
studio_packages = $(if $(filter OFF,$(STUDIO)),,studio)

help:
	@echo "make            builds the programs, the libraries and the studio into build/release"
	@echo "make demo       a live world in a browser or this terminal; builds no more than it needs"
	@echo "make test       every fast test; T=world those of one module, PRESET=asan those of another build"
	@echo "make check      everything that must hold for a commit"
	@echo "make soak       the long runs; they go on where they were stopped (FRESH=1: from the start)"
	@echo "make bench      how fast it is here           make fuzz       new inputs for what reads bytes"
	@echo "make coverage   which lines tests run         make tidy       static analysis"
	@echo "make format     lays the sources out          make site       the studio as a static page"
	@echo "make docs       the documentation as a site, with worlds in its pages"
	@echo "make install, make uninstall, make deb, make clean, make cluster-demo"
	@echo "STUDIO=OFF leaves the studio out of make, make demo, make docs, make install and make deb."

# The programs, libraries and the studio, optimised, without the tests (unless they were configured before).
# STUDIO=OFF (make STUDIO=OFF, make demo STUDIO=OFF, make install STUDIO=OFF) needs neither node nor npm.
build:
	@scripts/install-packages.sh build $(if $(studio_packages),studio wasm)
	@scripts/build.sh release

# The same without the studio: where npm cannot reach its registry, or there is no node.
no-studio:
	@$(MAKE) --no-print-directory build STUDIO=OFF

# The studio as a static page: worlds run in the browser, and any server of files has it.
site:
	@scripts/install-packages.sh build studio wasm
	@scripts/site.sh

# The documentation as a site, for any server of files. Without npm or clang, or with STUDIO=OFF, its pages have no worlds in them.
docs:
	@scripts/install-packages.sh docs
	@$(if $(studio_packages),scripts/install-packages.sh build studio wasm || echo "docs: the studio needs the packages above" >&2,:)
	@scripts/docs.sh

# A world worth looking at, in a browser or in this terminal. Ends on Ctrl-C, or after DEMO_SECONDS.
demo:
	@scripts/install-packages.sh build $(studio_packages)
	@scripts/build.sh release demo
	@scripts/demo.sh

# One world on three brokers and two servers, all on this machine: Enter kills the server that runs it, and the other goes on.
cluster-demo: build
	@scripts/install-packages.sh cluster
	@scripts/cluster-demo.sh

# Everything that must hold for a commit. What CI runs.
check:
	@scripts/install-packages.sh build studio wasm check
	@scripts/check.sh

# Every fast test: make test. Those of one module: make test T=world. Of another build: make test PRESET=asan
test:
	@scripts/install-packages.sh build studio wasm check
	@scripts/test.sh $(PRESET) $(T)

format:
	@scripts/install-packages.sh build studio wasm check
	@scripts/sources.sh | xargs clang-format -i

tidy:
	@scripts/install-packages.sh build studio wasm check
	@scripts/build.sh release tests
	@scripts/tidy.sh build/release

# How fast it is here. docs/measurements/README.md says how to read it.
bench:
	@scripts/install-packages.sh build studio wasm check bench
	@scripts/jolt.sh >/dev/null || echo "bench: without Jolt"
	@scripts/build.sh bench tests
	@scripts/bench.sh build/bench

# Each fuzz target for FUZZ_SECONDS, from its corpus on.
fuzz:
	@scripts/install-packages.sh build studio wasm check
	@scripts/build.sh fuzz tests
	@scripts/fuzz.sh build/fuzz

# The long runs: hours. A step that has passed for this tree is not run again, FRESH=1 starts over. The report is
# build/soak/report.txt.
soak:
	@scripts/install-packages.sh build studio wasm check package
	@scripts/soak.sh

coverage:
	@scripts/install-packages.sh build studio wasm check
	@scripts/build.sh coverage tests
	@scripts/coverage.sh build/coverage

# Debian packages, into the folder above this one, as dpkg-buildpackage puts them.
deb:
	@scripts/install-packages.sh build $(if $(studio_packages),studio wasm) package
	@DEB_BUILD_OPTIONS="parallel=$(JOBS)" dpkg-buildpackage -b -us -uc -d $(if $(filter OFF,$(STUDIO)),-Ppkg.weft.nostudio)

install: build
	@cmake --install build/release --prefix $(PREFIX)

# Removes what the last make install put somewhere; a configuration that was changed stays.
uninstall:
	@scripts/uninstall.sh build/release

clean:
	rm -rf build
