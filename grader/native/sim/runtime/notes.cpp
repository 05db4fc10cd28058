// Notes: one-line JSON objects that say what the simulator saw.
#include "runtime.h"

#include <atomic>
#include <cstdio>
#include <cstdlib>

namespace {

void print_note(const char *json) {
    static const bool wanted = std::getenv("FP_SIM_NOTES") != nullptr;
    if (wanted) std::fprintf(stderr, "fp_sim: %s\n", json);
}

std::atomic<fp_sim_note_sink> sink{print_note};

}  // namespace

extern "C" void fp_sim_set_note_sink(fp_sim_note_sink wanted) { sink = wanted ? wanted : print_note; }

extern "C" void fp_sim_note(const char *json) { sink.load()(json); }
