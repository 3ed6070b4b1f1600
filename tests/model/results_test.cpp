#include "model/results.h"

#include <hdf5.h>
#include <sys/resource.h>

#include <catch2/catch.hpp>
#include <csignal>
#include <nlohmann/json.hpp>

#include "kernels/build_info.h"
#include "tests/temporary_directory.h"

namespace catena {
namespace {

namespace fs = std::filesystem;
using test::readFile;
using test::TemporaryDirectory;

// A mass on a spring, with two sensors.
MainSystem oscillator(const std::string& fileName = {}) {
  MainSystem mbs;
  const int ground = mbs.AddObject("Ground");
  const int node = mbs.AddNode("Point", {{"initialCoordinates", vector({0.5, 0, 0})}}, "mass");
  const int body = mbs.AddObject("MassPoint", {{"mass", 2.0}, {"nodeNumber", node}});
  const int m0 = mbs.AddMarker("BodyPosition", {{"bodyNumber", ground}});
  const int m1 = mbs.AddMarker("BodyPosition", {{"bodyNumber", body}});
  mbs.AddObject("ConnectorCartesianSpringDamper",
                {{"markerNumbers", std::vector<int>{m0, m1}}, {"stiffness", vector({50, 60, 70})}});
  mbs.AddSensor("Node", {{"nodeNumber", node}, {"outputVariableType", std::string("Position")}},
                "tip");
  mbs.AddSensor("Node", {{"nodeNumber", node},
                         {"outputVariableType", std::string("Coordinates_t")},
                         {"fileName", fileName}});
  mbs.Assemble();
  return mbs;
}

SimulationSettings shortRun() {
  SimulationSettings s;
  s.timeIntegration.endTime = 0.1;
  s.timeIntegration.numberOfSteps = 100;
  return s;
}

const Provenance provenance{"oscillator", "oscillator.json", hashText("text"), "catena run x.json"};

SolveReport solve(MainSystem& mbs, const SimulationSettings& settings, ResultWriter& results) {
  const auto report =
      mbs.SolveDynamic(settings, [&](const StepInfo& i) { return results.step(i); });
  results.finish(report, report.outcome == Outcome::finished ? "finished" : "not converged");
  return report;
}

// --- reading HDF5 -------------------------------------------------------------------------------

struct Rows {
  hsize_t rows = 0, columns = 1;
  std::vector<Real> values;
};

Rows readSet(const std::string& path, const char* name) {
  Rows result;
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  REQUIRE(file >= 0);
  const hid_t set = H5Dopen2(file, name, H5P_DEFAULT);
  REQUIRE(set >= 0);
  const hid_t space = H5Dget_space(set);
  hsize_t size[2] = {0, 1};
  H5Sget_simple_extent_dims(space, size, nullptr);
  result.rows = size[0], result.columns = size[1];
  result.values.resize(size[0] * size[1]);
  CHECK(H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, result.values.data()) >= 0);
  H5Sclose(space), H5Dclose(set), H5Fclose(file);
  return result;
}

std::vector<std::string> readTexts(const std::string& path, const char* object, const char* name) {
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  REQUIRE(file >= 0);
  const hid_t attribute = H5Aopen_by_name(file, object, name, H5P_DEFAULT, H5P_DEFAULT);
  REQUIRE(attribute >= 0);
  const hid_t type = H5Aget_type(attribute), space = H5Aget_space(attribute);
  const std::size_t width = H5Tget_size(type);
  std::string packed(width * H5Sget_simple_extent_npoints(space), '\0');
  CHECK(H5Aread(attribute, type, packed.data()) >= 0);
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < packed.size(); i += width)
    texts.emplace_back(packed.substr(i, width).c_str());
  H5Sclose(space), H5Tclose(type), H5Aclose(attribute), H5Fclose(file);
  return texts;
}

}  // namespace

TEST_CASE("a run writes one CSV for each sensor with a header and one row for each time") {
  TemporaryDirectory directory;
  MainSystem mbs = oscillator("rates/velocity.csv");
  SimulationSettings settings = shortRun();
  settings.solutionSettings.outputPrecision = 5;
  ResultWriter results(directory / "out", mbs, settings, provenance);
  solve(mbs, settings, results);
  CHECK(results.failure().empty());

  const std::string tip = readFile(directory / "out/tip.csv");
  CHECK_THAT(tip, Catch::StartsWith("time [s],tip.Position.x [m],tip.Position.y [m],"
                                    "tip.Position.z [m]\n0,0.5,0,0\n0.01,0.49938,0,0\n"));
  CHECK(std::count(tip.begin(), tip.end(), '\n') == 12);
  CHECK_THAT(readFile(directory / "out/rates/velocity.csv"),
             Catch::StartsWith("time [s],sensor1.Coordinates_t.0,sensor1.Coordinates_t.1,"));
}

