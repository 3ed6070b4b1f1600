#include "items/field.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>

namespace catena {
namespace {

constexpr std::string_view outputNames[] = {"None",
                                            "Distance",
                                            "Position",
                                            "Displacement",
                                            "DisplacementLocal",
                                            "Velocity",
                                            "VelocityLocal",
                                            "Acceleration",
                                            "AccelerationLocal",
                                            "RotationMatrix",
                                            "Rotation",
                                            "AngularVelocity",
                                            "AngularVelocityLocal",
                                            "AngularAcceleration",
                                            "AngularAccelerationLocal",
                                            "CoordinatesTotal",
                                            "Coordinates",
                                            "Coordinates_t",
                                            "Coordinates_tt",
                                            "SlidingCoordinate",
                                            "Director1",
                                            "Director2",
                                            "Director3",
                                            "Force",
                                            "ForceLocal",
                                            "Torque",
                                            "TorqueLocal",
                                            "StrainLocal",
                                            "StressLocal",
                                            "CurvatureLocal",
                                            "ConstraintEquation",
                                            "PotentialEnergy",
                                            "KineticEnergy",
                                            "Gap",
                                            "GapRate",
                                            "PenetrationDepth",
                                            "NormalForce",
                                            "FrictionForce",
                                            "DrillingMoment",
                                            "RollingMoment",
                                            "ContactPoint",
                                            "SlipVelocity",
                                            "Spin",
                                            "PatchRadius",
                                            "DissipatedPower"};
static_assert(std::size(outputNames) == static_cast<int>(OutputVariable::DissipatedPower) + 1);

std::string numberText(Real x) {
  char buffer[32];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, x).ptr;
  return {buffer, end};
}

template <class Container>
std::string listText(const Container& values) {
  std::string text = "[";
  for (int i = 0; i < static_cast<int>(values.size()); ++i) {
    if (i == 12) return text + ", ...]";
    text += (i ? ", " : "") + numberText(values[i]);
  }
  return text + "]";
}

std::string boundsText(const Bounds& b) {
  const bool below = std::isfinite(b.lower), above = std::isfinite(b.upper);
  if (below && above)
    return "must lie in " + std::string(b.lowerOpen ? "(" : "[") + numberText(b.lower) + ", " +
           numberText(b.upper) + "]";
  if (below) return std::string("must be ") + (b.lowerOpen ? "> " : ">= ") + numberText(b.lower);
  return "must be <= " + numberText(b.upper);
}

bool within(const Bounds& b, Real x) {
  return (b.lowerOpen ? x > b.lower : x >= b.lower) && x <= b.upper;
}

int editDistance(std::string_view a, std::string_view b) {
  std::vector<int> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = static_cast<int>(j);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    int diagonal = row[0];
    row[0] = static_cast<int>(i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const bool same = std::tolower(static_cast<unsigned char>(a[i - 1])) ==
                        std::tolower(static_cast<unsigned char>(b[j - 1]));
      const int next = std::min({row[j] + 1, row[j - 1] + 1, diagonal + (same ? 0 : 1)});
      diagonal = row[j];
      row[j] = next;
    }
  }
  return row[b.size()];
}

}  // namespace

std::string_view outputVariableName(OutputVariable variable) {
  return outputNames[static_cast<int>(variable)];
}

std::optional<OutputVariable> outputVariableFromName(std::string_view name) {
  for (std::size_t i = 0; i < std::size(outputNames); ++i)
    if (outputNames[i] == name) return static_cast<OutputVariable>(i);
  return std::nullopt;
}

std::span<const std::string_view> outputVariableNames() { return outputNames; }

std::string nearestName(std::string_view name, std::span<const std::string_view> known) {
  if (name.size() > 100) return {};
  std::string_view best;
  int bestDistance = std::max(2, static_cast<int>(name.size()) / 3) + 1;
  for (const std::string_view candidate : known) {
    const int d = editDistance(name, candidate);
    if (d < bestDistance) best = candidate, bestDistance = d;
  }
  return std::string(best);
}

