#include "objects.h"

#include <pthread.h>

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

namespace fp::objects {
namespace {

struct Member {
  std::string key;
  std::string json;
};

struct Object {
  std::string kind;
  uint64_t number;
  bool live = true;
  std::vector<Member> members;
  std::string text;  // as JSON; empty when something has changed since
};

using Objects = std::unordered_map<const void *, Object>;

std::mutex mutex;

void lock() { mutex.lock(); }
void unlock() { mutex.unlock(); }
const int fork_guard = pthread_atfork(lock, unlock, unlock);

// Never destroyed: programs may call into the library from their own static destructors.
Objects &table() {
  static auto *objects = new Objects;
  return *objects;
}

uint64_t next_number(std::string_view kind) {
  static auto *counters = new std::map<std::string, uint64_t, std::less<>>;
  auto found = counters->find(kind);
  if (found == counters->end()) found = counters->emplace(kind, 0).first;
  return ++found->second;
}

Object &enter(const void *object, std::string_view kind) {
  Object fresh{std::string(kind), next_number(kind), true, {}, {}};
  return table().insert_or_assign(object, std::move(fresh)).first->second;
}

Object &find_or_enter(const void *object, std::string_view kind) {
  const auto found = table().find(object);
  return found == table().end() || found->second.kind != kind ? enter(object, kind) : found->second;
}

constexpr size_t kMaxText = 4096;

std::string render(const Object &object) {
  char text[kMaxText];
  Json json(text, sizeof text);
  json.open('{').key("kind").value(object.kind);
  json.key("id").value(object.kind + "#" + std::to_string(object.number));
  for (const Member &member : object.members) json.key(member.key).literal(member.json);
  if (!object.live) json.key("live").value(false);
  json.close('}');
  return json.overflowed() ? std::string("{}") : std::string(json.text());
}

void write(Json &json, Object &object) {
  if (object.text.empty()) object.text = render(object);
  json.literal(object.text);
}

// Runs what may allocate; out of memory leaves the table as it was.
template <typename Action>
void guarded(Action action) noexcept {
  try {
    const std::lock_guard guard(mutex);
    action();
  } catch (...) {
  }
}

}  // namespace

void created(const void *object, std::string_view kind) {
  guarded([&] { enter(object, kind); });
}

void destroyed(const void *object) {
  guarded([&] {
    if (const auto found = table().find(object); found != table().end()) found->second.live = false, found->second.text.clear();
  });
}

void all_destroyed(std::string_view kind) {
  guarded([&] {
    for (auto &[address, object] : table()) {
      if (object.kind == kind) object.live = false, object.text.clear();
    }
  });
}

void set(const void *object, std::string_view kind, std::string_view key, std::string_view json) {
  guarded([&] {
    Object &entry = find_or_enter(object, kind);
    entry.text.clear();
    for (Member &member : entry.members) {
      if (member.key == key) {
        member.json = json;
        return;
      }
    }
    entry.members.push_back({std::string(key), std::string(json)});
  });
}

void describe(Json &json, const void *object, std::string_view kind) {
  if (!object) {
    json.open('{').key("kind").value("null").close('}');
    return;
  }
  const size_t start = json.size();
  try {
    const std::lock_guard guard(mutex);
    write(json, find_or_enter(object, kind));
  } catch (...) {
    json.truncate(start);
    json.open('{').key("kind").value(kind).close('}');
  }
}

bool is(const void *object, std::string_view key, std::string_view json) {
  const std::lock_guard guard(mutex);
  const auto found = table().find(object);
  if (found == table().end()) return false;
  for (const Member &member : found->second.members) {
    if (member.key == key) return member.json == json;
  }
  return false;
}

}  // namespace fp::objects
