#include "model/manual.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "integrators/settings.h"
#include "items/registry.h"
#include "model/examples.h"

namespace catena {

TEST_CASE("every registered item has a page with its summary and all its parameters") {
  const std::string manual = itemManual();
  for (const ItemType* type : Registry::instance().types()) {
    const std::string page = itemPage(type->name);
    INFO(type->name);
    CHECK_THAT(page, Catch::StartsWith("# "));
    CHECK_THAT(page, Catch::Contains(std::string(type->summary)));
    for (const Field& f : type->fields) {
      INFO(f.name);
      CHECK_FALSE(f.description.empty());
      CHECK_THAT(page, Catch::Contains("| `" + std::string(f.name) + "` |"));
    }
    for (const OutputVariable v : type->outputs)
      CHECK_THAT(page, Catch::Contains("`" + std::string(outputVariableName(v)) + "`"));
    CHECK_THAT(manual, Catch::Contains("\n### " + std::string(type->name) + "\n"));
  }
}

TEST_CASE("the manual shows every item of the golden cases in a model with checked results") {
  const auto examples = smallestExamples(std::string(CATENA_SOURCE_DIR) + "/tests/golden");
  const std::string manual = itemManual(std::string(CATENA_SOURCE_DIR) + "/tests/golden");
  for (const ItemType* type : Registry::instance().types()) {
    INFO(categoryName(type->category) << " " << type->name);
    const auto example = examples.find(type);
    REQUIRE(example != examples.end());
    CHECK_FALSE(example->second.values.empty());
    CHECK_THAT(manual, Catch::Contains("tests/golden/" + example->second.name + ".json"));
  }
}

TEST_CASE("an item is described under its aliases, an unknown one with the nearest name") {
  CHECK_THAT(itemPage("ObjectRigidBody"), Catch::StartsWith("# RigidBody\n"));
  CHECK_THAT(itemPage("GenericJoint"), Catch::StartsWith("# JointGeneric\n"));
  CHECK_THROWS_WITH(itemPage("JointSferical"), Catch::Contains("did you mean 'JointSpherical'?"));
}

TEST_CASE("the table of settings lists each of them") {
  const std::string text = settingsManual();
  for (const Field& f : SimulationSettings::fields())
    CHECK_THAT(text, Catch::Contains("| `" + std::string(f.name) + "` |"));
  for (const Field& f : SimulationSettings::fieldsWithoutEffect())
    CHECK_THAT(text, Catch::Contains("| `" + std::string(f.name) + "` |"));
}

TEST_CASE("the schema is JSON and knows every item, parameter and setting") {
  const auto schema = nlohmann::json::parse(jsonSchema());
  const auto& categories = schema["properties"]["model"]["properties"];
  for (const ItemType* type : Registry::instance().types()) {
    const auto& items =
        categories[std::string(categoryName(type->category)) + "s"]["items"]["oneOf"];
    const auto found = std::find_if(items.begin(), items.end(), [&](const auto& item) {
      return item["properties"]["type"]["enum"][0] == std::string(type->name);
    });
    INFO(type->name);
    REQUIRE(found != items.end());
    for (const Field& f : type->fields) CHECK((*found)["properties"].contains(std::string(f.name)));
  }
  for (const Field& f : SimulationSettings::fields()) {
    const auto* at = &schema["properties"]["simulationSettings"];
    std::string path(f.name);
    for (std::size_t dot; !path.empty(); path = dot == path.npos ? "" : path.substr(dot + 1)) {
      dot = path.find('.');
      REQUIRE(at->contains("properties"));
      REQUIRE((*at)["properties"].contains(path.substr(0, dot)));
      at = &(*at)["properties"][path.substr(0, dot)];
    }
    CHECK(at->contains("description"));
  }
}

}  // namespace catena
