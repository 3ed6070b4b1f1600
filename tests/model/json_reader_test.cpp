// Models as JSON text: what is read, and that every mistake is told with its place and its remedy.
#include "model/json_reader.h"

#include <catch2/catch.hpp>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "model/json_writer.h"
#include "model/verify.h"

using namespace catena;
using Catch::Contains;

namespace {

const std::string pendulum = R"({
 "name": "pendulum",
 "model": {
  "nodes": [{"type": "Point", "name": "tip", "referenceCoordinates": [1, 0.25, 0]}],
  "objects": [
   {"type": "Ground"},
   {"type": "MassPoint", "mass": 2.5, "nodeNumber": "tip"},
   {"type": "ConnectorDistance", "markerNumbers": [0, 1], "distance": 1.0}
  ],
  "markers": [{"type": "BodyPosition", "bodyNumber": 0}, {"type": "BodyPosition", "bodyNumber": 1}],
  "loads": [{"type": "ForceVector", "markerNumber": 1, "loadVector": [0, -24.5, 0]}],
  "sensors": [{"type": "Node", "name": "p", "nodeNumber": 0, "outputVariableType": "Position"}]
 },
 "simulationSettings": {"timeIntegration": {"endTime": 0.1, "numberOfSteps": 10}}
})";

// The text with one occurrence of a part replaced.
std::string changed(std::string text, const std::string& part, const std::string& by) {
  const auto at = text.find(part);
  REQUIRE(at != std::string::npos);
  return text.replace(at, part.size(), by);
}

std::string errorOf(const std::string& text) {
  try {
    readJsonText(text, "m.json").system->Assemble();
  } catch (const ModelError& error) {
    return error.what();
  }
  return "no error";
}

std::string errorWith(const std::string& part, const std::string& by) {
  return errorOf(changed(pendulum, part, by));
}

// What the writer makes of a model.
std::string written(SimulationJob& job) {
  job.system->items().resolveReferences();
  std::FILE* file = std::tmpfile();
  REQUIRE(file);
  TextFile out(file, "temporary file");
  writeJson(out, job.system->items(), job.settings, {job.name, job.description});
  out.flush();
  std::string text(static_cast<std::size_t>(std::ftell(file)), '\0');
  std::rewind(file);
  REQUIRE(std::fread(text.data(), 1, text.size(), file) == text.size());
  std::fclose(file);
  return text;
}

}  // namespace

TEST_CASE("a model is read with its items, names, settings and references by name", "[json]") {
  SimulationJob job = readJsonText(pendulum, "m.json");
  job.system->Assemble();
  const ItemStore& items = job.system->items();
  CHECK(job.name == "pendulum");
  CHECK(job.solve == "dynamic");
  CHECK(items.count(Category::object) == 3);
  CHECK(items.find(Category::node, "tip") == 0);
  CHECK(std::get<int>(items.parameter(Category::object, 1, "nodeNumber")) == 0);
  CHECK(std::get<Real>(items.parameter(Category::object, 1, "mass")) == 2.5);
  CHECK(std::get<VectorX>(items.parameter(Category::node, 0, "referenceCoordinates"))[1] == 0.25);
  CHECK(job.settings.timeIntegration.numberOfSteps == 10);
  CHECK_FALSE(job.results.has_value());
}

TEST_CASE("older spellings and visualization data are accepted", "[json]") {
  std::string text =
      changed(pendulum, "\"MassPoint\", \"mass\"", "\"ObjectMassPoint\", \"physicsMass\"");
  text = changed(text, "{\"type\": \"Ground\"}",
                 R"({"visualization": {"a": [1, {"b": null}]}, "type": "Ground"})");
  SimulationJob job = readJsonText(text, "m.json");
  CHECK(std::get<Real>(job.system->items().parameter(Category::object, 1, "mass")) == 2.5);
}

TEST_CASE("a model that is written and read again is the same, bit for bit", "[json]") {
  const std::string odd = changed(pendulum, "[1, 0.25, 0]", "[0.1, -0.0, 1.7976931348623157e308]");
  SimulationJob job = readJsonText(odd, "m.json");
  const std::string once = written(job);
  SimulationJob again = readJsonText(once, "again");
  CHECK(written(again) == once);
  const auto a =
      std::get<VectorX>(job.system->items().parameter(Category::node, 0, "referenceCoordinates"));
  const auto b =
      std::get<VectorX>(again.system->items().parameter(Category::node, 0, "referenceCoordinates"));
  REQUIRE(a.size() == b.size());
  CHECK(std::memcmp(a.data(), b.data(), sizeof(Real) * 3) == 0);
  CHECK(again.settings.timeIntegration.endTime == 0.1);
}

