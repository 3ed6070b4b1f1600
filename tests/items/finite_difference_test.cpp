// Every object, load and marker type of the registry against central differences of its residual.
//
// The models are drawn at random from what the fields of the types say about themselves, so that a
// new item is covered without a line written for it.
#include <catch2/catch.hpp>
#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <set>

#include "integrators/alpha_method.h"
#include "tests/mechanisms.h"

using namespace catena;
using namespace catena::test;

namespace {

enum class Scene { twoBodies, oneBody, ground };
constexpr Scene scenes[] = {Scene::twoBodies, Scene::oneBody, Scene::ground};
constexpr const char* sceneNames[] = {"two bodies", "both markers on one body",
                                      "one marker on ground"};

// What carries the markers: bodies in space, points, bodies and points in the plane, on an axis;
// and bodies whose points follow several coordinates.
enum class Carrier { rigid, point, planar, planarPoint, axis, rotor, tree, cable2D, cable, mesh };
constexpr Carrier carriers[] = {
    Carrier::rigid, Carrier::point, Carrier::planar,  Carrier::planarPoint, Carrier::axis,
    Carrier::rotor, Carrier::tree,  Carrier::cable2D, Carrier::cable,       Carrier::mesh};
constexpr const char* carrierNames[] = {"rigid",  "points", "planar bodies", "planar points",
                                        "axes",   "rotors", "trees",         "planar cables",
                                        "cables", "meshes"};

// A body and its node, for the references that an item asks for.
struct Target {
  int object = -1, node = -1;
};

struct Model {
  std::unique_ptr<MainSystem> mbs = std::make_unique<MainSystem>();
  Target target[2], ground;
  int angle = -1, history = -1;  // data nodes with one and with four values
  int firstOrder = -1;           // two coordinates of first order
};

// Reference coordinates of a rigid node: large rotations, away from the singularity of the angles.
VectorX randomReference(std::string_view node, Random& random) {
  VectorX q = random.vector(node == "RigidBodyEP" ? 7 : 6, 2);
  if (node == "RigidBodyEP") q.tail<4>().normalize();
  if (node == "RigidBodyRxyz") q[4] *= 0.5;
  if (node == "RigidBodyRotVecLG") q.tail<3>() *= 1.5;  // beyond half a turn
  return q;
}

// A random function of as many arguments as it is handed; smooth, with all derivatives.
UserFunction randomFunction(Random& random) {
  const VectorX c = random.vector(64);
  const auto f = [c](std::span<const Real> arguments, std::span<Real> results) {
    for (std::size_t i = 0; i < results.size(); ++i) {
      results[i] = 0.1 * c[i % 64];
      for (std::size_t k = 0; k < arguments.size(); ++k)
        results[i] += c[(7 * i + k) % 64] * std::sin(0.3 * arguments[k] + c[(k + 11 * i) % 64]);
    }
  };
  return {{}, std::make_shared<const Callable>(f)};
}

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

constexpr int anyLength = 3;  // of lists that may have any

// A random value within the bounds of a field, of this length if it may have any; nothing for
// references and for what stays default.
std::optional<Value> randomValue(const Field& f, Random& random, int length = anyLength) {
  const Real low = std::max(f.bounds.lower, -2.0), high = std::min(f.bounds.upper, low + 4);
  switch (f.kind) {
    case FieldKind::boolean:
      return random.chance(f.name.starts_with("active") ? 0.85 : 0.5);
    case FieldKind::integer: {
      const int lowest = static_cast<int>(std::max(f.bounds.lower, 0.0));
      return lowest + random.below(static_cast<int>(std::min(f.bounds.upper, 6.0)) - lowest + 1);
    }
    case FieldKind::real:
      return random.uniform(low, high) + (f.bounds.lowerOpen ? 0.2 : 0);
    case FieldKind::vector: {
      if (f.rows == 0 && !f.bounds.lowerOpen && random.chance(0.5)) return {};
      VectorX v(f.rows ? f.rows : length);
      for (Real& x : v) x = random.uniform(low, high);
      if (contains(f.name, "weight")) v /= v.sum();
      if (contains(f.name, "xis") || contains(f.name, "ormal")) v.normalize();
      return v;
    }
    case FieldKind::matrix: {
      if (f.stack) {
        MatrixX all(length * f.stack, f.columns);
        for (int i = 0; i < length; ++i)
          all.middleRows(i * f.stack, f.stack) =
              f.stack == 3 ? MatrixX(random.rotation()) : MatrixX(random.vector(3).transpose());
        return all;
      }
      if (f.rows == 3 && f.columns == 3) return MatrixX(random.rotation());
      if (f.rows == 0 || f.columns == 0) return {};
      return MatrixX(
          Eigen::Map<const MatrixX>(random.vector(f.rows * f.columns).data(), f.rows, f.columns));
    }
    case FieldKind::integerList: {
      std::vector<int> list(f.rows ? f.rows : length);
      for (int i = 0; i < static_cast<int>(list.size()); ++i)
        list[i] = f.rows ? random.below(2) : i + static_cast<int>(f.bounds.lower);
      return list;
    }
    case FieldKind::enumerationList: {
      UserFunction texts;
      for (int i = 0; i < length; ++i)
        texts.expressions.emplace_back(f.choices[random.below(static_cast<int>(f.choices.size()))]);
      return texts;
    }
    case FieldKind::enumeration:
      return std::string(f.choices[random.below(static_cast<int>(f.choices.size()))]);
    case FieldKind::function:
      if (random.chance(0.6)) return {};
      return randomFunction(random);
    default:
      return {};
  }
}

// Mass, centre and inertia of a few random point masses; they are the only parameters that must fit
// each other.
void addMassProperties(const ItemType& type, bool massless, Random& random, Dictionary& out) {
  if (!type.findField("mass")) return;
  Real mass = 0;
  Vector3 moment = Vector3::Zero();
  Matrix3 J = Matrix3::Zero();
  for (int i = 0; i < 4 && !massless; ++i) {
    const Real m = random.uniform(0.5, 2);
    const Vector3 p = random.vector(3);
    mass += m;
    moment += m * p;
    J -= m * skew(p) * skew(p);
  }
  out.emplace_back("mass", mass);
  if (!type.findField("inertia")) return;
  if (massless) moment = random.vector(3);
  const Vector3 centre = massless ? moment : Vector3(moment / mass);
  if (type.findField("inertia")->kind == FieldKind::real) {  // in the plane
    out.emplace_back("inertia", J(2, 2));
    out.emplace_back("centerOfMass", VectorX(centre.head<2>()));
    return;
  }
  VectorX inertia(6);
  inertia << J(0, 0), J(1, 1), J(2, 2), J(1, 2), J(0, 2), J(0, 1);
  out.emplace_back("inertia", inertia);
  out.emplace_back("centerOfMass", VectorX(centre));
}

bool given(const Dictionary& parameters, std::string_view name) {
  for (const auto& [key, value] : parameters)
    if (key == name) return true;
  return false;
}

int coordinatesOf(const MainSystem& mbs, int node) {
  if (node < 0) return 0;
  const ItemType& type = mbs.items().type(Category::node, node);
  const NodeLayout layout = type.node->layout(mbs.items().item(Category::node, node));
  return layout.coordinates + layout.firstOrder;
}

// Of all nodes of an object.
int coordinatesOfObject(const MainSystem& mbs, int object) {
  if (object < 0) return 0;
  int all = 0;
  for (const NodeIndex node : mbs.items()
                                  .type(Category::object, object)
                                  .object->nodes(mbs.items().item(Category::object, object)))
    all += coordinatesOf(mbs, node.value);
  return all;
}

// Matrices of any size: as many columns as the coordinates they are multiplied with, which are
// those of node or object of the target whose number ends the name, mostly the same of both, or
// those of all nodes of the item.
void addMatrices(const MainSystem& mbs, const ItemType& type, const Target& first,
                 const Target& second, Random& random, Dictionary& out) {
  int all = 0;
  for (const auto& [key, value] : out)
    if (key == "nodeNumbers")
      for (const int node : std::get<std::vector<int>>(value)) all += coordinatesOf(mbs, node);
  const bool ofNode0 = random.chance(0.5), ofNode1 = random.chance(0.25) ? !ofNode0 : ofNode0;
  for (const Field& f : type.fields) {
    if (f.kind != FieldKind::matrix || f.rows || f.columns) continue;
    int rows = all, columns = all;
    if (const char last = f.name.back(); last == '0' || last == '1') {
      const Target& t = last == '0' ? first : second;
      rows = 2;
      columns = std::max(1, (last == '0' ? ofNode0 : ofNode1) ? coordinatesOf(mbs, t.node)
                                                              : coordinatesOfObject(mbs, t.object));
    }
    out.emplace_back(f.name, MatrixX(Eigen::Map<const MatrixX>(random.vector(rows * columns).data(),
                                                               rows, columns)));
  }
}

// Adds an item with random parameters; references are taken from the two targets and markers.
int addRandom(Model& model, const ItemType& type, const Target& first, const Target& second,
              const std::vector<int>& markers, Random& random) {
  Dictionary parameters;
  addMassProperties(type, false, random, parameters);
  const auto reference = [&](const Field& f, int position) {
    const Target& t = position == 0 ? first : second;
    switch (f.category) {
      case Category::node: {
        if (f.rows == 2 && random.chance(0.5)) return t.node;  // lists need luck with every node
        const int choices[] = {t.node,        t.node,           model.angle, model.history,
                               model.history, model.firstOrder, -1};
        return choices[random.below(7)];
      }
      case Category::object:
        return t.object;
      case Category::marker:
        return markers.empty() ? -1 : markers[position % markers.size()];
      default:
        return -1;
    }
  };
  // lists beside a list of markers may hold one value for all
  const bool ofMarkers = std::any_of(type.fields.begin(), type.fields.end(), [](const Field& f) {
    return f.kind == FieldKind::indexList && f.category == Category::marker && f.rows == 0;
  });
  const int length = ofMarkers && random.chance(0.8) ? 1 : anyLength;
  for (const Field& f : type.fields) {
    if (given(parameters, f.name)) continue;
    if (f.kind == FieldKind::index) {
      parameters.emplace_back(f.name, reference(f, 0));
    } else if (f.kind == FieldKind::indexList) {
      std::vector<int> list(f.rows ? f.rows : 1 + random.below(2));
      for (int i = 0; i < static_cast<int>(list.size()); ++i) list[i] = reference(f, i);
      parameters.emplace_back(f.name, list);
    } else if (f.name == "jacobianUserFunction" && !given(parameters, "constraintUserFunction")) {
      continue;  // would have to be the derivative of the random force, or has no constraint
    } else if (f.name == "jacobianUserFunction") {
      parameters.emplace_back(f.name, randomFunction(random));
    } else if (auto value = randomValue(f, random, length)) {
      parameters.emplace_back(f.name, *value);
    }
  }
  addMatrices(*model.mbs, type, first, second, random, parameters);
  return model.mbs->Add(type.category, type.name, parameters, {});
}

// A tree of three links, a cable, a mesh of four points: the node that comes first, and the body.
Target addLargeCarrier(MainSystem& mbs, Carrier carrier, bool massless, Random& random) {
  Target t;
  if (carrier == Carrier::tree) {
    t.node = mbs.AddNode("GenericODE2", {{"numberOfODE2Coordinates", anyLength},
                                         {"referenceCoordinates", random.vector(anyLength)}});
    const ItemType& type = *Registry::instance().find(Category::object, "KinematicTree");
    Dictionary p{{"nodeNumber", t.node}};
    for (const Field& f : type.fields)
      if (f.kind == FieldKind::enumerationList || f.kind == FieldKind::integerList ||
          (f.stack && f.name != "linkInertiasCOM"))
        p.emplace_back(f.name, *randomValue(f, random));
    MatrixX inertia = MatrixX::Zero(3 * anyLength, 3);
    for (int i = 0; i < 3 * anyLength && !massless; ++i) inertia(i, i % 3) = 1;
    p.emplace_back("linkInertiasCOM", inertia);
    p.emplace_back("linkMasses", VectorX(VectorX::Constant(anyLength, massless ? 0 : 1)));
    t.object = mbs.AddObject("KinematicTree", p);
    return t;
  }
  if (carrier == Carrier::mesh) {
    std::vector<int> nodes;
    for (int i = 0; i < 4; ++i)
      nodes.push_back(mbs.AddNode("Point", {{"referenceCoordinates", random.vector(3, 2)}}));
    t.node = nodes[0];
    const MatrixX mass = (massless ? 0.0 : 1.0) * MatrixX::Identity(12, 12);
    t.object = mbs.AddObject("GenericODE2", {{"nodeNumbers", nodes}, {"massMatrix", mass}});
    return t;
  }
  const int d = carrier == Carrier::cable2D ? 2 : 3;
  const std::string_view node = d == 2 ? "Point2DSlope1" : "PointSlope1";
  VectorX reference = random.vector(2 * d, 0.3);
  reference[d] += 1;
  t.node = mbs.AddNode(node, {{"referenceCoordinates", reference}});
  reference[0] += 2;
  const int end = mbs.AddNode(node, {{"referenceCoordinates", reference}});
  t.object = mbs.AddObject(d == 2 ? "ANCFCable2D" : "ANCFCable",
                           {{"nodeNumbers", std::vector<int>{t.node, end}},
                            {"physicsLength", 2.0},
                            {"physicsMassPerLength", massless ? 0.0 : 1.5}});
  return t;
}

// Node and body of a carrier, at random.
Target addCarrier(MainSystem& mbs, Carrier carrier, std::string_view rigidNode, bool massless,
                  Random& random) {
  if (carrier >= Carrier::tree) return addLargeCarrier(mbs, carrier, massless, random);
  struct Kind {
    std::string_view node, body;
    int coordinates;
  };
  const Kind kinds[] = {
      {rigidNode, "RigidBody", 0},   {"Point", "MassPoint", 3}, {"RigidBody2D", "RigidBody2D", 3},
      {"Point2D", "MassPoint2D", 2}, {"1D", "Mass1D", 1},       {"1D", "RotationalMass1D", 1}};
  const Kind& kind = kinds[static_cast<int>(carrier)];
  const ItemType& body = *Registry::instance().find(Category::object, kind.body);
  Dictionary p;
  addMassProperties(body, massless, random, p);
  if (body.findField("referenceRotation")) {
    p.emplace_back("referencePosition", random.vector(3));
    p.emplace_back("referenceRotation", MatrixX(random.rotation()));
  }
  Target t;
  const VectorX reference = carrier == Carrier::rigid ? randomReference(rigidNode, random)
                                                      : random.vector(kind.coordinates, 2);
  t.node = mbs.AddNode(kind.node, {{"referenceCoordinates", reference}});
  p.emplace_back("nodeNumber", t.node);
  t.object = mbs.AddObject(kind.body, p);
  return t;
}

// Two bodies and ground; without mass nothing but the item that is added to them fills the matrix.
Model randomBodies(Carrier carrier, std::string_view node0, std::string_view node1, bool massless,
                   Random& random) {
  Model m;
  MainSystem& mbs = *m.mbs;
  m.target[0] = addCarrier(mbs, carrier, node0, massless, random);
  const bool mixed = carrier >= Carrier::tree && random.chance(0.3);
  m.target[1] = addCarrier(mbs, mixed ? Carrier::rigid : carrier, node1, massless, random);
  m.ground.node = mbs.AddNode("PointGround", {{"referenceCoordinates", random.vector(3, 2)}});
  m.ground.object = mbs.AddObject("Ground", {{"referencePosition", random.vector(3, 2)},
                                             {"referenceRotation", MatrixX(random.rotation())}});
  m.angle = mbs.AddNode("GenericData",
                        {{"numberOfDataCoordinates", 1}, {"initialCoordinates", random.vector(1)}});
  m.history = mbs.AddNode(
      "GenericData", {{"numberOfDataCoordinates", 4}, {"initialCoordinates", random.vector(4)}});
  m.firstOrder = mbs.AddNode("GenericODE1", {{"numberOfODE1Coordinates", 2}});
  return m;
}

// A model with one item of the type whose markers are of the given types; nothing if the parameters
// drawn contradict each other or the markers do not fit.
std::optional<Model> tryModel(const ItemType& type, const ItemType* marker0,
                              const ItemType* marker1, Scene scene, Carrier carrier,
                              std::string_view node0, std::string_view node1, bool massless,
                              Random& random) {
  Model m = randomBodies(carrier, node0, node1, massless, random);
  Target first = m.target[0], second = m.target[1];
  if (scene == Scene::oneBody) second = first;
  if (scene == Scene::ground) second = m.ground;
  if (random.chance(0.5)) std::swap(first, second);
  try {
    std::vector<int> markers;
    if (marker0) markers.push_back(addRandom(m, *marker0, first, second, {}, random));
    if (marker1) markers.push_back(addRandom(m, *marker1, second, first, {}, random));
    addRandom(m, type, first, second, markers, random);
    m.mbs->Assemble();
    return m;
  } catch (const ModelError&) {
    return {};
  }
}

// q, v, a and multipliers far from anything special. Increments keep the Euler parameters unit.
void randomizeState(System& s, Random& random) {
  const VectorX scale = random.vector(s.unknowns());
  s.increment(0.4 * scale, {.position = 1}, ConstraintLevel::position);
  s.increment(random.vector(s.unknowns()), {.position = 0, .velocity = 1, .firstOrderRate = 1},
              ConstraintLevel::velocity);
  s.increment(random.vector(s.unknowns()), {.position = 0, .velocity = 0, .acceleration = 1},
              ConstraintLevel::acceleration);
  s.state().multipliers = random.vector(s.multipliers(), 3);
  s.state().time = 0.37;
}

// The scaled residual at Delta = step along one unknown, from the state at construction.
class VariedResidual {
 public:
  VariedResidual(System& s, const Variation& along, ConstraintLevel level)
      : s_(s), along_(along), level_(level), base_(s.state()) {}
  VectorX operator()(int unknown, Real step) {
    VectorX delta = VectorX::Zero(s_.unknowns()), r;
    delta[unknown] = step;
    // Position level: the increment of Euler parameters then stays on the unit sphere.
    s_.increment(delta, along_, ConstraintLevel::position);
    s_.evaluate(along_, level_, false, r);
    s_.state() = base_;
    r.head(s_.dynamicUnknowns()) *= along_.rowScale;
    return r;
  }

