# The developer's commands; `make help` lists them.
# PRESET is one of CMakePresets.json: dev (the default), release, asan, tsan.
PRESET = dev
PREFIX = /usr/local
BUILD = build/$(PRESET)
# What the reference answered was asked of it in UTC.
RUNNER = TZ=UTC $(BUILD)/bin/merganser_conformance

.DEFAULT_GOAL := build
.PHONY: help deps configure build demo test check format proof fuzz interop differential asan tsan bench bench-log \
        bench-report install generate cases expressions scripts seeds clients foreign-tests golden clean

help:  ## list these commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "make %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

deps:
	@scripts/bootstrap
	@scripts/fetch_duckdb

configure: deps
	@mkdir -p build
	@cmake --preset $(PRESET) >$(BUILD).log 2>&1 || { cat $(BUILD).log; exit 1; }

build: configure  ## build everything (the default)
	@cmake --build $(BUILD)
	@ln -sfn $(PRESET)/bin build/bin

demo: configure  ## build the program; show a MERGE, applied twice, on a Delta table
	@cmake --build $(BUILD) --target merganser_program
	@ln -sfn $(PRESET)/bin build/bin
	@scripts/demo build/bin/merganser

test: build  ## run every test that needs no JVM (T=PATH: one file, folder or program)
	@scripts/python_env readers
	@scripts/python_env connect
	@scripts/run_tests $(BUILD) $(T)

check: deps  ## format, clang-tidy (changed files; in CI all) and all tests
	@scripts/format --check
	@scripts/tidy $(if $(CI),--all)
	@$(MAKE) --no-print-directory test

format:  ## format the C++ sources in place
	@scripts/format

asan: PRESET = asan
asan: configure  ## run the tests under the address and undefined-behaviour sanitizers
	@cmake --build $(BUILD)
	@scripts/run_tests $(BUILD) $(or $(T),'^(unit|sql|cases|property|crash)')

tsan: PRESET = tsan
tsan: configure  ## run the tests of what threads share under the thread sanitizer
	@cmake --build $(BUILD)
	@TSAN_OPTIONS="suppressions=$(CURDIR)/test/tsan_suppressions.txt" \
	  scripts/run_tests $(BUILD) $(or $(T),'^unit/(base|io|delta/log|delta/transaction|session)$$')

proof: PRESET = release
proof: configure  ## run the long suites: 10,000 injected faults, 1,000 kills, long histories
	@cmake --build $(BUILD) --target crash_test property_test merganser_program
	@scripts/python_env readers
	@MERGANSER_PROOF=1 $(BUILD)/bin/property_test
	@MERGANSER_PROOF=1 $(BUILD)/bin/crash_test
	@MERGANSER_PROOF=1 MERGANSER_BUILD_DIR=$(BUILD) .deps/readers/bin/python test/interop/concurrency_test.py

fuzz: PRESET = fuzz
fuzz: configure  ## fuzz T=NAME (a folder of test/fuzz) for SECONDS=60, starting from its corpus
	@cmake --build $(BUILD) --target merganser_fuzz
	@mkdir -p $(BUILD)/fuzz/$(T)
	@MERGANSER_FUZZ_TARGET=$(T) $(BUILD)/bin/merganser_fuzz -max_total_time=$(or $(SECONDS),60) \
	  -rss_limit_mb=2048 $(BUILD)/fuzz/$(T) test/fuzz/$(T)/corpus

interop: build  ## run the tests against delta-spark (fetches it, and Java, once)
	@scripts/fetch_spark
	@scripts/python_env readers
	@scripts/run_tests $(BUILD) test/interop/spark_test.py
	@MERGANSER_BUILD_DIR=$(abspath $(BUILD)) .deps/readers/bin/python test/interop/spark_concurrency_test.py
	@$(MAKE) --no-print-directory differential

differential: build  ## random statements on delta-spark and here: KIND=merge|expressions SEED=1 COUNT=50
	@scripts/fetch_spark
	@MERGANSER_BUILD_DIR=$(abspath $(BUILD)) .deps/spark/bin/python \
	  test/interop/differential/run.py --kind $(or $(KIND),merge) --seed $(or $(SEED),1) \
	  --count $(or $(COUNT),50) $(if $(OUT),--out $(OUT))

