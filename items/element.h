// Elements: what bodies, connectors and loads contribute to the equations of motion.
//
// Every element works on a small local vector of unknowns made of groups: runs of unknowns that
// share a sparsity pattern (translations of a node, its rotations, the multipliers of a joint,
// ...). It computes a local residual r and, on demand, the local matrix d r / d Delta along a
// Variation. The sink stores both where the assembly wants them: residuals in the element's own
// slice, matrix blocks straight in the CSC matrix where the element is the only contributor, else
// in its own slice to be summed in fixed order.
#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <span>
#include <vector>

#include "items/node.h"

namespace catena {

struct LocalGroup {
  int group = -1;  // global group; -1: no unknowns (ground)
  int offset = 0;  // first local row
  int size = 0;
  int first = 0;  // first row within the group
};

// The three translations of a frame that only moves along an axis: local rows offset .. offset + 2
// times the axis give row offset, likewise the columns.
struct Projection {
  int offset = 0;
  Vector3 axis = Vector3::Zero();
};

// The six rows of a frame that follows coordinates, at local row offset; the rows of these
// coordinates begin at local row first, behind those of the element.
struct Dependence {
  int offset = 0;
  int dependent = 0;  // index in EvaluationContext::dependents
  int first = 0;
};

struct ElementPattern {
  std::vector<LocalGroup> groups;
  std::vector<std::array<int, 2>> blocks;  // (row, column) as positions in groups
  std::vector<Projection> projections;
  std::vector<Dependence> dependences;
  int localSize = 0;  // rows of the element, and of the coordinates of its dependent frames

  void clear(int elementSize) {
    groups.clear(), blocks.clear(), projections.clear(), dependences.clear(), bundles.clear();
    localSize = elementSize;
  }
  int add(LocalGroup g) { return groups.push_back(g), static_cast<int>(groups.size()) - 1; }
  // One position that stands for several.
  int addBundle(std::vector<int> positions) {
    bundles.push_back(std::move(positions));
    return firstBundle + static_cast<int>(bundles.size()) - 1;
  }
  void couple(int row, int column);

 private:
  static constexpr int firstBundle = 1 << 20;
  std::vector<std::vector<int>> bundles;
};

// A block of the local matrix, and how far apart the columns of its destination are.
struct BlockShape {
  short row = 0, column = 0;
  short rows = 0, columns = 0;
  int leadingDimension = 0;
  auto operator<=>(const BlockShape&) const = default;
};

// Where the elements of a batch put their results; prepared by the assembly.
struct ElementSink {
  int localSize = 0;                    // rows of the local residual of every element of the batch
  long long residualStart = 0;          // slice of element e: residualStart + e * localSize
  std::vector<int> firstBlock;          // per element + 1
  std::vector<int> blockOffsets;        // >= 0: in the CSC values; < 0: slice at ~offset
  std::vector<int> firstShape;          // per element; those that look alike share their shapes
  std::vector<BlockShape> blockShapes;  // in the order of the offsets
  std::vector<int> firstProjection;     // per element + 1, if there are any
  std::vector<Projection> projections;
  std::vector<int> firstDependence;  // per element + 1, if there are any
  std::vector<Dependence> dependences;
};

class DependentFrame;  // dependent_frame.h

// A dependent frame at the current state: its coordinates and how they move it.
struct DependentMotion {
  std::shared_ptr<const DependentFrame> source;
  int frame = -1;
  VectorX q, v, a;
  Matrix6X J, H;
};

// What the elements of a batch see while they are evaluated.
struct EvaluationContext {
  const State& state;
  const Frame* frames = nullptr;
  const FrameVariation* variations = nullptr;  // by frame; nullptr when no node needs them
  const int* variationOfFrame = nullptr;       // index into variations or -1
  const DependentMotion* dependents = nullptr;
  // Second pass over elements with dependent frames: the variation moves velocities alone, and what
  // the coordinates move them by (H) is added to the matrix.
  bool ratesOfDependents = false;
  Variation variation{};
  ConstraintLevel level = ConstraintLevel::position;
  bool withMatrix = false;
  Real loadFactor = 1;
  Real* residuals = nullptr;
  Real* values = nullptr;  // of the CSC matrix
  Real* slices = nullptr;