 private:
  System& s_;
  const Variation& along_;
  ConstraintLevel level_;
  State base_;
};

// d (scaled residual) / d Delta from the residual alone, of fourth order in the step, and an
// estimate of its error, which is large where a kink of friction or contact lies within the step.
struct Differences {
  MatrixX value, error;
};
constexpr Real differenceStep = 1e-5;
Differences differences(System& s, const Variation& along, ConstraintLevel level) {
  const int n = s.unknowns();
  VariedResidual r(s, along, level);
  Differences d{MatrixX(n, n), MatrixX(n, n)};
  for (int j = 0; j < n; ++j) {
    const Real h = differenceStep;
    const VectorX near = (r(j, h) - r(j, -h)) / (2 * h);
    const VectorX far = (r(j, 2 * h) - r(j, -2 * h)) / (4 * h);
    d.value.col(j) = (4 * near - far) / 3;
    d.error.col(j) = (near - far).cwiseAbs();
  }
  r(0, 0);  // the motions of the state as it is
  return d;
}

// Whether a derivative is that of one side: at the very edge of a contact the central differences
// see both slopes, and the estimate of their error sees nothing.
bool isOneSided(VariedResidual& r, int row, int column, Real derivative, Real tolerance) {
  const Real at0 = r(column, 0)[row];
  for (const Real h : {differenceStep, -differenceStep}) {
    const Real at1 = r(column, h)[row], at2 = r(column, 2 * h)[row], at4 = r(column, 4 * h)[row];
    const Real near = (4 * at1 - 3 * at0 - at2) / (2 * h);
    const Real far = (4 * at2 - 3 * at0 - at4) / (4 * h);
    if (std::abs(near - derivative) <= tolerance + std::abs(near - far)) return true;
  }
  return false;
}

Variation stepVariation() {
  const Real h = 1e-2, rho = 0.8;
  const AlphaCoefficients a = alphaFromSpectralRadius(rho);
  Variation v;
  v.velocity = a.gamma / (h * a.beta);
  v.acceleration = (1 - a.alphaM) / (h * h * a.beta * (1 - a.alphaF));
  v.firstOrderRate = 2 / h;
  v.rowScale = a.beta * h * h;
  v.constraintVelocity = v.velocity;
  return v;
}

struct NamedVariation {
  Variation along;
  const char* name;
};
const NamedVariation variations[] = {{stepVariation(), "time step"},
                                     {Variation{}, "positions only"}};
constexpr ConstraintLevel levels[] = {ConstraintLevel::position, ConstraintLevel::velocity};

// Checks that asking for the matrix leaves the residual as it is, to the last bit.
bool residualKeepsItsBits(System& s, const std::string& what) {
  for (const ConstraintLevel level : levels)
    for (const auto& [along, name] : variations) {
      VectorX with, without;
      s.evaluate(along, level, false, without);
      s.evaluate(along, level, true, with);
      if (std::memcmp(with.data(), without.data(), with.size() * sizeof(Real)) == 0) continue;
      FAIL_CHECK(what << "; " << name << ", level " << static_cast<int>(level)
                      << ": the residual changes by " << (with - without).cwiseAbs().maxCoeff()
                      << " when the matrix is asked for");
      return false;
    }
  return true;
}

// Checks one model on both levels; returns the largest entry of the matrix, of loads alone if
// asked.
Real checkTangent(System& s, const std::string& what, bool ofLoads) {
  Real largest = 0;
  for (const ConstraintLevel level : levels)
    for (const auto& [along, name] : variations) {
      INFO(what << "; " << name << ", level " << static_cast<int>(level));
      VectorX r;
      s.evaluate(along, level, true, r);
      const MatrixX J = s.matrix().dense();
      const auto [D, uncertainty] = differences(s, along, level);
      s.loadFactor = 0;
      s.evaluate(along, level, true, r);
      s.loadFactor = 1;
      largest = std::max(largest, (ofLoads ? J - s.matrix().dense() : J).cwiseAbs().maxCoeff());
      if (!J.allFinite() || !D.allFinite()) FAIL_CHECK("entries that are not finite");
      for (int i = 0; i < s.unknowns(); ++i) {
        // The floor is the rounding of the differences: forces and gaps of order ten, known to
        // 1e-16, over steps of 1e-6. Between points of one body friction depends on rounding.
        const Real floor = (contains(what, "one body") ? 1e-6 : 1e-8) *
                           (i < s.dynamicUnknowns() ? along.rowScale : 1);
        const Real tolerance = 1e-6 * J.row(i).cwiseAbs().maxCoeff() + floor;
        for (int j = 0; j < s.unknowns(); ++j) {
          if (std::abs(J(i, j) - D(i, j)) <= tolerance + 4 * uncertainty(i, j)) continue;
          VariedResidual residual(s, along, level);
          if (isOneSided(residual, i, j, J(i, j), tolerance)) continue;
          FAIL_CHECK("row " << i << " (" << s.describeUnknown(i) << "), column " << j << " ("
                            << s.describeUnknown(j) << "): analytic " << J(i, j) << ", differences "
                            << D(i, j) << ", largest of the row "
                            << J.row(i).cwiseAbs().maxCoeff());
          return largest;
        }
      }
    }
  return largest;
}

std::vector<const ItemType*> typesOf(Category category) {
  std::vector<const ItemType*> list;
  for (const ItemType* t : Registry::instance().types())
    if (t->category == category) list.push_back(t);
  return list;
}

int markerReferences(const ItemType& type) {
  for (const Field& f : type.fields)
    if (f.category == Category::marker) {
      if (f.kind == FieldKind::index) return 1;
      if (f.kind == FieldKind::indexList) return f.rows ? f.rows : 2;
    }
  return 0;
}

// Pairs of marker types to try: equal ones first, then all mixtures.
std::vector<std::pair<const ItemType*, const ItemType*>> markerChoices(int count) {
  if (count == 0) return {{nullptr, nullptr}};
  std::vector<std::pair<const ItemType*, const ItemType*>> choices;
  for (const ItemType* a : typesOf(Category::marker))
    for (const ItemType* b : typesOf(Category::marker)) {
      if (count == 1 && a != b) continue;
      choices.emplace_back(a, count == 1 ? nullptr : b);
    }
  return choices;
}

// What the test of one type has seen.
struct Coverage {
  int models = 0;
  Real largest = 0;              // entry that the item brings: of massless bodies, or of loads
  std::set<std::string> scenes;  // "scene, node kind"
  std::set<std::string> markers;
};

// Calls check(system, what) for random models of a type; it returns the largest entry of the
// matrix.
template <class Check>
Coverage forRandomModels(const ItemType& type, unsigned seed, const Check& check) {
  Coverage seen;
  Random random(seed);
  for (const auto& [marker0, marker1] : markerChoices(markerReferences(type))) {
    const int before = seen.models;
    for (const Scene scene : scenes) {
      // what nothing accepts between two bodies is not tried again
      if (marker0 && scene != scenes[0] && seen.models == before) break;
      for (const Carrier carrier : carriers) {
        const int beforeCarrier = seen.models;
        int tried = 0;
        for (const std::string_view node0 : rigidNodes)
          for (const std::string_view node1 : rigidNodes) {
            const bool mixed = marker1 && marker0 != marker1;
            const bool rigid = carrier == Carrier::rigid;
            if (!rigid && (node0 != rigidNodes[0] || node1 != rigidNodes[0])) continue;
            if (mixed && node0 == node1) continue;  // mixtures: fewer combinations are enough
            // nor on all nodes
            if (mixed && ++tried > 3 && seen.models == beforeCarrier) continue;
            const bool massless = !marker0 || random.chance(0.5);
            std::optional<Model> model;
            for (int attempt = 0; !model && attempt < (marker0 ? 20 : 40); ++attempt)
              model =
                  tryModel(type, marker0, marker1, scene, carrier, node0, node1, massless, random);
            if (!model) continue;
            System& s = model->mbs->system();
            randomizeState(s, random);
            s.computeMotions();
            s.renewElements(ElementBatch::Renewal::atStart);
            std::string what = std::string(type.name) + " with";
            for (const ItemType* m : {marker0, marker1})
              if (m) what += " " + std::string(m->name);
            what += ", " + std::string(sceneNames[static_cast<int>(scene)]) + ", " +
                    (rigid ? std::string(node0) + " " + std::string(node1)
                           : carrierNames[static_cast<int>(carrier)]) +
                    (massless ? ", massless" : "");
            Real largest = 0;
            try {
              largest = check(s, what);
            } catch (const ModelError& error) {
              // Two markers at one point have no direction between them: refused, and rightly.
              if (scene == Scene::oneBody && (contains(error.what(), "distance of its markers") ||
                                              contains(error.what(), "points coincide")))
                continue;
              FAIL_CHECK(what << ": " << error.what());
            }
            ++seen.models;
            if (massless || type.category == Category::load)
              seen.largest = std::max(seen.largest, largest);
            if (rigid)
              seen.scenes.insert(std::string(sceneNames[static_cast<int>(scene)]) + ", " +
                                 std::string(node0) + " " + std::string(node1));
            for (const ItemType* m : {marker0, marker1})
              if (m) seen.markers.insert(std::string(m->name));
          }
      }
    }
  }
  return seen;
}

}  // namespace

