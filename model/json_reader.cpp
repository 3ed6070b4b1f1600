#include "model/json_reader.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>

namespace catena {
namespace {

using Json = nlohmann::json;
constexpr int maximumDepth = 32;
constexpr std::string_view topLevelKeys[] = {"name",
                                             "description",
                                             "model",
                                             "simulationSettings",
                                             "solve",
                                             "results",
                                             "tolerance",
                                             "informative",
                                             "source",
                                             "statedResult",
                                             "eigenvalueOptions"};

std::string positionText(std::string_view text, std::size_t byte) {
  std::size_t line = 1, column = 1;
  for (std::size_t i = 0; i + 1 < byte && i < text.size(); ++i) {
    if (text[i] == '\n')
      ++line, column = 1;
    else
      ++column;
  }
  return std::to_string(line) + ":" + std::to_string(column);
}

Value toValue(const Json& j, const std::string& where);

Value numbersToValue(const Json& list) {
  const bool integers = std::all_of(list.begin(), list.end(), [](const Json& x) {
    return x.is_number_integer() && std::abs(x.get<double>()) <= 2e9;
  });
  if (integers) {
    std::vector<int> v;
    for (const Json& x : list) v.push_back(x.get<int>());
    return v;
  }
  VectorX v(static_cast<int>(list.size()));
  for (std::size_t i = 0; i < list.size(); ++i) v[static_cast<int>(i)] = list[i].get<double>();
  return v;
}

// Flags may be written as 0 and 1 or as false and true.
Value flagsToValue(const Json& list, const std::string& where) {
  std::vector<int> v;
  for (const Json& x : list) {
    if (x.is_number() && x.get<double>() != 0 && x.get<double>() != 1)
      throw ModelError(where + ": a list with true and false may further hold only 0 and 1");
    v.push_back(x.is_boolean() ? static_cast<int>(x.get<bool>()) : x.get<int>());
  }
  return v;
}

Value rowsToValue(const Json& rows, const std::string& where) {
  const auto hasRows = [](const Json& x) { return !x.empty() && x[0].is_array(); };
  if (std::all_of(rows.begin(), rows.end(), hasRows)) {  // matrices: all their rows
    Json all = Json::array();
    for (const Json& matrix : rows)
      for (const Json& row : matrix) {
        if (!row.is_array()) throw ModelError(where + ": a matrix must be a list of rows");
        all.push_back(row);
      }
    return rowsToValue(all, where);
  }
  const std::size_t columns = rows[0].size();
  MatrixX m(static_cast<int>(rows.size()), static_cast<int>(columns));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].size() != columns)
      throw ModelError(where + ": the rows of a matrix must have equal lengths");
    for (std::size_t k = 0; k < columns; ++k) {
      if (!rows[i][k].is_number()) throw ModelError(where + ": a matrix must consist of numbers");
      m(static_cast<int>(i), static_cast<int>(k)) = rows[i][k].get<double>();
    }
  }
  return m;
}

Value toValue(const Json& j, const std::string& where) {
  if (j.is_boolean()) return j.get<bool>();
  if (j.is_number_integer()) {
    const double x = j.get<double>();
    if (std::abs(x) <= 2e9) return j.get<int>();
    return x;
  }
  if (j.is_number()) return j.get<double>();
  if (j.is_string()) return j.get<std::string>();
  if (j.is_array()) {
    if (j.empty()) return VectorX();
    const auto all = [&](auto&& test) { return std::all_of(j.begin(), j.end(), test); };
    if (all([](const Json& x) { return x.is_number(); })) return numbersToValue(j);
    if (all([](const Json& x) { return x.is_number_integer() || x.is_boolean(); }))
      return flagsToValue(j, where);
    if (all([](const Json& x) { return x.is_array(); })) return rowsToValue(j, where);
    if (all([](const Json& x) { return x.is_string(); })) {
      UserFunction texts;
      for (const Json& x : j) texts.expressions.push_back(x.get<std::string>());
      return texts;
    }
    throw ModelError(where + ": a list must hold only numbers, only texts or only rows of numbers");
  }
  throw ModelError(where + ": expected a number, text, list or matrix, found " +
                   (j.is_null() ? "null" : std::string(j.type_name())));
}

