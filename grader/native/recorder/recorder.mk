# The call recorder and the Python packages over it. Included by ../Makefile; works alone too:
#   make -f grader/native/recorder/recorder.mk recorder python
RECORDER := $(patsubst %/,%,$(dir $(abspath $(lastword $(MAKEFILE_LIST)))))
ROOT ?= $(abspath $(RECORDER)/../../..)
BUILD ?= $(ROOT)/build/native
PYTHON ?= $(ROOT)/.venv/bin/python
RECORDER_BUILD := $(BUILD)/recorder
RECORDER_LIBRARY := $(BUILD)/lib/libfp_recorder.so
PACKAGES := $(ROOT)/grader/native/python

# SANITIZE: address,undefined or thread, as in ../Makefile.
RECORDER_SANITIZE := $(if $(SANITIZE),-fsanitize=$(SANITIZE) -fno-omit-frame-pointer)
RECORDER_CXXFLAGS := -std=c++20 -O2 -g -fPIC -fvisibility=hidden -Wall -Wextra -Werror \
  -I$(RECORDER) -I$(RECORDER_BUILD) -MMD -MP $(RECORDER_SANITIZE)
# Wrappers forward pointers whose types the table erases; nothing in them may be assumed about aliasing.
RECORDER_CXXFLAGS += -fno-strict-aliasing

RECORDER_TABLE := $(wildcard $(ROOT)/grader/native/api/*.yaml $(ROOT)/grader/native/api/*/*.yaml) \
  $(wildcard $(ROOT)/grader/contract/api*.py)
RECORDER_SOURCES := $(wildcard $(RECORDER)/*.cpp)
RECORDER_GENERATED := $(addprefix $(RECORDER_BUILD)/,names.cpp wrappers_0.cpp wrappers_1.cpp wrappers_2.cpp wrappers_3.cpp)
RECORDER_OBJECTS := $(patsubst $(RECORDER)/%.cpp,$(RECORDER_BUILD)/%.o,$(RECORDER_SOURCES)) \
  $(RECORDER_GENERATED:.cpp=.o)

.PHONY: recorder python
recorder: $(RECORDER_LIBRARY)

$(RECORDER_BUILD)/generated.stamp: $(RECORDER_TABLE) $(wildcard $(RECORDER)/*.py)
	cd $(ROOT) && $(PYTHON) -m grader.native.recorder.generate $(RECORDER_BUILD)
	touch $@

$(RECORDER_GENERATED) $(RECORDER_BUILD)/generated.h: $(RECORDER_BUILD)/generated.stamp ;

$(RECORDER_BUILD)/%.o: $(RECORDER)/%.cpp $(RECORDER_BUILD)/generated.h
	$(CXX) $(RECORDER_CXXFLAGS) -c $< -o $@

$(RECORDER_BUILD)/%.o: $(RECORDER_BUILD)/%.cpp $(RECORDER_BUILD)/generated.h
	$(CXX) $(RECORDER_CXXFLAGS) -c $< -o $@

$(RECORDER_LIBRARY): $(RECORDER_OBJECTS) $(RECORDER)/recorder.map
	mkdir -p $(@D)
	$(CXX) -shared -Wl,-soname,libfp_recorder.so -Wl,--version-script=$(RECORDER)/recorder.map \
	  -Wl,-z,now $(if $(SANITIZE),,-Wl,-z,defs) $(RECORDER_SANITIZE) $(RECORDER_OBJECTS) -o $@.new -ldl -lpthread
	mv -f $@.new $@

# The packages as the jail gets them: standard library and NumPy only, the API table as a Python file.
python: $(BUILD)/python/libcudnn/_table.py

$(BUILD)/python/libcudnn/_table.py: $(RECORDER_TABLE) $(wildcard $(PACKAGES)/*.py $(PACKAGES)/*/*.py $(PACKAGES)/*/*/*.py)
	cd $(ROOT) && $(PYTHON) -m grader.native.python.generate $(BUILD)/python

-include $(RECORDER_OBJECTS:.o=.d)
