// The planar cable that a marker names.
#pragma once

#include "items/marker.h"

namespace catena {

// Throws ModelError unless the body is an ANCFCable2D.
inline ObjectIndex markedCable2D(const AssemblyView& view, ObjectIndex body,
                                 const std::string& where) {
  if (!body.valid() || view.typeOf(Category::object, body.value).name != "ANCFCable2D")
    throw ModelError(
        where + ": bodyNumber = " + std::to_string(body.value) +
        (body.valid() ? " refers to " + view.where(Category::object, body.value) : " is missing") +
        "; give the index of an ANCFCable2D");
  return body;
}

}  // namespace catena
