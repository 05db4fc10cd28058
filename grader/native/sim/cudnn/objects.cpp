// The registry of live handles and descriptors.
#include <deque>
#include <mutex>
#include <shared_mutex>
#include <unordered_map>

#include "sim.h"

namespace fpsim {
namespace {

struct Entry {
    Object *object;
    bool live;
};

// Destroyed objects that are remembered; beyond them the oldest are forgotten, so that a long run stays small.
constexpr size_t kRemembered = 65536;

struct Registry {
    std::shared_mutex mutex;
    std::unordered_map<const void *, Entry> entries;
    std::deque<Object *> destroyed;
    uint64_t created[32] = {};
};

// Forgets the oldest object that no other refers to, if it is among the first few.
void forget_oldest(Registry &all) {
    constexpr int kTries = 64;
    for (int i = 0; i < kTries; ++i) {
        Object *oldest = all.destroyed.front();
        all.destroyed.pop_front();
        if (oldest->holds > 0) {
            all.destroyed.push_back(oldest);
            continue;
        }
        all.entries.erase(oldest);
        delete oldest;
        return;
    }
}

Registry &registry() {
    static auto *const made = new Registry;  // outlives static destructors
    return *made;
}

constexpr const char *kNames[] = {
    "handle",           "tensor",   "filter", "convolution", "pooling",  "activation",
    "lrn",              "dropout",  "op_tensor", "reduce_tensor", "tensor_transform", "spatial_transformer",
    "ctc_loss",         "rnn",      "rnn_data", "seq_data",  "attention",
    "backend",
};

}  // namespace

const char *kind_name(Kind kind) { return kNames[static_cast<int>(kind)]; }

void enroll(Object *object) {
    Registry &all = registry();
    std::unique_lock lock(all.mutex);
    object->id = ++all.created[static_cast<int>(object->kind)];
    all.entries.insert_or_assign(object, Entry{object, true});
}

Life life_of(const void *object, Kind kind) {
    Registry &all = registry();
    std::shared_lock lock(all.mutex);
    const auto it = all.entries.find(object);
    if (it == all.entries.end() || it->second.object->kind != kind) return Life::unknown;
    return it->second.live ? Life::live : Life::destroyed;
}

Life retire(const void *object, Kind kind) {
    Registry &all = registry();
    std::unique_lock lock(all.mutex);
    const auto it = all.entries.find(object);
    if (it == all.entries.end() || it->second.object->kind != kind) return Life::unknown;
    if (!it->second.live) return Life::destroyed;
    it->second.live = false;
    all.destroyed.push_back(it->second.object);
    if (all.destroyed.size() > kRemembered) forget_oldest(all);
    return Life::live;
}

}  // namespace fpsim
