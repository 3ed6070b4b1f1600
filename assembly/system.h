// The assembled equations of motion: residual, Jacobian, and increments of the state.
//
// Unknowns of the linear system, in this order: tangent increments of the nodes (6 for every rigid
// node), increments of first order coordinates, scaled multipliers. The equations are
//   M(q) a + f(q, v, t) + C_q^T lambda = 0   (world forces and body-fixed torques per frame), g(q,
//   v, t) = 0.
//
// Sparsity: unknowns come in groups that share a pattern; block (i, j) of groups is a dense
// rectangle whose columns lie columnLength(j) apart in the CSC values:
//
//   group 0 = {0, 1}, group 1 = {2}; blocks (0,0) (1,0) (0,1):   columns 0: rows 0 1 2 | 1: rows 0
//   1 2 | 2: rows 0 1 block (1,0) starts at value 2 and its columns are 3 apart.
//
// Elements write blocks that nobody else contributes to straight into the CSC values, others into
// slices which are then summed in element order; so results do not depend on the number of threads.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "items/behaviour.h"
#include "items/item_store.h"
#include "items/scalar_coordinate.h"
#include "kernels/linear_solver.h"
#include "kernels/parallel.h"

namespace catena {

// Row and column are those of the coordinates of second order, then those of first order.
struct MatrixEntry {
  int row, column;
  Real value;
};

class System final : public AssemblyView {
 public:
  // Keeps a reference to the items. Throws ModelError for an inconsistent model.
  explicit System(ItemStore& items);
  ~System() override;

  int unknowns() const { return unknownCount_; }
  int dynamicUnknowns() const { return dynamicCount_; }  // those of second order
  int coordinates() const { return coordinateCount_; }
  int multipliers() const { return multiplierCount_; }

  State& state() { return state_; }
  const State& state() const { return state_; }
  State initialState() const;

  // Frames from the current state; called by evaluate().
  void computeMotions();
  const Frame* frames() const { return frames_.data(); }

  // Residual at the current state, into r (size unknowns()). With matrix: also the CSC values of d
  // r / d Delta. Rows of the equations of motion are unscaled in r and scaled by variation.rowScale
  // in the matrix.
  void evaluate(const Variation& variation, ConstraintLevel level, bool withMatrix, VectorX& r);
  const CscMatrix& matrix() const { return matrix_; }
  // How a coordinate depends on the unknowns of its node, which begin at first, at the current
  // state; see NodeBehaviour::coordinateRows. Those of first order come after the others.
  struct CoordinateRow {
    int first = 0;
    VectorX position, force;
  };
  CoordinateRow rowOfCoordinate(int coordinate) const;
  // Adds derivatives of forces by coordinates to the matrix of evaluate(); entries between
  // coordinates that no item couples are left out. Throws ModelError for numbers of no coordinate.
  void addForces(std::span<const MatrixEntry> entries, const Variation& variation);
  // The unknowns of every node and the multipliers of every object.
  BlockStructure blocks() const;

  // Adds delta to the state (variation.rowScale divides the multipliers' part).
  void increment(const VectorX& delta, const Variation& variation, ConstraintLevel level);
  // q = start o dq, see NodeBehaviour::predict.
  void predict(const VectorX& start, const VectorX& dq, Real twist);
  // rate = d(dq)/dt in q = start o dq, and the dq between two configurations; sizes coordinates().
  void localRates(const VectorX& dq, const VectorX& v, VectorX& rate);
  void difference(const VectorX& q0, const VectorX& q1, VectorX& dq);

  // See ElementBatch; the frames of the current state must be known. True if there is a new
  // pattern.
  bool renewElements(ElementBatch::Renewal when);
  int patternEpoch() const { return patternEpoch_; }  // counts the patterns

  bool hasPostNewton() const { return hasPostNewton_; }
  // The first type of items with contact, friction or other jumps; null: none.
  const ItemType* discontinuousType() const;
  ElementBatch::PostNewton postNewton(const State& start);
  void stepAccepted(Real h);  // see ElementBatch
  std::vector<std::string> warnings() const;

  // Text of an unknown or equation: "multiplier 2 of object 7 'hinge' (JointRevoluteZ)".
  std::string describeUnknown(int unknown) const;
  // Degrees of freedom and redundant constraints: their number and a general null vector of the
  // matrix, whose multipliers are those that are not unique.
  std::string describeConstraints(int redundant, const VectorX& null) const;
  // Why the current matrix is singular, in terms of items.
  std::string describeSingularity() const;

  // parts: see BlockStructure.
  void setThreads(int threads, int parts = 1);
  const std::shared_ptr<ThreadPool>& threads() const { return pool_; }
  Real loadFactor = 1;
  bool holdFirstOrder = false;  // first order coordinates are given: increments are 0

  // Outputs at the current state; computeMotions() must have been called.
  std::vector<Real> nodeOutput(int node, OutputVariable variable) const;
  std::vector<Real> objectOutput(int object, OutputVariable variable) const;
  std::vector<Real> bodyOutput(int object, OutputVariable variable, const Vector3& localPosition,
                               int part = -1) const;
  std::vector<Real> markerOutput(int marker, OutputVariable variable) const;
  std::vector<Real> loadValue(int load) const;
  std::vector<Real> sensorOutput(int sensor) const;

