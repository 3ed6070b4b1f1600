// Registration of marker types.
#pragma once

#include "items/behaviour.h"
#include "items/coordinate_vector.h"

namespace catena {

template <class T>
class MarkerBehaviourOf final : public MarkerBehaviour {
 public:
  MarkerBinding bind(const void* marker, int number, AssemblyView& view) const override {
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

// The frame of a point that a body of such a type provides; false: it has none of its own.
inline bool addPointFrame(AssemblyView& view, ObjectIndex body, int part, const Vector3& local,
                          const std::string& where, FramePoint& out) {
  const ObjectBehaviour& behaviour = *view.typeOf(Category::object, body.value).object;
  out.local = local;
  std::shared_ptr<const DependentFrame> frame =
      behaviour.pointFrame(view.item(Category::object, body.value), where, view, part, out.local);
  if (frame) out.frame = view.addFrame(std::move(frame));
  return out.frame >= 0;
}

// A point of a part (a link, a node) of an object of the given type.
inline FramePoint partPoint(AssemblyView& view, ObjectIndex object, std::string_view type,
                            std::string_view parameter, int part, const Vector3& local,
                            const std::string& where) {
  const std::string remedy = "; give the index of a " + std::string(type);
  if (!object.valid()) throw ModelError(where + ": the object is missing" + remedy);
  if (view.typeOf(Category::object, object.value).name != type)
    throw ModelError(where + ": " + view.where(Category::object, object.value) + " is no " +
                     std::string(type) + remedy);
  if (part < 0) throw ModelError(where + ": " + std::string(parameter) + " is missing");
  FramePoint point;
  addPointFrame(view, object, part, local, where, point);
  return point;
}

// The checked body of a marker: an object that is a body with a frame.
inline FramePoint bodyPoint(AssemblyView& view, ObjectIndex body, const Vector3& local,
                            bool needOrientation, const std::string& where) {
  if (!body.valid()) throw ModelError(where + ": bodyNumber is missing; give the index of a body");
  const ItemType& type = view.typeOf(Category::object, body.value);
  if (!type.object->isBody())
    throw ModelError(where + ": bodyNumber = " + std::to_string(body.value) + " refers to " +
                     view.where(Category::object, body.value) + ", which is no body");
  if (needOrientation && !type.object->hasOrientation(view.item(Category::object, body.value)))
    throw ModelError(where + ": " + view.where(Category::object, body.value) +
                     " has no orientation; use a BodyPosition marker or a rigid body");
  FramePoint point;
  if (addPointFrame(view, body, -1, local, where, point)) return point;
  return {view.frameOfBody(body), local};
}

}  // namespace catena
