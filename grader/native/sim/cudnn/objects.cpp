// The registry of live handles and descriptors.
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

struct Registry {
    std::shared_mutex mutex;
    std::unordered_map<const void *, Entry> entries;
    uint64_t created[32] = {};
};

Registry &registry() {
    static auto *const made = new Registry;  // outlives static destructors
    return *made;
}

constexpr const char *kNames[] = {
    "handle",           "tensor",   "filter", "convolution", "pooling",  "activation",
    "lrn",              "dropout",  "op_tensor", "reduce_tensor", "tensor_transform", "spatial_transformer",
    "ctc_loss",         "rnn",      "rnn_data", "seq_data",  "attention",
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
    return Life::live;
}

}  // namespace fpsim
