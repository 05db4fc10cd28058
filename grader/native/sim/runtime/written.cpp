// Which bytes of a buffer were ever written.
#include "runtime.h"

#include <algorithm>

namespace fpsim {

void Written::add(size_t begin, size_t end) {
    if (begin >= end) return;
    auto next = ranges_.upper_bound(begin);
    if (next != ranges_.begin()) {
        auto before = std::prev(next);
        if (before->second >= begin) {
            begin = before->first;
            end = std::max(end, before->second);
            next = ranges_.erase(before);
        }
    }
    while (next != ranges_.end() && next->first <= end) {
        end = std::max(end, next->second);
        next = ranges_.erase(next);
    }
    ranges_.emplace(begin, end);
}

bool Written::covers(size_t begin, size_t end) const { return first_gap(begin, end) == end; }

bool Written::touches(size_t begin, size_t end) const {
    auto next = ranges_.upper_bound(begin);
    if (next != ranges_.end() && next->first < end) return true;
    return next != ranges_.begin() && std::prev(next)->second > begin;
}

size_t Written::first_gap(size_t begin, size_t end) const {
    auto next = ranges_.upper_bound(begin);
    if (next == ranges_.begin()) return begin;
    // Ranges never touch one another, so the one that holds `begin` decides.
    const size_t covered = std::prev(next)->second;
    return covered <= begin ? begin : std::min(covered, end);
}

}  // namespace fpsim
