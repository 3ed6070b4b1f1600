// Small mechanisms and random numbers that several tests share.
#pragma once

#include <array>
#include <cmath>
#include <initializer_list>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/rotation.h"
#include "model/main_system.h"

namespace catena::test {

inline constexpr std::array<std::string_view, 3> rigidNodes = {"RigidBodyEP", "RigidBodyRxyz",
                                                               "RigidBodyRotVecLG"};

// Numbers that are the same on every machine and in every run.
class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  Real uniform(Real low, Real high) { return low + (high - low) * (engine_() / 4294967296.0); }
  int below(int n) { return static_cast<int>(engine_() % static_cast<unsigned>(n)); }
  bool chance(Real probability) { return uniform(0, 1) < probability; }
  VectorX vector(int n, Real size = 1) {
    VectorX v(n);
    for (int i = 0; i < n; ++i) v[i] = uniform(-size, size);
    return v;
  }
  Vector3 direction() {
    for (;;) {
      const Vector3 v = vector(3);
      if (const Real n = v.norm(); n > 0.1 && n < 1) return v / n;
    }
  }
  Matrix3 rotation() { return expSO3(uniform(0, M_PI) * direction()); }

 private:
  std::mt19937 engine_;
};

// What a rigid body needs, with the rotation as a matrix and the angular velocity in body axes.
struct Body {
  Vector3 position = Vector3::Zero();
  Matrix3 rotation = Matrix3::Identity();
  Vector3 velocity = Vector3::Zero();  // of the reference point, world
  Vector3 omega = Vector3::Zero();     // body axes
  Real mass = 1;
  Vector3 principal = Vector3::Ones();     // inertia about the centre of mass
  Vector3 centerOfMass = Vector3::Zero();  // inertia and mass must fit, see inertiaVector()
};

// xx, yy, zz, yz, xz, xy of the inertia about the reference point.
inline VectorX inertiaVector(const Body& b) {
  const Matrix3 B = skew(b.centerOfMass);
  const Matrix3 J = Matrix3(b.principal.asDiagonal()) - b.mass * B * B;
  VectorX v(6);
  v << J(0, 0), J(1, 1), J(2, 2), J(1, 2), J(0, 2), J(0, 1);
  return v;
}

inline VectorX rigidCoordinates(std::string_view node, const Vector3& position, const Matrix3& A) {
  VectorX q(node == "RigidBodyEP" ? 7 : 6);
  q.head<3>() = position;
  if (node == "RigidBodyEP")
    q.tail<4>() = eulerParametersFromRotation(A);
  else if (node == "RigidBodyRxyz")
    q.tail<3>() = taitBryanFromRotation(A);
  else
    q.tail<3>() = logSO3(A);
  return q;
}

inline VectorX rigidVelocities(std::string_view node, const VectorX& q, const Vector3& velocity,
                               const Vector3& omega) {
  VectorX v(q.size());
  v.head<3>() = velocity;
  if (node == "RigidBodyEP")
    v.tail<4>() = gbarEulerParameters(q.tail<4>()).transpose() * omega / 4;
  else if (node == "RigidBodyRxyz")
    v.tail<3>() = gbarTaitBryan(q.tail<3>()).inverse() * omega;
  else
    v.tail<3>() = omega;
  return v;
}

// Adds node and body; returns the number of the body.
inline int addBody(MainSystem& mbs, std::string_view node, const Body& b) {
  const VectorX q = rigidCoordinates(node, b.position, b.rotation);
  const VectorX v = rigidVelocities(node, q, b.velocity, b.omega);
  const int n = mbs.AddNode(node, {{"referenceCoordinates", q}, {"initialVelocities", v}});
  return mbs.AddObject("RigidBody", {{"mass", b.mass},
                                     {"inertia", inertiaVector(b)},
                                     {"centerOfMass", VectorX(b.centerOfMass)},
                                     {"nodeNumber", n}});
}

inline int addMarker(MainSystem& mbs, int body, const Vector3& at = Vector3::Zero()) {
  return mbs.AddMarker("BodyRigid", {{"bodyNumber", body}, {"localPosition", VectorX(at)}});
}

inline void addGravity(MainSystem& mbs, int body, const Vector3& g) {
  const int marker = mbs.AddMarker("BodyMass", {{"bodyNumber", body}});
  mbs.AddLoad("MassProportional", {{"markerNumber", marker}, {"loadVector", VectorX(g)}});
}

inline int addConnector(MainSystem& mbs, std::string_view type, int marker0, int marker1,
                        Dictionary parameters = {}) {
  parameters.emplace_back("markerNumbers", std::vector<int>{marker0, marker1});
  return mbs.AddObject(type, parameters);
}

inline SimulationSettings stepping(Real endTime, Real steps, Real spectralRadius = 0.9) {
  SimulationSettings s;
  s.timeIntegration.endTime = endTime;
  s.timeIntegration.numberOfSteps = steps;
  s.timeIntegration.generalizedAlpha.spectralRadius = spectralRadius;
  return s;
}

inline Vector3 vector3(const std::vector<Real>& v) { return {v.at(0), v.at(1), v.at(2)}; }

// The chain of examples/chain.json: bars of 0.4 x 0.1 x 0.1 m and 1000 kg/m^3, revolute joints
// about the z axis of each body, frames turned by 0.01 pi about x and 0.02 pi about z from body to
// body.
struct Chain {
  std::vector<int> bodies, joints;
};
inline Chain addChain(MainSystem& mbs, int count, std::string_view node) {
  Chain chain;
  const Real m = 4;
  int last = addMarker(mbs, mbs.AddObject("Ground"));
  const Matrix3 turn =
      rotationFromTaitBryan({0.01 * M_PI, 0, 0}) * rotationFromTaitBryan({0, 0, 0.02 * M_PI});
  Matrix3 relative = Matrix3::Identity();
  Body b;
  b.mass = m;
  b.principal = m / 12 * Vector3(0.02, 0.17, 0.17);
  Vector3 start = Vector3::Zero();
  for (int i = 0; i < count; ++i) {
    b.position = start + b.rotation * Vector3(0.2, 0, 0);
    const int body = addBody(mbs, node, b);
    const int left = addMarker(mbs, body, {-0.2, 0, 0});
    chain.joints.push_back(
        addConnector(mbs, "JointRevoluteZ", last, left, {{"rotationMarker0", MatrixX(relative)}}));
    addGravity(mbs, body, {0, 0, 9.81});
    last = addMarker(mbs, body, {0.2, 0, 0});
    start += b.rotation * Vector3(0.4, 0, 0);
    b.rotation = b.rotation * turn;
    relative = turn;
    chain.bodies.push_back(body);
  }
  return chain;
}

}  // namespace catena::test
