// The law of sphere contacts: point values, dissipation, momentum, frame indifference, tangents.
#include "items/contact_law.h"

#include <catch2/catch.hpp>
#include <fstream>
#include <nlohmann/json.hpp>

#include "kernels/dual.h"
#include "tests/mechanisms.h"

using namespace catena;
using namespace catena::test;

namespace {

using Json = nlohmann::json;

Json reference() {
  std::ifstream file(CATENA_SOURCE_DIR "/tests/items/contact_reference.json");
  return Json::parse(file);
}

Vector3 vectorOf(const Json& v) {
  return Vector3(v[0].get<Real>(), v[1].get<Real>(), v[2].get<Real>());
}

ContactParameters pointParameters(const std::string& friction) {
  ContactParameters p;
  p.contactStiffness = 1e5;
  p.dampingModel = "huntCrossley";
  p.huntCrossleyDamping = 1;
  p.dynamicFriction = 0.5;
  p.frictionModel = friction;
  p.frictionProportionalZone = 1e-2;
  p.rollingResistance = 2e-4;
  p.rollingProportionalZone = 0.1;
  return p;
}

template <class S>
ContactForces<S> evaluated(const ContactLaw& law, const MatrixOf<S, 3>& n, const S& gap,
                           const MatrixOf<S, 3>& velocity, const MatrixOf<S, 3>& w) {
  ContactForces<S> f;
  f.normal = law.normalForce<S>(gap, S(n.dot(velocity)), 0);
  law.addFriction<S>(n, gap, velocity, w, Sliding::free, f);
  return f;
}

ContactParameters randomParameters(Random& random) {
  ContactParameters p;
  p.contactStiffness = random.uniform(1e3, 1e6);
  p.dampingModel = std::string(dampingModels[random.below(3)]);
  p.contactDamping = random.uniform(0, 100);
  p.dampingRampDepth = random.chance(0.5) ? 0 : 2e-3;
  p.huntCrossleyDamping = random.uniform(0, 2);
  p.dynamicFriction = random.uniform(0.05, 1);
  p.frictionModel = std::string(frictionModels[random.below(5)]);
  p.patchPressure = std::string(patchPressures[random.below(2)]);
  p.frictionRegularization = std::string(frictionRegularizations[random.below(3)]);
  p.frictionProportionalZone = random.uniform(1e-3, 1e-1);
  p.patchRadius = random.chance(0.3) ? 1e-3 : 0;
  p.rollingResistance = random.uniform(0, 1e-3);
  p.rollingProportionalZone = 0.1;
  return p;
}

// Two free balls that overlap, with all kinds of motion; returns their bodies.
std::array<int, 2> addBalls(MainSystem& mbs, Dictionary parameters) {
  Body b;
  b.mass = 0.4;
  b.principal = {3e-4, 2e-4, 2.5e-4};
  b.velocity = {0.5, 0.1, -0.2};
  b.omega = {3, -5, 8};
  const int ball0 = addBody(mbs, "RigidBodyRotVecLG", b);
  b.mass = 0.3;
  b.position = Vector3(0.05, 0.02, 0.03);
  b.velocity = {-0.4, 0.3, 0.1};
  b.omega = {-20, 4, 7};
  const int ball1 = addBody(mbs, "RigidBodyRotVecLG", b);
  for (const auto& [name, value] : Dictionary{{"spheresRadii", VectorX(Vector2(0.03, 0.035))},
                                              {"contactStiffness", 1e4},
                                              {"contactStiffnessExponent", 1.5},
                                              {"dampingModel", std::string("huntCrossley")},
                                              {"huntCrossleyDamping", 0.5},
                                              {"frictionModel", std::string("contensou")},
                                              {"frictionRegularization", std::string("smooth")},
                                              {"dynamicFriction", 0.4},
                                              {"rollingResistance", 1e-3}})
    parameters.emplace_back(name, value);
  addConnector(mbs, "ContactSphereSphere", addMarker(mbs, ball0), addMarker(mbs, ball1),
               parameters);
  return {ball0, ball1};
}

}  // namespace

TEST_CASE("contact law: point values of every law of friction", "[contact]") {
  const Json point = reference()["singleBody"]["pointEvaluation"];
  const Vector3 n(0, 0, 1);
  for (const Json& expected : point["results"]) {
    const ContactLaw law(pointParameters(expected["friction"]), 0.03, "test");
    const ContactForces<Real> f =
        evaluated<Real>(law, n, -1e-3, Vector3(0.03, -0.02, -0.1), Vector3(1, 2, -12));
    INFO(expected["friction"]);
    CHECK(std::abs(f.normal - expected["N"].get<Real>()) < 1e-12);
    CHECK((f.friction - vectorOf(expected["T"])).norm() < 1e-12);
    CHECK(std::abs(f.drilling - expected["Ms"].get<Real>()) < 1e-12);
    CHECK((f.rolling - vectorOf(expected["Mr"])).norm() < 1e-12);
  }
}

