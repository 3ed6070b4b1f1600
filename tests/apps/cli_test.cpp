// The built command, as a user runs it.
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <chrono>
#include <csignal>
#include <nlohmann/json.hpp>
#include <thread>

#include "items/registry.h"
#include "tests/temporary_directory.h"

namespace catena {
namespace {

namespace fs = std::filesystem;
using test::readFile;
using test::writeFile;

using Arguments = std::vector<std::string>;

struct Result {
  int code = -1;
  std::string out, error;
};

// A directory in which the command runs.
class Shell {
 public:
  Result run(const Arguments& arguments) { return wait(start(arguments)); }

  pid_t start(const Arguments& arguments) {
    std::vector<char*> argv{const_cast<char*>(CATENA_COMMAND)};
    for (const auto& a : arguments) argv.push_back(const_cast<char*>(a.c_str()));
    argv.push_back(nullptr);
    const std::string out = directory / "stdout", error = directory / "stderr",
                      in = directory.path();
    const pid_t child = fork();
    if (child == 0) {
      std::signal(SIGINT, SIG_DFL);
      std::signal(SIGTERM, SIG_DFL);
      const int o = open(out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
      const int e = open(error.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
      if (dup2(o, 1) < 0 || dup2(e, 2) < 0 || chdir(in.c_str()) != 0) _exit(126);
      execv(argv[0], argv.data());
      _exit(127);
    }
    return child;
  }

  Result wait(pid_t child) {
    int status = 0;
    waitpid(child, &status, 0);
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, readFile(directory / "stdout"),
            readFile(directory / "stderr")};
  }

  test::TemporaryDirectory directory;
};

// One line that begins like every error and contains the text.
void checkError(const Result& result, int code, const std::string& text) {
  CHECK(result.code == code);
  CHECK_THAT(result.error, Catch::StartsWith("catena: error: ") && Catch::Contains(text));
  CHECK(std::count(result.error.begin(), result.error.end(), '\n') == 1);
}

const Arguments shortRun{"run",   "chain.json",
                         "--set", "timeIntegration.endTime=0.05",
                         "--set", "timeIntegration.numberOfSteps=50"};

Arguments operator+(Arguments a, const Arguments& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

void makeChain(Shell& shell, const std::string& bodies = "10") {
  REQUIRE(shell.run({"generate", "chain", "--bodies", bodies, "-o", "chain.json"}).code == 0);
}

}  // namespace

TEST_CASE("help and version succeed, and help documents the exit codes") {
  Shell shell;
  const Result help = shell.run({"--help"});
  CHECK(help.code == 0);
  CHECK_THAT(help.out, Catch::Contains("Exit codes:") && Catch::Contains("130  interrupted"));
  const Result version = shell.run({"--version"});
  CHECK(version.code == 0);
  CHECK_THAT(version.out, Catch::StartsWith("catena "));
  for (const std::string command : {"run", "eigenvalues", "verify", "describe", "generate"})
    CHECK(shell.run({command, "--help"}).code == 0);
}

TEST_CASE("wrong usage gives one line and exit code 2") {
  Shell shell;
  checkError(shell.run({}), 2, "subcommand");
  checkError(shell.run({"walk"}), 2, "catena --help");
  checkError(shell.run({"run"}), 2, "MODEL");
  checkError(shell.run({"run", "a.json", "--threads", "0"}), 2, "threads");
  checkError(shell.run({"run", "a.json", "--quiet", "--verbose"}), 2, "excludes");
  checkError(shell.run({"run", "nothing.json"}), 2, "nothing.json: cannot be read: No such file");
  checkError(shell.run({"describe", "JointRevolutZ"}), 2, "did you mean 'JointRevoluteZ'?");
  checkError(shell.run({"generate", "four-bars", "--bodies", "4"}), 2, "odd number");
}

TEST_CASE("a mistake in the model is one line that names the file") {
  Shell shell;
  writeFile(shell.directory / "bad.json", "{\"model\": {\"nodes\": [{\"type\": \"Poynt\"}]}}");
  checkError(shell.run({"run", "bad.json"}), 2, "bad.json: ");
  writeFile(shell.directory / "broken.json", "{\n\"model\": }");
  checkError(shell.run({"run", "broken.json"}), 2, "broken.json:2:");
  CHECK_FALSE(fs::exists(shell.directory / "output"));
}

TEST_CASE("a run writes its results below output and tells where") {
  Shell shell;
  makeChain(shell);
  const Result result = shell.run(shortRun);
  CHECK(result.code == 0);
  CHECK(result.error.empty());
  CHECK_THAT(result.out, Catch::Contains("chain10: finished at t = 0.05 s") &&
                             Catch::Contains("factorization") && Catch::Contains("tipRotation") &&
                             Catch::Contains("results in output/chain10"));
  const auto summary =
      nlohmann::json::parse(readFile(shell.directory / "output/chain10/summary.json"));
  CHECK(summary["outcome"] == "finished");
  CHECK(summary["steps"] == 50);
  CHECK(summary["provenance"]["command"] ==
        "catena run chain.json --set timeIntegration.endTime=0.05 --set "
        "timeIntegration.numberOfSteps=50");
  CHECK(fs::exists(shell.directory / "output/chain10/tipDisplacement.csv"));
  CHECK(fs::exists(shell.directory / "output/chain10/solution.h5"));
}

TEST_CASE("quiet runs print nothing, and output none writes nothing") {
  Shell shell;
  makeChain(shell);
  const Result result = shell.run(shortRun + Arguments{"--quiet", "--output", "none"});
  CHECK(result.code == 0);
  CHECK(result.out.empty());
  CHECK_FALSE(fs::exists(shell.directory / "output"));
  CHECK_FALSE(fs::exists(shell.directory / "none"));
}

TEST_CASE("verbose runs print every step, others at most one line in two seconds") {
  Shell shell;
  makeChain(shell);
  const auto steps = [](const std::string& text) {
    std::size_t count = 0;
    for (auto at = text.find("  step "); at != text.npos; at = text.find("  step ", at + 1))
      ++count;
    return count;
  };
  CHECK(steps(shell.run(shortRun + Arguments{"--verbose"}).out) == 50);
  CHECK(steps(shell.run(shortRun).out) <= 1);
}

TEST_CASE("settings on the command line are checked like those of the model") {
  Shell shell;
  makeChain(shell);
  checkError(shell.run({"run", "chain.json", "--set", "timeIntegration.endtime=1"}), 2,
             "did you mean 'timeIntegration.endTime'?");
  checkError(shell.run({"run", "chain.json", "--set", "endTime"}), 2, "path=value");
  checkError(shell.run({"run", "chain.json", "--set", "timeIntegration.endTime=soon"}), 2,
             "a number");
}

TEST_CASE("an unwritable output directory ends the command before the run with exit code 2") {
  Shell shell;
  makeChain(shell);
  checkError(shell.run(shortRun + Arguments{"--output", "chain.json/out"}), 2,
             "chain.json/out: cannot be made: Not a directory");
}

TEST_CASE("a full disk gives exit code 1, names the file and keeps the results so far") {
  Shell shell;
  makeChain(shell);
  fs::create_directories(shell.directory / "out");
  fs::create_symlink("/dev/full", shell.directory / "out/tipRotation.csv");
  checkError(shell.run(shortRun + Arguments{"--output", "out", "--quiet"}), 1,
             "out/tipRotation.csv: writing failed: No space left on device");
  CHECK_THAT(readFile(shell.directory / "out/tipDisplacement.csv"), Catch::Contains("\n0.01,"));
  fs::create_symlink("/dev/full", shell.directory / "full.json");
  checkError(shell.run({"generate", "chain", "--bodies", "3", "-o", "full.json"}), 1, "full.json");
}

TEST_CASE("a run that does not converge exits with 1 and keeps the results so far") {
  Shell shell;
  makeChain(shell);
  const Result result =
      shell.run({"run", "chain.json", "--quiet", "--set", "timeIntegration.newton.maxIterations=1",
                 "--set", "timeIntegration.adaptiveStep=false"});
  checkError(result, 1, "chain.json: ");
  const auto summary =
      nlohmann::json::parse(readFile(shell.directory / "output/chain10/summary.json"));
  CHECK(summary["outcome"] == "not converged");
  CHECK_FALSE(summary["message"].get<std::string>().empty());
}

TEST_CASE("Ctrl-C finishes the step, writes what there is and exits with 130") {
  Shell shell;
  makeChain(shell, "50");
  const int signal = GENERATE(SIGINT, SIGTERM);
  const pid_t child =
      shell.start({"run", "chain.json", "--output", "out", "--set",
                   "timeIntegration.numberOfSteps=1e7", "--set", "timeIntegration.endTime=1e4"});
  // The solution file is made just before the steps begin.
  for (int i = 0; i < 1000 && !fs::exists(shell.directory / "out/solution.h5"); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  kill(child, signal);
  checkError(shell.wait(child), 130, "interrupted at t = ");
  const auto summary = nlohmann::json::parse(readFile(shell.directory / "out/summary.json"));
  CHECK(summary["outcome"] == "interrupted");
  CHECK(summary["time"].get<double>() > 0);
  const std::string tip = readFile(shell.directory / "out/tipDisplacement.csv");
  CHECK(std::count(tip.begin(), tip.end(), '\n') >= 2);
}

TEST_CASE("eigenvalues prints frequencies, modes that grow, degrees of freedom and constraints") {
  Shell shell;
  // a damped oscillator with omega = 5 rad/s, one that falls with 3 1/s, a mass held twice
  writeFile(shell.directory / "modes.json", R"({"name": "modes", "model": {
    "nodes": [{"type": "PointGround"}, {"type": "1D"}, {"type": "1D"}, {"type": "1D"}],
    "objects": [{"type": "Mass1D", "mass": 4, "nodeNumber": 1},
                {"type": "Mass1D", "mass": 4, "nodeNumber": 2},
                {"type": "Mass1D", "mass": 4, "nodeNumber": 3},
                {"type": "ConnectorCoordinateSpringDamper", "markerNumbers": [0, 1], "stiffness": 100, "damping": 2},
                {"type": "ConnectorCoordinateSpringDamper", "markerNumbers": [0, 2], "stiffness": -36},
                {"type": "ConnectorCoordinate", "markerNumbers": [0, 3]},
                {"type": "ConnectorCoordinate", "markerNumbers": [0, 3]}],
    "markers": [{"type": "NodeCoordinate", "nodeNumber": 0, "coordinate": 0},
                {"type": "NodeCoordinate", "nodeNumber": 1, "coordinate": 0},
                {"type": "NodeCoordinate", "nodeNumber": 2, "coordinate": 0},
                {"type": "NodeCoordinate", "nodeNumber": 3, "coordinate": 0}]}})");
  const Result result = shell.run({"eigenvalues", "modes.json", "--json", "modes.out"});
  CHECK(result.code == 0);
  CHECK_THAT(result.out, Catch::StartsWith("2 degrees of freedom: 3 coordinates, 2 constraints, 1 "
                                           "of them redundant\n"));
  const auto file = nlohmann::json::parse(readFile(shell.directory / "modes.out"));
  CHECK(file["degreesOfFreedom"] == 2);
  CHECK(file["redundantConstraints"] == 1);
  CHECK(file["damped"] == false);
  CHECK(file["provenance"]["command"] == "catena eigenvalues modes.json --json modes.out");
  REQUIRE(file["modes"].size() == 2);
  CHECK(file["modes"][0]["frequency"] == 0.0);
  CHECK(file["modes"][0]["exponent"][0].get<Real>() == Approx(3));
  CHECK(file["modes"][0]["dampingRatio"] == -1.0);
  CHECK(file["modes"][1]["frequency"].get<Real>() == Approx(5 / (2 * M_PI)));
  CHECK(file["modes"][1]["exponent"][1].get<Real>() == Approx(5));

