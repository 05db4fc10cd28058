// The API log: CUDNN_LOGLEVEL_DBG (0 off, 1 errors, 2 warnings, 3 all), CUDNN_LOGDEST_DBG (stdout, stderr or a file,
// %i is the process), and cudnnSetCallback, which takes the place of both.
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <mutex>

#include "sim.h"

namespace fpsim {
namespace {

const auto started = std::chrono::steady_clock::now();

struct Callback {
    void *data = nullptr;
    cudnnCallback_t function = nullptr;
};

std::mutex mutex;
Callback callback;
constexpr unsigned kOfEnvironment = ~0U;  // cudnnSetCallback was never called
std::atomic<unsigned> chosen_mask{kOfEnvironment};

// As the real library reads a mask: a severity switches on what is graver, and errors are always logged.
unsigned mask_of_levels(unsigned mask) {
    if (mask & CUDNN_SEV_INFO_EN) return CUDNN_SEV_INFO_EN | CUDNN_SEV_WARNING_EN | CUDNN_SEV_ERROR_EN;
    if (mask & CUDNN_SEV_WARNING_EN) return CUDNN_SEV_WARNING_EN | CUDNN_SEV_ERROR_EN;
    return CUDNN_SEV_ERROR_EN;
}

bool switched_on(const char *variable) {
    const char *value = std::getenv(variable);
    return value && value[0] == '1';
}

// Severities to be logged, as in cudnnSetCallback's mask.
unsigned mask_from_environment() {
    const char *level = std::getenv("CUDNN_LOGLEVEL_DBG");
    unsigned mask = 0;
    const int wanted = level ? std::clamp(std::atoi(level), 0, 3) : 0;
    for (int severity = CUDNN_SEV_ERROR; severity <= wanted; ++severity) mask |= 1U << severity;
    if (switched_on("CUDNN_LOGERR_DBG")) mask |= CUDNN_SEV_ERROR_EN;
    if (switched_on("CUDNN_LOGWARN_DBG")) mask |= CUDNN_SEV_WARNING_EN;
    if (switched_on("CUDNN_LOGINFO_DBG")) mask |= CUDNN_SEV_INFO_EN;
    return mask;
}

unsigned environment_mask() {
    static const unsigned mask = mask_from_environment();
    return mask;
}

unsigned current_mask() {
    const unsigned mask = chosen_mask.load(std::memory_order_relaxed);
    return mask == kOfEnvironment ? environment_mask() : mask;
}

FILE *open_destination() {
    const char *name = std::getenv("CUDNN_LOGDEST_DBG");
    if (!name || std::string(name) == "stderr") return stderr;
    if (std::string(name) == "stdout") return stdout;
    std::string path(name);
    const size_t at = path.find("%i");
    if (at != std::string::npos) path.replace(at, 2, std::to_string(getpid()));
    FILE *file = std::fopen(path.c_str(), "w");
    return file ? file : stderr;
}

char letter_of(cudnnSeverity_t severity) { return "FEWI"[severity]; }

uint64_t thread_id() { return static_cast<uint64_t>(syscall(SYS_gettid)); }

// Every line gets the severity's letter in lower case; the first keeps it in upper case.
std::string with_prefix(char letter, const std::string &lines, char separator) {
    std::string out;
    const std::string prefix = std::string(1, static_cast<char>(letter | 0x20)) + "! ";
    for (size_t begin = 0; begin < lines.size();) {
        const size_t end = std::min(lines.find('\n', begin), lines.size());
        out += prefix + lines.substr(begin, end - begin) + separator;
        begin = end + 1;
    }
    return out;
}

std::string since_start(double seconds) {
    const auto whole = static_cast<long>(seconds);
    return std::to_string(whole / 86400) + "d+" + std::to_string(whole / 3600 % 24) + "h+" +
           std::to_string(whole / 60 % 60) + "m+" + std::to_string(whole % 60) + "s since start";
}

std::string local_time() {
    const auto now = std::chrono::system_clock::now();
    const auto micros = std::chrono::duration_cast<std::chrono::microseconds>(now.time_since_epoch()).count();
    const std::time_t seconds = micros / 1000000;
    std::tm parts{};
    char text[48];
    const size_t length = std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", localtime_r(&seconds, &parts));
    std::snprintf(text + length, sizeof text - length, ".%06d", static_cast<int>(micros % 1000000));
    return text;
}

std::string footer(double seconds) {
    return "Time: " + local_time() + " (" + since_start(seconds) + ")\nProcess=" + std::to_string(getpid()) +
           "; Thread=" + std::to_string(thread_id()) + "; GPU=NULL; Handle=NULL; StreamId=NULL.\n";
}

cudnnDebug_t debug_info(cudnnStatus_t status, double seconds) {
    cudnnDebug_t info{};
    info.cudnn_version = static_cast<unsigned>(cudnnGetVersion());
    info.cudnnStatus = status;
    info.time_sec = static_cast<unsigned>(std::time(nullptr));
    info.time_delta = static_cast<unsigned>(seconds);
    info.pid = static_cast<unsigned long long>(getpid());
    info.tid = thread_id();
    return info;
}

}  // namespace

bool log_enabled(cudnnSeverity_t severity) { return (current_mask() >> severity & 1U) != 0; }

void log_record(cudnnSeverity_t severity, const char *function, cudnnStatus_t status, const std::string &body) {
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
    const char letter = letter_of(severity);
    const std::string head = "CuDNN (v" + std::to_string(cudnnGetVersion()) + ") function " + function + "() called:";
    const std::string lines = body + footer(seconds);
    std::unique_lock lock(mutex);
    if (!log_enabled(severity)) return;  // another thread has chosen otherwise since this call was found to be logged
    const Callback current = callback;
    if (current.function) {
        lock.unlock();
        const std::string message = head + '\0' + with_prefix(letter, lines, '\0') + '\0';
        const cudnnDebug_t info = debug_info(status, seconds);
        current.function(severity, current.data, &info, message.c_str());
        return;
    }
    static FILE *const destination = open_destination();
    std::fprintf(destination, "\n%c! %s\n%s\n", letter, head.c_str(), with_prefix(letter, lines, '\n').c_str());
    std::fflush(destination);
}

}  // namespace fpsim

using namespace fpsim;

// Without a function, what the mask chooses goes to the destination.
extern "C" cudnnStatus_t cudnnSetCallback(unsigned mask, void *udata, cudnnCallback_t fptr) {
    FP_CALL(mask, udata, fptr);
    std::lock_guard lock(fpsim::mutex);
    callback = {udata, fptr};
    chosen_mask = mask_of_levels(mask);
    return call.ok();
}

extern "C" cudnnStatus_t cudnnGetCallback(unsigned *mask, void **udata, cudnnCallback_t *fptr) {
    FP_CALL(mask, udata, fptr);
    FP_REQUIRE(mask != nullptr && udata != nullptr && fptr != nullptr);
    std::lock_guard lock(fpsim::mutex);
    *mask = current_mask();
    *udata = callback.data;
    *fptr = callback.function;
    return call.ok();
}
