# The C++ runner. Included by ../native/Makefile; works alone too, once the recorder is built:
#   make -f grader/inside/inside.mk runner
INSIDE := $(patsubst %/,%,$(dir $(abspath $(lastword $(MAKEFILE_LIST)))))
ROOT ?= $(abspath $(INSIDE)/../..)
BUILD ?= $(ROOT)/build/native
RUNNER := $(BUILD)/bin/fp_runner
RUNNER_CXXFLAGS := -std=c++20 -O2 -g -Wall -Wextra -Werror -I$(ROOT)/grader/native/recorder
# What the sandbox imports, compiled ahead: there it cannot be written, and each start would compile it again.
PYTHON_CODE := $(BUILD)/python.compiled

.PHONY: runner
runner: $(RUNNER) $(PYTHON_CODE)

$(PYTHON_CODE): $(wildcard $(INSIDE)/*.py) $(wildcard $(BUILD)/python/*/*.py) | python
	$(PYTHON) -m compileall -q $(INSIDE) $(BUILD)/python && touch $@

# -rpath $ORIGIN/../lib: the jail shows bin/ and lib/ side by side, wherever they lie.
$(RUNNER): $(wildcard $(INSIDE)/cpp/*) $(BUILD)/lib/libfp_recorder.so
	mkdir -p $(@D)
	$(CXX) $(RUNNER_CXXFLAGS) -o $@.new $(INSIDE)/cpp/runner.cpp -L$(BUILD)/lib -lfp_recorder -ldl \
	  '-Wl,-rpath,$$ORIGIN/../lib'
	mv -f $@.new $@
