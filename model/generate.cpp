#include "model/generate.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "items/field.h"
#include "kernels/rotation.h"

namespace catena {
namespace {

constexpr std::string_view kinds[] = {"chain", "tree", "net", "four-bars", "bed"};
constexpr int ground = -1;  // in place of the number of a body

struct Body {
  Vector3 centre = Vector3::Zero();
  Matrix3 rotation = Matrix3::Identity();
  Vector3 velocity = Vector3::Zero();         // world
  Vector3 angularVelocity = Vector3::Zero();  // body axes
};

struct Joint {
  enum Type { revolute, spherical };
  Type type = revolute;
  int body0 = ground;
  Vector3 point0 = Vector3::Zero();  // in axes of the body
  int body1 = 0;
  Vector3 point1 = Vector3::Zero();
  Matrix3 rotation0 = Matrix3::Identity();  // joint frame in body 0
};

// What distinguishes the generated models. Joints are sorted by body1.
struct Mechanism {
  std::string description;
  Real mass = 0;
  Vector3 inertia = Vector3::Zero();
  Vector3 gravity = Vector3::Zero();
  Real endTime = 1, numberOfSteps = 1000, spectralRadius = 0.8;
  std::vector<Body> bodies;
  std::vector<Joint> joints;
  struct Sensor {
    std::string name;
    int body;
    Vector3 point;
    std::string_view variable;
  };
  std::vector<Sensor> sensors;
  Real sphereRadius = 0;             // of all bodies; 0: no contact
  Vector3 trough = Vector3::Zero();  // width, length along y, height without top
};

Mechanism bars(std::string description, const Vector3& gravity) {
  Mechanism m;
  m.description = std::move(description);
  m.mass = 4;  // 0.4 x 0.1 x 0.1 m of density 1000 kg/m^3
  m.inertia = {4 / 12.0 * (0.01 + 0.01), 4 / 12.0 * (0.16 + 0.01), 4 / 12.0 * (0.16 + 0.01)};
  m.gravity = gravity;
  return m;
}

const Vector3 barStart(-0.2, 0, 0), barEnd(0.2, 0, 0);

Mechanism chain(int count) {
  Mechanism m = bars("Chain of bars with revolute joints under gravity.", {0, 0, 9.81});
  const Real pi = std::numbers::pi;
  const Matrix3 turn =
      rotationFromTaitBryan({0.01 * pi, 0, 0}) * rotationFromTaitBryan({0, 0, 0.02 * pi});
  const Eigen::AngleAxis<Real> screw(turn);
  Vector3 start = Vector3::Zero();
  for (int i = 0; i < count; ++i) {
    // A product of a million matrices is no rotation any more, and the joints would be open.
    const Matrix3 A =
        Eigen::AngleAxis<Real>(std::fmod(i * screw.angle(), 2 * pi), screw.axis()).matrix();
    m.bodies.push_back({.centre = start + A * barEnd, .rotation = A});
    Joint joint{.type = Joint::revolute, .body0 = i - 1, .body1 = i, .point1 = barStart};
    if (i > 0) joint.point0 = barEnd, joint.rotation0 = turn;
    m.joints.push_back(joint);
    start += A * Vector3(0.4, 0, 0);
  }
  m.sensors = {{"tipDisplacement", count - 1, Vector3::Zero(), "Displacement"},
               {"tipRotation", count - 1, Vector3::Zero(), "Rotation"}};
  return m;
}

// Body k carries bodies 2 k + 1 and 2 k + 2 at its lower end, spread alternately in the two planes.
Mechanism tree(int count) {
  Mechanism m =
      bars("Binary tree of bars, hung at its root, spherical and revolute joints in turn.",
           {0, -9.81, 0});
  Matrix3 down;  // local x along world -y
  down << 0, 1, 0, -1, 0, 0, 0, 0, 1;
  m.bodies.push_back({.centre = down * barEnd, .rotation = down});
  m.joints.push_back({.type = Joint::spherical, .point1 = barStart});
  for (int i = 1, level = 0; i < count; ++i) {
    if (i + 1 >= 2 << level) ++level;
    const int parent = (i - 1) / 2;
    const Real angle = (i % 2 ? 0.7 : -0.7) / level;
    const Matrix3 turn =
        level % 2 ? rotationFromTaitBryan({0, 0, angle}) : rotationFromTaitBryan({0, angle, 0});
    const Body above = m.bodies[parent];
    const Matrix3 A = above.rotation * turn;
    m.bodies.push_back(
        {.centre = above.centre + above.rotation * barEnd + A * barEnd, .rotation = A});
    m.joints.push_back({.type = level % 2 ? Joint::revolute : Joint::spherical,
                        .body0 = parent,
                        .point0 = barEnd,
                        .body1 = i,
                        .point1 = barStart,
                        .rotation0 = turn});
  }
  m.sensors = {{"rootRotation", 0, Vector3::Zero(), "Rotation"},
               {"tipDisplacement", count - 1, barEnd, "Displacement"}};
  return m;
}

// Bars are the edges of a net whose rows sag between the corners at which it hangs: were its upper
// edge straight, the lengths of the bars would fix the distance of the corners once more. Its shape
// is close to that at rest, for bars that come taut with a jerk ask for very small steps.
class NetBuilder {
 public:
  explicit NetBuilder(int count)
      : count_(count),
        columns_(std::max(2, static_cast<int>(std::lround(std::sqrt(count / 2.0))))) {}