  // Names and units of the entries of the state vectors, for files: "node 3 'tip'.q0".
  std::string coordinateName(int coordinate) const;
  std::string multiplierName(int multiplier) const;
  std::string dataName(int index) const;

  // Wall-clock seconds by phase since construction.
  struct Timers {
    Real motions = 0, elements = 0, gather = 0, update = 0;
  };
  Timers timers;

  // AssemblyView
  std::string where(Category category, int index) const override;
  int count(Category category) const override;
  const ItemType& typeOf(Category category, int index) const override;
  const void* item(Category category, int index) const override;
  const NodeLayout& layout(NodeIndex node) const override;
  const NodePlace& place(NodeIndex node) const override;
  const NodeBehaviour& behaviour(NodeIndex node) const override;
  const MarkerBinding& marker(MarkerIndex marker) const override;
  int frameOfBody(ObjectIndex body) const override;
  FrameShape shapeOfFrame(int frame) const override;
  int groupOfFrame(int frame) const override;
  int dependentOfFrame(int frame) const override;
  const DependentFrame& dependent(int index) const override;
  int addFrame(std::shared_ptr<const DependentFrame> frame) override;
  Vector3 axisOfFrame(int frame) const override;
  Vector3 referencePosition(int frame) const override;
  Matrix3 referenceRotation(int frame) const override;
  int multiplier(ObjectIndex object) const override;
  int multiplierGroup(ObjectIndex object) const override;

 private:
  struct NodeSet {  // the nodes of one type
    const ItemType* type = nullptr;
    const ItemPool* pool = nullptr;
    std::vector<NodePlace> places;
    int firstVariation = -1;
  };
  struct Batch {
    std::unique_ptr<ElementBatch> elements;
    ElementSink sink;
    const ItemType* type = nullptr;
  };
  struct FrameInfo {
    FrameShape shape{};
    int group = -1;
    int derived = -1, dependent = -1;
    int rotation = -1;  // in referenceRotations_
    Vector3 referencePosition = Vector3::Zero();
  };
  struct DerivedFrame {  // of a body on a node without frame
    int frame = -1, object = -1;
    NodeIndex node;
    Vector3 axis = Vector3::Zero();
  };
  struct ElementPlace {
    int batch = -1, element = -1;
  };

  struct RowContribution {
    int offset;  // in residuals_
    short first, size;
  };
  struct SharedBlock {
    int target;  // first value
    int leadingDimension;
    short rows, columns;
    int first;  // contribution
  };
  struct BlockContribution {
    int offset;  // in slices_
    short row, column, rows, columns;
  };

  void placeNodes();
  void addGroup(int size, int owner);
  void placeObjects();
  void setReferenceRotation(FrameInfo& info, const Matrix3& rotation);
  void computeReference();
  void deriveFrames(const State& state, int begin, int end);
  void move(DependentMotion& motion, Frame& frame) const;
  void addRatesOfDependents(const Variation& variation, ConstraintLevel level);
  void bindMarkers();
  void makeBatches();
  void buildPattern();
  std::vector<Real> sensorFunctionValue(int sensor) const;
  template <class F>
  void forEachNodeRange(const F& f);
  void gatherResidual(VectorX& r);
  void gatherMatrix();
  void hold(VectorX& r, bool withMatrix);
  EvaluationContext context(const Variation& variation, ConstraintLevel level, bool withMatrix);
  OutputContext outputContext() const;

  int nodeOfCoordinate(int coordinate) const;

  ItemStore& items_;
  State state_;
  std::vector<NodeSet> nodeSets_;
  std::vector<std::pair<int, int>> nodeSetOf_;  // node -> (set, position)
  std::vector<NodeLayout> layouts_;
  std::vector<FrameInfo> frameInfos_;
  std::vector<Matrix3> referenceRotations_;  // of frames that follow each other mostly the same
  std::vector<Frame> frames_;
  std::vector<DerivedFrame> derivedFrames_;
  std::vector<DependentMotion> dependents_;
  std::vector<FrameVariation> variations_;
  std::vector<int> variationOfFrame_;
  std::vector<int> bodyFrame_, multiplierOf_, multiplierGroupOf_;
  std::vector<MarkerBinding> markers_;
  std::vector<Batch> batches_;
  std::vector<ElementPlace> elementOfObject_, elementOfLoad_;
  mutable std::vector<std::unique_ptr<SensorFunction>>
      sensorFunctions_;  // made at their first evaluation

  std::vector<int> groupStart_;  // first unknown of each group, + 1
  std::vector<int> groupOwner_;  // node index, or ~object index for multipliers
  int coordinateCount_ = 0, dynamicCount_ = 0, firstOrderCount_ = 0, multiplierCount_ = 0,
      dataCount_ = 0, unknownCount_ = 0;
  bool hasPostNewton_ = false, hasChangingElements_ = false;
  int patternEpoch_ = 0;

  CscMatrix matrix_;
  std::vector<Real> residuals_, slices_;
  std::vector<int> rowContributionStart_;  // per group, + 1
  std::vector<RowContribution> rowContributions_;
  std::vector<SharedBlock> sharedBlocks_;  // and a last one that only ends the contributions
  std::vector<BlockContribution> blockContributions_;
  std::shared_ptr<ThreadPool> pool_;
  int parts_ = 1;
};

}  // namespace catena
