// The reader must turn any text into a model or an error. Texts are made from good models by
// random changes, always the same ones; the sanitizers watch in their own run of the tests.
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

#include "model/json_reader.h"

using namespace catena;

namespace {

const std::vector<std::string> smallModels = {
    R"({"model":{"nodes":[{"type":"Point","name":"tip","referenceCoordinates":[1,0.25,0]}],"objects":[{"type":"Ground"},
{"type":"MassPoint","mass":2.5,"nodeNumber":"tip"},{"type":"ConnectorDistance","markerNumbers":[0,1],"distance":1.0}],
"markers":[{"type":"BodyPosition","bodyNumber":0},{"type":"BodyPosition","bodyNumber":1}],
"loads":[{"type":"ForceVector","markerNumber":1,"loadVector":[0,-24.5,0],"loadVectorUserFunction":["t","f1*2","0"]}]}})",
    R"({"name":"arm","model":{"nodes":[{"type":"RigidBodyEP","referenceCoordinates":[0.2,0,0,1,0,0,0]}],
"objects":[{"type":"Ground"},{"type":"RigidBody","mass":4,"inertia":[0.1,0.2,0.2,0,0,0],"nodeNumber":0},
{"type":"JointGeneric","markerNumbers":[0,1],"constrainedAxes":[1,1,1,1,1,0],
"rotationMarker0":[[1,0,0],[0,1,0],[0,0,1]]}],"markers":[{"type":"BodyRigid","bodyNumber":0},
{"type":"BodyRigid","bodyNumber":1,"localPosition":[-0.2,0,0]}],
"sensors":[{"type":"Body","name":"a","bodyNumber":1,"outputVariableType":"Rotation"}]}})",
    R"({"model":{"nodes":[{"type":"GenericData","numberOfDataCoordinates":1}]},"simulationSettings":{"timeIntegration":
{"endTime":1e-3,"numberOfSteps":10,"newton":{"relativeTolerance":1e-9},"generalizedAlpha":{"spectralRadius":0.8}},
"linearSolverType":"EigenSparse","parallel":{"numberOfThreads":2}},"solve":"dynamic","tolerance":{"relative":1e-7,
"absolute":1e-10,"sensors":{"a":{"relative":1e-3}}},"results":{"times":[0,1],"sensors":{"a":[[1,2],[3,4]]}}})"};

class Mutator {
 public:
  explicit Mutator(std::vector<std::string> seeds) : seeds_(std::move(seeds)) {}

  std::string next() {
    std::string text = seeds_[below(seeds_.size())];
    for (std::size_t changes = below(3) ? 1 : 1 + below(4); changes > 0; --changes) change(text);
    return text;
  }

 private:
  std::size_t below(std::size_t n) { return engine_() % n; }
  std::size_t place(const std::string& text) { return below(text.size() + 1); }

  void change(std::string& text) {
    static const std::string tokens[] = {"{",
                                         "}",
                                         "[",
                                         "]",
                                         ",",
                                         ":",
                                         "\"",
                                         "null",
                                         "true",
                                         "-1",
                                         "1e999",
                                         "-0.0",
                                         "1e308",
                                         "99999999999",
                                         "2147483648",
                                         "\"type\"",
                                         "\"name\":\"x\",",
                                         "[[1,2],[3]]",
                                         "\\u0000",
                                         "\\ud800",
                                         "{\"a\":1}",
                                         "[]",
                                         "NaN",
                                         "\"\"",
                                         "\xff"};
    static const std::string values[] = {
        "0",    "1",     "-1",          "2",          "3",    "7",     "0.5", "-0.0",
        "1e-9", "1e308", "99999999999", "2147483648", "true", "\"x\"", "[]",  "[1,2]"};
    const std::size_t at = place(text), length = below(12);
    switch (below(16)) {
      case 0:  // another byte
        if (at < text.size()) text[at] = static_cast<char>(below(256));
        break;
      case 1:
        text.insert(at, 1, static_cast<char>(32 + below(95)));
        break;
      case 2:
        text.erase(at, length);
        break;
      case 3:
        text.resize(at);
        break;
      case 4:
        text.insert(at, text.substr(place(text), 1 + below(60)));
        break;  // a part once more
      case 5:
        text.insert(at, tokens[below(std::size(tokens))]);
        break;
      case 6:
        replaceNumber(text, tokens[below(std::size(tokens))]);
        break;
      case 7: {  // from another model
        const std::string& other = seeds_[below(seeds_.size())];
        text.replace(at, length, other.substr(place(other), below(60)));
        break;
      }
      default:
        replaceNumber(text, values[below(std::size(values))]);
    }
  }

  // A value of the wrong kind in the right place gets farther than broken syntax.
  void replaceNumber(std::string& text, const std::string& by) {
    const auto at = text.find_first_of("0123456789", place(text));
    if (at == std::string::npos) return;
    const auto end = text.find_first_not_of("0123456789.e-", at);
    text.replace(at, (end == std::string::npos ? text.size() : end) - at, by);
  }

  std::vector<std::string> seeds_;
  std::mt19937 engine_{20240607};
};

struct Tally {
  int models = 0, errors = 0;
};

// Any exception but ModelError is a failure, as is a crash.
Tally readMutations(std::vector<std::string> seeds, int count) {
  Mutator mutator(std::move(seeds));
  Tally tally;
  for (int i = 0; i < count; ++i) {
    const std::string text = mutator.next();
    try {
      SimulationJob job = readJsonText(text, "fuzz");
      job.system->Assemble();
      ++tally.models;
    } catch (const ModelError&) {
      ++tally.errors;
    } catch (const std::exception& error) {
      FAIL("input " << i << ": " << error.what() << "\n" << text);
    }
  }
  return tally;
}

bool isModel(const std::string& text) {
  try {
    readJsonText(text, "seed").system->Assemble();
    return true;
  } catch (const ModelError&) {
    return false;
  }
}

// Case files without their results, which would be most of the text.
std::vector<std::string> goldenModels() {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(CATENA_SOURCE_DIR "/tests/golden"))
    if (entry.path().extension() == ".json") paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  std::vector<std::string> texts;
  for (const auto& path : paths) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    const std::string model = text.str().substr(0, text.str().find(",\n \"results\"")) + "}";
    if (model.size() < 4000 && isModel(model)) texts.push_back(model);
  }
  return texts;
}

}  // namespace

TEST_CASE("80000 changed small models are read as a model or an error", "[json][fuzz]") {
  for (const std::string& seed : smallModels) {
    INFO(seed);
    REQUIRE(isModel(seed));
  }
  const Tally tally = readMutations(smallModels, 80000);
  CHECK(tally.models > 8000);  // both ways are taken often
  CHECK(tally.errors > 20000);
}

TEST_CASE("20000 changed golden cases are read as a model or an error", "[json][fuzz]") {
  const std::vector<std::string> models = goldenModels();
  REQUIRE(models.size() > 20);
  const Tally tally = readMutations(models, 20000);
  CHECK(tally.models > 500);
  CHECK(tally.errors > 5000);
}