  REQUIRE(shell.run({"eigenvalues", "modes.json", "--damped", "--json", "damped.out"}).code == 0);
  const auto damped = nlohmann::json::parse(readFile(shell.directory / "damped.out"));
  REQUIRE(damped["modes"].size() == 4);
  int pairs = 0;
  for (const auto& mode : damped["modes"])
    if (mode["frequency"].get<Real>() > 0.1) {
      CHECK(mode["exponent"][0].get<Real>() == Approx(-0.25));
      CHECK(std::abs(mode["exponent"][1].get<Real>()) == Approx(std::sqrt(25 - 0.0625)));
      CHECK(mode["dampingRatio"].get<Real>() == Approx(0.05));
      ++pairs;
    }
  CHECK(pairs == 2);

  REQUIRE(shell.run({"eigenvalues", "modes.json", "-n", "1", "--json", "one.out"}).code == 0);
  CHECK(nlohmann::json::parse(readFile(shell.directory / "one.out"))["modes"].size() == 1);
  checkError(shell.run({"eigenvalues", "modes.json", "-n", "0"}), 2, "--modes");
  checkError(shell.run({"eigenvalues", "nothing.json"}), 2, "nothing.json: cannot be read");
  checkError(shell.run({"eigenvalues", "modes.json", "--json", "no/such.json"}), 2, "no/such.json");
}

TEST_CASE("eigenvalues at the static equilibrium see the stiffness there") {
  Shell shell;
  // 100 u + 50 u^3 = 150 N at u = 1, where the stiffness is 250 N/m
  writeFile(shell.directory / "cubic.json", R"({"model": {
    "nodes": [{"type": "PointGround"}, {"type": "1D"}],
    "objects": [{"type": "Mass1D", "mass": 4, "nodeNumber": 1},
                {"type": "ConnectorCoordinateSpringDamper", "markerNumbers": [0, 1],
                 "springForceUserFunction": "100*u + 50*u^3"}],
    "markers": [{"type": "NodeCoordinate", "nodeNumber": 0, "coordinate": 0},
                {"type": "NodeCoordinate", "nodeNumber": 1, "coordinate": 0}],
    "loads": [{"type": "Coordinate", "markerNumber": 1, "load": 150}]}})");
  const auto omega = [&](const Arguments& more) {
    const Result result = shell.run(Arguments{"eigenvalues", "cubic.json", "--json", "out"} + more);
    INFO(result.error);
    REQUIRE(result.code == 0);
    return nlohmann::json::parse(readFile(shell.directory / "out"))["modes"][0]["exponent"][1]
        .get<Real>();
  };
  CHECK(omega({}) == Approx(5));
  CHECK(omega({"--equilibrium"}) == Approx(std::sqrt(62.5)).epsilon(1e-6));
  checkError(shell.run({"eigenvalues", "cubic.json", "--equilibrium", "--set",
                        "staticSolver.newton.maxIterations=1", "--set",
                        "staticSolver.adaptiveStep=false"}),
             1, "cubic.json: no equilibrium found: Newton did not converge");
}