TEST_CASE("the solution file holds all states, their names, units and where they come from") {
  TemporaryDirectory directory;
  MainSystem mbs = oscillator();
  const SimulationSettings settings = shortRun();
  ResultWriter results(directory.path(), mbs, settings, provenance);
  solve(mbs, settings, results);

  const std::string path = directory / "solution.h5";
  const Rows time = readSet(path, "time"), q = readSet(path, "q"), v = readSet(path, "v"),
             a = readSet(path, "a");
  REQUIRE(time.rows == 11);
  CHECK(time.values.back() == Approx(0.1).epsilon(1e-12));
  REQUIRE((q.rows == 11 && q.columns == 3 && v.rows == 11 && a.rows == 11));
  const State& s = mbs.system().state();
  CHECK(q.values.front() == 0.5);
  CHECK(q.values[30] == s.q[0]);
  CHECK(v.values[30] == s.v[0]);
  CHECK(a.values[30] == s.a[0]);
  CHECK(a.values[0] == Approx(-0.5 * 50 / 2));

  CHECK(readTexts(path, "q", "names") == std::vector<std::string>{"mass.q0", "mass.q1", "mass.q2"});
  CHECK(readTexts(path, "q", "units").back() == "m");
  CHECK(readTexts(path, "a", "units").front() == "m/s^2");
  CHECK(readTexts(path, "/", "version").front() == buildInfo::version);
  CHECK(readTexts(path, "/", "commit").front() == buildInfo::commit);
  CHECK(readTexts(path, "/", "command").front() == "catena run x.json");
  CHECK(readTexts(path, "/", "modelHash").front() == "fnv1a64:" + hashText("text"));
  CHECK_THAT(readTexts(path, "/", "settings").front(),
             Catch::Contains("timeIntegration.endTime = 0.1\n"));
}

TEST_CASE("rotational coordinates of rigid bodies have the units of their parameters") {
  TemporaryDirectory directory;
  MainSystem mbs;
  const int node =
      mbs.AddNode("RigidBodyEP", {{"referenceCoordinates", vector({0, 0, 0, 1, 0, 0, 0})}});
  mbs.AddObject("RigidBody",
                {{"mass", 1.0}, {"inertia", vector({1, 1, 1, 0, 0, 0})}, {"nodeNumber", node}});
  mbs.Assemble();
  ResultWriter results(directory.path(), mbs, shortRun(), provenance);
  solve(mbs, shortRun(), results);
  const std::string path = directory / "solution.h5";
  CHECK(readTexts(path, "q", "units") ==
        std::vector<std::string>{"m", "m", "m", "1", "1", "1", "1"});
  CHECK(readTexts(path, "v", "units")[3] == "1/s");
  CHECK(readTexts(path, "a", "units")[3] == "1/s^2");
}

TEST_CASE("the solution file of a large model gives a rule instead of names") {
  TemporaryDirectory directory;
  MainSystem mbs;
  for (int i = 0; i < 6667; ++i)
    mbs.AddObject("MassPoint", {{"mass", 1.0}, {"nodeNumber", mbs.AddNode("Point")}});
  mbs.Assemble();
  ResultWriter results(directory.path(), mbs, shortRun(), provenance);
  results.finish({}, "finished");
  const auto names = readTexts(directory / "solution.h5", "q", "names");
  REQUIRE(names.size() == 1);
  CHECK_THAT(names.front(), Catch::Contains("node by node"));
  CHECK(readSet(directory / "solution.h5", "q").columns == 20001);
}

TEST_CASE("the names of 6000 coordinates fit into the solution file") {
  TemporaryDirectory directory;
  MainSystem mbs;
  for (int i = 0; i < 2000; ++i)
    mbs.AddObject("MassPoint", {{"mass", 1.0}, {"nodeNumber", mbs.AddNode("Point")}});
  mbs.Assemble();
  ResultWriter results(directory.path(), mbs, shortRun(), provenance);
  results.finish({}, "finished");
  CHECK(results.failure().empty());
  CHECK(readTexts(directory / "solution.h5", "q", "names").back() == "node1999.q2");
}

TEST_CASE("the summary tells outcome, counts, times, memory, provenance and settings") {
  TemporaryDirectory directory;
  MainSystem mbs = oscillator();
  ResultWriter results(directory.path(), mbs, shortRun(), provenance);
  CHECK(nlohmann::json::parse(readFile(directory / "summary.json"))["outcome"] == "running");
  const SolveReport report = solve(mbs, shortRun(), results);
  const auto summary = nlohmann::json::parse(readFile(directory / "summary.json"));
  CHECK(summary["outcome"] == "finished");
  CHECK(summary["steps"] == 100);
  CHECK(summary["newtonIterations"] == report.newtonIterations);
  CHECK(summary["seconds"]["total"].get<Real>() > 0);
  CHECK(summary["peakMemoryBytes"].get<Real>() > 1e6);
  CHECK(summary["provenance"]["modelHash"] == "fnv1a64:" + hashText("text"));
  CHECK(summary["settings"]["timeIntegration.endTime"] == 0.1);
}

TEST_CASE("the hash of a text is FNV-1a with 64 bits") {
  CHECK(hashText("") == "cbf29ce484222325");
  CHECK(hashText("foobar") == "85944171f73967e8");
}

