#include "assembly/system.h"

#include <algorithm>

#include "items/dependent_frame.h"

namespace catena {

System::~System() = default;

System::System(ItemStore& items) : items_(items) {
  if (items_.count(Category::node) + items_.count(Category::object) == 0)
    throw ModelError(
        "the model is empty: it has neither nodes nor objects; add at least one node and one body");
  items_.resolveReferences();
  placeNodes();
  placeObjects();
  state_ = initialState();
  computeReference();
  bindMarkers();
  makeBatches();
  setThreads(1);
  computeMotions();
  for (Batch& batch : batches_)
    if (batch.elements->hasChangingElements())
      batch.elements->renewElements(outputContext(), ElementBatch::Renewal::atStart);
  buildPattern();
}

// --- numbering
// ------------------------------------------------------------------------------------------------

void System::placeNodes() {
  const int nodes = count(Category::node);
  layouts_.resize(nodes);
  nodeSetOf_.resize(nodes);
  groupStart_ = {0};
  std::vector<NodePlace> places(nodes);
  for (int i = 0; i < nodes; ++i) {
    const NodeBehaviour& b = behaviour({i});
    const NodeLayout layout = layouts_[i] = b.layout(item(Category::node, i));
    NodePlace& p = places[i];
    p.coordinate = coordinateCount_;
    p.unknown = dynamicCount_;
    p.group = static_cast<int>(groupOwner_.size());
    p.firstOrder = firstOrderCount_;
    p.data = dataCount_;
    if (layout.hasFrame) {
      p.frame = static_cast<int>(frameInfos_.size());
      frameInfos_.push_back({.shape = layout.shape,
                             .group = p.group,
                             .referencePosition = b.referencePosition(item(Category::node, i))});
    }
    coordinateCount_ += layout.coordinates;
    firstOrderCount_ += layout.firstOrder;
    dataCount_ += layout.data;
    for (const int size : layout.groups) addGroup(size, i);
    dynamicCount_ += layout.groups.total();
  }
  for (int i = 0; i < nodes; ++i) {  // unknowns of first order follow those of second order
    if (layouts_[i].firstOrder == 0) continue;
    places[i].unknown = groupStart_.back();
    places[i].group = static_cast<int>(groupOwner_.size());
    addGroup(layouts_[i].firstOrder, i);
  }
  for (const ItemType* type : Registry::instance().types()) {
    if (!type->node || !items_.pool(*type) || items_.pool(*type)->size() == 0) continue;
    NodeSet set{type, items_.pool(*type), {}};
    const auto numbers = items_.numbers(*type);
    for (std::size_t k = 0; k < numbers.size(); ++k) {
      set.places.push_back(places[numbers[k]]);
      nodeSetOf_[numbers[k]] = {static_cast<int>(nodeSets_.size()), static_cast<int>(k)};
    }
    nodeSets_.push_back(std::move(set));
  }
}

void System::addGroup(int size, int owner) {
  groupStart_.push_back(groupStart_.back() + size);
  groupOwner_.push_back(owner);
}

void System::placeObjects() {
  const int objects = count(Category::object);
  bodyFrame_.assign(objects, -1);
  multiplierOf_.assign(objects, -1);
  multiplierGroupOf_.assign(objects, -1);
  for (int i = 0; i < objects; ++i) {
    const ObjectBehaviour& b = *typeOf(Category::object, i).object;
    const void* object = item(Category::object, i);
    if (b.isGround()) {
      bodyFrame_[i] = static_cast<int>(frameInfos_.size());
      frameInfos_.push_back({.referencePosition = b.groundPosition(object)});
    } else if (const NodeIndex node = b.bodyNode(object); node.valid()) {
      if (const auto own = b.ownFrame(object, i, *this)) {
        bodyFrame_[i] = static_cast<int>(frameInfos_.size());
        frameInfos_.push_back({.shape = own->shape,
                               .group = place(node).group,
                               .derived = static_cast<int>(derivedFrames_.size()),
                               .referencePosition = own->referencePosition});
        derivedFrames_.push_back({bodyFrame_[i], i, node, own->axis});
      } else {
        bodyFrame_[i] = place(node).frame;
      }
    }
    const std::vector<int> groups = b.multiplierGroups(object);
    if (groups.empty()) continue;
    multiplierOf_[i] = multiplierCount_;
    multiplierGroupOf_[i] = static_cast<int>(groupOwner_.size());
    for (const int size : groups) {
      addGroup(size, ~i);
      multiplierCount_ += size;
    }
  }
  unknownCount_ = groupStart_.back();
}

State System::initialState() const {
  State s;
  s.q.setZero(coordinateCount_);
  s.v.setZero(coordinateCount_);
  s.a.setZero(coordinateCount_);
  s.y.setZero(firstOrderCount_);
  s.ydot.setZero(firstOrderCount_);
  s.multipliers.setZero(multiplierCount_);
  s.data.setZero(dataCount_);
  for (const NodeSet& set : nodeSets_)
    for (int k = 0; k < set.pool->size(); ++k) {
      const NodePlace& p = set.places[k];
      set.type->node->initialState(
          set.pool->at(k),
          {s.q.data() + p.coordinate, s.v.data() + p.coordinate, s.a.data() + p.coordinate,
           s.y.data() + p.firstOrder, s.ydot.data() + p.firstOrder, s.data.data() + p.data});
    }
  return s;
}

// Frames of the ground and the reference rotations of all frames.
void System::computeReference() {
  frames_.resize(frameInfos_.size());
  State reference = initialState();
  reference.q.setZero();
  reference.v.setZero();
  reference.a.setZero();
  for (const NodeSet& set : nodeSets_)
    set.type->node->motions(*set.pool, set.places, reference, frames_.data(), 0, set.pool->size());
  deriveFrames(reference, 0, static_cast<int>(derivedFrames_.size()));
  for (int i = 0; i < count(Category::object); ++i)
    if (const auto& b = *typeOf(Category::object, i).object; b.isGround())
      frames_[bodyFrame_[i]] = b.groundFrame(item(Category::object, i));
  for (std::size_t f = 0; f < frames_.size(); ++f)
    setReferenceRotation(frameInfos_[f], frames_[f].rotation);

  variationOfFrame_.assign(frames_.size(), -1);
  int variations = 0;
  for (NodeSet& set : nodeSets_) {
    if (!set.type->node->hasVariation()) continue;
    set.firstVariation = variations;
    for (const NodePlace& p : set.places) variationOfFrame_[p.frame] = variations++;
  }
  variations_.resize(variations);
}

void System::setReferenceRotation(FrameInfo& info, const Matrix3& rotation) {
  if (referenceRotations_.empty() || referenceRotations_.back() != rotation)
    referenceRotations_.push_back(rotation);
  info.rotation = static_cast<int>(referenceRotations_.size()) - 1;
}

void System::deriveFrames(const State& state, int begin, int end) {
  for (int k = begin; k < end; ++k) {
    const DerivedFrame& d = derivedFrames_[k];
    typeOf(Category::object, d.object)
        .object->motion(item(Category::object, d.object), viewOf(state, place(d.node)), *this,
                        frames_[d.frame]);
  }
}

void System::move(DependentMotion& m, Frame& frame) const {
  const CoordinateVector& c = m.source->coordinates();
  c.gather(state_.q, m.q);
  c.gather(state_.v, m.v);
  c.gather(state_.a, m.a);
  m.source->evaluate(m, frame);
}

namespace {

DependentMotion restingMotion(std::shared_ptr<const DependentFrame> source) {
  DependentMotion m;
  const int n = source->coordinates().coordinates();
  for (VectorX* x : {&m.q, &m.v, &m.a}) x->setZero(n);
  m.J.setZero(6, n);
  m.H.setZero(6, n);
  m.source = std::move(source);
  return m;
}

}  // namespace

int System::addFrame(std::shared_ptr<const DependentFrame> source) {
  const int frame = static_cast<int>(frames_.size());
  DependentMotion m = restingMotion(std::move(source));
  m.frame = frame;
  m.source->evaluate(m, frames_.emplace_back());
  frameInfos_.push_back({.dependent = static_cast<int>(dependents_.size()),
                         .referencePosition = m.source->referencePosition()});
  setReferenceRotation(frameInfos_.back(), frames_.back().rotation);
  variationOfFrame_.push_back(-1);
  dependents_.push_back(std::move(m));
  return frame;
}

void System::bindMarkers() {
  markers_.reserve(count(Category::marker));
  for (int i = 0; i < count(Category::marker); ++i)
    markers_.push_back(
        typeOf(Category::marker, i).marker->bind(item(Category::marker, i), i, *this));
}

void System::makeBatches() {
  elementOfObject_.resize(count(Category::object));
  elementOfLoad_.resize(count(Category::load));
  for (const ItemType* type : Registry::instance().types()) {
    if (!(type->object || type->load) || !items_.pool(*type) || items_.pool(*type)->size() == 0)
      continue;
    const BatchSource source{*items_.pool(*type), items_.numbers(*type), *this};
    auto elements = type->object ? type->object->makeBatch(source) : type->load->makeBatch(source);
    if (!elements) continue;
    auto& places = type->object ? elementOfObject_ : elementOfLoad_;
    for (int k = 0; k < static_cast<int>(source.numbers.size()); ++k)
      places[source.numbers[k]] = {static_cast<int>(batches_.size()), k};
    hasPostNewton_ = hasPostNewton_ || elements->hasPostNewton();
    hasChangingElements_ = hasChangingElements_ || elements->hasChangingElements();
    batches_.push_back({std::move(elements), {}, type});
  }
  for (const MarkerBinding& m : markers_)
    hasPostNewton_ = hasPostNewton_ || (m.scalar && m.scalar->data >= 0);
}

// --- after Newton
// -----------------------------------------------------------------------------------------------

bool System::renewElements(ElementBatch::Renewal when) {
  if (!hasChangingElements_) return false;
  bool changed = false;
  for (Batch& batch : batches_)
    if (batch.elements->hasChangingElements())
      changed = batch.elements->renewElements(outputContext(), when) || changed;
  if (!changed) return false;
  buildPattern();
  ++patternEpoch_;
  return true;
}

const ItemType* System::discontinuousType() const {
  for (const Batch& batch : batches_)
    if (batch.elements->hasPostNewton() || batch.elements->hasChangingElements()) return batch.type;
  return nullptr;
}

ElementBatch::PostNewton System::postNewton(const State& start) {
  ElementBatch::PostNewton result;
  computeMotions();
  const EvaluationContext c = context({}, ConstraintLevel::position, false);
  for (Batch& batch : batches_) {
    if (batch.elements->hasPostNewton()) result.merge(batch.elements->postNewton(c, start, state_));
  }
  for (const MarkerBinding& m : markers_)
    if (m.scalar && m.scalar->data >= 0) {
      Real& last = state_.data[m.scalar->data];
      last = continuedAngle(relativeAngle(*m.scalar, frames_.data()), last);
    }
  return result;
}

void System::stepAccepted(Real h) {
  for (Batch& batch : batches_) batch.elements->stepAccepted(outputContext(), h);
  renewElements(h == 0 ? ElementBatch::Renewal::atStart : ElementBatch::Renewal::afterStep);
}

std::vector<std::string> System::warnings() const {
  std::vector<std::string> all;
  for (const Batch& batch : batches_) batch.elements->warnings(all);
  return all;
}

// --- outputs
// --------------------------------------------------------------------------------------------------

namespace {

[[noreturn]] void refuse(const std::string& where, OutputVariable variable,
                         std::span<const OutputVariable> offered) {
  std::string message = where + ": outputVariableType = '" +
                        std::string(outputVariableName(variable)) + "' is not offered";
  if (!offered.empty()) message += "; offered are";
  for (const OutputVariable v : offered) message += " " + std::string(outputVariableName(v));
  throw ModelError(message);
}

}  // namespace

OutputContext System::outputContext() const { return {*this, state_, frames_.data()}; }

std::vector<Real> System::nodeOutput(int node, OutputVariable variable) const {
  using enum OutputVariable;
  std::vector<Real> out;
  const NodeLayout& l = layout({node});
  const NodePlace& p = place({node});
  const auto segment = [&](const VectorX& v, int start, int n) {
    setOutput(out, v.segment(start, n));
  };
  const ItemType& type = typeOf(Category::node, node);
  if (std::find(type.outputs.begin(), type.outputs.end(), variable) == type.outputs.end())
    refuse(where(Category::node, node), variable, type.outputs);
  if (type.node->output(item(Category::node, node), viewOf(state_, p), variable, out)) return out;
  switch (variable) {
    case Coordinates:
      if (l.data)
        segment(state_.data, p.data, l.data);
      else if (l.firstOrder)
        segment(state_.y, p.firstOrder, l.firstOrder);
      else
        segment(state_.q, p.coordinate, l.coordinates);
      return out;
    case Coordinates_t:
      if (l.firstOrder)
        segment(state_.ydot, p.firstOrder, l.firstOrder);
      else
        segment(state_.v, p.coordinate, l.coordinates);
      return out;
    case Coordinates_tt:
      segment(state_.a, p.coordinate, l.coordinates);
      return out;
    case CoordinatesTotal: {
      VectorX total = VectorX::Zero(l.coordinates + l.firstOrder);
      behaviour({node}).referenceCoordinates(item(Category::node, node), total.data());
      total += l.firstOrder ? state_.y.segment(p.firstOrder, l.firstOrder)
                            : state_.q.segment(p.coordinate, l.coordinates);
      setOutput(out, total);
      return out;
    }
    default:
      if (l.hasFrame && frameOutput(frames_[p.frame], referenceRotation(p.frame),
                                    referencePosition(p.frame), Vector3::Zero(), variable, out))
        return out;
      refuse(where(Category::node, node), variable, type.outputs);
  }
}

std::vector<Real> System::objectOutput(int object, OutputVariable variable) const {
  const ItemType& type = typeOf(Category::object, object);
  if (type.object->isBody()) return bodyOutput(object, variable, Vector3::Zero());
  std::vector<Real> out;
  const ElementPlace p = elementOfObject_[object];
  if (p.batch < 0 || !batches_[p.batch].elements->output(p.element, variable, outputContext(), out))
    refuse(where(Category::object, object), variable, type.outputs);
  return out;
}

std::vector<Real> System::bodyOutput(int object, OutputVariable variable, const Vector3& local,
                                     int part) const {
  const ItemType& type = typeOf(Category::object, object);
  if (!type.object->isBody())
    throw ModelError(where(Category::object, object) + " is no body; use an Object sensor");
  std::vector<Real> out;
  const bool offered =
      std::find(type.outputs.begin(), type.outputs.end(), variable) != type.outputs.end();
  if (!offered && part < 0) refuse(where(Category::object, object), variable, type.outputs);
  const ElementPlace p = elementOfObject_[object];
  if (part < 0 && p.batch >= 0 &&
      batches_[p.batch].elements->output(p.element, variable, outputContext(), out))
    return out;
  const void* body = item(Category::object, object);
  if (part < 0 &&
      type.object->bodyOutput(body, bodyFrame_[object], local, variable, outputContext(), out))
    return out;
  Vector3 inFrame = local;
  if (auto own =
          type.object->pointFrame(body, where(Category::object, object), *this, part, inFrame)) {
    DependentMotion m = restingMotion(std::move(own));
    Frame reference, frame;
    m.source->evaluate(m, reference);
    move(m, frame);
    if (frameOutput(frame, reference.rotation, m.source->referencePosition(), inFrame, variable,
                    out))
      return out;
  }
  refuse(where(Category::object, object), variable,
         part < 0 ? type.outputs : std::span<const OutputVariable>());
}

std::vector<Real> System::markerOutput(int marker, OutputVariable variable) const {
  static constexpr OutputVariable ofPoint[] = {OutputVariable::Position,
                                               OutputVariable::Displacement,
                                               OutputVariable::Velocity,
                                               OutputVariable::Rotation,
                                               OutputVariable::RotationMatrix,
                                               OutputVariable::AngularVelocity,
                                               OutputVariable::AngularVelocityLocal};
  static constexpr OutputVariable ofCoordinate[] = {OutputVariable::Coordinates,
                                                    OutputVariable::Coordinates_t};
  const MarkerBinding& m = this->marker({marker});
  std::vector<Real> out;
  if (m.coordinate) {
    ScalarMotion motion;
    evaluateScalar(*this, *m.scalar, state_, frames_.data(), nullptr, motion);
    if (variable == OutputVariable::Coordinates) return {motion.value};
    if (variable == OutputVariable::Coordinates_t) return {motion.rate};
    refuse(where(Category::marker, marker), variable, ofCoordinate);
  }
  if (m.vector) {
    VectorX x(m.vector->coordinates());
    m.vector->gather(variable == OutputVariable::Coordinates ? state_.q : state_.v, x);
    if (variable == OutputVariable::Coordinates)
      return setOutput(out, VectorX(m.vector->reference() + x)), out;
    if (variable == OutputVariable::Coordinates_t) return setOutput(out, x), out;
    refuse(where(Category::marker, marker), variable, ofCoordinate);
  }
  const auto offered = [&](std::size_t count) {  // among the first ones
    return std::find(ofPoint, ofPoint + count, variable) != ofPoint + count;
  };
  const auto addOutput = [&](const FramePoint& p) {
    return frameOutput(frames_[p.frame], referenceRotation(p.frame), referencePosition(p.frame),
                       p.local, variable, out);
  };
  if (m.points) {
    if (!offered(3)) refuse(where(Category::marker, marker), variable, {ofPoint, 3});
    std::vector<Real> all;
    for (const FramePoint& p : *m.points) {
      addOutput(p);
      all.insert(all.end(), out.begin(), out.end());
    }
    return all;
  }
  if (!m.position || !offered(m.orientation ? std::size(ofPoint) : 3) || !addOutput(m.point))
    refuse(where(Category::marker, marker), variable, ofPoint);
  return out;
}

std::vector<Real> System::loadValue(int load) const {
  std::vector<Real> out;
  const ElementPlace p = elementOfLoad_[load];
  batches_[p.batch].elements->output(p.element, OutputVariable::None, outputContext(), out);
  return out;
}

// The value of a sensor that is computed from other ones.
std::vector<Real> System::sensorFunctionValue(int sensor) const {
  const SensorBehaviour& behaviour = *typeOf(Category::sensor, sensor).sensor;
  const void* s = item(Category::sensor, sensor);
  std::vector<Real> inputs, out;
  std::vector<int> sizes;
  for (const int i : behaviour.inputs(s)) {
    if (i < 0 || i >= sensor)
      throw ModelError(where(Category::sensor, sensor) +
                       ": it can only use sensors that were added before it, not sensor " +
                       std::to_string(i));
    const std::vector<Real> values = sensorOutput(i);
    inputs.insert(inputs.end(), values.begin(), values.end());
    sizes.push_back(static_cast<int>(values.size()));
  }
  sensorFunctions_.resize(count(Category::sensor));
  if (!sensorFunctions_[sensor])
    sensorFunctions_[sensor] = behaviour.makeFunction(s, sizes, where(Category::sensor, sensor));
  sensorFunctions_[sensor]->evaluate(state_.time, inputs, out);
  return out;
}

std::vector<Real> System::sensorOutput(int sensor) const {
  if (typeOf(Category::sensor, sensor).sensor->isFunction()) return sensorFunctionValue(sensor);
  const SensorTarget t =
      typeOf(Category::sensor, sensor).sensor->target(item(Category::sensor, sensor));
  if (t.number < 0)
    throw ModelError(where(Category::sensor, sensor) + ": the measured " +
                     std::string(categoryName(t.category)) + " is missing (index -1)");
  try {
    switch (t.category) {
      case Category::node:
        return nodeOutput(t.number, t.variable);
      case Category::object:
        return t.atPoint ? bodyOutput(t.number, t.variable, t.localPosition, t.part)
                         : objectOutput(t.number, t.variable);
      case Category::marker:
        return markerOutput(t.number, t.variable);
      case Category::load:
        return loadValue(t.number);
      case Category::sensor:
        break;
    }
  } catch (const ModelError& error) {
    throw ModelError(where(Category::sensor, sensor) + ": " + error.what());
  }
  return {};
}

BlockStructure System::blocks() const {
  BlockStructure b;
  for (std::size_t g = 0; g < groupOwner_.size(); ++g)
    if (g == 0 || groupOwner_[g] != groupOwner_[g - 1]) {
      b.start.push_back(groupStart_[g]);
      b.isMultiplier.push_back(groupOwner_[g] < 0);
    }
  b.start.push_back(unknownCount_);
  b.parts = parts_;
  return b;
}

// --- names
// ----------------------------------------------------------------------------------------------------

std::string System::describeUnknown(int unknown) const {
  const auto after = std::upper_bound(groupStart_.begin(), groupStart_.end(), unknown);
  const int group = static_cast<int>(after - groupStart_.begin()) - 1;
  const int owner = groupOwner_[group];
  if (owner < 0) {
    const int number = unknown - groupStart_[multiplierGroupOf_[~owner]];
    return "multiplier " + std::to_string(number) + " of " + where(Category::object, ~owner);
  }
  static constexpr const char* axes[] = {"x", "y", "z"};
  const int component = unknown - groupStart_[group];
  const NodeLayout& l = layouts_[owner];
  std::string what = "coordinate " + std::to_string(unknown - place({owner}).unknown);
  if (l.hasFrame && group == place({owner}).group && l.shape.translations)
    what = std::string("translation ") + axes[component];
  else if (l.hasFrame && l.shape.rotations)
    what = std::string("rotation about body axis ") + axes[l.shape.rotations == 1 ? 2 : component];
  return what + " of " + where(Category::node, owner);
}

std::string System::describeConstraints(int redundant, const VectorX& null) const {
  const int first = unknownCount_ - multiplierCount_;
  int active = 0;  // constraints, without the equations lambda = 0 of those switched off
  for (int j = first; j < unknownCount_; ++j) {
    bool acts = false;
    matrix_.forColumn(
        j, [&](int row, int k) { acts = acts || (row < first && matrix_.values[k] != 0); });
    active += acts;
  }
  const auto number = [](int n, const char* one, const char* many) {
    return std::to_string(n) + (n == 1 ? one : many);
  };
  std::string text =
      number(dynamicCount_ - active + redundant, " degree of freedom, ", " degrees of freedom, ") +
      number(active, " constraint", " constraints");
  if (redundant == 0) return text;
  const Real largest = null.tail(multiplierCount_).cwiseAbs().maxCoeff();
  constexpr int listed = 6;
  int involved = 0, last = -1;
  std::string names;
  for (std::size_t g = 0; g < groupOwner_.size(); ++g) {
    if (groupOwner_[g] >= 0 || ~groupOwner_[g] == last) continue;
    if (null.segment(groupStart_[g], groupStart_[g + 1] - groupStart_[g]).cwiseAbs().maxCoeff() <
        1e-8 * largest)
      continue;
    last = ~groupOwner_[g];
    if (involved++ < listed) names += (involved > 1 ? ", " : "") + where(Category::object, last);
  }
  if (involved > listed) names += " and " + std::to_string(involved - listed) + " more";
  return text + ", " + std::to_string(redundant) +
         " of them redundant: reactions are not unique in " + names +
         "; the smallest ones are taken, all others are unique";
}

std::string System::describeSingularity() const {
  VectorX signs = VectorX::Ones(unknownCount_);
  signs.tail(multiplierCount_).setConstant(-1);
  const VectorX x = nullVector(matrix_, signs);
  std::vector<int> order(unknownCount_);
  for (int i = 0; i < unknownCount_; ++i) order[i] = i;
  std::sort(order.begin(), order.end(),
            [&](int a, int b) { return std::abs(x[a]) > std::abs(x[b]); });
  std::string names;
  int listed = 0;
  bool constraint = false;
  for (const int i : order) {
    if (listed == 6 || std::abs(x[i]) < 0.05 * std::abs(x[order[0]])) break;
    names += (listed++ ? ", " : "") + describeUnknown(i);
    constraint = constraint || i >= unknownCount_ - multiplierCount_;
  }
  return "the system matrix is singular; undetermined: " + names +
         (constraint ? ". The constraints are redundant or contradict each other: remove or free "
                       "one of these axes"
                     : ". Give these coordinates mass or inertia, or constrain them");
}

int System::nodeOfCoordinate(int coordinate) const {
  int low = 0, high = count(Category::node) - 1;
  while (low < high) {  // last node that starts at or before the coordinate and is not empty
    const int middle = (low + high + 1) / 2;
    if (place({middle}).coordinate <= coordinate)
      low = middle;
    else
      high = middle - 1;
  }
  while (layouts_[low].coordinates == 0) --low;
  return low;
}

System::CoordinateRow System::rowOfCoordinate(int coordinate) const {
  if (coordinate >= coordinateCount_)
    return {dynamicCount_ + coordinate - coordinateCount_, VectorX::Ones(1), VectorX::Ones(1)};
  const NodeIndex node{nodeOfCoordinate(coordinate)};
  const int n = layout(node).groups.total();
  CoordinateRow result{place(node).unknown, VectorX::Zero(n), VectorX::Zero(n)};
  VectorX hessian = VectorX::Zero(n * n);
  behaviour(node).coordinateRows(item(Category::node, node.value), viewOf(state_, place(node)),
                                 coordinate - place(node).coordinate, result.position.data(),
                                 result.force.data(), hessian.data());
  return result;
}

void System::addForces(std::span<const MatrixEntry> entries, const Variation& variation) {
  const int total = coordinateCount_ + firstOrderCount_;
  for (const MatrixEntry& e : entries) {
    for (const int i : {e.row, e.column})
      if (i < 0 || i >= total)
        throw ModelError("the matrix of a user function has an entry at " + std::to_string(e.row) +
                         ", " + std::to_string(e.column) + "; the system has " +
                         std::to_string(total) + " coordinates, counted from 0");
    const CoordinateRow row = rowOfCoordinate(e.row), column = rowOfCoordinate(e.column);
    const Real factor = -e.value * (e.row < coordinateCount_ ? variation.rowScale : 1);
    for (int j = 0; j < column.force.size(); ++j) {
      const std::span<const int> rows = matrix_.rows(column.first + j);
      Real* values = matrix_.values.data() + matrix_.columnStart[column.first + j];
      for (int i = 0; i < row.force.size(); ++i) {
        const auto at = std::lower_bound(rows.begin(), rows.end(), row.first + i);
        if (at != rows.end() && *at == row.first + i)
          values[at - rows.begin()] += factor * row.force[i] * column.force[j];
      }
    }
  }
}

namespace {

std::string itemLabel(const ItemStore& items, Category category, int number) {
  const auto name = items.name(category, number);
  return name.empty() ? std::string(categoryName(category)) + std::to_string(number)
                      : std::string(name);
}

}  // namespace

std::string System::coordinateName(int coordinate) const {
  const int node = nodeOfCoordinate(coordinate);
  return itemLabel(items_, Category::node, node) + ".q" +
         std::to_string(coordinate - place({node}).coordinate);
}

std::string System::multiplierName(int multiplier) const {
  const int unknown = unknownCount_ - multiplierCount_ + multiplier;
  const auto after = std::upper_bound(groupStart_.begin(), groupStart_.end(), unknown);
  const int object = ~groupOwner_[after - groupStart_.begin() - 1];
  return itemLabel(items_, Category::object, object) + ".lambda" +
         std::to_string(multiplier - multiplierOf_[object]);
}

std::string System::dataName(int index) const {
  for (int i = count(Category::node) - 1; i >= 0; --i)
    if (layouts_[i].data && place({i}).data <= index)
      return itemLabel(items_, Category::node, i) + ".data" +
             std::to_string(index - place({i}).data);
  return "data" + std::to_string(index);
}

// --- AssemblyView
// ---------------------------------------------------------------------------------------------

std::string System::where(Category category, int index) const {
  return items_.where(category, index);
}
int System::count(Category category) const { return items_.count(category); }
const ItemType& System::typeOf(Category category, int index) const {
  return items_.type(category, index);
}
const void* System::item(Category category, int index) const {
  return items_.item(category, index);
}
const NodeLayout& System::layout(NodeIndex node) const { return layouts_[node.value]; }
const NodePlace& System::place(NodeIndex node) const {
  const auto [set, position] = nodeSetOf_[node.value];
  return nodeSets_[set].places[position];
}
const NodeBehaviour& System::behaviour(NodeIndex node) const {
  return *typeOf(Category::node, node.value).node;
}
const MarkerBinding& System::marker(MarkerIndex marker) const { return markers_[marker.value]; }
int System::frameOfBody(ObjectIndex body) const {
  const int frame = bodyFrame_[body.value];
  if (frame < 0)
    throw ModelError(where(Category::object, body.value) +
                     ": nodeNumber is missing or has no position");
  return frame;
}
FrameShape System::shapeOfFrame(int frame) const { return frameInfos_[frame].shape; }
int System::groupOfFrame(int frame) const { return frameInfos_[frame].group; }
int System::dependentOfFrame(int frame) const { return frameInfos_[frame].dependent; }
const DependentFrame& System::dependent(int index) const { return *dependents_[index].source; }
Vector3 System::axisOfFrame(int frame) const {
  const int derived = frameInfos_[frame].derived;
  return derived < 0 ? Vector3(Vector3::Zero()) : derivedFrames_[derived].axis;
}
Vector3 System::referencePosition(int frame) const { return frameInfos_[frame].referencePosition; }
Matrix3 System::referenceRotation(int frame) const {
  return referenceRotations_[frameInfos_[frame].rotation];
}
int System::multiplier(ObjectIndex object) const { return multiplierOf_[object.value]; }
int System::multiplierGroup(ObjectIndex object) const { return multiplierGroupOf_[object.value]; }

}  // namespace catena
