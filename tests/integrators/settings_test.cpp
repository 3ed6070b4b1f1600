// Settings: every name of the modelling language is known, and every value is checked.
#include "integrators/settings.h"

#include <catch2/catch.hpp>
#include <set>

using namespace catena;
using Catch::Contains;

TEST_CASE("every setting has a description and a default within its bounds", "[settings]") {
  SimulationSettings settings;
  std::set<std::string_view> names;
  for (const Field& f : SimulationSettings::fields()) {
    INFO(f.name);
    CHECK(names.insert(f.name).second);
    CHECK_FALSE(f.description.empty());
    CHECK_NOTHROW(settings.set(f.name, f.get(&settings)));
  }
}

TEST_CASE("settings are set and read by their dotted path", "[settings]") {
  SimulationSettings settings;
  settings.set("timeIntegration.newton.relativeTolerance", 1e-9);
  CHECK(settings.timeIntegration.newton.relativeTolerance == 1e-9);
  settings.set("timeIntegration.endTime", 3);
  CHECK(std::get<Real>(settings.get("timeIntegration.endTime")) == 3);
  for (const char* solver :
       {"auto", "KLU", "CHOLMOD", "dense", "SparseLU", "EXUdense", "EigenSparse", "EigenDense"})
    CHECK_NOTHROW(settings.set("linearSolverType", std::string(solver)));
}

TEST_CASE("wrong settings are told with the remedy", "[settings]") {
  SimulationSettings settings;
  CHECK_THROWS_WITH(
      settings.set("timeIntegration.newton.relTolerance", 1.0),
      Contains("settings: unknown setting 'timeIntegration.newton.relTolerance'; did you mean "
               "'timeIntegration.newton.relativeTolerance'?"));
  CHECK_THROWS_WITH(settings.get("timeIntegration.endTim"),
                    Contains("did you mean 'timeIntegration.endTime'?"));
  CHECK_THROWS_WITH(settings.set("timeIntegration.generalizedAlpha.spectralRadius", 1.5),
                    Contains("spectralRadius = 1.5 must lie in [0, 1]"));
  CHECK_THROWS_WITH(settings.set("timeIntegration.adaptiveStep", std::string("yes")),
                    Contains("true or false"));
  CHECK_THROWS_WITH(settings.set("linearSolverType", std::string("UMFPACK")), Contains("'KLU'"));
  CHECK_THROWS_WITH(settings.set("timeIntegration.endTime", std::numeric_limits<Real>::infinity()),
                    Contains("not a finite number"));
}

TEST_CASE("settings of the static solver are their own", "[settings]") {
  SimulationSettings settings;
  settings.set("staticSolver.newton.relativeTolerance", 1e-12);
  settings.set("staticSolver.numberOfLoadSteps", 5);
  CHECK(settings.staticSolver.newton.relativeTolerance == 1e-12);
  CHECK(settings.staticSolver.numberOfLoadSteps == 5);
  CHECK(settings.timeIntegration.newton.relativeTolerance == 1e-8);
  CHECK_THROWS_WITH(settings.set("staticSolver.newton.maxIterations", 0), Contains("must be >= 1"));
  CHECK_THROWS_WITH(settings.set("staticSolver.numberOfLoadStep", 5),
                    Contains("did you mean 'staticSolver.numberOfLoadSteps'?"));
}

TEST_CASE("settings without effect are accepted with the right type only", "[settings]") {
  SimulationSettings settings;
  CHECK_NOTHROW(settings.set("timeIntegration.computeLoadsJacobian", 2));
  CHECK_NOTHROW(settings.set("staticSolver.newton.numericalDifferentiation.forAE", true));
  CHECK_NOTHROW(settings.set("solutionSettings.flushFilesDOF", 100));
  CHECK_THROWS_WITH(settings.set("timeIntegration.computeLoadsJacobian", std::string("all")),
                    Contains("wrong type"));
}

TEST_CASE("settings without effect keep their values", "[settings]") {
  SimulationSettings settings;
  for (const Field& f : SimulationSettings::fieldsWithoutEffect()) {
    INFO(f.name);
    CHECK_FALSE(f.description.empty());
    CHECK_NOTHROW(settings.set(f.name, settings.get(f.name)));
  }
  settings.set("staticSolver.newton.numericalDifferentiation.relativeEpsilon", 1e-6);
  settings.set("solutionSettings.restartFileName", std::string("again.txt"));
  CHECK(std::get<std::string>(settings.get("solutionSettings.restartFileName")) == "again.txt");
  const std::string epsilon = "newton.numericalDifferentiation.relativeEpsilon";
  CHECK(std::get<Real>(settings.get("staticSolver." + epsilon)) == 1e-6);
  CHECK(std::get<Real>(settings.get("timeIntegration." + epsilon)) == 1e-7);
  CHECK(std::get<Real>(settings.get(
            "staticSolver.newton.numericalDifferentiation.minimumCoordinateSize")) == 0.01);
}

TEST_CASE("a setting that would change results but is not available is refused", "[settings]") {
  SimulationSettings settings;
  const std::string path = "timeIntegration.generalizedAlpha.lieGroupSimplifiedKinematicRelations";
  CHECK_NOTHROW(settings.set(path, false));
  CHECK_THROWS_WITH(settings.set(path, true),
                    Contains(path + " = true is not possible") && Contains("leave it false"));
  CHECK_THROWS_WITH(settings.set(path, 1), Contains("is not possible"));
}
