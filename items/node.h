// What a node type tells the assembly: sizes, motion of its frame, and how increments move its
// coordinates.
#pragma once

#include <array>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "items/registry.h"
#include "items/state.h"

namespace catena {

// Which components of a frame's tangent (dr0 dr1 dr2, dtheta0 dtheta1 dtheta2) are unknowns: a run
// of translations from component 0 and a run of rotations that ends with component 5. One
// translation means that the frame only moves along an axis that is fixed in the world, see
// AssemblyView::axisOfFrame().
struct FrameShape {
  int translations = 0;  // 0, 1 (along an axis), 2 (planar) or 3
  int rotations = 0;     // 0, 1 (about z) or 3
  int rotationStart() const { return 6 - rotations; }
};

// Sizes of the runs of unknowns that share a sparsity pattern: translations, rotations; or all of a
// generic node.
struct GroupSizes {
  int count = 0;
  std::array<int, 2> sizes{};

  GroupSizes() = default;
  GroupSizes(std::initializer_list<int> list) {
    for (const int size : list) sizes[count++] = size;
  }
  const int* begin() const { return sizes.data(); }
  const int* end() const { return sizes.data() + count; }
  int total() const { return sizes[0] + sizes[1]; }
};

struct NodeLayout {
  int coordinates = 0;  // entries in q, v, a
  GroupSizes groups{};
  int firstOrder = 0;  // entries in y, each an unknown; such nodes have no coordinates
  int data = 0;        // entries in the data vector
  bool hasFrame = false;
  FrameShape shape{};
  bool providesPosition = false, providesOrientation = false;
  bool ground = false;
};

// Where the parts of a node lie in the global vectors.
struct NodePlace {
  int coordinate = 0;  // in q, v, a
  int unknown = 0;     // in the linear system
  int group = 0;       // first group
  int firstOrder = 0;
  int data = 0;
  int frame = -1;
};

// Pointers to a node's own entries.
struct NodeView {
  Real* q = nullptr;
  Real* v = nullptr;
  Real* a = nullptr;
  Real* y = nullptr;
  Real* ydot = nullptr;
  Real* data = nullptr;
};
struct ConstNodeView {
  const Real* q = nullptr;
  const Real* v = nullptr;
  const Real* a = nullptr;
  const Real* y = nullptr;
  const Real* ydot = nullptr;
  const Real* data = nullptr;
};

inline ConstNodeView viewOf(const State& s, const NodePlace& p) {
  return {s.q.data() + p.coordinate, s.v.data() + p.coordinate,    s.a.data() + p.coordinate,
          s.y.data() + p.firstOrder, s.ydot.data() + p.firstOrder, s.data.data() + p.data};
}

class NodeBehaviour {
 public:
  virtual ~NodeBehaviour() = default;
  virtual NodeLayout layout(const void* node) const = 0;
  // Throws ModelError(where + ...) for parameters that contradict each other.
  virtual void check(const void* /*node*/, const std::string& /*where*/) const {}
  virtual Vector3 referencePosition(const void* /*node*/) const { return Vector3::Zero(); }
  virtual void referenceCoordinates(const void* node, Real* q) const = 0;
  virtual void initialState(const void* node, const NodeView& state) const = 0;

  // Loops over the nodes begin..end of a pool; places has one entry per node of the pool.
  virtual void motions(const ItemPool& pool, std::span<const NodePlace> places, const State& state,
                       Frame* frames, int begin, int end) const = 0;
  virtual bool hasVariation() const { return false; }
  virtual void variations(const ItemPool&, std::span<const NodePlace>, const State&,
                          const Variation&, FrameVariation* /*variations, by frame*/, int /*begin*/,
                          int /*end*/) const {}
  // Adds the tangent increment delta (of the whole system) to the coordinates.
  virtual void increment(const ItemPool& pool, std::span<const NodePlace> places, State& state,
                         const VectorX& delta, const Variation& variation, ConstraintLevel level,
                         int begin, int end) const = 0;
  // q = start o dq for predictors: dq in the units of v. twist = h beta / (2 gamma) corrects dq of
  // rotation vectors by -twist omega x dq (Holzinger, Gerstmayr 2021; sigma-modified scheme of
  // Arnold and Bruls).
  virtual void predict(const ItemPool& pool, std::span<const NodePlace> places, State& state,
                       const VectorX& start, const VectorX& dq, Real twist, int begin,
                       int end) const = 0;
  // rate = d(dq)/dt of the increment in q = start o dq, where v are the velocities.
  virtual void localRates(const ItemPool& pool, std::span<const NodePlace> places,
                          const VectorX& dq, const VectorX& v, VectorX& rate, int begin,
                          int end) const = 0;
  // The dq for which q1 = q0 o dq.
  virtual void difference(const ItemPool& pool, std::span<const NodePlace> places,
                          const VectorX& q0, const VectorX& q1, VectorX& dq, int begin,
                          int end) const = 0;

  // Outputs that differ from those of the frame and the coordinates; false: not such a one.
  virtual bool output(const void* /*node*/, const ConstNodeView& /*state*/, OutputVariable,
                      std::vector<Real>& /*out*/) const {
    return false;
  }

  // For coordinate markers, each with the node's number of unknowns: d q_i = position * positionRow
  // . delta; d q'_i = velocity * forceRow . delta; forceRow^T f is the generalised force of a force
  // f on the coordinate, and hessian (column major) its derivative: d forceRow = hessian delta.
  virtual void coordinateRows(const void* node, const ConstNodeView& state, int coordinate,
                              Real* positionRow, Real* forceRow, Real* hessian) const = 0;
};

}  // namespace catena
