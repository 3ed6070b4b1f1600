#include "model/manual.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "integrators/settings.h"
#include "model/examples.h"
#include "model/text_file.h"

namespace catena {
namespace {

constexpr std::string_view titles[] = {"Nodes", "Objects", "Markers", "Loads", "Sensors"};
constexpr std::string_view prefixes[] = {"Node", "Object", "Marker", "Load", "Sensor"};
constexpr std::string_view lists[] = {"nodes", "objects", "markers", "loads", "sensors"};

std::string capitalized(std::string_view text) {
  std::string out(text);
  if (!out.empty() && out[0] >= 'a' && out[0] <= 'z')
    out[0] = static_cast<char>(out[0] - 'a' + 'A');
  return out;
}

// Text inside a table: a bar would end the cell.
std::string cell(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '|') out += '\\';
    out += c == '\n' ? ' ' : c;
  }
  return out;
}

std::string code(std::string_view text) {
  return text.empty() ? std::string() : "`" + cell(text) + "`";
}

std::string boundsText(const Bounds& b) {
  const auto number = [](Real x) {
    std::string text;
    appendNumber(text, x);
    return text;
  };
  const bool below = std::isfinite(b.lower), above = std::isfinite(b.upper);
  if (below && above)
    return (b.lowerOpen ? "(" : "[") + number(b.lower) + ", " + number(b.upper) + "]";
  if (below) return (b.lowerOpen ? "> " : ">= ") + number(b.lower);
  if (above) return "<= " + number(b.upper);
  return {};
}

std::string defaultText(const Field& f, const Value& value) {
  switch (f.kind) {
    case FieldKind::index:
      return std::get<int>(value) < 0 ? "none" : code(valueText(value));
    case FieldKind::indexList: {
      for (const int i : std::get<std::vector<int>>(value))
        if (i < 0) return "none";
      return code(valueText(value));
    }
    case FieldKind::function:
      return std::get<UserFunction>(value).defined() ? code(valueText(value)) : "none";
    case FieldKind::string:
      return std::get<std::string>(value).empty() ? "empty" : code(valueText(value));
    default:
      return code(valueText(value));
  }
}

std::string parameterRow(const Field& f, const void* defaults) {
  std::string description(f.description);
  if (!f.alias.empty()) description += " (also " + code(f.alias) + ")";
  return "| `" + std::string(f.name) + "` | " + code(f.symbol) + " | " + cell(fieldTypeText(f)) +
         " | " + cell(f.unit) + " | " + defaultText(f, f.get(defaults)) + " | " +
         cell(boundsText(f.bounds)) + " | " + cell(description) + " |\n";
}

std::string exampleText(const Example& e) {
  std::string values;
  for (const Real x : e.values) {
    if (!values.empty()) values += ", ";
    appendNumber(values, x);
  }
  std::string time;
  appendNumber(time, e.time);
  return "\nExample: [" + e.name + "](../tests/golden/" + e.name + ".json). At t = " + time +
         " s the sensor `" + e.sensor + "` shows " + values +
         "; `./dev catena verify tests/golden/" + e.name + ".json` runs it and compares.\n";
}

std::string pageOf(const ItemType& type, std::string_view heading) {
  const int category = static_cast<int>(type.category);
  std::string text = std::string(heading) + " " + std::string(type.name) + "\n\n";
  text += capitalized(categoryName(type.category)) + ": " + std::string(type.summary) + ".";
  text += " Other names: " + code(std::string(prefixes[category]) + std::string(type.name));
  for (const std::string_view alias : type.aliases) text += ", " + code(alias);
  text += ".\n\n";
  if (!type.theory.empty()) text += std::string(type.theory) + "\n\n";

  const auto pool = type.makePool();
  const void* defaults = pool->at(pool->append());
  text += "| parameter | symbol | type | unit | default | bounds | meaning |\n";
  text += "|---|---|---|---|---|---|---|\n";
  for (const Field& f : type.fields) text += parameterRow(f, defaults);
  if (!type.outputs.empty()) {
    text += "\nOutput variables:";
    for (const OutputVariable v : type.outputs)
      text += (v == type.outputs.front() ? " " : ", ") + code(outputVariableName(v));
    text += ".\n";
  }
  return text;
}

}  // namespace

std::string itemPage(std::string_view name) {
  std::string text;
  for (int c = 0; c < categoryCount; ++c)
    if (const ItemType* type = Registry::instance().find(static_cast<Category>(c), name))
      text += (text.empty() ? "" : "\n") + pageOf(*type, "#");
  if (!text.empty()) return text;

  std::vector<std::string_view> known{"items", "settings", "schema"};
  for (const ItemType* type : Registry::instance().types()) known.push_back(type->name);
  const std::string near = nearestName(name, known);
  throw ModelError(
      "unknown item '" + std::string(name) + "'" +
      (near.empty() ? "; 'catena describe' lists all" : "; did you mean '" + near + "'?"));
}