TEST_CASE("every golden case of available items survives writing and reading", "[json]") {
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(CATENA_SOURCE_DIR "/tests/golden")) {
    if (entry.path().extension() != ".json") continue;
    try {
      SimulationJob job = readJsonFile(entry.path().string());
      const std::string once = written(job);
      SimulationJob again = readJsonText(once, entry.path().filename().string());
      CHECK(written(again) == once);
      ++count;
    } catch (const ModelError& error) {
      INFO(error.what());
      CHECK_THAT(error.what(), Contains("unknown type '"));  // waits for a later item, nothing else
    }
  }
  CHECK(count >= 53);
}

TEST_CASE("malformed JSON is told with line and column", "[json]") {
  CHECK_THAT(errorOf("{\n \"model\": {\n  \"nodes\": [}\n}"),
             Catch::StartsWith("m.json:3:13: malformed JSON: "));
  CHECK_THAT(errorOf(pendulum.substr(0, 70)), Catch::StartsWith("m.json:4:"));
  CHECK_THAT(errorOf(""),
             Contains("m.json:1:1: malformed JSON") && Contains("unexpected end of input"));
  CHECK_THAT(errorOf(pendulum + "x"),
             Contains("m.json:15:2: malformed JSON") && Contains("expected end of input"));
  CHECK_THAT(errorWith("2.5", "2.5,"), Contains("m.json:7:") && Contains("malformed JSON"));
  CHECK_THAT(errorWith("tip", "t\xffp"), Contains("m.json:4:") && Contains("UTF-8"));
}

TEST_CASE("numbers that are not finite are refused", "[json]") {
  const std::string message = errorWith("2.5", "1e999");
  CHECK_THAT(message, Contains("m.json:7:") && Contains("number overflow parsing '1e999'"));
  CHECK_THAT(message, !Contains("exception"));
  CHECK_THAT(errorWith("2.5", "NaN"), Contains("m.json:7:") && Contains("malformed JSON"));
  CHECK_THAT(errorWith("2.5", "-Infinity"), Contains("m.json:7:") && Contains("malformed JSON"));
}

TEST_CASE("a key that appears twice in one object is an error at every level", "[json]") {
  CHECK_THAT(errorWith("\"mass\": 2.5", "\"mass\": 2.5, \"mass\": 3"),
             Contains("'mass' appears twice"));
  CHECK_THAT(errorWith("\"endTime\": 0.1", "\"endTime\": 1, \"endTime\": 2"),
             Contains("'endTime' appears twice"));
  CHECK_THAT(errorWith("\"loads\"", "\"nodes\""), Contains("'nodes' appears twice"));
  CHECK_THAT(errorWith("\"name\": \"pendulum\"", "\"name\": \"a\", \"name\": \"b\""),
             Contains("'name' appears twice"));
}

TEST_CASE("nesting of any depth is refused without exhausting the stack", "[json]") {
  const std::string brackets(100000, '['), braces = [] {
    std::string text;
    for (int i = 0; i < 100000; ++i) text += "{\"a\":";
    return text;
  }();
  CHECK_THAT(errorOf(brackets), Contains("expected") || Contains("holds one object"));
  CHECK_THAT(errorOf("{\"model\":" + brackets), Contains("nested deeper than 32 levels"));
  CHECK_THAT(errorOf("{\"informative\":" + braces), Contains("nested deeper than 32 levels"));
  CHECK_THAT(errorWith("[1, 0.25, 0]", brackets), Contains("nested deeper than 32 levels"));
}

TEST_CASE("unknown keys and types are told with the nearest known name", "[json]") {
  CHECK_THAT(errorWith("\"model\"", "\"modle\""),
             Contains("unknown key 'modle'; did you mean 'model'?"));
  CHECK_THAT(errorWith("\"objects\"", "\"object\""),
             Contains("model: unknown key 'object'; did you mean 'objects'?"));
  CHECK_THAT(errorWith("\"MassPoint\"", "\"MasPoint\""),
             Contains("m.json: object 1: unknown type 'MasPoint'; did you mean 'MassPoint'?"));
  CHECK_THAT(errorWith("\"mass\"", "\"maas\""),
             Contains("object 1 (MassPoint): unknown parameter 'maas'; did you mean 'mass'?"));
  CHECK_THAT(
      errorWith("\"endTime\"", "\"entTime\""),
      Contains(
          "unknown setting 'timeIntegration.entTime'; did you mean 'timeIntegration.endTime'?"));
  CHECK_THAT(errorWith("\"type\": \"MassPoint\", ", ""), Contains("object 1: 'type' is missing"));
}