std::string fieldTypeText(const Field& f) {
  const auto count = [](int n) { return n ? std::to_string(n) + " " : std::string(); };
  switch (f.kind) {
    case FieldKind::boolean:
      return "true or false";
    case FieldKind::integer:
      return "an integer";
    case FieldKind::real:
      return "a number";
    case FieldKind::string:
      return "a text";
    case FieldKind::vector:
      return "a list of " + count(f.rows) + "numbers";
    case FieldKind::matrix:
      if (f.stack == 1) return "a list of lists of " + std::to_string(f.columns) + " numbers";
      if (f.stack)
        return "a list of " + std::to_string(f.stack) + "x" + std::to_string(f.columns) +
               " matrices (lists of rows)";
      return f.rows ? "a " + std::to_string(f.rows) + "x" + std::to_string(f.columns) +
                          " matrix (list of rows)"
                    : "a matrix (list of rows)";
    case FieldKind::integerList:
      return "a list of " + count(f.rows) + "integers";
    case FieldKind::index:
      return "the index or name of a " + std::string(categoryName(f.category));
    case FieldKind::indexList:
      return "a list of " + count(f.rows) + std::string(categoryName(f.category)) +
             " indices or names";
    case FieldKind::function:
      return "an expression, or a list of expressions (or a callable in Python)";
    case FieldKind::outputVariable:
      return "the name of an output variable";
    case FieldKind::enumeration: {
      std::string text = "one of ";
      for (std::size_t i = 0; i < f.choices.size(); ++i)
        text += (i ? ", '" : "'") + std::string(f.choices[i]) + "'";
      return text;
    }
    case FieldKind::enumerationList: {
      Field one = f;
      one.kind = FieldKind::enumeration;
      return "a list, each entry " + fieldTypeText(one);
    }
  }
  return {};
}

std::string valueText(const Value& value) {
  return std::visit(
      [](const auto& v) -> std::string {
        using V = std::decay_t<decltype(v)>;
        if constexpr (std::is_same_v<V, bool>)
          return v ? "true" : "false";
        else if constexpr (std::is_same_v<V, int>)
          return std::to_string(v);
        else if constexpr (std::is_same_v<V, Real>)
          return numberText(v);
        else if constexpr (std::is_same_v<V, std::string>)
          return "'" + v + "'";
        else if constexpr (std::is_same_v<V, VectorX> || std::is_same_v<V, std::vector<int>>)
          return listText(v);
        else if constexpr (std::is_same_v<V, MatrixX>) {
          if (v.rows() == 0) return "[]";
          std::string text = "[";
          for (int i = 0; i < v.rows(); ++i) {
            if (i == 12) return text + ", ...]";
            text += (i ? ", " : "") + listText(VectorX(v.row(i)));
          }
          return text + "]";
        } else {
          if (v.callable) return "<callable>";
          std::string text;
          for (const auto& e : v.expressions) text += (text.empty() ? "'" : ", '") + e + "'";
          return v.expressions.size() == 1 ? text : "[" + text + "]";
        }
      },
      value);
}

