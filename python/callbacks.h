// Python callables as user functions of items and of the solver.
#pragma once

#include <pybind11/pybind11.h>

#include <functional>
#include <optional>
#include <stdexcept>
#include <string>

#include "items/registry.h"

namespace catena {

// A Python callable has failed: the Python exception waits in the CallbackHost. Nothing below the
// bindings catches this type, so that it stops a solver from wherever it comes.
class CallbackError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// What all callables of one model share. The Python object of the model owns the callables (each in
// a list of one, its cell, in a dictionary), so that Python's garbage collector sees them; here the
// cells are borrowed. A cell lives as long as the model; a function that takes another's place in
// it counts at once.
struct CallbackHost {
  PyObject* model = nullptr;                         // first argument of every callable
  std::optional<pybind11::error_already_set> error;  // of the callable that failed
  std::string place;                                 // which callable, and the time
  long long calls = 0;
  Real seconds = 0;

  // Keeps the current Python exception and throws CallbackError. Needs the GIL.
  [[noreturn]] void fail(const std::string& where, Real time);
};

// Makes a callable of the user function of a parameter, which lies in the cell. where: text for
// messages. Throws ModelError if this parameter takes no callables.
UserFunction makeCallable(CallbackHost& host, pybind11::handle cell, const ItemType& type,
                          const Field& field, int itemNumber, const std::string& where);

}  // namespace catena