std::string itemManual(const std::string& exampleFolder) {
  std::map<const ItemType*, Example> examples;
  if (!exampleFolder.empty()) examples = smallestExamples(exampleFolder);
  std::string text =
      "# Items\n\n"
      "Every item of a model is one object `{\"type\": ..., \"name\": ..., parameters}` in the "
      "list of its\n"
      "category. References to other items are indices into their list, counted from 0, or names.\n"
      "Parameters that are not written have their default. Units are SI, angles are in radians.\n"
      "This page is written by `./dev docs` from the declarations of the items.\n";
  for (int c = 0; c < categoryCount; ++c) {
    text += "\n- " + std::string(titles[c]) + ":";
    const char* separator = " ";
    for (const ItemType* type : Registry::instance().types()) {
      if (type->category != static_cast<Category>(c)) continue;
      text += separator + std::string(type->name);
      separator = ", ";
    }
  }
  text += "\n";
  for (int c = 0; c < categoryCount; ++c) {
    text += "\n## " + std::string(titles[c]) + "\n";
    for (const ItemType* type : Registry::instance().types()) {
      if (type->category != static_cast<Category>(c)) continue;
      text += "\n" + pageOf(*type, "###");
      if (const auto e = examples.find(type); e != examples.end()) text += exampleText(e->second);
    }
  }
  return text;
}

std::string settingsManual() {
  const SimulationSettings defaults;
  std::string text =
      "# Simulation settings\n\n"
      "In a model file nested under `simulationSettings`; on the command line `--set "
      "path=value`.\n\n"
      "| setting | type | unit | default | bounds | meaning |\n"
      "|---|---|---|---|---|---|\n";
  for (const Field& f : SimulationSettings::fields())
    text += "| `" + std::string(f.name) + "` | " +
            (f.kind == FieldKind::enumeration ? "choice" : cell(fieldTypeText(f))) + " | " +
            cell(f.unit) + " | " + defaultText(f, f.get(&defaults)) + " | " +
            cell(f.kind == FieldKind::enumeration ? fieldTypeText(f) : boundsText(f.bounds)) +
            " | " + cell(f.description) + " |\n";
  text +=
      "\n## Without effect\n\n"
      "Settings of the modelling language that are checked and kept, and change nothing here.\n\n"
      "| setting | type | default | why |\n"
      "|---|---|---|---|\n";
  for (const Field& f : SimulationSettings::fieldsWithoutEffect())
    text += "| `" + std::string(f.name) + "` | " + cell(fieldTypeText(f)) + " | " +
            defaultText(f, defaults.get(f.name)) + " | " + cell(f.description) + " |\n";
  return text;
}

// --- schema
// -----------------------------------------------------------------------------------------------------