  Mechanism build() {
    placeRow();
    for (int row = 0; bodies() < count_; ++row) {
      for (int column = 0; column <= columns_ && bodies() < count_; ++column) {
        if (row > 0) addBar({row - 1, column}, {row, column});
        if (column > 0 && bodies() < count_) addBar({row, column - 1}, {row, column});
      }
    }
    std::stable_sort(m_.joints.begin(), m_.joints.end(),
                     [](const Joint& a, const Joint& b) { return a.body1 < b.body1; });
    m_.sensors = {{"firstRotation", 0, Vector3::Zero(), "Rotation"},
                  {"lastDisplacement", count_ - 1, Vector3::Zero(), "Displacement"}};
    return std::move(m_);
  }

 private:
  struct Knot {
    int row, column;
  };
  struct Attached {
    int body = ground;  // the first bar at the knot, to which the others are joined
    Vector3 point;
  };

  int bodies() const { return static_cast<int>(m_.bodies.size()); }
  // Row 0, as a rope hangs that carries the same load at every knot.
  void placeRow() {
    const Real steepest = 1;  // slope
    row_ = {Vector3::Zero()};
    for (int i = 0; i < columns_; ++i) {
      const Real slope = steepest * (1 - (2 * i + 1.0) / columns_);
      row_.push_back(row_.back() + barLength * (Vector3::UnitX() + slope * down).normalized());
    }
  }
  Vector3 position(Knot k) const { return row_[k.column] + k.row * barLength * down; }

  void addBar(Knot from, Knot to) {
    const Vector3 x = (position(to) - position(from)).normalized();
    const Vector3 z = (Vector3::UnitZ() - x.z() * x).normalized();
    Body body{.centre = 0.5 * (position(from) + position(to))};
    body.rotation << x, z.cross(x), z;
    m_.bodies.push_back(body);
    attach(from, barStart);
    attach(to, barEnd);
  }

  void attach(Knot knot, const Vector3& point) {
    const int self = bodies() - 1;
    const std::size_t index = static_cast<std::size_t>(knot.row) * (columns_ + 1) + knot.column;
    if (index >= first_.size()) first_.resize(index + 1);
    Attached& first = first_[index];
    if (first.body == ground) {
      first = {self, point};
      const bool corner = knot.row == 0 && (knot.column == 0 || knot.column == columns_);
      if (corner)
        m_.joints.push_back(
            {.type = Joint::spherical, .point0 = position(knot), .body1 = self, .point1 = point});
    } else {
      m_.joints.push_back({.type = Joint::spherical,
                           .body0 = first.body,
                           .point0 = first.point,
                           .body1 = self,
                           .point1 = point});
    }
  }

