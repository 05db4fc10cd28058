# The simulated libraries. Included by the native Makefile, run from the repository's root.
SIM := grader/native/sim
SIM_OBJECTS := $(NATIVE_BUILD)/objects/sim
# -fno-strict-overflow: sizes of descriptors that are larger than any memory wrap, as they do in the real library.
SIM_FLAGS := $(CXXFLAGS) -fno-strict-overflow -Winvalid-pch -I$(NATIVE_BUILD)/include -I$(NATIVE_BUILD)/generated -fPIC -fno-math-errno -pthread

RUNTIME_SOURCES := $(wildcard $(SIM)/runtime/*.cpp)
CUDNN_SOURCES := $(wildcard $(SIM)/cudnn/*.cpp $(SIM)/kernels/*.cpp)
RUNTIME_OBJECTS := $(RUNTIME_SOURCES:$(SIM)/%.cpp=$(SIM_OBJECTS)/%.o)
CUDNN_OBJECTS := $(CUDNN_SOURCES:$(SIM)/%.cpp=$(SIM_OBJECTS)/%.o) $(SIM_OBJECTS)/runtime/note_text.o

LIBCUDART := $(NATIVE_BUILD)/lib/libcudart.so.12
LIBCUDNN := $(NATIVE_BUILD)/lib/libcudnn.so.9

# One precompiled header halves the time of a build. The wrapper is needed because the header lies among the sources.
SIM_HEADER := $(SIM_OBJECTS)/all.h
$(SIM_HEADER): | $(NATIVE_BUILD)/include/.stamp
	@mkdir -p $(@D)
	echo '#include "$(abspath $(SIM))/cudnn/sim.h"' > $@

$(SIM_HEADER).gch: $(SIM_HEADER)
	$(CXX) $(SIM_FLAGS) -MMD -MP -MF $(SIM_HEADER).d -MT $@ -x c++-header -c $< -o $@

# The stamp only orders: which headers an object needs is in its .d file.
$(SIM_OBJECTS)/%.o: $(SIM)/%.cpp $(SIM_HEADER).gch | $(NATIVE_BUILD)/include/.stamp
	@mkdir -p $(@D)
	$(CXX) $(SIM_FLAGS) -include $(SIM_HEADER) -MMD -MP -c $< -o $@

# A library is complete: every symbol it uses is its own or comes from a library it names. It takes its place whole, since a
# server may be loading the old one meanwhile.
SIM_LINK := $(CXX) $(LDFLAGS) -shared -pthread -Wl,-Bsymbolic -Wl,-z,defs -Wl,-rpath,'$$ORIGIN'

$(LIBCUDART): $(RUNTIME_OBJECTS) $(SIM)/libcudart.map
	@mkdir -p $(@D)
	$(SIM_LINK) -Wl,-soname,libcudart.so.12 -Wl,--version-script,$(SIM)/libcudart.map $(RUNTIME_OBJECTS) -o $@.new
	mv -f $@.new $@
	ln -sf libcudart.so.12 $(@D)/libcudart.so

$(LIBCUDNN): $(CUDNN_OBJECTS) $(SIM)/libcudnn.map $(LIBCUDART)
	$(SIM_LINK) -Wl,-soname,libcudnn.so.9 -Wl,--version-script,$(SIM)/libcudnn.map $(CUDNN_OBJECTS) $(LIBCUDART) -o $@.new
	mv -f $@.new $@
	ln -sf libcudnn.so.9 $(@D)/libcudnn.so

-include $(RUNTIME_OBJECTS:.o=.d) $(CUDNN_OBJECTS:.o=.d) $(SIM_HEADER).d