TEST_CASE("verify compares with the results in a model") {
  Shell shell;
  const std::string golden = CATENA_SOURCE_DIR "/tests/golden/point_cartesian_spring.json";
  REQUIRE(fs::exists(golden));
  const Result good = shell.run({"verify", golden, "--verbose"});
  CHECK(good.code == 0);
  CHECK_THAT(good.out, Catch::StartsWith("passed point_cartesian_spring"));

  auto json = nlohmann::json::parse(readFile(golden));
  for (auto& [name, rows] : json["results"]["sensors"].items()) rows.back()[0] = 1e3;
  writeFile(shell.directory / "wrong.json", json.dump());
  const Result wrong = shell.run({"verify", "wrong.json", golden});
  CHECK(wrong.code == 1);
  CHECK_THAT(wrong.out, Catch::Contains("FAILED wrong") && Catch::Contains("1 passed, 1 deviate"));
  json.erase("results");
  writeFile(shell.directory / "wrong.json", json.dump());
  checkError(shell.run({"verify", "wrong.json"}), 2, "carries no results");
}

TEST_CASE("a case that needs what is not available waits, which fails unless allowed") {
  Shell shell;
  writeFile(
      shell.directory / "later.json",
      "{\"solve\": \"someday\", \"model\": {}, \"results\": {\"times\": [], \"sensors\": {}}}");
  const Result result = shell.run({"verify", "later.json"});
  CHECK(result.code == 1);
  CHECK_THAT(result.out, Catch::StartsWith("waits  later") && Catch::Contains("'someday'"));
  CHECK(shell.run({"verify", "later.json", "--allow-waiting"}).code == 0);
}

