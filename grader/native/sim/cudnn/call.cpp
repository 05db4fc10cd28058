// One API call: liveness of its objects, its failure, its log record.
#include "sim.h"

#include <algorithm>
#include <cstdio>

namespace fpsim {
namespace {

// Of the last failure until it is read; and of the last call, empty where it was not refused. Arrays, since a program's
// destructors may call after the objects of its thread are gone.
constexpr size_t kLongest = 256;
thread_local char last_error_text[kLongest], reason_text[kLongest];

std::string label(const void *object, Kind kind) {
    return std::string(kind_name(kind)) + "#" + std::to_string(static_cast<const Object *>(object)->id);
}

void note_stale(const char *name, const char *function, const void *object, Kind kind, bool was_known) {
    Note note(name);
    note.text("function", function).text("kind", kind_name(kind));
    note.number("address", reinterpret_cast<intptr_t>(object));
    if (was_known) note.text("id", label(object, kind));
    note.send();
}

}  // namespace

cudnnStatus_t Call::fail(cudnnStatus_t status, const char *reason) {
    status_ = status;
    for (char *text : {last_error_text, reason_text}) std::snprintf(text, kLongest, "%s", reason);
    const bool unsupported = status / 1000 == CUDNN_STATUS_NOT_SUPPORTED / 1000;
    const cudnnSeverity_t severity = unsupported ? CUDNN_SEV_WARNING : CUDNN_SEV_ERROR;
    if (log_enabled(severity)) {
        log_record(severity, function_, status,
                   std::string("    Info: Traceback contains 1 message(s)\n        ") + (unsupported ? "Warning: " : "Error: ") +
                       cudnnGetErrorString(status) + "; Reason: " + reason + "\n");
    }
    return status;
}

bool Call::check(const void *object, Kind kind) {
    if (!object) {
        bad_param("NULL descriptor or handle");
        return false;
    }
    const Life life = life_of(object, kind);
    if (life == Life::live) return true;
    const bool destroyed = life == Life::destroyed;
    note_stale(destroyed ? "use_after_destroy" : "not_an_object", function_, object, kind, destroyed);
    bad_param(destroyed ? "the descriptor or handle was destroyed" : "not a descriptor or handle of this kind");
    return false;
}

cudnnStatus_t Call::end(const void *object, Kind kind) {
    if (!object) return ok();
    const Life before = retire(object, kind);
    if (before == Life::live) return ok();
    const bool destroyed = before == Life::destroyed;
    note_stale(destroyed ? "double_destroy" : "not_an_object", function_, object, kind, destroyed);
    return bad_param(destroyed ? "destroyed twice" : "not a descriptor or handle of this kind");
}

void Call::begin() { reason_text[0] = 0; }

void Call::log_call(const char *names, const Argument *arguments, size_t count) const {
    log_record(CUDNN_SEV_INFO, function_, CUDNN_STATUS_SUCCESS, argument_lines(names, arguments, count));
}

}  // namespace fpsim

// Why the last call of this thread was refused; empty where it was not. Reading it leaves cudnnGetLastErrorString as it is.
extern "C" const char *fp_sim_last_reason(void) { return fpsim::reason_text; }

extern "C" void cudnnGetLastErrorString(char *message, size_t max_size) {
    if (!message || max_size == 0) return;
    const size_t length = std::min(max_size - 1, std::strlen(fpsim::last_error_text));
    std::memcpy(message, fpsim::last_error_text, length);
    message[length] = 0;
    fpsim::last_error_text[0] = 0;
}
