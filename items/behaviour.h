// What object, marker, load and sensor types tell the assembly.
#pragma once

#include <optional>

#include "items/dependent_frame.h"
#include "items/element.h"
#include "items/frame.h"

namespace catena {

// Everything a batch needs to know about its items: pool positions 0.. and their numbers in the
// model.
struct BatchSource {
  const ItemPool& pool;
  std::span<const int> numbers;
  const AssemblyView& view;
};

// A frame that a body derives from the coordinates of its node, e.g. of a mass on an axis.
struct BodyFrame {
  FrameShape shape{};
  Vector3 axis = Vector3::Zero();               // of the translation, world
  Vector3 referencePosition = Vector3::Zero();  // of the origin
};

class ObjectBehaviour {
 public:
  virtual ~ObjectBehaviour() = default;
  virtual void check(const void* /*object*/, const std::string& /*where*/) const {}
  virtual bool isBody() const { return false; }
  virtual bool isGround() const { return false; }
  virtual NodeIndex bodyNode(const void* /*object*/) const {
    return {};
  }  // the node that carries the body's frame
  // All nodes whose coordinates of second order belong to the object.
  virtual std::vector<NodeIndex> nodes(const void* object) const {
    const NodeIndex node = bodyNode(object);
    return node.valid() ? std::vector<NodeIndex>{node} : std::vector<NodeIndex>{};
  }
  // Bodies on nodes without frame: the frame of the body and its motion.
  virtual std::optional<BodyFrame> ownFrame(const void* /*object*/, int /*number*/,
                                            const AssemblyView&) const {
    return {};
  }
  virtual void motion(const void* /*object*/, const ConstNodeView& /*node*/, const AssemblyView&,
                      Frame&) const {}
  // Bodies whose points have frames of their own, e.g. links of a tree: the frame of a point. part:
  // number of the link; local is changed to the position of the point in the frame.
  virtual std::unique_ptr<DependentFrame> pointFrame(const void* /*object*/,
                                                     const std::string& /*where*/,
                                                     const AssemblyView&, int /*part*/,
                                                     Vector3& /*local*/) const {
    return nullptr;
  }
  // Such bodies: a frame at the centre of mass.
  virtual std::unique_ptr<DependentFrame> massFrame(const void* /*object*/,
                                                    const std::string& /*where*/,
                                                    const AssemblyView&) const {
    return nullptr;
  }
  // Ground: the frame that it provides.
  virtual Frame groundFrame(const void* /*object*/) const { return {}; }
  virtual Vector3 groundPosition(const void* /*object*/) const { return Vector3::Zero(); }
  virtual bool hasOrientation(const void* /*object*/) const { return true; }
  // Mass and centre of mass in the body frame, for mass-proportional loads.
  virtual std::pair<Real, Vector3> massAndCentre(const void* /*object*/) const {
    return {0, Vector3::Zero()};
  }
  // Sizes of the groups of multipliers, in order.
  virtual std::vector<int> multiplierGroups(const void* /*object*/) const { return {}; }
  virtual std::unique_ptr<ElementBatch> makeBatch(const BatchSource&) const { return nullptr; }
  // Output of a body at a local point; false if the body does not offer the variable. Connectors
  // answer through their batch.
  virtual bool bodyOutput(const void* /*object*/, int frame, const Vector3& local,
                          OutputVariable variable, const OutputContext& context,
                          std::vector<Real>& out) const {
    return frame >= 0 && frameOutput(context.frames[frame], context.view.referenceRotation(frame),
                                     context.view.referencePosition(frame), local, variable, out);
  }
};

class MarkerBehaviour {
 public:
  virtual ~MarkerBehaviour() = default;
  virtual MarkerBinding bind(const void* marker, int number, AssemblyView& view) const = 0;
};

class LoadBehaviour {
 public:
  virtual ~LoadBehaviour() = default;
  virtual std::unique_ptr<ElementBatch> makeBatch(const BatchSource& source) const = 0;
};

// What a sensor measures.
struct SensorTarget {
  Category category{};
  int number = -1;
  OutputVariable variable = OutputVariable::None;
  bool atPoint = false;  // of a body, at localPosition
  int part = -1;         // of the body: link of a tree, node of a mesh
  Vector3 localPosition = Vector3::Zero();
};

// Computes the value of a sensor from those of other sensors, one after the other.
class SensorFunction {
 public:
  virtual ~SensorFunction() = default;
  virtual void evaluate(Real time, const std::vector<Real>& inputs, std::vector<Real>& out) = 0;
};

class SensorBehaviour {
 public:
  virtual ~SensorBehaviour() = default;
  virtual SensorTarget target(const void* sensor) const = 0;
  // Sensors that measure other sensors: their numbers, and the function for values of these sizes.
  virtual bool isFunction() const { return false; }
  virtual std::vector<int> inputs(const void* /*sensor*/) const { return {}; }
  virtual std::unique_ptr<SensorFunction> makeFunction(const void* /*sensor*/,
                                                       const std::vector<int>& /*sizes*/,
                                                       const std::string& /*where*/) const {
    return nullptr;
  }
};

}  // namespace catena
