# Headers and tables made from the API table. Included by the native Makefile, run from the repository's root.
# PYTHON: interpreter with the repository's packages; NATIVE_BUILD: build folder.
PYTHON ?= python3
NATIVE_BUILD ?= build/native

API_TABLE := $(wildcard grader/native/api/*.yaml grader/native/api/*/*.yaml grader/native/api/*.py)
API_TABLE += $(wildcard grader/native/include_src/*.h grader/contract/api*.py)

$(NATIVE_BUILD)/include/.stamp: $(API_TABLE)
	$(PYTHON) -m grader.native.api.generate --out $(NATIVE_BUILD)
	touch $@