// Builds the values of one item or one top-level entry at a time, so that a large model is never
// held as a whole.
class Reader {
 public:
  Reader(std::string_view text, const std::string& label, SimulationJob& job)
      : text_(text), label_(label), job_(job) {}

  // --- callbacks of the parser ---
  bool null() { return value(Json()); }
  bool boolean(bool x) { return value(Json(x)); }
  bool number_integer(Json::number_integer_t x) { return value(Json(x)); }
  bool number_unsigned(Json::number_unsigned_t x) { return value(Json(x)); }
  bool number_float(Json::number_float_t x, const std::string&) { return value(Json(x)); }
  bool string(std::string& x) { return value(Json(x)); }
  bool binary(Json::binary_t&) { return false; }
  bool key(std::string& k) {
    if (building()) {
      if (stack_.back()->contains(k))
        throw ModelError(label_ + ": the key '" + k + "' appears twice in one object");
      key_ = k;
    } else if (depth_ == 1) {
      topLevelKey(k);
    } else {
      categoryKey(k);
    }
    return true;
  }
  bool start_object(std::size_t) {
    enter();
    if (building()) return open(Json::object());
    if (depth_ == 1 || (depth_ == 2 && section_ == "model")) return true;
    return open(Json::object());
  }
  bool end_object() { return close(); }
  bool start_array(std::size_t) {
    enter();
    if (!building() && depth_ == 3 && section_ == "model" && !category_.empty()) return true;
    if (depth_ == 1)
      throw ModelError(label_ + ": a model file holds one object { ... }, found a list");
    return open(Json::array());
  }
  bool end_array() { return close(); }
  bool parse_error(std::size_t byte, const std::string&, const Json::exception& error) {
    std::string what = error.what();
    // What stands before is the library's own tag and position.
    const std::string_view before = what.find(": ") != std::string::npos ? ": " : "] ";
    if (const auto at = what.find(before); at != std::string::npos) what = what.substr(at + 2);
    if (const auto at = what.rfind("; expected"); at == std::string::npos && what.size() > 160)
      what.resize(160);
    throw ModelError(label_ + ":" + positionText(text_, byte) + ": malformed JSON: " + what);
  }

 private:
  bool building() const { return !stack_.empty(); }

  void enter() {
    if (++depth_ > maximumDepth)
      throw ModelError(label_ + ": nested deeper than " + std::to_string(maximumDepth) + " levels");
  }
  bool open(Json container) {
    if (!building()) {
      root_ = std::move(container);
      stack_.push_back(&root_);
      return true;
    }
    stack_.push_back(append(std::move(container)));
    return true;
  }
  bool close() {
    --depth_;
    if (!building()) return true;
    stack_.pop_back();
    if (!building()) finish();
    return true;
  }
  Json* append(Json x) {
    Json& top = *stack_.back();
    if (top.is_array()) {
      top.push_back(std::move(x));
      return &top.back();
    }
    return &(top[key_] = std::move(x));
  }
  bool value(Json x) {
    if (building()) {
      append(std::move(x));
      return true;
    }
    if (depth_ == 0) throw ModelError(label_ + ": a model file holds one object { ... }");
    root_ = std::move(x);
    finish();
    return true;
  }

  void topLevelKey(const std::string& k) {
    if (std::find(std::begin(topLevelKeys), std::end(topLevelKeys), k) == std::end(topLevelKeys)) {
      const std::string near = nearestName(k, topLevelKeys);
      throw ModelError(label_ + ": unknown key '" + k + "'" +
                       (near.empty() ? "" : "; did you mean '" + near + "'?"));
    }
    if (std::find(seen_.begin(), seen_.end(), k) != seen_.end())
      throw ModelError(label_ + ": the key '" + k + "' appears twice");
    seen_.push_back(k);
    section_ = k;
    category_.clear();
  }
  void categoryKey(const std::string& k) {
    static constexpr std::string_view names[] = {"nodes", "objects", "markers", "loads", "sensors"};
    const auto found = std::find(std::begin(names), std::end(names), k);
    if (found == std::end(names)) {
      const std::string near = nearestName(k, names);
      throw ModelError(label_ + ": model: unknown key '" + k + "'" +
                       (near.empty() ? "; known are nodes objects markers loads sensors"
                                     : "; did you mean '" + near + "'?"));
    }
    if (std::find(seen_.begin(), seen_.end(), "model." + k) != seen_.end())
      throw ModelError(label_ + ": model: the key '" + k + "' appears twice");
    seen_.push_back("model." + k);
    category_ = k;
    categoryIndex_ = static_cast<Category>(found - std::begin(names));
  }

