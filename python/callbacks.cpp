#include "python/callbacks.h"

#include <pybind11/numpy.h>

#include <array>
#include <span>

#include "kernels/stopwatch.h"

namespace py = pybind11;

namespace catena {
namespace {

// The arguments of a callable after the model, as the modelling language defines them. An entry is
// the length of a list of numbers, or one of these:
constexpr int scalar = 1;
constexpr int item = 0;  // the item's own number
constexpr int end = -1;
constexpr int rest = -2;     // a list of all numbers that the others leave over
constexpr int matrix3 = -3;  // a list of 3 rows
constexpr int half = -4;     // a list of half of what the others leave over
constexpr int flag = -5;     // a number that means True or False
constexpr int matrix6 = -6;

using Arguments = std::array<int, 15>;

struct Signature {
  std::string_view type, field;
  Arguments arguments;
};

// The one place that knows how the flat numbers of a user function make up the arguments of Python.
constexpr Signature signatures[] = {
    {"ForceVector", "loadVectorUserFunction", {scalar, 3, end}},
    {"TorqueVector", "loadVectorUserFunction", {scalar, 3, end}},
    {"MassProportional", "loadVectorUserFunction", {scalar, 3, end}},
    {"Coordinate", "loadUserFunction", {scalar, scalar, end}},
    {"ConnectorCoordinate", "offsetUserFunction", {scalar, item, scalar, end}},
    {"ConnectorCoordinate", "offsetUserFunction_t", {scalar, item, scalar, end}},
    {"ConnectorCoordinateSpringDamper",
     "springForceUserFunction",
     {scalar, item, scalar, scalar, scalar, scalar, scalar, end}},
    {"ConnectorSpringDamper",
     "springForceUserFunction",
     {scalar, item, scalar, scalar, scalar, scalar, scalar, end}},
    {"ConnectorLinearSpringDamper",
     "springForceUserFunction",
     {scalar, item, scalar, scalar, scalar, scalar, scalar, end}},
    {"ConnectorTorsionalSpringDamper",
     "springTorqueUserFunction",
     {scalar, item, scalar, scalar, scalar, scalar, scalar, end}},
    {"ConnectorCartesianSpringDamper",
     "springForceUserFunction",
     {scalar, item, 3, 3, 3, 3, 3, end}},
    {"ConnectorRigidBodySpringDamper",
     "springForceTorqueUserFunction",
     {scalar, item, 3, 3, 3, 3, matrix6, matrix6, matrix3, matrix3, 6, end}},
    {"ConnectorRigidBodySpringDamper",
     "postNewtonStepUserFunction",
     {scalar, item, rest, 3, 3, 3, 3, matrix6, matrix6, matrix3, matrix3, 6, end}},
    {"ConnectorCoordinateSpringDamperExt",
     "springForceUserFunction",
     {scalar, item, scalar, scalar, scalar, scalar, scalar, scalar, scalar, scalar, scalar, scalar,
      scalar}},
    {"JointGeneric", "offsetUserFunction", {scalar, item, 6, end}},
    {"JointGeneric", "offsetUserFunction_t", {scalar, item, 6, end}},
    {"ConnectorCoordinateVector", "constraintUserFunction", {scalar, item, half, half, flag, end}},
    {"ConnectorCoordinateVector", "jacobianUserFunction", {scalar, item, half, half, flag, end}},
    {"GenericODE1", "rhsUserFunction", {scalar, item, rest, end}},
    {"GenericODE2", "forceUserFunction", {scalar, item, half, half, end}},
    {"GenericODE2", "massMatrixUserFunction", {scalar, item, half, half, end}},
    {"GenericODE2", "jacobianUserFunction", {scalar, item, half, half, scalar, scalar, end}},
    {"ANCFCable2D",
     "axialForceUserFunction",
     {scalar, item, scalar, scalar, scalar, scalar, scalar, scalar, scalar, scalar, scalar, end}},
    {"ANCFCable2D",
     "bendingMomentUserFunction",
     {scalar, item, scalar, scalar, scalar, scalar, scalar, scalar, scalar, scalar, scalar, end}},
    {"KinematicTree", "forceUserFunction", {scalar, item, half, half, end}},
};

const Signature* findSignature(std::string_view type, std::string_view field) {
  for (const Signature& s : signatures)
    if (s.type == type && s.field == field) return &s;
  return nullptr;
}

// How many numbers an argument takes; of rest and half none.
constexpr int numbersOf(int kind) {
  return kind == matrix3 ? 9 : kind == matrix6 ? 36 : kind == flag ? 1 : kind > 0 ? kind : 0;
}

PyObject* numberList(const Real* x, int n) {
  PyObject* list = PyList_New(n);
  for (int i = 0; i < n; ++i) PyList_SET_ITEM(list, i, PyFloat_FromDouble(x[i]));
  return list;
}

// Row by row.
PyObject* rowList(const Real* x, int n) {
  PyObject* list = PyList_New(n);
  for (int i = 0; i < n; ++i) PyList_SET_ITEM(list, i, numberList(x + i * n, n));
  return list;
}

// Numbers from an array of the right size (or what numpy makes one of), row by row.
bool unpackArray(PyObject* result, std::span<Real> out) {
  using Array = py::array_t<Real, py::array::c_style | py::array::forcecast>;
  const Array a = Array::ensure(py::handle(result));
  if (!a) PyErr_Clear();
  if (!a || a.size() != static_cast<py::ssize_t>(out.size())) return false;
  std::copy_n(a.data(), out.size(), out.begin());
  return true;
}

// Numbers from whatever a callable returned; false with a Python exception set if that is wrong.
bool unpack(PyObject* result, std::span<Real> out) {
  const auto count = static_cast<Py_ssize_t>(out.size());
  if (count == 1 && (PyFloat_Check(result) || !PySequence_Check(result))) {
    out[0] = PyFloat_AsDouble(result);
    return !(out[0] == -1 && PyErr_Occurred());
  }
  const auto fast = py::reinterpret_steal<py::object>(PySequence_Fast(result, "no sequence"));
  if (!fast || PySequence_Fast_GET_SIZE(fast.ptr()) != count) {
    PyErr_Clear();
    if (unpackArray(result, out)) return true;
    PyErr_Format(PyExc_TypeError, "returned %R: expected %zd number%s", result, count,
                 count == 1 ? "" : "s");
    return false;
  }
  PyObject** items = PySequence_Fast_ITEMS(fast.ptr());
  for (Py_ssize_t i = 0; i < count; ++i) {
    out[i] = PyFloat_AsDouble(items[i]);
    if (out[i] == -1 && PyErr_Occurred()) return false;
  }
  return true;
}

// One call of a callable: keeps the function alive meanwhile and counts.
class Call {
 public:
  Call(CallbackHost& host, PyObject* cell)
      : host_(host), function_(py::reinterpret_borrow<py::object>(PyList_GET_ITEM(cell, 0))) {}
  ~Call() { ++host_.calls; }
  PyObject* function() const { return function_.ptr(); }