TEST_CASE("contact law: friction and damping never do work", "[contact]") {
  Random random(11);
  int touching = 0;
  for (int i = 0; i < 20000; ++i) {
    const ContactLaw law(randomParameters(random), 0.03, "test");
    const Vector3 n = random.direction(), v = random.vector(3, std::pow(10, random.uniform(-4, 1))),
                  w = random.vector(3, std::pow(10, random.uniform(-3, 2)));
    const Real gap = -random.uniform(1e-6, 3e-3);
    const ContactForces<Real> f = evaluated<Real>(law, n, gap, v, w);
    touching += f.normal > 0;
    CHECK(f.normal >= 0);
    CHECK(f.friction.dot(v) <= 0);
    CHECK(f.drilling * n.dot(w) <= 0);
    CHECK(f.rolling.dot(w) <= 1e-18);
    CHECK(std::abs(f.friction.dot(n)) <= 1e-14 * (1 + f.normal));
    CHECK(f.friction.norm() <= law.friction * f.normal * (1 + 1e-12));
    // clipping at zero force gives away stored energy
    CHECK(law.energy(n, gap, v, w, f).dissipatedPower >= -1e-12 * law.elasticForce(gap) * v.norm());
  }
  CHECK(touching > 15000);
}

TEST_CASE("contact law: its derivatives agree with differences and with the closed forms",
          "[contact]") {
  Random random(5);
  using S = Dual<7>;
  using V = MatrixOf<S, 3>;
  const Vector3 n = Vector3(1, 2, 3).normalized();
  for (int i = 0; i < 300; ++i) {
    const ContactLaw law(randomParameters(random), 0.03, "test");
    VectorX x(7);  // gap, velocity, angular velocity
    x << -random.uniform(2e-4, 1.5e-3), random.vector(3, 0.5), random.vector(3, 50);
    const auto at = [&](const VectorX& y) {
      const ContactForces<Real> f =
          evaluated<Real>(law, n, y[0], Vector3(y.segment<3>(1)), Vector3(y.segment<3>(4)));
      VectorX all(6);
      all << f.force(n), f.moment(n);
      return all;
    };
    S gap(x[0]);
    gap.gradient[0] = 1;
    V v, w;
    for (int k = 0; k < 3; ++k) {
      v[k] = S(x[1 + k]), w[k] = S(x[4 + k]);
      v[k].gradient[1 + k] = 1, w[k].gradient[4 + k] = 1;
    }
    const V nS = n.cast<S>();
    const ContactForces<S> f = evaluated<S>(law, nS, gap, v, w);
    const V force = f.force(nS), moment = f.moment(nS);
    for (int j = 0; j < 7; ++j) {
      const Real h = 1e-5 * (j == 0 ? 1e-2 : j < 4 ? 1 : 30);
      VectorX d = VectorX::Zero(7);
      d[j] = h;
      const VectorX near = (at(x + d) - at(x - d)) / (2 * h),
                    far = (at(x + 2 * d) - at(x - 2 * d)) / (4 * h);
      const VectorX slope = (4 * near - far) / 3;
      // where a kink of the force lies within the step
      if ((near - far).norm() > 1e-3 * slope.norm() + 1e-9) continue;
      for (int k = 0; k < 3; ++k) {
        CHECK(std::abs(force[k].gradient[j] - slope[k]) < 1e-6 * (1e-2 + slope.head<3>().norm()));
        CHECK(std::abs(moment[k].gradient[j] - slope[3 + k]) <
              1e-6 * (1e-2 + slope.tail<3>().norm()));
      }
    }
  }
  // finite limits without spin: dT/dw_n = mu N a^2 w v / (5 speed^3) = 0, dM/dw_n = -mu N a^2 / (5
  // speed)
  const ContactLaw law(pointParameters("contensou"), 0.03, "test");
  V v, w;
  const Vector3 e(0, 0, 1), slip(0.03, -0.02, 0);
  for (int k = 0; k < 3; ++k) v[k] = S(slip[k]), w[k] = S(0);
  w[2].gradient[6] = 1;
  const ContactForces<S> f = evaluated<S>(law, e.cast<S>(), S(-1e-3), v, w);
  const Real speed = std::sqrt(slip.squaredNorm() + 1e-4);
  CHECK(f.friction[0].gradient[6] == 0);
  CHECK(f.drilling.gradient[6] ==
        Approx(-0.5 * f.normal.value * 0.03 * 1e-3 / (5 * speed)).epsilon(1e-13));
}