TEST_CASE("bench measures phases and counts, and tells what became slower") {
  Shell shell;
  const Result result = shell.run({"bench", "chain:5", "net:4", "--steps", "20", "--repeat", "3",
                                   "--threads", "1,2", "--json", "old.json"});
  REQUIRE(result.code == 0);
  CHECK_THAT(result.out, Catch::Contains("net:4: 4 bodies, 39 unknowns, 20 steps, 2 threads"));
  auto json = nlohmann::json::parse(readFile(shell.directory / "old.json"));
  REQUIRE(json["runs"].size() == 4);
  CHECK_FALSE(json["provenance"]["commit"].empty());
  for (auto& run : json["runs"]) {
    CHECK(run["counts"]["iterations"] >= 20);
    CHECK(run["counts"]["matrixNonzeros"] > 39);
    for (auto& seconds : run["seconds"]) {
      REQUIRE(seconds.size() == 3);
      seconds = {1, 1.1, 1.05};
    }
  }
  writeFile(shell.directory / "old.json", json.dump());
  json["runs"][2]["seconds"]["solve"] = {1.09, 1.3, 1.2};  // the fastest is among the old ones
  writeFile(shell.directory / "noisy.json", json.dump());
  CHECK(shell.run({"bench", "--compare", "old.json", "noisy.json"}).code == 0);
  json["runs"][2]["seconds"]["solve"] = {1.2, 1.3, 1.2};
  json["runs"][3]["counts"]["iterations"] = 7;
  writeFile(shell.directory / "new.json", json.dump());
  const Result slower = shell.run({"bench", "--compare", "old.json", "new.json"});
  CHECK(slower.code == 1);
  CHECK_THAT(slower.out, Catch::Contains("SLOWER") && Catch::Contains("-> 7"));
  CHECK(shell.run({"bench", "--compare", "new.json", "old.json"}).code == 0);
  CHECK(shell.run({"bench", "--compare", "old.json", "new.json", "--threshold", "0.5"}).code == 0);
}