 private:
  CallbackHost& host_;
  py::object function_;
  Stopwatch watch_{host_.seconds};
};

class ItemCallback {
 public:
  ItemCallback(CallbackHost& host, PyObject* cell, const Arguments& arguments, int number,
               std::string where)
      : host_(host), cell_(cell), arguments_(arguments), number_(number), where_(std::move(where)) {
    for (const int a : arguments_) {
      if (a == end) break;
      fixed_ += numbersOf(a);
      halves_ += a == half;
    }
  }

  void operator()(std::span<const Real> numbers, std::span<Real> results) const {
    const py::gil_scoped_acquire gil;
    const Call call(host_, cell_);
    std::array<PyObject*, 18> stack;  // [0] stays free for the callee
    stack[1] = host_.model;
    int count = 1;
    const Real* x = numbers.data();
    int left = static_cast<int>(numbers.size()) - fixed_;
    if (halves_) left /= halves_;
    for (const int a : arguments_) {
      if (a == end) break;
      stack[++count] = argument(a, left, x);
    }
    PyObject* result = PyObject_Vectorcall(
        call.function(), stack.data() + 1,
        static_cast<std::size_t>(count) | PY_VECTORCALL_ARGUMENTS_OFFSET, nullptr);
    for (int i = 2; i <= count; ++i) Py_DECREF(stack[i]);
    const bool good = result && unpack(result, results);
    Py_XDECREF(result);
    if (!good) host_.fail(where_, numbers[0]);
  }

