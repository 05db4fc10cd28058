// Builds the text of a note. Linked into both libraries.
#include "runtime.h"

namespace {

std::string quoted(const std::string &text) {
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') out += '\\';
        if (static_cast<unsigned char>(c) >= 0x20) out += c;
    }
    return out + '"';
}

}  // namespace

namespace fpsim {

Note::Note(const char *name) : json_(std::string("{\"note\":").append(quoted(name))) {}

Note &Note::text(const char *key, const std::string &value) {
    json_.append(",").append(quoted(key)).append(":").append(quoted(value));
    return *this;
}

Note &Note::number(const char *key, int64_t value) {
    json_.append(",").append(quoted(key)).append(":").append(std::to_string(value));
    return *this;
}

Note &Note::null(const char *key) {
    json_.append(",").append(quoted(key)).append(":null");
    return *this;
}

void Note::send() { fp_sim_note((json_ + "}").c_str()); }

}  // namespace fpsim
