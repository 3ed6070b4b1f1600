#include "bench/mechanism.h"

#include <cmath>
#include <memory>

#include "integrators/generalized_alpha.h"
#include "kernels/rotation.h"

namespace catena::bench {

int threads = 1;

namespace {

constexpr Real pi = 3.14159265358979323846;

VectorX coordinates(const std::string& nodes, const Vector3& position, const Matrix3& rotation) {
  VectorX q(nodes == "RigidBodyEP" ? 7 : 6);
  q.head<3>() = position;
  if (nodes == "RigidBodyEP")
    q.tail<4>() = eulerParametersFromRotation(rotation);
  else if (nodes == "RigidBodyRxyz")
    q.tail<3>() = taitBryanFromRotation(rotation);
  else
    q.tail<3>() = logSO3(rotation);
  return q;
}

// Bars of 0.4 x 0.1 x 0.1 m and 1000 kg/m^3, each turned against the one before; revolute joints
// about z.
void addChain(MainSystem& mbs, long long bodies, const std::string& nodes) {
  const Real mass = 4;
  VectorX inertia(6);
  inertia << mass / 12 * Vector3(0.02, 0.17, 0.17), Vector3::Zero();
  const Matrix3 turn =
      rotationFromTaitBryan({0.01 * pi, 0, 0}) * rotationFromTaitBryan({0, 0, 0.02 * pi});
  Matrix3 rotation = Matrix3::Identity(), relative = Matrix3::Identity();
  Vector3 start = Vector3::Zero();
  int last = mbs.AddMarker("BodyRigid", {{"bodyNumber", mbs.AddObject("Ground")}});
  for (long long i = 0; i < bodies; ++i) {
    const int node =
        mbs.AddNode(nodes, {{"referenceCoordinates",
                             coordinates(nodes, start + rotation * Vector3(0.2, 0, 0), rotation)}});
    const int body =
        mbs.AddObject("RigidBody", {{"mass", mass}, {"inertia", inertia}, {"nodeNumber", node}});
    const int left =
        mbs.AddMarker("BodyRigid", {{"bodyNumber", body}, {"localPosition", vector({-0.2, 0, 0})}});
    mbs.AddObject("JointRevoluteZ", {{"markerNumbers", std::vector<int>{last, left}},
                                     {"rotationMarker0", MatrixX(relative)}});
    const int weight = mbs.AddMarker("BodyMass", {{"bodyNumber", body}});
    mbs.AddLoad("MassProportional",
                {{"markerNumber", weight}, {"loadVector", vector({0, 0, 9.81})}});
    last =
        mbs.AddMarker("BodyRigid", {{"bodyNumber", body}, {"localPosition", vector({0.2, 0, 0})}});
    start += rotation * Vector3(0.4, 0, 0);
    rotation = rotation * turn;
    relative = turn;
  }
}

}  // namespace

MainSystem& chain(long long bodies, const std::string& nodes) {
  static std::unique_ptr<MainSystem> kept;
  static long long keptBodies = 0;
  static std::string keptNodes;
  if (!kept || keptBodies != bodies || keptNodes != nodes) {
    kept.reset();  // before the next one is built: two of them may not fit in memory
    kept = std::make_unique<MainSystem>();
    addChain(*kept, bodies, nodes);
    kept->Assemble();
    keptBodies = bodies;
    keptNodes = nodes;
  }
  kept->system().setThreads(threads);
  kept->system().state() = kept->system().initialState();
  return *kept;
}

void setMoving(System& system) {
  State& s = system.state();
  for (int i = 0; i < s.v.size(); ++i) {
    s.v[i] = 0.1 * std::sin(1.0 + i);
    s.a[i] = std::cos(1.0 + i);
  }
  for (int i = 0; i < s.multipliers.size(); ++i) s.multipliers[i] = 10 * std::sin(2.0 + i);
}

Variation stepVariation() {
  const Real h = 1e-3;
  const AlphaCoefficients c = alphaFromSpectralRadius(0.8);
  Variation v;
  v.velocity = c.gamma / (h * c.beta);
  v.acceleration = (1 - c.alphaM) / (h * h * c.beta * (1 - c.alphaF));
  v.rowScale = c.beta * h * h;
  v.constraintVelocity = v.velocity;
  return v;
}

}  // namespace catena::bench