namespace {

std::string boundsSchema(const Bounds& b) {
  std::string text;
  if (std::isfinite(b.lower)) {
    text += b.lowerOpen ? ", \"exclusiveMinimum\": " : ", \"minimum\": ";
    appendNumber(text, b.lower);
  }
  if (std::isfinite(b.upper)) {
    text += ", \"maximum\": ";
    appendNumber(text, b.upper);
  }
  return text;
}

std::string lengthSchema(int length) {
  if (length == 0) return {};
  const std::string n = std::to_string(length);
  return ", \"minItems\": " + n + ", \"maxItems\": " + n;
}

std::string enumSchema(std::span<const std::string_view> names) {
  std::string text = "\"enum\": [";
  for (std::size_t i = 0; i < names.size(); ++i) text += (i ? ", " : "") + jsonString(names[i]);
  return text + "]";
}

constexpr std::string_view referenceSchema =
    "{\"type\": [\"integer\", \"string\"], \"minimum\": -1}";

// What a parameter may hold, without its braces.
std::string typeSchema(const Field& f) {
  const std::string bounds = boundsSchema(f.bounds);
  const auto listOf = [&](const std::string& entry, int length) {
    return "\"type\": \"array\"" + lengthSchema(length) + ", \"items\": " + entry;
  };
  switch (f.kind) {
    case FieldKind::boolean:
      return "\"enum\": [true, false, 0, 1]";
    case FieldKind::integer:
      return "\"type\": \"integer\"" + bounds;
    case FieldKind::real:
      return "\"type\": \"number\"" + bounds;
    case FieldKind::string:
      return "\"type\": \"string\"";
    case FieldKind::vector:
      return listOf("{\"type\": \"number\"" + bounds + "}", f.rows);
    case FieldKind::matrix:
      if (f.stack > 1) {
        Field one = f;
        one.rows = f.stack, one.stack = 0;
        return listOf("{" + typeSchema(one) + "}", 0);
      }
      return listOf("{" + listOf("{\"type\": \"number\"" + bounds + "}", f.columns) + "}", f.rows);
    case FieldKind::enumerationList:
      return listOf("{" + enumSchema(f.choices) + "}", f.rows);
    case FieldKind::integerList:
      return listOf("{\"type\": \"integer\"" + bounds + "}", f.rows);
    case FieldKind::index:
      return "\"type\": [\"integer\", \"string\"], \"minimum\": -1";
    case FieldKind::indexList:
      return listOf(std::string(referenceSchema), f.rows);
    case FieldKind::function:
      return "\"anyOf\": [{\"type\": \"string\"}, {\"type\": \"array\", \"items\": {\"type\": "
             "\"string\"}}, "
             "{\"const\": 0}]";
    case FieldKind::outputVariable:
      return enumSchema(outputVariableNames());
    case FieldKind::enumeration:
      return enumSchema(f.choices);
  }
  return {};
}

std::string fieldSchema(const Field& f, std::string_view name) {
  std::string description(f.description);
  if (!f.unit.empty()) description += " [" + std::string(f.unit) + "]";
  return jsonString(name) + ": {\"description\": " + jsonString(description) + ", " +
         typeSchema(f) + "}";
}

std::string itemSchema(const ItemType& type) {
  const std::string prefixed =
      std::string(prefixes[static_cast<int>(type.category)]) + std::string(type.name);
  std::vector<std::string_view> names{type.name, prefixed};
  names.insert(names.end(), type.aliases.begin(), type.aliases.end());
  std::string text = "{\"description\": " + jsonString(type.summary) + ", \"type\": \"object\",\n";
  text += "        \"properties\": {\n          \"type\": {" + enumSchema(names) + "},\n";
  text +=
      "          \"name\": {\"type\": \"string\"},\n          \"visualization\": {\"type\": "
      "\"object\"}";
  for (const Field& f : type.fields) {
    text += ",\n          " + fieldSchema(f, f.name);
    if (!f.alias.empty()) text += ",\n          " + fieldSchema(f, f.alias);
  }
  return text + "},\n        \"required\": [\"type\"], \"additionalProperties\": false}";
}

std::string categorySchema(int category) {
  std::string text =
      "      " + jsonString(lists[category]) + ": {\"type\": \"array\", \"items\": {\"oneOf\": [\n";
  const char* separator = "        ";
  for (const ItemType* type : Registry::instance().types()) {
    if (type->category != static_cast<Category>(category)) continue;
    text += separator + itemSchema(*type);
    separator = ",\n        ";
  }
  return text + "\n      ]}}";
}

// Settings whose path begins with prefix, as nested objects.
std::string settingsSchema(const std::string& prefix, const std::string& indent) {
  std::string text = "{\"type\": \"object\", \"properties\": {";
  std::vector<std::string_view> groups;
  bool first = true;
  const auto separate = [&] {
    text += (first ? "\n" : ",\n") + indent + "  ";
    first = false;
  };
  for (const Field& f : SimulationSettings::fields()) {
    if (!f.name.starts_with(prefix)) continue;
    const std::string_view rest = f.name.substr(prefix.size());
    const auto dot = rest.find('.');
    if (dot == std::string_view::npos) {
      separate();
      text += fieldSchema(f, rest);
    } else if (std::find(groups.begin(), groups.end(), rest.substr(0, dot)) == groups.end()) {
      groups.push_back(rest.substr(0, dot));
      separate();
      const std::string group(groups.back());
      text += jsonString(group) + ": " + settingsSchema(prefix + group + ".", indent + "  ");
    }
  }
  return text + "}}";
}

}  // namespace

std::string jsonSchema() {
  std::string text =
      "{\n"
      "  \"$schema\": \"https://json-schema.org/draft/2020-12/schema\",\n"
      "  \"title\": \"Catena model\",\n"
      "  \"type\": \"object\",\n"
      "  \"properties\": {\n"
      "    \"name\": {\"type\": \"string\"},\n"
      "    \"description\": {\"type\": \"string\"},\n"
      "    \"solve\": {\"type\": \"string\", \"default\": \"dynamic\"},\n"
      "    \"model\": {\"type\": \"object\", \"additionalProperties\": false, \"properties\": {\n";
  for (int c = 0; c < categoryCount; ++c)
    text += categorySchema(c) + (c + 1 < categoryCount ? ",\n" : "}},\n");
  text += "    \"simulationSettings\": " + settingsSchema("", "    ") + ",\n";
  text +=
      "    \"results\": {\"description\": \"values that catena verify compares with\", \"type\": "
      "\"object\",\n"
      "      \"properties\": {\"times\": {\"type\": \"array\", \"items\": {\"type\": "
      "\"number\"}},\n"
      "                     \"sensors\": {\"type\": \"object\"}}},\n"
      "    \"tolerance\": {\"description\": \"of the comparison\", \"type\": \"object\",\n"
      "      \"properties\": {\"relative\": {\"type\": \"number\"}, \"absolute\": {\"type\": "
      "\"number\"},\n"
      "                     \"sensors\": {\"type\": \"object\"}}}\n"
      "  },\n"
      "  \"required\": [\"model\"]\n"
      "}\n";
  return text;
}

}  // namespace catena