TEST_CASE("wrong types and sizes of parameters are told with item, parameter and value", "[json]") {
  CHECK_THAT(errorWith("2.5", "\"heavy\""),
             Contains("object 1 (MassPoint): mass = 'heavy' has the wrong type"));
  CHECK_THAT(errorWith("2.5", "null"),
             Contains("object 1 (MassPoint): mass") && Contains("found null"));
  CHECK_THAT(errorWith("2.5", "{\"kg\": 1}"),
             Contains("object 1 (MassPoint): mass") && Contains("found object"));
  CHECK_THAT(errorWith("[1, 0.25, 0]", "[1, 2]"),
             Contains("node 0 'tip' (Point): referenceCoordinates = [1, 2] has 2 values") &&
                 Contains("3 numbers"));
  CHECK_THAT(errorWith("[1, 0.25, 0]", "[[1, 2], [3]]"),
             Contains("rows of a matrix must have equal lengths"));
  CHECK_THAT(errorWith("[1, 0.25, 0]", "[1, \"a\", 3]"),
             Contains("only numbers, only texts or only rows"));
  CHECK_THAT(errorWith("[1, 0.25, 0]", "[true, 0.25, 0]"),
             Contains("only numbers, only texts or only rows"));
  CHECK_THAT(errorWith("[1, 0.25, 0]", "[true, 2, 0]"), Contains("may further hold only 0 and 1"));
  CHECK_THAT(errorWith("\"Position\"", "\"Positon\""), Contains("did you mean 'Position'?"));
  CHECK_THAT(errorWith("\"name\": \"tip\"", "\"name\": 5"),
             Contains("node 0: 'name' must be a text"));
}

TEST_CASE("values out of bounds are told with value, bound and unit", "[json]") {
  CHECK_THAT(errorWith("2.5", "-5"), Contains("object 1 (MassPoint): mass = -5 kg must be >= 0"));
  CHECK_THAT(errorWith("\"numberOfSteps\": 10", "\"numberOfSteps\": 0"),
             Contains("settings: timeIntegration.numberOfSteps = 0 must be"));
}

TEST_CASE("references that lead nowhere are told with the remedy", "[json]") {
  CHECK_THAT(errorWith("\"nodeNumber\": \"tip\"", "\"nodeNumber\": 7"),
             Contains("object 1 (MassPoint): nodeNumber = 7 refers to no node; the model has 1"));
  CHECK_THAT(errorWith("\"nodeNumber\": \"tip\"", "\"nodeNumber\": \"tpi\""),
             Contains("there is no node of that name; did you mean 'tip'?"));
  CHECK_THAT(errorWith("\"nodeNumber\": \"tip\"", "\"nodeNumber\": 99999999999999999999"),
             Contains("wrong type"));
  CHECK_THAT(
      errorWith("\"name\": \"p\"",
                "\"name\": \"p\", \"nodeNumber\": 0},\n{\"type\": \"Node\", \"name\": \"p\""),
      Contains("the name 'p' is already taken by sensor 0 'p' (Node)"));
}

TEST_CASE("things of the wrong shape around the items are told with what was expected", "[json]") {
  for (const std::string text : {"[]", "3", "null", "\"model\""})
    CHECK_THAT(errorOf(text), Contains("a model file holds one object"));
  for (const std::string model :
       {"[]", "3", "{\"nodes\": {}}", "{\"nodes\": [1]}", "{\"nodes\": [[{}]]}"})
    CHECK_THAT(errorOf("{\"model\": " + model + "}"), Contains("expected a list of items"));
  CHECK_THAT(errorOf("{}"), Contains("the model is empty"));
  CHECK_THAT(errorOf("{\"simulationSettings\": 3}"),
             Contains("simulationSettings must be an object"));
  CHECK_THAT(errorWith("{\"endTime\": 0.1, \"numberOfSteps\": 10}", "null"),
             Contains("found null"));
}

// Without these checks the comparison would look beyond the end of the table.
TEST_CASE("results to compare with are one full row per time", "[json]") {
  const auto withResults = [](const std::string& results) {
    return pendulum.substr(0, pendulum.size() - 1) + ", \"results\": " + results + "}";
  };
  const auto job = readJsonText(
      withResults(R"({"times": [0, 0.1], "sensors": {"p": [[1, 0, 0], [1, 0, 0]]}})"), "m");
  REQUIRE(job.results.has_value());
  CHECK(job.results->sensors[0].components == 3);
  CHECK(job.results->sensors[0].values.size() == 6);
  CHECK_THAT(errorOf(withResults(R"({"times": [0, 0.1], "sensors": {"p": [[1, 0, 0]]}})")),
             Contains("results: sensor 'p' has 1 rows, times has 2; give one row per time"));
  CHECK_THAT(errorOf(withResults(R"({"times": [0, 0.1], "sensors": {"p": [[1, 0, 0], [1]]}})")),
             Contains("results: sensor 'p' has rows of 3 and of 1 values"));
  CHECK_THAT(errorOf(withResults(R"({"sensors": {"p": [[1]]}})")), Contains("times has 0"));
  for (const std::string wrong :
       {"3", "[]", R"({"times": "x"})", R"({"times": [0], "sensors": {"p": [["x"]]}})"})
    CHECK_THAT(errorOf(withResults(wrong)), Contains("results: expected 'times'"));
}

TEST_CASE("a file that cannot be read is told with the system's reason", "[json]") {
  CHECK_THROWS_WITH(readJsonFile("nothing/here.json"),
                    Contains("here.json: cannot be read: No such file"));
  CHECK_THROWS_WITH(readJsonFile("."), Contains("cannot be read: Is a directory"));
}