  static constexpr Real barLength = 0.4;
  const Vector3 down{0, -0.96, 0.28};  // of the net, which begins to swing
  int count_, columns_;
  Mechanism m_ =
      bars("Net of bars with spherical joints, hung at its upper corners.", {0, -9.81, 0});
  std::vector<Attached> first_;
  std::vector<Vector3> row_;
};

// Cranks 0 ... n stand upright on the ground at x = 0 ... n, couplers join their tops. All joints
// are revolute, so that three rows of every linkage are redundant.
Mechanism fourBars(int count) {
  if (count < 3 || count % 2 == 0)
    throw ModelError("generate four-bars: " + std::to_string(count) +
                     " bodies; n linkages have 2 n + 1 rods, give an odd number >= 3");
  Mechanism m;
  const int linkages = (count - 1) / 2;
  m.description =
      std::to_string(linkages) + " four-bar linkages side by side (IFToMM benchmark A02).";
  m.mass = 1;
  m.inertia = {1e-3, 1 / 12.0, 1 / 12.0};  // about the rod itself nothing turns
  m.gravity = {0, -9.81, 0};
  m.endTime = 10;
  m.numberOfSteps = 10000;
  m.spectralRadius = 0.95;
  const Vector3 start(-0.5, 0, 0), end(0.5, 0, 0);
  Matrix3 upright;
  upright << 0, -1, 0, 1, 0, 0, 0, 0, 1;
  for (int k = 0, lastCrank = 0; k <= linkages; ++k) {
    const int crank = static_cast<int>(m.bodies.size());
    m.bodies.push_back({{Real(k), 0.5, 0}, upright, {0.5, 0, 0}, {0, 0, -1}});
    m.joints.push_back({.point0 = {Real(k), 0, 0}, .body1 = crank, .point1 = start});
    if (k > 0) {
      const int coupler = crank + 1;
      m.bodies.push_back({{k - 0.5, 1, 0}, Matrix3::Identity(), {1, 0, 0}, Vector3::Zero()});
      m.joints.push_back({.body0 = lastCrank, .point0 = end, .body1 = coupler, .point1 = start});
      m.joints.push_back({.body0 = crank, .point0 = end, .body1 = coupler, .point1 = end});
    }
    lastCrank = crank;
  }
  m.sensors = {{"B0Position", 0, end, "Position"}, {"B0Velocity", 0, end, "Velocity"}};
  return m;
}

// Spheres on a loose and slightly irregular lattice, ten wide and ten high at most, in a trough.
Mechanism bed(int count) {
  Mechanism m;
  m.description = std::to_string(count) + " spheres that fall into a trough.";
  m.sphereRadius = 0.05;
  m.mass = 0.5;
  m.inertia.setConstant(0.4 * m.mass * m.sphereRadius * m.sphereRadius);
  m.gravity = {0, 0, -9.81};
  m.endTime = 0.2;
  m.numberOfSteps = 400;
  m.spectralRadius = 0.6;
  const int side = std::clamp(static_cast<int>(std::ceil(std::cbrt(count))), 1, 10);
  const Real spacing = 2.2 * m.sphereRadius, play = 0.08 * m.sphereRadius;
  const int length = (count + side * side - 1) / (side * side);
  m.trough = spacing * Vector3(side, length, side);
  for (int i = 0; i < count; ++i) {
    const Vector3 cell(i % side, i / (side * side), i / side % side);
    const Vector3 aside(std::sin(12.9 * i), std::sin(78.2 * i), std::sin(37.7 * i));
    m.bodies.push_back({.centre = spacing * (cell + Vector3::Constant(0.5)) + play * aside});
  }
  m.sensors = {{"firstPosition", 0, Vector3::Zero(), "Position"},
               {"lastPosition", count - 1, Vector3::Zero(), "Position"}};
  return m;
}

std::string nodeTypeFromOption(std::string_view option) {
  const std::string name =
      option.starts_with("RigidBody") ? std::string(option) : "RigidBody" + std::string(option);
  if (name == "RigidBodyRotVecLG" || name == "RigidBodyEP" || name == "RigidBodyRxyz") return name;
  throw ModelError("generate: nodes '" + std::string(option) +
                   "' are unknown; use RotVecLG, EP or Rxyz");
}

// Adds the items of a mechanism to a model.
class Builder {
 public:
  Builder(const Mechanism& mechanism, std::string_view nodes, MainSystem& mbs)
      : m_(mechanism), nodes_(nodes), mbs_(mbs) {}

