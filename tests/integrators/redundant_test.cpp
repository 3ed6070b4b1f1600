// Mechanisms with redundant constraints, which no setting announces.
#include <catch2/catch.hpp>

#include "model/generate.h"
#include "model/json_reader.h"
#include "tests/mechanisms.h"
#include "tests/temporary_directory.h"

using namespace catena;
using namespace catena::test;

namespace {

SimulationJob fourBars(int linkages, Real steps, Real endTime) {
  SimulationJob job = generateModel({"four-bars", 2 * linkages + 1, "RotVecLG"});
  job.settings.timeIntegration.numberOfSteps = steps;
  job.settings.timeIntegration.endTime = endTime;
  job.system->Assemble();
  return job;
}

// Five uniform rods of 1 m and 1 kg in a closed chain with six hinges (IFToMM benchmark A04): 30
// constraints, of which one is redundant in every position that the mechanism can take.
struct Bricard {
  MainSystem mbs;
  int third = -1;  // its end is observed

  Bricard() {
    const Vector3 pins[] = {{0, 0, 0}, {1, 0, 0}, {1, -1, 0}, {1, -1, 1}, {0, -1, 1}, {0, 0, 1}};
    const int axes[] = {1, 2, 0, 1, 2, 0};
    const int ground = mbs.AddObject("Ground");
    int last = marker(ground, pins[0]);
    for (int i = 0; i < 6; ++i) {
      Matrix3 basis = Matrix3::Zero();  // columns, the third along the axis
      for (int k = 0; k < 3; ++k) basis((axes[i] + 1 + k) % 3, k) = 1;
      int next;
      int body = -1;
      if (i < 5) {
        const Vector3 centre = (pins[i] + pins[i + 1]) / 2, along = pins[i + 1] - pins[i];
        VectorX inertia = VectorX::Zero(6), q = VectorX::Zero(6);
        for (int k = 0; k < 3; ++k) inertia[k] = along[k] != 0 ? 1 / 600.0 : 1.01 / 12;
        q.head<3>() = centre;
        const int node = mbs.AddNode("RigidBodyRotVecLG", {{"referenceCoordinates", q}});
        body =
            mbs.AddObject("RigidBody", {{"mass", 1.0}, {"inertia", inertia}, {"nodeNumber", node}});
        const int mass = mbs.AddMarker("BodyMass", {{"bodyNumber", body}});
        mbs.AddLoad("MassProportional",
                    {{"markerNumber", mass}, {"loadVector", vector({0, -9.81, 0})}});
        next = marker(body, pins[i] - centre);
        if (i == 2) third = body;
        joint(last, next, basis);
        last = marker(body, pins[i + 1] - centre);
      } else {
        joint(last, marker(ground, pins[5]), basis);
      }
    }
    mbs.Assemble();
  }

  int marker(int body, const Vector3& point) {
    return mbs.AddMarker("BodyRigid", {{"bodyNumber", body}, {"localPosition", VectorX(point)}});
  }
  void joint(int marker0, int marker1, const Matrix3& basis) {
    mbs.AddObject("JointRevoluteZ", {{"markerNumbers", std::vector<int>{marker0, marker1}},
                                     {"rotationMarker0", MatrixX(basis)},
                                     {"rotationMarker1", MatrixX(basis)}});
  }
  Vector3 pin() const {
    const auto p = mbs.GetObjectOutputBody(third, OutputVariable::Position, {0, 0, 0.5});
    return Eigen::Map<const Vector3>(p.data());
  }
};

}  // namespace

TEST_CASE("four-bar linkages of 3D hinges follow the exact motion through their flat pose",
          "[integrators]") {
  // IFToMM benchmark A02; the elliptic integrals give the place of the first pin after 4 s.
  const auto [linkages, exact] =
      GENERATE(table<int, Real>({{2, 0.117616102376}, {40, 0.069342032228}}));
  std::vector<Real> errors;
  for (const Real steps : {2000.0, 4000.0}) {
    SimulationJob job = fourBars(linkages, steps, 4);
    const SolveReport report = job.system->SolveDynamic(job.settings);
    INFO(linkages << " linkages, " << steps << " steps: " << report.message);
    REQUIRE(report.outcome == Outcome::finished);
    CHECK(report.linearSolver == "multifrontal");
    CHECK_THAT(
        report.constraints,
        Catch::Contains("1 degree of freedom, " + std::to_string(15 * linkages + 5) +
                        " constraints, " + std::to_string(3 * linkages) + " of them redundant"));
    errors.push_back(std::abs(job.system->GetSensorValues(0)[0] - exact));
    CHECK(std::abs(job.system->GetSensorValues(0)[2]) < 1e-9);
  }
  CHECK(errors[0] < 1e-3);
  CHECK(std::log2(errors[0] / errors[1]) == Approx(2).margin(0.15));
}