TEST_CASE("contact of free balls keeps momentum for every contact point", "[contact]") {
  for (const Real ratio : {0.0, 0.3, 1.0}) {
    MainSystem mbs;
    const auto balls = addBalls(mbs, {{"contactPointRatio", ratio}});
    mbs.Assemble();
    System& s = mbs.system();
    VectorX r(s.unknowns());
    s.state().a.setZero();
    s.evaluate({}, ConstraintLevel::position, false, r);
    // residual of the contact alone: subtract the bodies' own terms
    MainSystem free;
    addBalls(free, {{"contactPointRatio", ratio}, {"activeConnector", false}});
    free.Assemble();
    free.system().state().a.setZero();
    VectorX own(s.unknowns());
    free.system().evaluate({}, ConstraintLevel::position, false, own);
    r -= own;
    const Vector3 force0 = r.segment<3>(0), force1 = r.segment<3>(6);
    CHECK(force0.norm() > 1);
    CHECK((force0 + force1).norm() < 1e-13 * force0.norm());
    Vector3 moment = Vector3::Zero();  // about the world origin; both bodies start unturned
    for (const int i : {0, 1}) {
      const Vector3 p =
          vector3(mbs.GetObjectOutputBody(balls[i], OutputVariable::Position, Vector3::Zero()));
      moment += p.cross(r.segment<3>(6 * i)) + r.segment<3>(6 * i + 3);
    }
    CHECK(r.segment<3>(3).norm() > 1e-3);
    CHECK(moment.norm() < 1e-14);
  }
}

TEST_CASE("contact of a sphere and a disc does not depend on the frame", "[contact]") {
  Random random(3);
  const Matrix3 turn = random.rotation();
  const Vector3 shift = random.vector(3, 5);
  // the ball's position, rotation and velocities after some bounces, seen from the disc
  const auto run = [&](const Matrix3& Q, const Vector3& p) {
    MainSystem mbs;
    const int ground = mbs.AddObject("Ground");
    const int m0 =
        mbs.AddMarker("BodyRigid", {{"bodyNumber", ground}, {"localPosition", VectorX(p)}});
    Body b;
    b.mass = 0.2;
    b.principal = 0.4 * 0.2 * 9e-4 * Vector3(1, 0.8, 1.2);
    b.position = p + Q * Vector3(0.01, 0.02, 0.035);
    b.rotation = Q;
    b.velocity = Q * Vector3(0.3, 0, -0.5);
    b.omega = {5, 10, 20};
    const int ball = addBody(mbs, "RigidBodyRotVecLG", b);
    addGravity(mbs, ball, Q * Vector3(0, 0, -9.81));
    addConnector(mbs, "ContactSphereDisc", m0, addMarker(mbs, ball),
                 {{"sphereRadius", 0.03},
                  {"planeNormal", VectorX(Q * Vector3(0, 0, 1))},
                  {"discRadius", 0.2},
                  {"contactStiffness", 1e5},
                  {"dampingModel", std::string("restitution")},
                  {"restitutionCoefficient", 0.7},
                  {"impactVelocity", 0.5},
                  {"dynamicFriction", 0.3},
                  {"rollingResistance", 1e-4}});
    mbs.Assemble();
    mbs.SolveDynamic(stepping(0.05, 500));
    VectorX all(15);
    const auto out = [&](OutputVariable v) {
      return mbs.GetObjectOutputBody(ball, v, Vector3::Zero());
    };
    all.segment<3>(0) = Q.transpose() * (vector3(out(OutputVariable::Position)) - p);
    all.segment<3>(3) = Q.transpose() * vector3(out(OutputVariable::Velocity));
    const std::vector<Real> A = out(OutputVariable::RotationMatrix);
    const Matrix3 relative =
        Q.transpose() * Eigen::Map<const Eigen::Matrix<Real, 3, 3, Eigen::RowMajor>>(A.data());
    all.segment<9>(6) = Eigen::Map<const VectorX>(relative.data(), 9);
    return all;
  };
  const VectorX here = run(Matrix3::Identity(), Vector3::Zero()), there = run(turn, shift);
  CHECK(here[5] > 0.1);  // it has bounced
  CHECK((here - there).norm() < 1e-9);
}