  // A complete value stands in root_: an item, or the value of a top-level key.
  void finish() {
    if (section_ == "model") {
      if (depth_ < 3 || !root_.is_object())
        throw ModelError(label_ + ": model" + (category_.empty() ? "" : "." + category_) +
                         ": expected a list of items { \"type\": ..., ... }");
      addItem();
    } else if (section_ == "simulationSettings") {
      if (!root_.is_object()) throw ModelError(label_ + ": simulationSettings must be an object");
      addSettings("", root_);
    } else if (section_ == "eigenvalueOptions") {
      addEigenvalueOptions();
    } else if (section_ == "results") {
      addResults();
    } else if (section_ == "tolerance") {
      addTolerance();
    } else if (section_ == "name" || section_ == "description" || section_ == "solve") {
      if (!root_.is_string()) throw ModelError(label_ + ": '" + section_ + "' must be a text");
      (section_ == "name"    ? job_.name
       : section_ == "solve" ? job_.solve
                             : job_.description) = root_.get<std::string>();
    }
    root_ = Json();
  }

  void addItem() {
    const std::string where = label_ + ": " + std::string(categoryName(categoryIndex_)) + " " +
                              std::to_string(job_.system->items().count(categoryIndex_));
    const auto type = root_.find("type");
    if (type == root_.end() || !type->is_string())
      throw ModelError(where + ": 'type' is missing; give the type of the item, e.g. \"type\": \"" +
                       (categoryIndex_ == Category::node ? "Point" : "Ground") + "\"");
    std::string name;
    Dictionary parameters;
    // Parameters of a type that is not known may be of any kind; Add() refuses the type.
    const bool known =
        Registry::instance().find(categoryIndex_, type->get_ref<const std::string&>()) != nullptr;
    for (const auto& [k, v] : root_.items()) {
      if (k == "type" || k == "visualization") continue;
      if (k == "name") {
        if (!v.is_string()) throw ModelError(where + ": 'name' must be a text");
        name = v.get<std::string>();
        continue;
      }
      if (!known) continue;
      parameters.emplace_back(k, toValue(v, where + " (" + type->get<std::string>() + "): " + k));
    }
    try {
      job_.system->Add(categoryIndex_, type->get_ref<const std::string&>(), parameters, name);
    } catch (const ModelError& error) {
      throw ModelError(label_ + ": " + error.what());
    }
  }

  void addSettings(const std::string& prefix, const Json& settings) {
    for (const auto& [k, v] : settings.items()) {
      if (v.is_object()) {
        addSettings(prefix + k + ".", v);
        continue;
      }
      try {
        job_.settings.set(prefix + k, toValue(v, label_ + ": simulationSettings." + prefix + k));
      } catch (const ModelError& error) {
        const std::string what = error.what();
        throw ModelError(what.starts_with(label_) ? what : label_ + ": " + what);
      }
    }
  }

  void addEigenvalueOptions() {
    if (!root_.is_object()) throw ModelError(label_ + ": eigenvalueOptions must be an object");
    const auto fields = EigenvalueOptions::fields();
    for (const auto& [k, v] : root_.items()) {
      const auto f = std::find_if(fields.begin(), fields.end(),
                                  [&](const Field& field) { return field.name == k; });
      if (f == fields.end()) {
        std::vector<std::string_view> names;
        for (const Field& known : fields) names.push_back(known.name);
        const std::string near = nearestName(k, names);
        throw ModelError(label_ + ": eigenvalueOptions: unknown key '" + k + "'" +
                         (near.empty() ? "" : "; did you mean '" + near + "'?"));
      }
      const std::string where = label_ + ": eigenvalueOptions";
      f->set(&job_.eigenvalueOptions, checkedValue(*f, toValue(v, where + "." + k), where));
    }
  }