  void build() {
    for (const Body& body : m_.bodies) addNode(body);
    addObjects();
    for (const Joint& joint : m_.joints) {
      const std::string_view type = joint.type == Joint::revolute ? "BodyRigid" : "BodyPosition";
      addMarker(type, joint.body0, joint.point0);
      addMarker(type, joint.body1, joint.point1);
    }
    for (int b = 0; b < bodies(); ++b) {
      const int marker = addMarker("BodyMass", b, Vector3::Zero());
      mbs_.AddLoad("MassProportional",
                   {{"markerNumber", marker}, {"loadVector", VectorX(m_.gravity)}});
    }
    if (m_.sphereRadius > 0) addContacts();
    for (const auto& sensor : m_.sensors)
      mbs_.AddSensor("Body",
                     {{"bodyNumber", objectOfBody_[sensor.body]},
                      {"localPosition", VectorX(sensor.point)},
                      {"outputVariableType", std::string(sensor.variable)}},
                     sensor.name);
  }

 private:
  int bodies() const { return static_cast<int>(m_.bodies.size()); }

  void addNode(const Body& b) {
    const int rotations = nodes_ == "RigidBodyEP" ? 4 : 3;
    VectorX q(3 + rotations), v(3 + rotations);
    q.head<3>() = b.centre;
    v.head<3>() = b.velocity;
    if (nodes_ == "RigidBodyEP") {
      const Vector4 e = eulerParametersFromRotation(b.rotation);
      q.tail<4>() = e;
      v.tail<4>() = 0.25 * gbarEulerParameters(e).transpose() * b.angularVelocity;
    } else if (nodes_ == "RigidBodyRxyz") {
      const Vector3 angles = taitBryanFromRotation(b.rotation);
      q.tail<3>() = angles;
      v.tail<3>() = gbarTaitBryan(angles).inverse() * b.angularVelocity;
    } else {
      q.tail<3>() = logSO3(b.rotation);
      v.tail<3>() = b.angularVelocity;
    }
    mbs_.AddNode(nodes_, {{"referenceCoordinates", withoutSigns(q)},
                          {"initialVelocities", withoutSigns(v)}});
  }

  static VectorX withoutSigns(const VectorX& x) { return x.array() + 0.0; }  // no -0 in files

  // A joint follows the later of its bodies, so that neighbours in the mechanism are neighbours in
  // memory.
  void addObjects() {
    mbs_.AddObject("Ground");
    Vector6 inertia = Vector6::Zero();
    inertia.head<3>() = m_.inertia;
    std::size_t joint = 0;
    for (int b = 0; b < bodies(); ++b) {
      objectOfBody_.push_back(mbs_.AddObject(
          "RigidBody", {{"mass", m_.mass}, {"inertia", VectorX(inertia)}, {"nodeNumber", b}}));
      for (; joint < m_.joints.size() && m_.joints[joint].body1 == b; ++joint)
        addJoint(m_.joints[joint], static_cast<int>(2 * joint));
    }
  }