  const FrameVariation* variationOf(int frame) const {
    return variations && frame >= 0 && variationOfFrame[frame] >= 0
               ? variations + variationOfFrame[frame]
               : nullptr;
  }
};

// Calls f(shape, destination) for the matrix blocks of element e.
template <class F>
void forBlocks(const EvaluationContext& context, const ElementSink& sink, int e, const F& f) {
  const BlockShape* shape = sink.blockShapes.data() + sink.firstShape[e];
  for (int b = sink.firstBlock[e]; b < sink.firstBlock[e + 1]; ++b, ++shape) {
    const int offset = sink.blockOffsets[b];
    f(*shape, offset >= 0 ? context.values + offset : context.slices + ~offset);
  }
}

// Stores residual r and, if present, matrix L of an element whose frames move along axes.
void storeProjected(const EvaluationContext& context, const ElementSink& sink, int e, const Real* r,
                    const Real* L, int n);

// The same for an element on dependent frames.
void storeDependent(const EvaluationContext& context, const ElementSink& sink, int e, const Real* r,
                    const Real* L, int n);

// Stores residual r and, if present, matrix L (column major, leading dimension n) of element e.
inline void storeDirectly(const EvaluationContext& context, const ElementSink& sink, int e,
                          const Real* r, const Real* L, int n) {
  Real* out = context.residuals + sink.residualStart + static_cast<long long>(e) * sink.localSize;
  for (int i = 0; i < n; ++i) out[i] = r[i];
  if (!L) return;
  forBlocks(context, sink, e, [&](const BlockShape& b, Real* to) {
    const Real* from = L + b.column * n + b.row;
    if (b.rows == 3)  // nearly all
      for (int j = 0; j < b.columns; ++j, to += b.leadingDimension, from += n)
        to[0] = from[0], to[1] = from[1], to[2] = from[2];
    else
      for (int j = 0; j < b.columns; ++j, to += b.leadingDimension, from += n)
        for (int i = 0; i < b.rows; ++i) to[i] = from[i];
  });
}

inline void storeElement(const EvaluationContext& context, const ElementSink& sink, int e,
                         const Real* r, const Real* L, int n) {
  if (sink.projections.empty() && sink.dependences.empty())
    storeDirectly(context, sink, e, r, L, n);
  else if (sink.dependences.empty() || sink.firstDependence[e] == sink.firstDependence[e + 1])
    storeProjected(context, sink, e, r, L, n);
  else
    storeDependent(context, sink, e, r, L, n);
}

struct OutputContext;

class ElementBatch {
 public:
  virtual ~ElementBatch() = default;
  virtual int size() const = 0;
  virtual int localSize() const = 0;  // the same for all elements of a batch
  virtual void describe(int element, ElementPattern& pattern) const = 0;
  virtual void evaluate(const EvaluationContext& context, const ElementSink& sink, int begin,
                        int end) = 0;
  // True when an element calls back into an embedding language: evaluated by one thread, in order.
  virtual bool serial() const { return false; }

  // Output variable of an element (for loads: None gives the load's value as given, after its
  // expression); false if the element does not offer it.
  virtual bool output(int /*element*/, OutputVariable, const OutputContext&,
                      std::vector<Real>& /*out*/) const {
    return false;
  }

  // Discontinuous elements: after a converged Newton run, update the data variables in state and
  // return an error (force units) and optionally a recommended step size (>= 0). start is the state
  // at the beginning of the step.
  struct PostNewton {
    Real error = 0;
    Real recommendedStep = -1;
    // >= 0: the step ends at a jump of forces, which is passed when the motion goes on for this
    // time; the next step shall begin with the accelerations after it
    Real restartAfter = -1;