TEST_CASE("1000 four-bar linkages of 3D hinges", "[integrators][slow]") {
  // Steps of 1 ms end so close to the flat pose at 0.72 s that they may fail.
  std::vector<Real> errors;
  for (const Real steps : {1000.0, 2000.0}) {
    SimulationJob job = fourBars(1000, steps, 1);
    const SolveReport report = job.system->SolveDynamic(job.settings);
    INFO(steps << " steps: " << report.message);
    REQUIRE(report.outcome == Outcome::finished);
    CHECK_THAT(report.constraints, Catch::Contains("3000 of them redundant"));
    const auto pin = job.system->GetSensorValues(0);
    errors.push_back((Vector2(pin[0], pin[1]) - Vector2(-0.110770957123, -0.993845961434)).norm());
  }
  CHECK(errors[0] < 1e-4);
  CHECK(std::log2(errors[0] / errors[1]) == Approx(2).margin(0.1));
}

TEST_CASE("redundant reactions are those of least norm, the others do not depend on the solver",
          "[integrators]") {
  VectorX multipliers[2], positions[2];
  int k = 0;
  for (const char* solver : {"multifrontal", "dense"}) {
    SimulationJob job = fourBars(2, 100, 0.3);
    job.settings.linearSolverType = solver;
    REQUIRE(job.system->SolveDynamic(job.settings).outcome == Outcome::finished);
    multipliers[k] = job.system->system().state().multipliers;
    positions[k++] = job.system->system().state().q;
  }
  CHECK((positions[0] - positions[1]).norm() < 1e-9);
  CHECK(multipliers[0].norm() > 10);
  CHECK((multipliers[0] - multipliers[1]).norm() < 1e-6 * multipliers[0].norm());
}

TEST_CASE("Bricard's mechanism moves although a constraint is redundant", "[integrators]") {
  const Vector3 exact(-0.969340344778, -1.221246894956, 0.754278010780);  // after 2 s
  std::vector<Real> errors;
  for (const Real steps : {1000.0, 2000.0}) {
    Bricard b;
    SimulationSettings s = stepping(2, steps);
    s.timeIntegration.generalizedAlpha.spectralRadius = 0.9;
    const SolveReport report = b.mbs.SolveDynamic(s);
    INFO(steps << " steps: " << report.message);
    REQUIRE(report.outcome == Outcome::finished);
    CHECK_THAT(report.constraints,
               Catch::Contains("1 degree of freedom, 30 constraints, 1 of them redundant"));
    errors.push_back((b.pin() - exact).norm());
  }
  CHECK(errors[0] < 1e-3);
  CHECK(std::log2(errors[0] / errors[1]) == Approx(2).margin(0.1));
}

TEST_CASE("redundant constraints that contradict each other are an error", "[integrators]") {
  // a rod held at both ends by hinges that are 0.01 m too far apart
  MainSystem mbs;
  const int ground = mbs.AddObject("Ground");
  const int node = mbs.AddNode("RigidBodyRotVecLG");
  const int body = mbs.AddObject(
      "RigidBody",
      {{"mass", 1.0}, {"inertia", vector({0.1, 0.1, 0.1, 0, 0, 0})}, {"nodeNumber", node}});
  for (const Real side : {-0.5, 0.5}) {
    const int m0 = mbs.AddMarker(
        "BodyRigid", {{"bodyNumber", ground}, {"localPosition", vector({1.01 * side, 0, 0})}});
    const int m1 =
        mbs.AddMarker("BodyRigid", {{"bodyNumber", body}, {"localPosition", vector({side, 0, 0})}});
    mbs.AddObject("JointRevoluteZ", {{"markerNumbers", std::vector<int>{m0, m1}}},
                  side < 0 ? "left" : "right");
  }
  mbs.Assemble();
  const SolveReport report = mbs.SolveDynamic(stepping(0.1, 10));
  CHECK(report.outcome == Outcome::notConverged);
  CHECK_THAT(report.message, Catch::Contains("did not converge"));
  CHECK_THAT(report.message, Catch::Contains("'left'") || Catch::Contains("'right'"));
}
