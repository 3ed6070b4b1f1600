// Registration of marker types.
#pragma once

#include "items/behaviour.h"
#include "items/coordinate_vector.h"

namespace catena {

template <class T>
class MarkerBehaviourOf final : public MarkerBehaviour {
 public:
  MarkerBinding bind(const void* marker, int number, const AssemblyView& view) const override {
    return T::bind(*static_cast<const T*>(marker), view.where(Category::marker, number), view);
  }
};

template <class T>
struct RegisterMarker {
  RegisterMarker() {
    static const MarkerBehaviourOf<T> behaviour;
    ItemType type = describeItem<T>(Category::marker);
    type.marker = &behaviour;
    Registry::instance().add(std::move(type));
  }
};

// The checked node of a marker; throws ModelError(where + ...) if it is missing.
inline const NodeLayout& markerNode(const AssemblyView& view, NodeIndex node,
                                    const std::string& where) {
  if (!node.valid()) throw ModelError(where + ": nodeNumber is missing; give the index of a node");
  return view.layout(node);
}

// The checked body of a marker: an object that is a body with a frame.
inline FramePoint bodyPoint(const AssemblyView& view, ObjectIndex body, const Vector3& local,
                            bool needOrientation, const std::string& where) {
  if (!body.valid()) throw ModelError(where + ": bodyNumber is missing; give the index of a body");
  const ItemType& type = view.typeOf(Category::object, body.value);
  if (!type.object->isBody())
    throw ModelError(where + ": bodyNumber = " + std::to_string(body.value) + " refers to " +
                     view.where(Category::object, body.value) + ", which is no body");
  if (needOrientation && !type.object->hasOrientation(view.item(Category::object, body.value)))
    throw ModelError(where + ": " + view.where(Category::object, body.value) +
                     " has no orientation; use a BodyPosition marker or a rigid body");
  return {view.frameOfBody(body), local};
}

}  // namespace catena
