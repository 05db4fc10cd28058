// Enumerators by name, from the API table.
#include <iterator>

#include "sim.h"

namespace fpsim {

#define FP_ENUM(type) namespace { constexpr EnumValue values_of_##type[] = {
#define FP_ENUMERATOR(type, enumerator, value) {value, #enumerator},
#define FP_ENUM_END(type) \
    }; \
    } \
    EnumInfo enum_info(type) { return {#type, values_of_##type, std::size(values_of_##type)}; }
#include "enumerators.inc"

std::string enum_text(const EnumInfo &info, int64_t value) {
    const std::string number = std::to_string(value);
    for (size_t i = 0; i < info.count; ++i) {
        if (info.values[i].value == value) return std::string(info.values[i].name) + " (" + number + ")";
    }
    return number;
}

}  // namespace fpsim