 private:
  PyObject* argument(int kind, int left, const Real*& x) const {
    const Real* const at = x;
    x += kind == rest || kind == half ? left : numbersOf(kind);
    switch (kind) {
      case item:
        return PyLong_FromLong(number_);
      case scalar:
        return PyFloat_FromDouble(*at);
      case flag:
        return PyBool_FromLong(*at != 0);
      case matrix3:
        return rowList(at, 3);
      case matrix6:
        return rowList(at, 6);
      case rest:
      case half:
        return numberList(at, left);
      default:
        return numberList(at, kind);
    }
  }

  CallbackHost& host_;
  PyObject* cell_;
  Arguments arguments_;
  int number_;
  int fixed_ = 0;  // numbers of all arguments but rest and half
  int halves_ = 0;
  std::string where_;
};

// The function of a sensor: f(mbs, t, sensorNumbers, factors, configuration). It reads the sensors
// itself and decides how many values it gives.
class SensorCallback {
 public:
  SensorCallback(CallbackHost& host, PyObject* cell, int number, std::string where)
      : host_(host), cell_(cell), number_(number), where_(std::move(where)) {}

  void operator()(std::span<const Real> numbers, std::span<Real> results) const {
    const py::gil_scoped_acquire gil;
    if (!unpack(call(numbers[0]).ptr(), results)) host_.fail(where_, numbers[0]);
  }
  int count(std::span<const Real> numbers) const {
    const py::gil_scoped_acquire gil;
    const py::object values = call(numbers[0]);
    return PySequence_Check(values.ptr()) ? static_cast<int>(py::len(values)) : 1;
  }

 private:
  py::object call(Real time) const {
    const Call call(host_, cell_);
    try {
      const py::handle model(host_.model);
      const py::object parameter = model.attr("GetSensorParameter");
      const py::object current =
          py::module_::import("catena.enums").attr("ConfigurationType").attr("Current");
      return py::handle(call.function())(model, time, parameter(number_, "sensorNumbers"),
                                         parameter(number_, "factors"), current);
    } catch (py::error_already_set& error) {
      error.restore();
    }
    host_.fail(where_, time);
  }

  CallbackHost& host_;
  PyObject* cell_;
  int number_;
  std::string where_;
};

}  // namespace

void CallbackHost::fail(const std::string& where, Real time) {
  error.emplace();
  place = where + ", t = " + valueText(Value(time)) + " s";
  throw CallbackError(place);
}

UserFunction makeCallable(CallbackHost& host, py::handle cell, const ItemType& type,
                          const Field& field, int itemNumber, const std::string& where) {
  const std::string place = where + ": " + std::string(field.name);
  UserFunction result;
  if (field.name == "sensorUserFunction") {
    const SensorCallback callback(host, cell.ptr(), itemNumber, place);
    result.callable = std::make_shared<const Callable>(callback);
    result.resultCount = [callback](std::span<const Real> x) { return callback.count(x); };
  } else if (const Signature* signature = findSignature(type.name, field.name)) {
    result.callable = std::make_shared<const Callable>(
        ItemCallback(host, cell.ptr(), signature->arguments, itemNumber, place));
  } else {
    throw ModelError(place + " takes no Python function yet; give an expression as text");
  }
  return result;
}

}  // namespace catena
