#include "model/generate.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <sstream>

#include "model/json_reader.h"
#include "model/json_writer.h"
#include "tests/temporary_directory.h"

namespace catena {
namespace {

std::string generated(const std::string& kind, long long bodies, const std::string& nodes = "EP") {
  const test::TemporaryDirectory directory;
  const SimulationJob job = generateModel({kind, bodies, nodes});
  writeJsonFile(directory / "model.json", job.system->items(), job.settings);
  return test::readFile(directory / "model.json");
}

}  // namespace

TEST_CASE("every generated model has the bodies asked for and runs, linkages with redundant rows") {
  const auto [kind, bodies] = GENERATE(table<std::string, int>({{"chain", 1},
                                                                {"chain", 5},
                                                                {"tree", 1},
                                                                {"tree", 2},
                                                                {"tree", 30},
                                                                {"net", 1},
                                                                {"net", 2},
                                                                {"net", 5},
                                                                {"net", 31},
                                                                {"four-bars", 3},
                                                                {"four-bars", 21},
                                                                {"bed", 1},
                                                                {"bed", 30}}));
  const std::string nodes = GENERATE("EP", "RotVecLG", "RigidBodyRxyz");
  INFO(kind << " " << bodies << " " << nodes);
  SimulationJob job = readJsonText(generated(kind, bodies, nodes), "generated");
  CHECK(job.system->items().count(Category::node) == bodies);
  job.settings.timeIntegration.endTime = 0.02;
  job.settings.timeIntegration.numberOfSteps = 20;
  job.system->Assemble();
  const System& system = job.system->system();
  CHECK((system.multipliers() > system.dynamicUnknowns()) == (kind == "four-bars"));
  const SolveReport report = job.system->SolveDynamic(job.settings);
  CHECK(report.outcome == Outcome::finished);
  CHECK(report.newtonIterations <= 60);
}

TEST_CASE("the generated chain reaches the known place after one second") {
  SimulationJob job = readJsonText(generated("chain", 400), "chain");
  job.system->Assemble();
  REQUIRE(job.system->SolveDynamic(job.settings).outcome == Outcome::finished);
  const std::vector<Real> displacement = job.system->GetSensorValues(0);
  const std::vector<Real> rotation = job.system->GetSensorValues(1);
  const Real u[] = {-0.25907236, -0.43030816, 1.09168392};
  const Real angles[] = {0.40213238, 0.8653121, 2.25943439};
  for (int i = 0; i < 3; ++i) {
    CHECK(displacement[i] == Approx(u[i]).margin(1e-8));
    CHECK(rotation[i] == Approx(angles[i]).margin(1e-8));
  }
}

TEST_CASE("a large generated net swings for its second in the steps that it asks for", "[slow]") {
  SimulationJob job = readJsonText(generated("net", 1000, "RotVecLG"), "net");
  job.system->Assemble();
  const SolveReport report = job.system->SolveDynamic(job.settings);
  CHECK(report.outcome == Outcome::finished);
  CHECK(report.rejectedSteps == 0);
}

TEST_CASE("four-bar linkages start upright with one metre per second") {
  SimulationJob job = readJsonText(generated("four-bars", 5, "RotVecLG"), "four-bars");
  job.system->Assemble();
  const auto near = [](const std::vector<Real>& values, const Vector3& expected) {
    return (Eigen::Map<const Vector3>(values.data()) - expected).norm() < 1e-14;
  };
  CHECK(near(job.system->GetSensorValues(0), {0, 1, 0}));
  CHECK(near(job.system->GetSensorValues(1), {1, 0, 0}));
}

TEST_CASE("generated numbers are read back without loss and lists hold one item a line") {
  const std::string text = generated("chain", 3, "RotVecLG");
  const auto json = nlohmann::json::parse(text);
  CHECK(json["model"]["nodes"][0]["referenceCoordinates"][0] == 0.2);
  CHECK(json["model"]["objects"][1]["inertia"][0] == 4 / 12.0 * (0.01 + 0.01));
  std::istringstream lines(text);
  int items = 0;
  for (std::string line; std::getline(lines, line);) items += line.starts_with("  {\"type\": ");
  CHECK(items == 3 + 7 + 9 + 3 + 2);
}

TEST_CASE("options that make no model are refused with the remedy") {
  CHECK_THROWS_WITH(generated("four-bars", 4), Catch::Contains("odd number"));
  CHECK_THROWS_WITH(generated("four-bars", 1), Catch::Contains("odd number"));
  CHECK_THROWS_WITH(generated("chain", 0), Catch::Contains("0 bodies"));
  CHECK_THROWS_WITH(generated("rope", 3),
                    Catch::Contains("use chain, tree, net, four-bars or bed"));
  CHECK_THROWS_WITH(generated("chain", 3, "Point"), Catch::Contains("use RotVecLG, EP or Rxyz"));
}

}  // namespace catena
