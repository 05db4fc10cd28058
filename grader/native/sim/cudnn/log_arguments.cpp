// The arguments of a call in the API log: one line each, descriptors with what they hold.
#include "sim.h"

namespace fpsim {
namespace {

std::string line(int depth, const std::string &name, const std::string &type, const std::string &value) {
    return std::string(static_cast<size_t>(4 * depth), ' ') + name + ": type=" + type + "; val=" + value + ";\n";
}

template <typename E> std::string enum_line(const char *name, E value) {
    return line(2, name, enum_info(value).type, enum_text(value));
}

std::string list(const int *values, int count) {
    std::string text = "[";
    for (int i = 0; i < count; ++i) text.append(i ? "," : "").append(std::to_string(values[i]));
    return text + "]";
}

std::string int_line(const char *name, int value) { return line(2, name, "int", std::to_string(value)); }

std::string list_line(const char *name, const int *values, int count) {
    return line(2, name, "int", list(values, count));
}

std::string contents(const cudnnTensorStruct &tensor) {
    return enum_line("dataType", tensor.type) + int_line("nbDims", tensor.rank) +
           list_line("dimA", tensor.dim.data(), tensor.rank) + list_line("strideA", tensor.stride.data(), tensor.rank);
}

std::string contents(const cudnnFilterStruct &filter) {
    return enum_line("dataType", filter.type) + int_line("vect", 0) + int_line("nbDims", filter.rank) +
           list_line("dimA", filter.dim.data(), filter.rank) + enum_line("format", filter.format);
}

std::string contents(const cudnnConvolutionStruct &convolution) {
    const int rank = convolution.rank;
    return enum_line("mode", convolution.mode) + enum_line("dataType", convolution.compute) +
           enum_line("mathType", convolution.math) + int_line("reorderType", convolution.reorder) +
           int_line("arrayLength", rank) + list_line("padA", convolution.pad.data(), rank) +
           list_line("strideA", convolution.stride.data(), rank) +
           list_line("dilationA", convolution.dilation.data(), rank) + int_line("groupCount", convolution.groups);
}

std::string address(const std::string &name, const void *pointer) {
    char text[32];
    std::snprintf(text, sizeof text, "%p", pointer);
    const bool device = fp_sim_is_device_memory(pointer) != 0;
    return std::string("    ") + name + ": location=" + (device ? "dev" : "host") + "; addr=" + (pointer ? text : "NULL") + ";\n";
}

std::string object_lines(const std::string &name, const Argument &argument) {
    if (life_of(argument.pointer, argument.kind) != Life::live) return address(name, argument.pointer);
    const auto *object = static_cast<const Object *>(argument.pointer);
    const std::string head = std::string("    ") + name + ": type=cudnn";
    switch (argument.kind) {
        case Kind::tensor:
            return head + "TensorDescriptor_t:\n" + contents(*static_cast<const cudnnTensorStruct *>(object));
        case Kind::filter:
            return head + "FilterDescriptor_t:\n" + contents(*static_cast<const cudnnFilterStruct *>(object));
        case Kind::convolution:
            return head + "ConvolutionDescriptor_t:\n" + contents(*static_cast<const cudnnConvolutionStruct *>(object));
        default: return address(name, argument.pointer);
    }
}

std::string argument_line(const std::string &name, const Argument &argument) {
    switch (argument.form) {
        case Argument::Form::integer: return line(1, name, argument.type, std::to_string(argument.integer));
        case Argument::Form::real: return line(1, name, argument.type, std::to_string(argument.real));
        case Argument::Form::pointer: return address(name, argument.pointer);
        case Argument::Form::object: return object_lines(name, argument);
        case Argument::Form::enumerator: {
            const EnumInfo info = argument.enumeration(argument.integer);
            return line(1, name, info.type, enum_text(info, argument.integer));
        }
    }
    return "";
}

}  // namespace

std::string argument_lines(const char *names, const Argument *arguments, size_t count) {
    std::string out;
    const std::string all(names);
    size_t begin = 0;
    for (size_t i = 0; i < count; ++i) {
        const size_t end = std::min(all.find(',', begin), all.size());
        out += argument_line(all.substr(begin, end - begin), arguments[i]);
        begin = end + 2;  // ", "
    }
    return out;
}

}  // namespace fpsim