Value checkedValue(const Field& f, Value value, const std::string& where) {
  const std::string prefix = where + ": " + std::string(f.name) + " = " + valueText(value);
  const auto wrongType = [&](const std::string& detail = {}) -> ModelError {
    return ModelError(prefix + " has the wrong type: expected " + fieldTypeText(f) + detail);
  };
  const auto checkNumber = [&](Real x) {
    if (!std::isfinite(x)) throw ModelError(prefix + " is not a finite number");
    if (!within(f.bounds, x)) {
      const std::string unit = f.unit.empty() ? "" : " " + std::string(f.unit);
      throw ModelError(prefix + unit + " " + boundsText(f.bounds));
    }
  };
  switch (f.kind) {
    case FieldKind::boolean:
      if (const int* i = std::get_if<int>(&value); i && (*i == 0 || *i == 1)) return *i == 1;
      if (!std::holds_alternative<bool>(value)) throw wrongType();
      return value;
    case FieldKind::integer:
      if (const bool* b = std::get_if<bool>(&value)) value = static_cast<int>(*b);
      if (const Real* x = std::get_if<Real>(&value);
          x && *x == std::floor(*x) && std::abs(*x) < 2e9)
        value = static_cast<int>(*x);
      if (!std::holds_alternative<int>(value)) throw wrongType();
      checkNumber(std::get<int>(value));
      return value;
    case FieldKind::real:
      if (const int* i = std::get_if<int>(&value)) value = static_cast<Real>(*i);
      if (!std::holds_alternative<Real>(value)) throw wrongType();
      checkNumber(std::get<Real>(value));
      return value;
    case FieldKind::string:
      if (!std::holds_alternative<std::string>(value)) throw wrongType();
      return value;
    case FieldKind::vector: {
      if (const auto* list = std::get_if<std::vector<int>>(&value))
        value =
            VectorX(Eigen::Map<const Eigen::VectorXi>(list->data(), static_cast<int>(list->size()))
                        .cast<Real>());
      if (const auto* m = std::get_if<MatrixX>(&value); m && m->size() == 0) value = VectorX();
      const auto* v = std::get_if<VectorX>(&value);
      if (!v) throw wrongType();
      if (f.rows && v->size() != f.rows)
        throw ModelError(prefix + " has " + std::to_string(v->size()) + " values: expected " +
                         fieldTypeText(f));
      for (const Real x : *v) checkNumber(x);
      return value;
    }
    case FieldKind::matrix: {
      if (const auto* v = std::get_if<VectorX>(&value); v && v->size() == 0) value = MatrixX();
      if (const auto* l = std::get_if<std::vector<int>>(&value); l && l->empty()) value = MatrixX();
      const auto* m = std::get_if<MatrixX>(&value);
      if (!m) throw wrongType();
      const bool empty = f.stack && m->size() == 0;
      if ((f.rows && m->rows() != f.rows) || (f.columns && !empty && m->cols() != f.columns) ||
          (f.stack && m->rows() % f.stack))
        throw ModelError(prefix + " is " + std::to_string(m->rows()) + "x" +
                         std::to_string(m->cols()) + ": expected " + fieldTypeText(f));
      for (int j = 0; j < m->cols(); ++j)
        for (int i = 0; i < m->rows(); ++i) checkNumber((*m)(i, j));
      return value;
    }
    case FieldKind::integerList: {
      if (const auto* v = std::get_if<VectorX>(&value)) {
        std::vector<int> list;
        for (const Real x : *v) {
          if (x != std::floor(x) || std::abs(x) > 2e9) throw wrongType();
          list.push_back(static_cast<int>(x));
        }
        value = list;
      }
      const auto* list = std::get_if<std::vector<int>>(&value);
      if (!list) throw wrongType();
      if (f.rows && static_cast<int>(list->size()) != f.rows)
        throw ModelError(prefix + " has " + std::to_string(list->size()) + " values: expected " +
                         fieldTypeText(f));
      for (const int i : *list) checkNumber(i);
      return value;
    }
    case FieldKind::index:
      if (!std::holds_alternative<int>(value)) throw wrongType();
      return value;
    case FieldKind::indexList: {
      if (const auto* v = std::get_if<VectorX>(&value); v && v->size() == 0)
        value = std::vector<int>{};
      const auto* list = std::get_if<std::vector<int>>(&value);
      if (!list) throw wrongType();
      if (f.rows && static_cast<int>(list->size()) != f.rows)
        throw ModelError(prefix + " has " + std::to_string(list->size()) + " entries: expected " +
                         fieldTypeText(f));
      return value;
    }
    case FieldKind::function:
      if (const int* i = std::get_if<int>(&value); i && *i == 0) return UserFunction{};
      if (auto* s = std::get_if<std::string>(&value)) return UserFunction{{*s}, nullptr};
      if (!std::holds_alternative<UserFunction>(value)) throw wrongType();
      return value;
    case FieldKind::outputVariable: {
      const auto* s = std::get_if<std::string>(&value);
      if (!s) throw wrongType();
      if (!outputVariableFromName(*s)) {
        const std::string near = nearestName(*s, outputNames);
        throw ModelError(prefix + " is no output variable" +
                         (near.empty() ? "" : "; did you mean '" + near + "'?"));
      }
      return value;
    }
    case FieldKind::enumeration: {
      const auto* s = std::get_if<std::string>(&value);
      if (!s || std::find(f.choices.begin(), f.choices.end(), *s) == f.choices.end())
        throw wrongType();
      return value;
    }
    case FieldKind::enumerationList: {
      if (const auto* s = std::get_if<std::string>(&value)) value = UserFunction{{*s}, nullptr};
      if (const auto* v = std::get_if<VectorX>(&value); v && v->size() == 0) value = UserFunction{};
      const auto* texts = std::get_if<UserFunction>(&value);
      if (!texts || texts->callable) throw wrongType();
      for (const std::string& s : texts->expressions)
        if (std::find(f.choices.begin(), f.choices.end(), s) == f.choices.end()) throw wrongType();
      return value;
    }
  }
  return value;
}

}  // namespace catena
