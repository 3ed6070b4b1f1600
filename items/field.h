// Declaration of item parameters: one table per type serves JSON, Python, defaults, checks, schema
// and manual.
//
// A Field describes one parameter and moves its value in and out of the C++ struct through a Value,
// a variant of the few representations that all front ends share. field<&T::member>(...) builds a
// Field at compile time.
#pragma once

#include <array>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "items/user_function.h"
#include "kernels/types.h"

namespace catena {

// A mistake in the model or its settings. The message names the item, the parameter, the value and
// the remedy.
class ModelError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

enum class Category { node, object, marker, load, sensor };
inline constexpr int categoryCount = 5;
std::string_view categoryName(Category category);  // "node", ...

// Reference to an item by its index within its category; -1 = none.
template <Category C>
struct ItemIndex {
  int value = -1;
  bool valid() const { return value >= 0; }
  friend bool operator==(ItemIndex, ItemIndex) = default;
};
using NodeIndex = ItemIndex<Category::node>;
using ObjectIndex = ItemIndex<Category::object>;
using MarkerIndex = ItemIndex<Category::marker>;
using LoadIndex = ItemIndex<Category::load>;
using SensorIndex = ItemIndex<Category::sensor>;

// Measured quantities, with the names of the modelling language.
enum class OutputVariable {
  None,
  Distance,
  Position,
  Displacement,
  DisplacementLocal,
  Velocity,
  VelocityLocal,
  Acceleration,
  AccelerationLocal,
  RotationMatrix,
  Rotation,
  AngularVelocity,
  AngularVelocityLocal,
  AngularAcceleration,
  AngularAccelerationLocal,
  CoordinatesTotal,
  Coordinates,
  Coordinates_t,
  Coordinates_tt,
  SlidingCoordinate,
  Director1,
  Director2,
  Director3,
  Force,
  ForceLocal,
  Torque,
  TorqueLocal,
  StrainLocal,
  StressLocal,
  CurvatureLocal,
  ConstraintEquation,
  PotentialEnergy,
  KineticEnergy,
  Gap,
  GapRate,
  PenetrationDepth,
  NormalForce,
  FrictionForce,
  DrillingMoment,
  RollingMoment,
  ContactPoint,
  SlipVelocity,
  Spin,
  PatchRadius,
  DissipatedPower,
};
std::string_view outputVariableName(OutputVariable variable);
std::optional<OutputVariable> outputVariableFromName(std::string_view name);
std::span<const std::string_view> outputVariableNames();

enum class FieldKind {
  boolean,
  integer,
  real,
  string,
  vector,
  matrix,
  integerList,
  index,
  indexList,
  function,
  outputVariable,
  enumeration,
  enumerationList,
};

// boolean: bool; integer, index: int; real: Real; string, outputVariable, enumeration: string;
// integerList, indexList: vector<int>; vector: VectorX; matrix: MatrixX; function: UserFunction.
// Lists of texts (names of items in an indexList, an enumerationList) travel as a UserFunction's
// expressions, lists of matrices as their rows, one matrix below the other.
using Value =
    std::variant<bool, int, Real, std::string, VectorX, MatrixX, std::vector<int>, UserFunction>;

struct Bounds {
  Real lower = -std::numeric_limits<Real>::infinity();
  Real upper = std::numeric_limits<Real>::infinity();
  bool lowerOpen = false;  // lower itself is not allowed
};
inline constexpr Bounds unbounded{};
inline constexpr Bounds nonNegative{0};
inline constexpr Bounds positive{0, std::numeric_limits<Real>::infinity(), true};

struct Field {
  std::string_view name;
  std::string_view symbol;
  std::string_view unit;
  std::string_view description;
  FieldKind kind{};
  int rows = 0, columns = 0;  // of vectors and matrices and the length of lists; 0 = any
  int stack = 0;              // a matrix of any rows: a list of vectors (1) or of matrices (3)
  Category category{};        // of index and indexList
  std::span<const std::string_view> choices{};  // of enumeration and enumerationList
  Bounds bounds{};
  std::string_view alias{};  // older spelling that is accepted too
  Value (*get)(const void* item) = nullptr;
  void (*set)(void* item, const Value& value) =
      nullptr;  // value has the alternative and size that kind asks for