TEST_CASE(
    "tangents of all objects and loads are derivatives of their residuals, which are the same "
    "bits with and without them",
    "[items]") {
  std::set<std::string> usedMarkers;
  unsigned seed = 1;
  for (const Category category : {Category::object, Category::load})
    for (const ItemType* type : typesOf(category)) {
      const bool load = category == Category::load;
      bool sameBits = true;  // one report per type is enough
      const Coverage seen = forRandomModels(*type, seed++, [&](System& s, const std::string& what) {
        sameBits = sameBits && residualKeepsItsBits(s, what);
        return checkTangent(s, what, load);
      });
      INFO(type->name << ": " << seen.models << " models");
      CHECK(seen.models > 0);
      usedMarkers.insert(seen.markers.begin(), seen.markers.end());
      if (markerReferences(*type) ==
          2)  // accepted by some marker type in every scene and on all nodes
        CHECK(seen.scenes.size() == std::size(scenes) * rigidNodes.size() * rigidNodes.size());
      if (category == Category::object && type->object->isGround()) continue;
      CHECK(seen.largest > 0);
    }
  const std::set<std::string> onlyForSensors = {"BodyCable2DShape"};
  for (const ItemType* type : typesOf(Category::marker)) {
    INFO(type->name);
    const std::string name(type->name);
    CHECK(usedMarkers.contains(name) == !onlyForSensors.contains(name));
  }
}