    void merge(const PostNewton& other) {
      error = std::max(error, other.error);
      if (other.recommendedStep >= 0 &&
          (recommendedStep < 0 || other.recommendedStep < recommendedStep))
        recommendedStep = other.recommendedStep;
      restartAfter = std::max(restartAfter, other.restartAfter);
    }
  };
  // Batches whose elements come and go, as contacts of many bodies do: renewElements() makes those
  // that the state asks for, within a step only more of them; true if they changed. output() goes
  // by items all the same.
  enum class Renewal { atStart, withinStep, afterStep };
  virtual bool hasChangingElements() const { return false; }
  virtual bool renewElements(const OutputContext&, Renewal) { return false; }
  // After every accepted step of size h, and with h = 0 at the start of a run.
  virtual void stepAccepted(const OutputContext&, Real /*h*/) {}
  // What the user should know about a run that went through.
  virtual void warnings(std::vector<std::string>& /*out*/) const {}
  virtual bool hasPostNewton() const { return false; }
  virtual PostNewton postNewton(const EvaluationContext& /*context*/, const State& /*start*/,
                                State& /*state*/) {
    return {};
  }
};

// A point on a frame that connectors and loads act on.
struct FramePoint {
  int frame = -1;
  Vector3 local = Vector3::Zero();  // in the frame
};

// A scalar coordinate that coordinate connectors act on.
struct ScalarCoordinate {
  enum class Kind {
    ground,
    node,
    firstOrder,  // of loads and sensors only
    rotation,
    relativeRotation,
    relativeTranslation
  } kind = Kind::ground;
  NodeIndex node;                             // node, firstOrder, rotation
  int component = 0;                          // coordinate of the node or axis of rotation
  FramePoint point0, point1;                  // relative motion
  Vector3 axis = Vector3::Zero();             // in frame 0
  Matrix3 basis = Matrix3::Identity();        // columns x, y, axis in frame 0
  Vector3 referenceOffset = Vector3::Zero();  // reference positions, origin 1 minus origin 0
  Real offset = 0;
  int data = -1;  // data variable that continues the angle, -1 = none
};

class CoordinateVector;  // all coordinates of some nodes

struct MarkerBinding {
  bool position = false, orientation = false, coordinate = false, mass = false;
  ObjectIndex body{};  // mass
  FramePoint point{};
  std::unique_ptr<ScalarCoordinate> scalar{};
  std::shared_ptr<CoordinateVector> vector{};
  std::unique_ptr<std::vector<FramePoint>> points{};  // a row of points

  static MarkerBinding ofCoordinate() {
    return {.coordinate = true, .scalar = std::make_unique<ScalarCoordinate>()};
  }
};

// Questions that items ask while a model is assembled. Text of where() starts every message about
// an item.
class AssemblyView {
 public:
  virtual ~AssemblyView() = default;
  virtual std::string where(Category category,
                            int index) const = 0;  // "object 3 'joint' (JointRevoluteZ)"
  virtual int count(Category category) const = 0;
  virtual const ItemType& typeOf(Category category, int index) const = 0;
  virtual const void* item(Category category, int index) const = 0;
  virtual const NodeLayout& layout(NodeIndex node) const = 0;
  virtual const NodePlace& place(NodeIndex node) const = 0;
  virtual const NodeBehaviour& behaviour(NodeIndex node) const = 0;
  virtual const MarkerBinding& marker(MarkerIndex marker) const = 0;
  virtual int frameOfBody(ObjectIndex body) const = 0;  // throws if the object has no frame
  virtual FrameShape shapeOfFrame(int frame) const = 0;
  virtual int groupOfFrame(int frame) const = 0;  // first group
  // Index of a dependent frame, -1 for others, and its coordinates.
  virtual int dependentOfFrame(int frame) const = 0;
  virtual const DependentFrame& dependent(int index) const = 0;
  virtual int addFrame(std::shared_ptr<const DependentFrame> frame) = 0;  // only by markers
  virtual Vector3 axisOfFrame(int frame) const = 0;  // of frames with one translation; world
  virtual Vector3 referencePosition(int frame) const = 0;
  virtual Matrix3 referenceRotation(int frame) const = 0;
  virtual int multiplier(ObjectIndex object) const = 0;       // first multiplier
  virtual int multiplierGroup(ObjectIndex object) const = 0;  // first group of the multipliers
};

// Appends the groups of a frame with local rows offset .. offset + 5; returns their positions (-1:
// absent).
std::array<int, 2> addFrameGroups(const AssemblyView& view, int frame, int offset,
                                  ElementPattern& pattern);

struct OutputContext {
  const AssemblyView& view;
  const State& state;
  const Frame* frames = nullptr;
};

}  // namespace catena
