// Values of parameters and settings to and from Python.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <array>
#include <string>
#include <vector>

#include "items/field.h"

namespace catena {

// Python's types of item indices, by category; registered once by the package.
extern std::array<PyTypeObject*, categoryCount> indexTypes;

// The value for a parameter that is no callable. where: text for messages. Throws TypeError for an
// index of the wrong category, else what the checks of the parameter will refuse with their
// message.
Value fromPython(pybind11::handle object, const Field& field, const std::string& where);
// Numbers, texts, lists as they are.
Value fromPython(pybind11::handle object);

// bool, int, float, str, list, or numpy array (vectors and matrices; with stack > 1 a list of
// matrices of so many rows). Functions: 0, text or list of texts; callables are the caller's
// affair.
pybind11::object toPython(const Value& value, int stack = 0);

pybind11::array_t<Real> toArray(const VectorX& v);
pybind11::array_t<Real> toArray(const MatrixX& m);
// A number for one component, else an array.
pybind11::object toOutput(const std::vector<Real>& components);
VectorX vectorFromPython(pybind11::handle object, const std::string& what);

}  // namespace catena
