#include "python/convert.h"

#include <cstring>

namespace py = pybind11;

namespace catena {

std::array<PyTypeObject*, categoryCount> indexTypes{};

namespace {

constexpr long long largestInt = 2000000000;

Value fromInteger(PyObject* x) {
  int overflow = 0;
  const long long i = PyLong_AsLongLongAndOverflow(x, &overflow);
  if (!overflow && i >= -largestInt && i <= largestInt) return static_cast<int>(i);
  const Real value = PyLong_AsDouble(x);
  if (PyErr_Occurred()) throw py::error_already_set();
  return value;
}

std::string typeName(py::handle object) { return Py_TYPE(object.ptr())->tp_name; }

Value fromArray(py::handle object) {
  const auto a = py::array_t<Real, py::array::c_style | py::array::forcecast>::ensure(object);
  if (!a) throw py::error_already_set();
  const auto rows = static_cast<int>(a.ndim() > 0 ? a.shape(0) : 1);
  if (a.ndim() == 0) return *a.data();
  if (a.ndim() == 1) return VectorX(Eigen::Map<const VectorX>(a.data(), rows));
  if (a.ndim() == 3)  // matrices: all their rows
    return fromArray(a.attr("reshape")(-1, a.shape(2)));
  if (a.ndim() > 2)
    throw py::type_error("an array of " + std::to_string(a.ndim()) +
                         " dimensions: expected 1, 2 or 3");
  using RowMajor = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  return MatrixX(Eigen::Map<const RowMajor>(a.data(), rows, static_cast<int>(a.shape(1))));
}

// A list of numbers, of texts, or of rows.
Value fromSequence(py::handle object) {
  const auto list =
      py::reinterpret_steal<py::object>(PySequence_Fast(object.ptr(), "expected a list"));
  if (!list) throw py::error_already_set();
  const auto n = static_cast<int>(PySequence_Fast_GET_SIZE(list.ptr()));
  PyObject** items = PySequence_Fast_ITEMS(list.ptr());
  if (n == 0) return VectorX();
  if (PyUnicode_Check(items[0])) {
    UserFunction texts;
    for (int i = 0; i < n; ++i) texts.expressions.push_back(py::cast<std::string>(items[i]));
    return texts;
  }
  VectorX v(n);
  bool integers = true;
  for (int i = 0; i < n; ++i) {
    if (PyFloat_Check(items[i])) {
      v[i] = PyFloat_AS_DOUBLE(items[i]);
      integers = false;
      continue;
    }
    integers = integers && PyIndex_Check(items[i]) && !PySequence_Check(items[i]);
    if (!PyNumber_Check(items[i]) || PySequence_Check(items[i])) return fromArray(object);  // rows
    v[i] = PyFloat_AsDouble(items[i]);
    if (v[i] == -1 && PyErr_Occurred()) throw py::error_already_set();
  }
  if (!integers || v.cwiseAbs().maxCoeff() > static_cast<Real>(largestInt)) return v;
  return std::vector<int>(v.data(), v.data() + n);
}

bool isArray(py::handle object) { return py::isinstance<py::array>(object); }

void checkIndexType(py::handle object, const Field& field, const std::string& where) {
  for (int c = 0; c < categoryCount; ++c)
    if (Py_TYPE(object.ptr()) == indexTypes[c] && c != static_cast<int>(field.category))
      throw py::type_error(where + ": " + std::string(field.name) + " = " +
                           std::string(py::str(object)) + " is the index of a " +
                           std::string(categoryName(static_cast<Category>(c))) +
                           ": expected that of a " + std::string(categoryName(field.category)));
}

}  // namespace

Value fromPython(py::handle object) {
  PyObject* x = object.ptr();
  if (PyFloat_Check(x)) return PyFloat_AS_DOUBLE(x);
  if (PyBool_Check(x)) return x == Py_True;
  if (PyLong_Check(x)) return fromInteger(x);
  if (PyUnicode_Check(x)) return py::cast<std::string>(object);
  if (isArray(object)) return fromArray(object);
  if (PyList_Check(x) || PyTuple_Check(x)) return fromSequence(object);
  if (typeName(object) == "numpy.bool_") return PyObject_IsTrue(x) == 1;
  if (PyIndex_Check(x))
    return fromInteger(py::reinterpret_steal<py::object>(PyNumber_Index(x)).ptr());
  if (PyNumber_Check(x) && !PySequence_Check(x)) {
    const Real value = PyFloat_AsDouble(x);
    if (value == -1 && PyErr_Occurred()) throw py::error_already_set();
    return value;
  }
  if (PySequence_Check(x)) return fromSequence(object);
  if (py::hasattr(object, "__array__")) return fromArray(object);  // a MatrixContainer
  throw py::type_error("a value of type " + typeName(object) + " cannot be used here");
}

Value fromPython(py::handle object, const Field& field, const std::string& where) {
  if (field.kind == FieldKind::index) checkIndexType(object, field, where);
  if (field.kind == FieldKind::indexList &&
      (PyList_Check(object.ptr()) || PyTuple_Check(object.ptr())))
    for (const py::handle entry : py::reinterpret_borrow<py::sequence>(object))
      checkIndexType(entry, field, where);
  try {
    const bool isChoice =
        field.kind == FieldKind::outputVariable || field.kind == FieldKind::enumeration;
    if (isChoice && py::hasattr(object, "name")) {  // a member of an enumeration
      const std::string name = py::cast<std::string>(object.attr("name"));
      return name == "_None" ? "None" : name;
    }
    if (field.kind == FieldKind::enumerationList && PySequence_Check(object.ptr()) &&
        !PyUnicode_Check(object.ptr())) {
      UserFunction texts;
      for (const py::handle entry : py::reinterpret_borrow<py::sequence>(object))
        texts.expressions.push_back(
            py::cast<std::string>(py::hasattr(entry, "name") ? entry.attr("name") : entry));
      return texts;
    }
    return fromPython(object);
  } catch (const py::builtin_exception& error) {
    throw py::type_error(where + ": " + std::string(field.name) + " = " +
                         std::string(py::repr(object)) + " has the wrong type: expected " +
                         fieldTypeText(field));
  } catch (py::error_already_set& error) {
    if (!error.matches(PyExc_Exception)) throw;
    throw py::type_error(where + ": " + std::string(field.name) + " = " +
                         std::string(py::repr(object)) + " has the wrong type: expected " +
                         fieldTypeText(field));
  }
}

py::array_t<Real> toArray(const VectorX& v) {
  return py::array_t<Real>(static_cast<py::ssize_t>(v.size()), v.data());
}

py::array_t<Real> toArray(const MatrixX& m) {
  py::array_t<Real> a(std::vector<py::ssize_t>{m.rows(), m.cols()});
  for (int i = 0; i < m.rows(); ++i)
    for (int j = 0; j < m.cols(); ++j) a.mutable_at(i, j) = m(i, j);
  return a;
}

py::object toOutput(const std::vector<Real>& components) {
  if (components.size() == 1) return py::float_(components[0]);
  return py::array_t<Real>(static_cast<py::ssize_t>(components.size()), components.data());
}

VectorX vectorFromPython(py::handle object, const std::string& what) {
  const Value value = fromPython(object);
  if (const auto* v = std::get_if<VectorX>(&value)) return *v;
  if (const auto* list = std::get_if<std::vector<int>>(&value))
    return Eigen::Map<const Eigen::VectorXi>(list->data(), static_cast<int>(list->size()))
        .cast<Real>();
  throw py::type_error(what + " must be a vector of numbers");
}

py::object toPython(const Value& value, int stack) {
  return std::visit(
      [stack](const auto& v) -> py::object {
        using V = std::decay_t<decltype(v)>;
        if constexpr (std::is_same_v<V, VectorX>) {
          return toArray(v);
        } else if constexpr (std::is_same_v<V, MatrixX>) {
          if (stack <= 1) return toArray(v);
          py::list matrices;
          for (int i = 0; i < v.rows(); i += stack)
            matrices.append(toArray(MatrixX(v.middleRows(i, stack))));
          return matrices;
        } else if constexpr (std::is_same_v<V, std::vector<int>>) {
          py::list list;
          for (const int i : v) list.append(i);
          return list;
        } else if constexpr (std::is_same_v<V, UserFunction>) {
          if (v.expressions.empty()) return py::int_(0);
          if (v.expressions.size() == 1) return py::str(v.expressions[0]);
          py::list list;
          for (const auto& e : v.expressions) list.append(e);
          return list;
        } else {
          return py::cast(v);
        }
      },
      value);
}

}  // namespace catena