bench: PRESET = release
bench: configure  ## measure: SCENARIO="B02 ..." SIZE=XS|S|M MODE="dv cow" PEERS="floor deltalake ..."
	@cmake --build $(BUILD) --target merganser_program
	@scripts/python_env readers
	@$(if $(filter delta-spark,$(PEERS)),scripts/fetch_spark)
	@$(if $(filter pysail ducklake,$(PEERS)),scripts/python_env bench)
	@.deps/readers/bin/python benchmarks/run --program $(BUILD)/bin/merganser \
	  $(if $(SCENARIO),--scenario "$(SCENARIO)") $(if $(SIZE),--size $(SIZE)) \
	  $(if $(MODE),--mode "$(MODE)") $(if $(PEERS),--peers "$(PEERS)") \
	  $(if $(SAMPLES),--samples $(SAMPLES)) $(if $(RESUME),--resume)

bench-report:  ## write docs/benchmarks.md and its charts from benchmarks/results
	@benchmarks/report

bench-log: PRESET = release
bench-log: configure  ## measure how logs of 10,000 commits and 1,000,000 files are read
	@cmake --build $(BUILD) --target merganser_log_speed
	@scripts/python_env readers
	@.deps/readers/bin/python benchmarks/log_speed.py $(BUILD)/bin/merganser_log_speed

install: PRESET = release
install: configure  ## install program, library, headers and documents under PREFIX
	@cmake --build $(BUILD) --target merganser_library merganser_program
	@cmake --install $(BUILD) --prefix $(abspath $(PREFIX)) >$(BUILD)/install.log

cases: build  ## run MERGE cases: FILES="a.jsonl b.jsonl" [OUT=] [EXPECTED=failures] [DOOR=builder|connect]
ifeq ($(DOOR),connect)
	@scripts/python_env connect
	@MERGANSER_BUILD_DIR=$(abspath $(BUILD)) TZ=UTC .deps/connect/bin/python -W ignore test/connect/cases.py \
	  $(FILES) $(if $(OUT),--out $(OUT)) $(if $(EXPECTED),--expected-failures $(EXPECTED))
else
	@$(RUNNER) cases $(FILES) $(if $(OUT),--out $(OUT)) $(if $(DOOR),--door $(DOOR)) \
	  $(if $(EXPECTED),--expected-failures $(EXPECTED))
endif

expressions: build  ## run expression lines: FILES= [OUT=]
	@$(RUNNER) expressions $(FILES) $(if $(OUT),--out $(OUT)) \
	  $(if $(EXPECTED),--expected-failures $(EXPECTED))

scripts: build  ## run scripts of statements: FILES= [OUT=]
	@$(RUNNER) scripts $(FILES) $(if $(OUT),--out $(OUT)) \
	  $(if $(EXPECTED),--expected-failures $(EXPECTED))

seeds: configure  ## run PySpark scripts against the server: DIR= (with scripts/ and expected/)
	@cmake --build $(BUILD) --target merganser_program
	@scripts/python_env connect
	@.deps/connect/bin/python scripts/run_seeds $(BUILD)/bin/merganser $(DIR)

clients: configure  ## run the examples with each version of PySpark's client that is supported
	@cmake --build $(BUILD) --target merganser_program
	@for environment in connect-4.0 connect-4.1 connect; do \
	  scripts/python_env $$environment && echo "$$environment" && \
	  .deps/$$environment/bin/python scripts/run_seeds $(BUILD)/bin/merganser examples || exit 1; done

foreign-tests: configure  ## run Delta's own Python tests through the server: SRC= (a checkout of Delta Lake)
	@cmake --build $(BUILD) --target merganser_program
	@scripts/python_env foreign
	@.deps/foreign/bin/python scripts/foreign_tests $(BUILD)/bin/merganser $(SRC)

golden: build  ## read tables that other engines wrote: DIR= [OUT=]
	@$(RUNNER) golden $(DIR) --instead test/golden/instead.jsonl $(if $(OUT),--out $(OUT))

generate: build  ## write what is generated and committed: docs/errors.md, docs/sql/functions.md, a part of docs/connect.md
	@scripts/generate_errors.py --input errors/error_classes.json --docs docs/errors.md
	@scripts/generate_connect_page
	@$(BUILD)/bin/merganser_function_page test/house/spark_functions.txt > docs/sql/functions.md

clean:  ## remove what was built; what was fetched stays
	rm -rf build
