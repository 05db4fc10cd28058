#pragma once

#include <string_view>

#include "json.h"

namespace fp::objects {

// Shadow of the library's opaque objects: handles, descriptors, streams and events. Keyed by address, because a
// library may give a destroyed object's address to a new one. Every function is safe to call from several threads and
// never throws; an object that cannot be stored is shown without its content.

void created(const void *object, std::string_view kind);
void destroyed(const void *object);
// The device was reset: nothing of these kinds lives on.
void all_destroyed(std::string_view kind);

// Sets a member of the content, in place of an earlier one of that name. json: its value, as JSON text.
void set(const void *object, std::string_view kind, std::string_view key, std::string_view json);

// Writes {"kind":…,"id":…, content…}; {"kind":"null"} for null. An object that was not created through the recorder is
// entered on first sight.
void describe(Json &json, const void *object, std::string_view kind);

// Whether the content's member has this JSON text.
bool is(const void *object, std::string_view key, std::string_view json);

}  // namespace fp::objects