TEST_CASE("bench refuses what it cannot measure or compare") {
  Shell shell;
  checkError(shell.run({"bench"}), 2, "no model given");
  checkError(shell.run({"bench", "chain:many"}), 2, "expected a number of bodies");
  checkError(shell.run({"bench", "absent.json"}), 2, "absent.json");
  checkError(shell.run({"bench", "chain:2", "--json", "absent/b.json"}), 2, "absent/b.json");
  writeFile(shell.directory / "other.json", "{}");
  checkError(shell.run({"bench", "--compare", "other.json", "other.json"}), 2,
             "not written by catena bench");
}

TEST_CASE("describe prints every item, the settings and the schema") {
  Shell shell;
  for (const ItemType* type : Registry::instance().types()) {
    const Result result = shell.run({"describe", std::string(type->name)});
    INFO(type->name);
    CHECK(result.code == 0);
    CHECK_THAT(result.out, Catch::Contains("# " + std::string(type->name) + "\n"));
  }
  CHECK_THAT(shell.run({"describe"}).out, Catch::StartsWith("# Items\n"));
  CHECK(shell.run({"describe", "items"}).out == shell.run({"describe"}).out);
  CHECK_THAT(shell.run({"describe", "settings"}).out, Catch::Contains("`timeIntegration.endTime`"));
  CHECK(nlohmann::json::parse(shell.run({"describe", "schema"}).out)["type"] == "object");
}

}  // namespace catena