  ReferenceResults& results() {
    if (!job_.results) job_.results.emplace();
    return *job_.results;
  }
  void addResults() {
    ReferenceResults& r = results();
    try {
      if (root_.contains("times")) r.times = root_.at("times").get<std::vector<Real>>();
      if (root_.contains("sensors"))
        for (const auto& [name, rows] : root_.at("sensors").items()) addExpected(r, name, rows);
      if (root_.contains("eigenvalues")) addEigenvalues(r, root_.at("eigenvalues"));
      if (root_.is_object()) return;
    } catch (const Json::exception&) {
    }
    throw ModelError(
        label_ +
        ": results: expected 'times' (list) and 'sensors' (name: list of rows of numbers)");
  }
  // A list of real numbers, or the lists "real" and "imag".
  static void addEigenvalues(ReferenceResults& r, const Json& values) {
    const bool real = values.is_array();
    for (const Json& x : real ? values : values.at("real"))
      r.eigenvalues.emplace_back(x.get<Real>());
    for (std::size_t i = 0; !real && i < r.eigenvalues.size(); ++i)
      r.eigenvalues[i].imag(values.at("imag").at(i).get<Real>());
  }
  // Whoever compares relies on a full table: one row per time, all rows of the same length.
  void addExpected(ReferenceResults& r, const std::string& name, const Json& rows) {
    const std::string where = label_ + ": results: sensor '" + name + "'";
    if (rows.size() != r.times.size())
      throw ModelError(where + " has " + std::to_string(rows.size()) + " rows, times has " +
                       std::to_string(r.times.size()) + "; give one row per time");
    ReferenceResults::Sensor s{name, -1, {}};
    for (const Json& row : rows) {
      const auto values =
          row.is_array() ? row.get<std::vector<Real>>() : std::vector<Real>{row.get<Real>()};
      const int components = static_cast<int>(values.size());
      if (s.components >= 0 && components != s.components)
        throw ModelError(where + " has rows of " + std::to_string(s.components) + " and of " +
                         std::to_string(components) +
                         " values; all rows must have the same length");
      s.components = components;
      s.values.insert(s.values.end(), values.begin(), values.end());
    }
    s.components = std::max(s.components, 0);
    r.sensors.push_back(std::move(s));
  }
  void addTolerance() {
    ReferenceResults& r = results();
    try {
      r.relativeTolerance = root_.value("relative", r.relativeTolerance);
      r.absoluteTolerance = root_.value("absolute", r.absoluteTolerance);
      if (!root_.contains("sensors")) return;
      for (const auto& [name, t] : root_.at("sensors").items())
        r.sensorTolerances[name] = {t.value("relative", r.relativeTolerance),
                                    t.value("absolute", r.absoluteTolerance)};
    } catch (const Json::exception&) {
      throw ModelError(
          label_ +
          ": tolerance: expected { \"relative\": x, \"absolute\": y, \"sensors\": {...} }");
    }
  }

  std::string_view text_;
  const std::string& label_;
  SimulationJob& job_;
  int depth_ = 0;
  std::string section_, category_, key_;
  Category categoryIndex_{};
  std::vector<std::string> seen_;
  Json root_;
  std::vector<Json*> stack_;
};

}  // namespace

SimulationJob readJsonText(std::string_view text, const std::string& label) {
  SimulationJob job;
  job.system = std::make_unique<MainSystem>();
  Reader reader(text, label, job);
  Json::sax_parse(text.begin(), text.end(), &reader);
  // a tolerance block alone carries no results
  if (job.results && job.results->sensors.empty() && job.results->times.empty() &&
      job.results->eigenvalues.empty())
    job.results.reset();
  return job;
}

SimulationJob readJsonFile(const std::string& path) {
  // A directory can be opened, but reads like an empty file.
  if (std::filesystem::is_directory(path))
    throw ModelError(path + ": cannot be read: " + std::strerror(EISDIR));
  std::ifstream file(path, std::ios::binary);
  if (!file) throw ModelError(path + ": cannot be read: " + std::strerror(errno));
  std::ostringstream text;
  text << file.rdbuf();
  if (!file) throw ModelError(path + ": cannot be read: " + std::strerror(errno ? errno : EISDIR));
  return readJsonText(text.view(), path);
}

Value valueFromText(const std::string& text) {
  const Json parsed = Json::parse(text, nullptr, false);
  if (parsed.is_discarded()) return text;
  return toValue(parsed, text);
}

}  // namespace catena