  constexpr Field withAlias(std::string_view older) const {
    Field f = *this;
    f.alias = older;
    return f;
  }
  // A text that is one of the choices, or a list of such texts.
  constexpr Field withChoices(std::span<const std::string_view> names) const {
    Field f = *this;
    if (f.kind == FieldKind::string) f.kind = FieldKind::enumeration;
    f.choices = names;
    return f;
  }
};

// Type text for messages and the manual, e.g. "vector of 3 numbers".
std::string fieldTypeText(const Field& field);
// Throws ModelError(where + ...) unless the value has the right alternative, size, finiteness and
// bounds. Converts int to Real and vectors of the right length where that is meant.
Value checkedValue(const Field& field, Value value, const std::string& where);
// Text of a value for messages and the manual.
std::string valueText(const Value& value);

// The nearest of the known names, for "did you mean" hints; empty if none is near.
std::string nearestName(std::string_view name, std::span<const std::string_view> known);

namespace detail {

template <class T>
struct FieldTraits;

template <>
struct FieldTraits<bool> {
  static constexpr FieldKind kind = FieldKind::boolean;
  static constexpr int rows = 0, columns = 0;
  static constexpr Category category{};
  static Value get(bool v) { return v; }
  static void set(bool& m, const Value& v) { m = std::get<bool>(v); }
};
template <>
struct FieldTraits<int> {
  static constexpr FieldKind kind = FieldKind::integer;
  static constexpr int rows = 0, columns = 0;
  static constexpr Category category{};
  static Value get(int v) { return v; }
  static void set(int& m, const Value& v) { m = std::get<int>(v); }
};
template <>
struct FieldTraits<Real> {
  static constexpr FieldKind kind = FieldKind::real;
  static constexpr int rows = 0, columns = 0;
  static constexpr Category category{};
  static Value get(Real v) { return v; }
  static void set(Real& m, const Value& v) { m = std::get<Real>(v); }
};
template <>
struct FieldTraits<std::string> {
  static constexpr FieldKind kind = FieldKind::string;
  static constexpr int rows = 0, columns = 0;
  static constexpr Category category{};
  static Value get(const std::string& v) { return v; }
  static void set(std::string& m, const Value& v) { m = std::get<std::string>(v); }
};
template <>
struct FieldTraits<UserFunction> {
  static constexpr FieldKind kind = FieldKind::function;
  static constexpr int rows = 0, columns = 0;
  static constexpr Category category{};
  static Value get(const UserFunction& v) { return v; }
  static void set(UserFunction& m, const Value& v) { m = std::get<UserFunction>(v); }
};
template <>
struct FieldTraits<OutputVariable> {
  static constexpr FieldKind kind = FieldKind::outputVariable;
  static constexpr int rows = 0, columns = 0;
  static constexpr Category category{};
  static Value get(OutputVariable v) { return std::string(outputVariableName(v)); }
  static void set(OutputVariable& m, const Value& v) {
    m = outputVariableFromName(std::get<std::string>(v)).value();
  }
};
template <int N>
struct FieldTraits<MatrixOf<Real, N, 1>> {
  static constexpr FieldKind kind = FieldKind::vector;
  static constexpr int rows = N == Eigen::Dynamic ? 0 : N, columns = 1;
  static constexpr Category category{};
  static Value get(const MatrixOf<Real, N, 1>& v) { return VectorX(v); }
  static void set(MatrixOf<Real, N, 1>& m, const Value& v) { m = std::get<VectorX>(v); }
};
template <int R, int C>
struct FieldTraits<MatrixOf<Real, R, C>> {
  static constexpr FieldKind kind = FieldKind::matrix;
  static constexpr int rows = R == Eigen::Dynamic ? 0 : R, columns = C == Eigen::Dynamic ? 0 : C;
  static constexpr Category category{};
  static Value get(const MatrixOf<Real, R, C>& v) { return MatrixX(v); }
  static void set(MatrixOf<Real, R, C>& m, const Value& v) { m = std::get<MatrixX>(v); }
};
// Lists of vectors and matrices.
template <int N, int C>
struct FieldTraits<std::vector<MatrixOf<Real, N, C>>> {
  static constexpr FieldKind kind = FieldKind::matrix;
  static constexpr int rows = 0, columns = C == 1 ? N : C, stack = C == 1 ? 1 : N;
  static constexpr Category category{};
  using Rows = std::conditional_t<C == 1, MatrixOf<Real, 1, N>, MatrixOf<Real, N, C>>;
  static Value get(const std::vector<MatrixOf<Real, N, C>>& v) {
    MatrixX all(static_cast<int>(v.size()) * stack, columns);
    for (std::size_t i = 0; i < v.size(); ++i)
      all.middleRows<stack>(static_cast<int>(i) * stack) = Eigen::Map<const Rows>(v[i].data());
    return all;
  }
  static void set(std::vector<MatrixOf<Real, N, C>>& m, const Value& v) {
    const MatrixX& all = std::get<MatrixX>(v);
    m.resize(all.rows() / stack);
    for (std::size_t i = 0; i < m.size(); ++i)
      Eigen::Map<Rows>(m[i].data()) = all.middleRows<stack>(static_cast<int>(i) * stack);
  }
};
template <>
struct FieldTraits<std::vector<std::string>> {
  static constexpr FieldKind kind = FieldKind::enumerationList;
  static constexpr int rows = 0, columns = 0;
  static constexpr Category category{};
  static Value get(const std::vector<std::string>& v) { return UserFunction{v, nullptr}; }
  static void set(std::vector<std::string>& m, const Value& v) {
    m = std::get<UserFunction>(v).expressions;
  }
};
template <Category C>
struct FieldTraits<ItemIndex<C>> {
  static constexpr FieldKind kind = FieldKind::index;
  static constexpr int rows = 0, columns = 0;
  static constexpr Category category = C;
  static Value get(ItemIndex<C> v) { return v.value; }
  static void set(ItemIndex<C>& m, const Value& v) { m.value = std::get<int>(v); }
};
template <Category C, std::size_t N>
struct FieldTraits<std::array<ItemIndex<C>, N>> {
  static constexpr FieldKind kind = FieldKind::indexList;
  static constexpr int rows = N, columns = 1;
  static constexpr Category category = C;
  static Value get(const std::array<ItemIndex<C>, N>& v) {
    std::vector<int> list;
    for (const auto i : v) list.push_back(i.value);
    return list;
  }
  static void set(std::array<ItemIndex<C>, N>& m, const Value& v) {
    const auto& list = std::get<std::vector<int>>(v);
    for (std::size_t i = 0; i < N; ++i) m[i].value = list[i];
  }
};
template <Category C>
struct FieldTraits<std::vector<ItemIndex<C>>> {
  static constexpr FieldKind kind = FieldKind::indexList;
  static constexpr int rows = 0, columns = 1;
  static constexpr Category category = C;
  static Value get(const std::vector<ItemIndex<C>>& v) {
    std::vector<int> list;
    for (const auto i : v) list.push_back(i.value);
    return list;
  }
  static void set(std::vector<ItemIndex<C>>& m, const Value& v) {
    m.clear();
    for (const int i : std::get<std::vector<int>>(v)) m.push_back({i});
  }
};
template <std::size_t N>
struct FieldTraits<std::array<int, N>> {
  static constexpr FieldKind kind = FieldKind::integerList;
  static constexpr int rows = N, columns = 1;
  static constexpr Category category{};
  static Value get(const std::array<int, N>& v) { return std::vector<int>(v.begin(), v.end()); }
  static void set(std::array<int, N>& m, const Value& v) {
    const auto& list = std::get<std::vector<int>>(v);
    for (std::size_t i = 0; i < N; ++i) m[i] = list[i];
  }
};
template <>
struct FieldTraits<std::vector<int>> {
  static constexpr FieldKind kind = FieldKind::integerList;
  static constexpr int rows = 0, columns = 1;
  static constexpr Category category{};
  static Value get(const std::vector<int>& v) { return v; }
  static void set(std::vector<int>& m, const Value& v) { m = std::get<std::vector<int>>(v); }
};

template <class T, class M>
T classOf(M T::*);
// The member that a chain of pointers to members leads to.
template <auto First, auto... Rest>
struct MemberPath {
  template <class Owner>
  static constexpr auto& in(Owner& owner) {
    if constexpr (sizeof...(Rest) == 0)
      return owner.*First;
    else
      return MemberPath<Rest...>::in(owner.*First);
  }
};

}  // namespace detail

// Field of a struct member, possibly nested: field<&Settings::newton, &Newton::maxIterations>(...).
template <auto First, auto... Rest>
constexpr Field field(std::string_view name, std::string_view symbol, std::string_view unit,
                      std::string_view description, Bounds bounds = unbounded) {
  using Owner = decltype(detail::classOf(First));
  using Path = detail::MemberPath<First, Rest...>;
  using Member = std::remove_cvref_t<decltype(Path::in(std::declval<Owner&>()))>;
  using Traits = detail::FieldTraits<Member>;
  Field f;
  f.name = name;
  f.symbol = symbol;
  f.unit = unit;
  f.description = description;
  f.kind = Traits::kind;
  f.rows = Traits::rows;
  f.columns = Traits::columns;
  if constexpr (requires { Traits::stack; }) f.stack = Traits::stack;
  f.category = Traits::category;
  f.bounds = bounds;
  f.get = [](const void* item) { return Traits::get(Path::in(*static_cast<const Owner*>(item))); };
  f.set = [](void* item, const Value& v) { Traits::set(Path::in(*static_cast<Owner*>(item)), v); };
  return f;
}

}  // namespace catena