  void addJoint(const Joint& joint, int marker) {
    Dictionary parameters = {{"markerNumbers", std::vector<int>{marker, marker + 1}}};
    if (joint.type == Joint::revolute && !joint.rotation0.isIdentity(0))
      parameters.emplace_back("rotationMarker0", MatrixX(joint.rotation0));
    mbs_.AddObject(joint.type == Joint::revolute ? "JointRevoluteZ" : "JointSpherical", parameters);
  }

  void addContacts() {
    std::vector<int> spheres, planes;
    for (int b = 0; b < bodies(); ++b)
      spheres.push_back(addMarker("BodyRigid", b, Vector3::Zero()));
    const Vector3 start = Vector3::Zero(), end(m_.trough.x(), m_.trough.y(), 0);
    for (const Vector3& corner : {start, start, start, end, end})
      planes.push_back(addMarker("BodyRigid", ground, corner));
    MatrixX normals(5, 3);
    normals << 0, 0, 1, 1, 0, 0, 0, 1, 0, -1, 0, 0, 0, -1, 0;
    const int set = mbs_.AddObject("ContactSet",
                                   {{"sphereMarkers", spheres},
                                    {"sphereRadii", VectorX(VectorX::Constant(1, m_.sphereRadius))},
                                    {"planeMarkers", planes},
                                    {"planeNormals", normals},
                                    {"contactStiffness", 1e6},
                                    {"dampingModel", std::string("huntCrossley")},
                                    {"huntCrossleyDamping", 0.5},
                                    {"frictionModel", std::string("coulomb")},
                                    {"dynamicFriction", 0.3},
                                    {"frictionProportionalZone", 0.01}});
    for (const auto& [name, variable] :
         {std::pair{"forceOnTrough", "Force"}, {"largestDepth", "PenetrationDepth"}})
      mbs_.AddSensor("Object",
                     {{"objectNumber", set}, {"outputVariableType", std::string(variable)}}, name);
  }

  int addMarker(std::string_view type, int body, const Vector3& point) {
    Dictionary parameters = {{"bodyNumber", body == ground ? 0 : objectOfBody_[body]}};
    if (!point.isZero(0)) parameters.emplace_back("localPosition", VectorX(point));
    return mbs_.AddMarker(type, parameters);
  }

  const Mechanism& m_;
  const std::string_view nodes_;
  MainSystem& mbs_;
  std::vector<int> objectOfBody_;
};

}  // namespace

std::span<const std::string_view> generatedKinds() { return kinds; }

SimulationJob generateModel(const GenerateOptions& options) {
  const std::string nodes = nodeTypeFromOption(options.nodes);
  if (options.bodies < 1 || options.bodies > 100'000'000)
    throw ModelError("generate: " + std::to_string(options.bodies) +
                     " bodies; give 1 to 100000000");
  const int count = static_cast<int>(options.bodies);
  Mechanism mechanism;
  if (options.kind == "chain")
    mechanism = chain(count);
  else if (options.kind == "tree")
    mechanism = tree(count);
  else if (options.kind == "net")
    mechanism = NetBuilder(count).build();
  else if (options.kind == "four-bars")
    mechanism = fourBars(count);
  else if (options.kind == "bed")
    mechanism = bed(count);
  else
    throw ModelError("generate: unknown kind '" + options.kind +
                     "'; use chain, tree, net, four-bars or bed");
  SimulationJob job;
  job.name = options.kind + std::to_string(count);
  job.description = mechanism.description;
  job.settings.timeIntegration.endTime = mechanism.endTime;
  job.settings.timeIntegration.numberOfSteps = mechanism.numberOfSteps;
  job.settings.timeIntegration.generalizedAlpha.spectralRadius = mechanism.spectralRadius;
  job.system = std::make_unique<MainSystem>();
  Builder(mechanism, nodes, *job.system).build();
  return job;
}

}  // namespace catena