TEST_CASE("a stopped run keeps its last state") {
  TemporaryDirectory directory;
  MainSystem mbs = oscillator();
  const SimulationSettings settings = shortRun();
  ResultWriter results(directory.path(), mbs, settings, provenance);
  const auto report = mbs.SolveDynamic(
      settings, [&](const StepInfo& info) { return results.step(info) && info.step < 25; });
  results.finish(report, "interrupted");
  const Rows time = readSet(directory / "solution.h5", "time");
  CHECK(time.values.size() == 4);
  CHECK(time.values.back() == Approx(0.025));
  CHECK_THAT(readFile(directory / "tip.csv"), Catch::Contains("\n0.025,"));
}

TEST_CASE("an unwritable output directory is refused before the run, with the system's reason") {
  TemporaryDirectory directory;
  test::writeFile(directory / "file", "");
  const MainSystem mbs = oscillator();
  CHECK_THROWS_WITH(ResultWriter(directory / "file/out", mbs, shortRun(), provenance),
                    Catch::Contains("file/out") && Catch::Contains("Not a directory"));
  fs::create_directories(directory / "out/tip.csv");
  CHECK_THROWS_WITH(ResultWriter(directory / "out", mbs, shortRun(), provenance),
                    Catch::Contains("out/tip.csv: cannot be written: Is a directory"));
}

TEST_CASE("files of sensors stay in the output directory and are not shared") {
  TemporaryDirectory directory;
  for (const std::string name : {"/x.csv", "../x.csv", "a/../../x.csv", ".", "a/"})
    CHECK_THROWS_WITH(ResultWriter(directory.path(), oscillator(name), shortRun(), provenance),
                      Catch::Contains("sensor 1") && Catch::Contains("output directory"));
  CHECK_THROWS_WITH(ResultWriter(directory.path(), oscillator("tip.csv"), shortRun(), provenance),
                    Catch::Contains("another one is written to 'tip.csv'"));
}

TEST_CASE("a full disk stops the run, is reported with the file, and spares the other files") {
  TemporaryDirectory directory;
  fs::create_symlink("/dev/full", directory / "tip.csv");
  MainSystem mbs = oscillator();
  SimulationSettings settings = shortRun();
  // More rows than the buffer of the stream holds, so that the failure comes in the middle.
  settings.timeIntegration.endTime = 1;
  settings.timeIntegration.numberOfSteps = 10000;
  settings.solutionSettings.sensorsWritePeriod = 1e-4;
  ResultWriter results(directory.path(), mbs, settings, provenance);
  const SolveReport report = solve(mbs, settings, results);
  CHECK(report.outcome == Outcome::stopped);
  CHECK(report.steps < 5000);
  CHECK_THAT(results.failure(),
             Catch::Contains("tip.csv: writing failed: No space left on device"));
  const auto summary = nlohmann::json::parse(readFile(directory / "summary.json"));
  CHECK(summary["outcome"] == "write error");
  CHECK(readSet(directory / "solution.h5", "time").values.size() > 2);
}

TEST_CASE("a solution file that cannot grow is reported and keeps what was flushed") {
  TemporaryDirectory directory;
  MainSystem mbs = oscillator();
  SimulationSettings settings = shortRun();
  settings.timeIntegration.endTime = 1;
  settings.timeIntegration.numberOfSteps = 10000;
  settings.solutionSettings.solutionWritePeriod = 1e-4;
  settings.solutionSettings.sensorsStoreAndWriteFiles = false;
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  const auto oldHandler = std::signal(SIGXFSZ, SIG_IGN);
  std::string failure;
  {
    ResultWriter results(directory.path(), mbs, settings, provenance);
    const rlimit small{200000, before.rlim_max};
    setrlimit(RLIMIT_FSIZE, &small);
    solve(mbs, settings, results);
    failure = results.failure();
  }
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, oldHandler);
  CHECK_THAT(failure, Catch::Contains("solution.h5: writing failed: File too large"));
  CHECK(nlohmann::json::parse(readFile(directory / "summary.json"))["outcome"] == "write error");
  const Rows time = readSet(directory / "solution.h5", "time"),
             q = readSet(directory / "solution.h5", "q");
  REQUIRE(time.rows > 256);
  CHECK(q.rows == time.rows);
  for (hsize_t i = 0; i < time.rows; ++i)
    CHECK(time.values[i] == Approx(1e-4 * static_cast<Real>(i)));
  CHECK(q.values[q.values.size() - 3] ==
        Approx(0.5 * std::cos(5 * time.values.back())).epsilon(1e-6));
  CHECK(fs::file_size(directory / "solution.h5") <= 200000);
}

TEST_CASE("settings switch files off") {
  TemporaryDirectory directory;
  MainSystem mbs = oscillator();
  SimulationSettings settings = shortRun();
  settings.solutionSettings.writeSolutionToFile = false;
  settings.solutionSettings.sensorsStoreAndWriteFiles = false;
  ResultWriter results(directory.path(), mbs, settings, provenance);
  solve(mbs, settings, results);
  CHECK(fs::exists(directory / "summary.json"));
  CHECK_FALSE(fs::exists(directory / "tip.csv"));
  CHECK_FALSE(fs::exists(directory / "solution.h5"));
}

}  // namespace catena
