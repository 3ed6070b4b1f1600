#include "model/json_writer.h"

#include <cmath>
#include <cstring>
#include <map>

namespace catena {
namespace {

void append(std::string& text, Real x) {
  if (x == 0 && std::signbit(x))
    text += "-0.0";  // as an integer it would lose its sign
  else
    appendNumber(text, x);
}

template <class List, class AppendItem>
void appendList(std::string& text, const List& list, const AppendItem& item) {
  text += '[';
  for (int i = 0; i < static_cast<int>(list.size()); ++i) {
    if (i) text += ", ";
    item(list[i]);
  }
  text += ']';
}

void append(std::string& text, const Value& value) {
  std::visit(
      [&](const auto& v) {
        using V = std::decay_t<decltype(v)>;
        if constexpr (std::is_same_v<V, bool>) {
          text += v ? "true" : "false";
        } else if constexpr (std::is_same_v<V, int>) {
          appendNumber(text, static_cast<long long>(v));
        } else if constexpr (std::is_same_v<V, Real>) {
          append(text, v);
        } else if constexpr (std::is_same_v<V, std::string>) {
          text += jsonString(v);
        } else if constexpr (std::is_same_v<V, VectorX>) {
          appendList(text, v, [&](Real x) { append(text, x); });
        } else if constexpr (std::is_same_v<V, std::vector<int>>) {
          appendList(text, v, [&](int i) { appendNumber(text, static_cast<long long>(i)); });
        } else if constexpr (std::is_same_v<V, MatrixX>) {
          text += '[';
          for (int i = 0; i < v.rows(); ++i) {
            if (i) text += ", ";
            appendList(text, VectorX(v.row(i)), [&](Real x) { append(text, x); });
          }
          text += ']';
        } else if (v.expressions.size() == 1) {
          text += jsonString(v.expressions[0]);
        } else {
          appendList(text, v.expressions, [&](const std::string& e) { text += jsonString(e); });
        }
      },
      value);
}

template <class Vector>
bool sameBits(const Vector& a, const Vector& b) {
  return a.rows() == b.rows() && a.cols() == b.cols() &&
         (a.size() == 0 || std::memcmp(a.data(), b.data(), sizeof(Real) * a.size()) == 0);
}

bool equal(const Value& a, const Value& b) {
  if (a.index() != b.index()) return false;
  return std::visit(
      [&](const auto& x) {
        using V = std::decay_t<decltype(x)>;
        const auto& y = std::get<V>(b);
        if constexpr (std::is_same_v<V, VectorX> || std::is_same_v<V, MatrixX>)
          return sameBits(x, y);
        else if constexpr (std::is_same_v<V, Real>)
          return std::memcmp(&x, &y, sizeof(Real)) == 0;
        else if constexpr (std::is_same_v<V, UserFunction>)
          return x.expressions == y.expressions && x.callable == y.callable;
        else
          return x == y;
      },
      a);
}

class Writer {
 public:
  Writer(TextFile& out, const ItemStore& items) : out_(out), items_(items) {}

  void header(const JsonHeader& h) {
    text_ = "{\n";
    if (!h.name.empty()) text_ += "\"name\": " + jsonString(h.name) + ",\n";
    if (!h.description.empty()) text_ += "\"description\": " + jsonString(h.description) + ",\n";
    flush();
  }

  void model() {
    static constexpr std::string_view names[] = {"nodes", "objects", "markers", "loads", "sensors"};
    text_ += "\"model\": {";
    bool first = true;
    for (int c = 0; c < categoryCount; ++c) {
      const auto category = static_cast<Category>(c);
      if (items_.count(category) == 0) continue;
      text_ += (first ? "\n" : ",\n") + std::string(" \"") + std::string(names[c]) + "\": [\n";
      first = false;
      for (int i = 0; i < items_.count(category); ++i) {
        if (i) text_ += ",\n";
        item(category, i);
        if (text_.size() > flushSize) flush();
      }
      text_ += "\n ]";
    }
    text_ += "\n}";
  }

