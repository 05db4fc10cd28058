// What is still alive at the end, and which guard zones were overwritten.
#include "runtime.h"

extern "C" int fp_sim_report(void) {
    using namespace fpsim;
    int found = report_live_streams() + report_live_events();
    Arena *arena = Arena::existing();
    if (!arena) return found;
    arena->each([&found](const Buffer &buffer, bool guard_intact) {
        Note("leak").text("kind", "buffer").text("buffer", buffer_name(buffer.id)).number(
            "bytes", static_cast<int64_t>(buffer.size)).send();
        ++found;
        if (guard_intact) return;
        Note("guard_overwritten").text("buffer", buffer_name(buffer.id)).number(
            "bytes", static_cast<int64_t>(buffer.size)).send();
        ++found;
    });
    return found;
}
