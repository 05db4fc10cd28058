// SIGSEGV: explains a host access to device memory, then lets the process die as it would on real hardware.
#include "runtime.h"

#include <execinfo.h>
#include <signal.h>
#include <ucontext.h>

#include <cstring>

namespace fpsim {
namespace {

struct sigaction previous;

// Text for a signal handler: no allocation, no locale, no stdio.
class PlainText {
public:
    PlainText &add(const char *text) {
        while (*text && length_ + 1 < sizeof text_) text_[length_++] = *text++;
        return *this;
    }
    PlainText &add(uint64_t value) {
        char digits[21];
        char *at = digits + sizeof digits;
        *--at = 0;
        do *--at = static_cast<char>('0' + value % 10);
        while (value /= 10);
        return add(at);
    }
    const char *get() {
        text_[length_] = 0;
        return text_;
    }

private:
    char text_[2048];
    size_t length_ = 0;
};

uint64_t program_counter(const ucontext_t &context) {
#if defined(__x86_64__)
    return static_cast<uint64_t>(context.uc_mcontext.gregs[REG_RIP]);
#elif defined(__aarch64__)
    return context.uc_mcontext.pc;
#else
#error "Tell fault.cpp where this processor keeps its program counter."
#endif
}

const char *access_kind(const ucontext_t &context) {
#if defined(__x86_64__)
    return context.uc_mcontext.gregs[REG_ERR] & 2 ? "write" : "read";
#else
    (void)context;
    return "unknown";
#endif
}

void add_frames(PlainText &json) {
    void *frames[16];
    const int count = backtrace(frames, 16);
    json.add(",\"frames\":[");
    for (int i = 0; i < count; ++i) {
        if (i) json.add(",");
        json.add(reinterpret_cast<uintptr_t>(frames[i]));
    }
    json.add("]");
}

void explain(const void *address, const std::optional<Location> &where, const ucontext_t &context) {
    PlainText json;
    json.add("{\"note\":\"host_dereference\",\"pc\":").add(program_counter(context));
    json.add(",\"access\":\"").add(access_kind(context)).add("\",\"address\":");
    json.add(reinterpret_cast<uintptr_t>(address));
    if (where && where->id) {
        json.add(",\"buffer\":\"buffer#").add(where->id).add("\",\"offset\":").add(where->offset);
        json.add(",\"freed\":").add(where->place == Place::freed ? "true" : "false");
    } else {
        json.add(",\"buffer\":null,\"offset\":null,\"freed\":false");
    }
    add_frames(json);
    json.add("}");
    fp_sim_note(json.get());
}

// Passes the signal on: the faulting instruction runs again under the previous handler.
void chain() { sigaction(SIGSEGV, &previous, nullptr); }

void on_fault(int, siginfo_t *info, void *raw_context) {
    Arena *arena = Arena::existing();
    if (arena && arena->contains(info->si_addr)) {
        explain(info->si_addr, arena->try_locate(info->si_addr), *static_cast<ucontext_t *>(raw_context));
    }
    chain();
}

}  // namespace

void install_fault_handler() {
    void *warm_up[1];
    backtrace(warm_up, 1);  // loads the unwinder now: a handler must not
    struct sigaction action {};
    action.sa_sigaction = on_fault;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigemptyset(&action.sa_mask);
    sigaction(SIGSEGV, &action, &previous);
}

}  // namespace fpsim