  // Settings that differ from their defaults, with dotted paths as nested objects.
  void settings(const SimulationSettings& settings) {
    std::vector<std::string> open;
    bool first = true;
    text_ += ",\n\"simulationSettings\": {";
    for (const auto& [name, value] : changed(settings)) {
      std::vector<std::string> path = split(name);
      const std::string leaf = path.back();
      path.pop_back();
      std::size_t common = 0;
      while (common < open.size() && common < path.size() && open[common] == path[common]) ++common;
      for (; open.size() > common; open.pop_back()) text_ += "}";
      text_ += first ? "" : ",\n ";
      for (; open.size() < path.size(); open.push_back(path[open.size()]))
        text_ += '"' + path[open.size()] + "\": {";
      text_ += '"' + leaf + "\": ";
      append(text_, value);
      first = false;
    }
    for (; !open.empty(); open.pop_back()) text_ += "}";
    text_ += "}\n}\n";
    flush();
  }

 private:
  static constexpr std::size_t flushSize = 1 << 20;

  // In the order of their names, so that paths of one group follow each other.
  static std::map<std::string_view, Value> changed(const SimulationSettings& settings) {
    const SimulationSettings defaults;
    std::map<std::string_view, Value> values;
    for (const auto fields :
         {SimulationSettings::fields(), SimulationSettings::fieldsWithoutEffect()})
      for (const Field& f : fields) {
        const Value value = settings.get(f.name);
        if (!equal(value, defaults.get(f.name))) values.emplace(f.name, value);
      }
    return values;
  }

  void item(Category category, int number) {
    const ItemType& type = items_.type(category, number);
    const void* item = items_.item(category, number);
    const std::vector<Value>& defaults = defaultsOf(type);
    text_ += "  {\"type\": " + jsonString(type.name);
    if (const auto name = items_.name(category, number); !name.empty())
      text_ += ", \"name\": " + jsonString(name);
    for (std::size_t k = 0; k < type.fields.size(); ++k) {
      const Field& f = type.fields[k];
      const Value value = f.get(item);
      if (const auto* function = std::get_if<UserFunction>(&value); function && function->callable)
        throw ModelError(
            items_.where(category, number) + ": " + std::string(f.name) +
            " is a function of a program and has no text for JSON; give an expression instead");
      if (equal(value, defaults[k])) continue;
      text_ += ", \"" + std::string(f.name) + "\": ";
      if (f.stack > 1)
        appendMatrices(std::get<MatrixX>(value), f.stack);
      else
        append(text_, value);
    }
    text_ += "}";
  }

  void appendMatrices(const MatrixX& rows, int size) {
    text_ += "[";
    for (int i = 0; i < rows.rows(); i += size) {
      if (i) text_ += ", ";
      append(text_, MatrixX(rows.middleRows(i, size)));
    }
    text_ += "]";
  }

  const std::vector<Value>& defaultsOf(const ItemType& type) {
    if (static_cast<int>(defaults_.size()) <= type.id) defaults_.resize(type.id + 1);
    std::vector<Value>& values = defaults_[type.id];
    if (values.empty()) {
      const auto pool = type.makePool();
      const void* item = pool->at(pool->append());
      for (const Field& f : type.fields) values.push_back(f.get(item));
    }
    return values;
  }

  static std::vector<std::string> split(std::string_view path) {
    std::vector<std::string> parts;
    for (;;) {
      const auto dot = path.find('.');
      parts.emplace_back(path.substr(0, dot));
      if (dot == std::string_view::npos) return parts;
      path.remove_prefix(dot + 1);
    }
  }

  void flush() {
    out_.write(text_);
    text_.clear();
  }

  TextFile& out_;
  const ItemStore& items_;
  std::string text_;
  std::vector<std::vector<Value>> defaults_;  // by type id
};

}  // namespace

void writeJson(TextFile& out, const ItemStore& items, const SimulationSettings& settings,
               const JsonHeader& header) {
  Writer writer(out, items);
  writer.header(header);
  writer.model();
  writer.settings(settings);
}

void writeJsonFile(const std::string& path, const ItemStore& items,
                   const SimulationSettings& settings, const JsonHeader& header) {
  TextFile out(path);
  writeJson(out, items, settings, header);
  out.close();
}

}  // namespace catena
