// The extension module catena._catena: registry, models and settings for the Python package.
//
// No item is bound by hand: types() hands the registry to Python, which makes its classes from it,
// and parameters travel as dictionaries.
#include <pybind11/complex.h>
#include <pybind11/eigen.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <chrono>

#include "items/behaviour.h"
#include "items/strictness.h"
#include "model/json_reader.h"
#include "model/json_writer.h"
#include "model/main_system.h"
#include "python/callbacks.h"
#include "python/convert.h"

namespace py = pybind11;

namespace catena {
namespace {

// --- errors ------------------------------------------------------------------------------------

// A mistake in the model: ValueError, or TypeError where the type of a value is wrong.
void translate(std::exception_ptr pointer) {
  try {
    if (pointer) std::rethrow_exception(pointer);
  } catch (const ModelError& error) {
    const bool wrongType =
        std::string_view(error.what()).find(" has the wrong type: ") != std::string_view::npos;
    PyErr_SetString(wrongType ? PyExc_TypeError : PyExc_ValueError, error.what());
  } catch (const WriteError& error) {
    PyErr_SetString(PyExc_OSError, error.what());
  }
}

// Raises what a callable has raised: KeyboardInterrupt and the like as they are, an exception as
// the cause of a UserFunctionError that tells the item and the time.
[[noreturn]] void raiseCallbackError(CallbackHost& host) {
  py::error_already_set original = std::move(*host.error);
  host.error.reset();
  if (!original.matches(PyExc_Exception)) throw original;
  const py::object type = py::module_::import("catena.errors").attr("UserFunctionError");
  const std::string text = host.place + ": " +
                           std::string(py::str(original.type().attr("__name__"))) + ": " +
                           std::string(py::str(original.value()));
  py::raise_from(original, type.ptr(), text.c_str());
  throw py::error_already_set();
}

// --- registry ----------------------------------------------------------------------------------

std::string_view kindName(FieldKind kind) {
  static constexpr std::string_view names[] = {
      "boolean",        "integer",     "real",           "string",    "vector",
      "matrix",         "integerList", "index",          "indexList", "function",
      "outputVariable", "enumeration", "enumerationList"};
  return names[static_cast<int>(kind)];
}

py::dict describeField(const Field& f, const Value& standard) {
  py::dict d;
  d["name"] = f.name;
  d["symbol"] = f.symbol;
  d["unit"] = f.unit;
  d["description"] = f.description;
  d["kind"] = kindName(f.kind);
  d["rows"] = f.rows;
  d["columns"] = f.columns;
  d["category"] = f.kind == FieldKind::index || f.kind == FieldKind::indexList
                      ? py::object(py::cast(categoryName(f.category)))
                      : py::none();
  d["alias"] = f.alias;
  d["type"] = fieldTypeText(f);
  d["default"] = toPython(standard, f.stack);
  py::list choices;
  for (const auto c : f.choices) choices.append(c);
  d["choices"] = choices;
  return d;
}

py::list describeTypes() {
  py::list all;
  for (const ItemType* t : Registry::instance().types()) {
    const auto pool = t->makePool();
    const void* defaults = pool->at(pool->append());
    py::dict d;
    d["category"] = categoryName(t->category);
    d["name"] = t->name;
    d["summary"] = t->summary;
    d["theory"] = t->theory;
    d["aliases"] = t->aliases;
    py::list fields, outputs;
    for (const Field& f : t->fields) fields.append(describeField(f, f.get(defaults)));
    for (const OutputVariable v : t->outputs) outputs.append(outputVariableName(v));
    d["fields"] = fields;
    d["outputs"] = outputs;
    all.append(d);
  }
  return all;
}

// --- settings ----------------------------------------------------------------------------------

py::list describeSettings() {
  const SimulationSettings defaults;
  py::list all;
  const auto add = [&](std::span<const Field> fields, bool effect) {
    for (const Field& f : fields) {
      py::dict d = describeField(f, defaults.get(f.name));
      d["effect"] = effect;
      all.append(d);
    }
  };
  add(SimulationSettings::fields(), true);
  add(SimulationSettings::fieldsWithoutEffect(), false);
  return all;
}

// --- model -------------------------------------------------------------------------------------

enum class Configuration { current, reference, initial, startOfStep };
enum class Part { q, v, a, y, ydot, multipliers, data };

VectorX& partOf(State& s, Part part) {
  switch (part) {
    case Part::q:
      return s.q;
    case Part::v:
      return s.v;
    case Part::a:
      return s.a;
    case Part::y:
      return s.y;
    case Part::ydot:
      return s.ydot;
    case Part::multipliers:
      return s.multipliers;
    default:
      return s.data;
  }
}

constexpr auto interruptPeriod = std::chrono::milliseconds(50);

class Model {
 public:
  Model() : system_(std::make_unique<MainSystem>()) {}

  // model: the Python object that owns this one; functions: its dictionary of callables.
  void own(py::handle model, py::dict functions) {
    host_.model = model.ptr();
    functions_ = functions.ptr();
  }

  // --- items ---

  int add(Category category, const std::string& typeName, const py::dict& parameters) {
    const ItemType* type = Registry::instance().find(category, typeName);
    const int number = system_->items().count(category);
    Dictionary values;
    std::string name;
    for (const auto& [key, value] : parameters) {
      const std::string k = py::cast<std::string>(key);
      if (k == "name") {
        name = py::cast<std::string>(value);
        continue;
      }
      if (k == "visualization") continue;  // the caller keeps it
      const Field* field = type ? type->findField(k) : nullptr;
      if (!field) {
        values.emplace_back(k, 0);  // refused below with the usual message
        continue;
      }
      const auto place = [&] { return placeText(category, number, name, *type); };
      if (field->kind == FieldKind::function && PyCallable_Check(value.ptr())) {
        values.emplace_back(k, makeCallable(host_, cell(category, number, *field, value), *type,
                                            *field, number, place()));
      } else {
        values.emplace_back(
            k, needsPlace(*field, value) ? fromPython(value, *field, place()) : fromPython(value));
      }
    }
    reassemble_ = false;
    return system_->Add(category, typeName, values, name);
  }

  py::object parameter(Category category, int number, const std::string& name) const {
    const ItemStore& items = system_->items();
    const Value value = items.parameter(category, number, name);
    const Field* field = items.type(category, number).findField(name);
    if (const auto* f = std::get_if<UserFunction>(&value); f && f->callable)
      return functions()[functionKey(category, number, *field)][py::int_(0)];
    return toPython(value, field->stack);
  }

  void setParameter(Category category, int number, const std::string& name, py::handle value) {
    ItemStore& items = system_->items();
    const std::string where = items.where(category, number);
    const Field* field = items.type(category, number).findField(name);
    if (!field) {
      items.setParameter(category, number, name, 0);  // throws
      return;
    }
    if (field->kind == FieldKind::function && PyCallable_Check(value.ptr())) {
      items.setParameter(category, number, name,
                         makeCallable(host_, cell(category, number, *field, value),
                                      items.type(category, number), *field, number, where));
    } else {
      items.setParameter(category, number, name, fromPython(value, *field, where));
    }
    reassemble_ = !solving_;
  }

  int count(Category category) const { return system_->items().count(category); }
  std::string name(Category category, int number) const {
    return std::string(system_->items().name(category, number));
  }
  std::string typeName(Category category, int number) const {
    return std::string(system_->items().type(category, number).name);
  }
  int find(Category category, const std::string& name) const {
    return system_->items().find(category, name);
  }

  // --- assembly and solution ---

  void assemble() {
    guarded([&] { system_->Assemble(); });
    initial_ = system_->system().initialState();
    startOfStep_ = initial_;
    assembled_ = true;
    reassemble_ = false;
  }

  // solver: as in MainSystem::Solve; callables: functions around a step by name, those that are
  // set.
  py::dict solve(const std::string& solver, const SimulationSettings& settings,
                 const py::dict& callables, bool updateInitialValues, bool keepSolution) {
    solution_.clear();
    refresh();
    system().state() = initial_;
    const SimulationSettings copy = settings;
    const StepFunctions functions = stepFunctions(callables);

    auto lastCheck = std::chrono::steady_clock::now();
    Real nextRow =
        solver == "static" ? copy.staticSolver.loadStepStart : copy.timeIntegration.startTime;
    const auto observer = [&](const StepInfo& info) {
      step_ = info;
      if (keepSolution && (info.time - nextRow >= -1e-10 || info.endTime - info.time <= 1e-10)) {
        keepState(system_->system().state());
        nextRow = std::max(nextRow + copy.solutionSettings.solutionWritePeriod, info.time);
      }
      const auto now = std::chrono::steady_clock::now();
      if (now - lastCheck < interruptPeriod) return true;
      lastCheck = now;
      checkSignals(info.time);
      return true;
    };
    SolveReport report;
    const long long callsBefore = host_.calls;
    const Real secondsBefore = host_.seconds;
    solving_ = true;
    try {
      const py::gil_scoped_release release;
      report = system_->Solve(solver, copy, observer, functions);
    } catch (const CallbackError&) {
      solving_ = false;
      raiseCallbackError(host_);
    } catch (...) {
      solving_ = false;
      throw;
    }
    solving_ = false;
    if (updateInitialValues) initial_ = system_->system().state();
    return describe(report, host_.calls - callsBefore, host_.seconds - secondsBefore);
  }

  bool assembled() const { return assembled_; }

  // --- linearised equations, at the initial state ---

  // Values and vectors, whose rows are coordinates.
  py::tuple eigenvalues(const EigenvalueOptions& options) {
    Eigenvalues e;
    atInitial([&](System& s) {
      e = computeEigenvalues(s, options);
      e.vectors = coordinateIncrements(s, e.vectors);
    });
    return py::make_tuple(e.values, e.vectors);
  }
  py::dict linearized(Real tolerance, bool ignoreLoads) {
    LinearizedSystem l;
    atInitial([&](System& s) { l = linearize(s, tolerance, ignoreLoads); });
    py::dict d;
    d["M"] = l.M;
    d["K"] = l.K;
    d["D"] = l.D;
    d["C"] = l.C;
    d["N"] = l.N;
    return d;
  }
  py::dict degreesOfFreedom() {
    DegreesOfFreedom f;
    int multipliers = 0;
    atInitial([&](System& s) {
      f = computeDegreesOfFreedom(s);
      multipliers = s.multipliers();
    });
    py::dict d;
    d["degreeOfFreedom"] = f.degreeOfFreedom;
    d["redundantConstraints"] = f.redundantConstraints;
    d["nODE2"] = f.unknowns;
    d["nODE1"] = system().state().y.size();
    d["nAE"] = multipliers;
    d["nPureAE"] = multipliers - f.constraints;
    return d;
  }

  // Of the step under way, while a run calls functions: time, step size, number, Newton iterations.
  py::tuple currentStep() const {
    return py::make_tuple(step_.time, step_.stepSize, step_.step, step_.newtonIterations);
  }

  // --- results ---

  py::object nodeOutput(int node, const std::string& variable, Configuration c) {
    return output(c, [&](const System& s) {
      return s.nodeOutput(checked(Category::node, node), named(variable));
    });
  }
  py::object objectOutput(int object, const std::string& variable, Configuration c) {
    return output(c, [&](const System& s) {
      return s.objectOutput(checked(Category::object, object), named(variable));
    });
  }
  py::object bodyOutput(int object, const std::string& variable, py::handle local,
                        Configuration c) {
    const VectorX p = vectorFromPython(local, "localPosition");
    if (p.size() != 3)
      throw ModelError("localPosition has " + std::to_string(p.size()) + " values: expected 3");
    return output(c, [&](const System& s) {
      return s.bodyOutput(checked(Category::object, object), named(variable), Vector3(p));
    });
  }
  py::object markerOutput(int marker, const std::string& variable, Configuration c) {
    return output(c, [&](const System& s) {
      return s.markerOutput(checked(Category::marker, marker), named(variable));
    });
  }
  py::object loadValue(int load) {
    return output(Configuration::current,
                  [&](const System& s) { return s.loadValue(checked(Category::load, load)); });
  }
  py::object sensorOutput(int sensor, Configuration c) {
    return output(
        c, [&](const System& s) { return s.sensorOutput(checked(Category::sensor, sensor)); });
  }

  // Rows of time and values.
  py::array_t<Real> sensorRows(int sensor) const {
    checked(Category::sensor, sensor);
    const Recording& r = system_->recording();
    if (sensor >= static_cast<int>(r.sensors.size()))
      return py::array_t<Real>(std::vector<py::ssize_t>{0, 0});
    const SensorRecord& record = r.sensors[sensor];
    const auto rows = static_cast<py::ssize_t>(r.times.size());
    const int n = record.components;
    py::array_t<Real> a(std::vector<py::ssize_t>{rows, n + 1});
    Real* to = a.mutable_data();
    for (py::ssize_t i = 0; i < rows; ++i) {
      *to++ = r.times[i];
      for (int k = 0; k < n; ++k) *to++ = record.values[i * n + k];
    }
    return a;
  }

  // States of the last run, if it kept them: rows of time, q, v, a, y, y', multipliers and data.
  py::array_t<Real> solution() const {
    const State& s = system_->system().state();
    const py::ssize_t columns =
        1 + 3 * s.q.size() + 2 * s.y.size() + s.multipliers.size() + s.data.size();
    return py::array_t<Real>(
        std::vector<py::ssize_t>{static_cast<py::ssize_t>(solution_.size()) / columns, columns},
        solution_.data());
  }

  // --- state ---

  py::array_t<Real> coordinates(Part part, Configuration c) {
    State& s = stateOf(c);
    return toArray(partOf(s, part));
  }
  void setCoordinates(Part part, py::handle values, Configuration c) {
    if (c == Configuration::reference)
      throw ModelError(
          "reference coordinates belong to the nodes: set their parameter referenceCoordinates");
    VectorX& target = partOf(stateOf(c), part);
    const VectorX v = vectorFromPython(values, "the coordinates");
    if (v.size() != target.size())
      throw ModelError("there are " + std::to_string(target.size()) +
                       " coordinates of this kind, not " + std::to_string(v.size()));
    target = v;
    if (c == Configuration::current) system().computeMotions();
  }
  Real time(Configuration c) { return stateOf(c).time; }
  void setTime(Real t, Configuration c) { stateOf(c).time = t; }

  // Position of a node or of the origin of a body in the reference configuration and its rotation
  // matrix; without Assemble().
  py::tuple referenceFrame(Category category, int number) const {
    const ItemStore& items = system_->items();
    if (category == Category::object) {
      const ObjectBehaviour& b = *items.type(category, number).object;
      const void* object = items.item(category, number);
      if (b.isGround()) return frameTuple(b.groundPosition(object), b.groundFrame(object).rotation);
      const NodeIndex node = b.isBody() ? b.bodyNode(object) : NodeIndex{};
      if (!node.valid()) throw ModelError(items.where(category, number) + " is no body");
      return referenceFrame(Category::node, node.value);
    }
    const ItemType& type = items.type(Category::node, number);
    const void* node = items.item(Category::node, number);
    const NodeLayout layout = type.node->layout(node);
    Frame frame{};
    frame.rotation.setIdentity();
    if (layout.hasFrame && layout.coordinates > 0) {
      State zero;
      for (VectorX* x : {&zero.q, &zero.v, &zero.a}) x->setZero(layout.coordinates);
      zero.y.setZero(layout.firstOrder);
      zero.ydot.setZero(layout.firstOrder);
      zero.data.setZero(layout.data);
      const auto pool = type.makePool();  // a pool of this one node
      void* copy = pool->at(pool->append());
      for (const Field& f : type.fields) f.set(copy, f.get(node));
      const NodePlace place{.frame = 0};
      type.node->motions(*pool, {&place, 1}, zero, &frame, 0, 1);
    }
    return frameTuple(type.node->referencePosition(node), frame.rotation);
  }

  // First coordinate and number of coordinates, of first order and of data.
  py::dict nodePlace(int node) {
    const System& s = system();
    const NodePlace& p = s.place({checked(Category::node, node)});
    const NodeLayout& l = s.layout({node});
    py::dict d;
    d["ODE2"] = py::make_tuple(p.coordinate, l.coordinates);
    d["ODE1"] = py::make_tuple(p.firstOrder, l.firstOrder);
    d["Data"] = py::make_tuple(p.data, l.data);
    return d;
  }

  // First multiplier and number of multipliers.
  py::tuple multipliersOf(int object) {
    const System& s = system();
    const int total = s.count(Category::object);
    const int first = s.multiplier({checked(Category::object, object)});
    int end = s.multipliers();
    for (int next = object + 1; next < total; ++next)
      if (s.multiplier({next}) >= 0) {
        end = s.multiplier({next});
        break;
      }
    return first < 0 ? py::make_tuple(0, 0) : py::make_tuple(first, end - first);
  }

  // --- files ---

  void toJson(const std::string& path, const SimulationSettings& settings,
              const std::string& name) const {
    writeJsonFile(path, system_->items(), settings, {.name = name, .description = {}});
  }
  // Replaces the items by those of a file; returns its settings.
  SimulationSettings fromJson(const std::string& path) {
    SimulationJob job = readJsonFile(path);
    system_ = std::move(job.system);
    assembled_ = reassemble_ = false;
    return job.settings;
  }

 private:
  static py::tuple functionKey(Category category, int number, const Field& field) {
    return py::make_tuple(static_cast<int>(category), number, field.name);
  }
  py::dict functions() const { return py::reinterpret_borrow<py::dict>(functions_); }
  // The cell of a parameter, with this function in it.
  py::handle cell(Category category, int number, const Field& field, py::handle function) {
    const py::dict all = functions();
    const py::tuple key = functionKey(category, number, field);
    if (!all.contains(key)) {
      py::list cell;
      cell.append(function);
      all[key] = cell;
    }
    const py::list cell = all[key];
    PyList_SetItem(cell.ptr(), 0, py::reinterpret_borrow<py::object>(function).release().ptr());
    return cell;
  }

  static std::string placeText(Category category, int number, const std::string& name,
                               const ItemType& type) {
    return std::string(categoryName(category)) + " " + std::to_string(number) +
           (name.empty() ? "" : " '" + name + "'") + " (" + std::string(type.name) + ")";
  }
  // Plain numbers and arrays need no text for messages.
  static bool needsPlace(const Field& field, py::handle value) {
    return !(PyFloat_CheckExact(value.ptr()) || PyLong_CheckExact(value.ptr())) ||
           field.kind == FieldKind::index || field.kind == FieldKind::outputVariable;
  }

  int checked(Category category, int number) const {
    system_->items().type(category, number);  // throws if there is no such item
    return number;
  }
  static OutputVariable named(const std::string& variable) {
    if (const auto v = outputVariableFromName(variable)) return *v;
    const std::string near = nearestName(variable, outputVariableNames());
    throw ModelError("'" + variable + "' is no output variable" +
                     (near.empty() ? "" : "; did you mean '" + near + "'?"));
  }

  System& system() {
    refresh();
    return system_->system();
  }
  // Parameters have changed since Assemble(): the elements are made anew, the state stays.
  void refresh() {
    if (!reassemble_ || !assembled_) return;
    const State current = system_->system().state();
    guarded([&] { system_->Assemble(); });
    system_->system().state() = current;
    system_->system().computeMotions();
    reassemble_ = false;
  }

  State& stateOf(Configuration c) {
    System& s = system();
    switch (c) {
      case Configuration::current:
        return s.state();
      case Configuration::initial:
        return initial_;
      case Configuration::startOfStep:
        return startOfStep_;
      case Configuration::reference:
        break;
    }
    reference_ = s.initialState();
    for (VectorX* x :
         {&reference_.q, &reference_.v, &reference_.a, &reference_.y, &reference_.ydot})
      x->setZero();
    return reference_;
  }

  template <class F>
  void guarded(const F& action) {
    try {
      action();
    } catch (const CallbackError&) {
      raiseCallbackError(host_);
    }
  }

  // action(system) in another state.
  template <class F>
  static void inState(System& s, const State& state, const F& action) {
    const State saved = s.state();
    const auto restore = [&] {
      s.state() = saved;
      s.computeMotions();
    };
    s.state() = state;
    s.computeMotions();
    try {
      action(s);
    } catch (...) {
      restore();
      throw;
    }
    restore();
  }
  template <class F>
  void atInitial(const F& action) {
    System& s = system();
    guarded([&] {
      const py::gil_scoped_release release;
      inState(s, initial_, action);
    });
  }

  template <class F>
  py::object output(Configuration c, const F& evaluate) {
    std::vector<Real> values;
    const auto action = [&](const System& s) { values = evaluate(s); };
    guarded([&] {
      if (c == Configuration::current)
        action(system());
      else
        inState(system(), stateOf(c), action);
    });
    return toOutput(values);
  }

  static py::tuple frameTuple(const Vector3& p, const Matrix3& R) {
    return py::make_tuple(toArray(VectorX(p)), toPython(MatrixX(R)));
  }

  void keepState(const State& s) {
    solution_.push_back(s.time);
    for (const VectorX* x : {&s.q, &s.v, &s.a, &s.y, &s.ydot, &s.multipliers, &s.data})
      solution_.insert(solution_.end(), x->data(), x->data() + x->size());
  }

  StepFunctions stepFunctions(const py::dict& callables) {
    const auto named = [&](const char* name) {
      return callables.contains(name) ? py::object(callables[name]) : py::object();
    };
    StepFunctions all;
    if (!callables.empty())
      all.begin = [this, f = named("preStep")](const StepInfo& info) {
        step_ = info;
        startOfStep_ = system_->system().state();
        return !f || callStep(f, "preStepUserFunction", info.time);
      };
    if (const py::object f = named("postStep"))
      all.end = [this, f](const StepInfo& info) {
        return callStep(f, "postStepUserFunction", info.time);
      };
    if (const py::object f = named("postNewton"))
      all.postNewton = [this, f](Real time) { return callPostNewton(f, time); };
    if (const py::object f = named("preNewtonResidual"))
      all.newtonResidual = [this, f](Real time, int residual, int run) {
        called("preNewtonResidualUserFunction", time,
               [&] { f(py::handle(host_.model), time, residual, run); });
      };
    if (const py::object f = named("systemJacobian"))
      all.jacobian = [this, f](Real time, Real position, Real velocity, Real firstOrder) {
        return callJacobian(f, time, position, velocity, firstOrder);
      };
    return all;
  }

  // action() with the GIL; a Python exception stops the run.
  template <class F>
  auto called(const char* name, Real time, const F& action) -> decltype(action()) {
    const py::gil_scoped_acquire gil;
    try {
      return action();
    } catch (py::error_already_set& error) {
      error.restore();
    } catch (const py::builtin_exception& error) {
      error.set_error();
    }
    host_.fail(name, time);
  }
  bool callStep(const py::object& f, const char* name, Real time) {
    return called(name, time,
                  [&] { return py::cast<bool>(py::bool_(f(py::handle(host_.model), time))); });
  }
  ElementBatch::PostNewton callPostNewton(const py::object& f, Real time) {
    return called("postNewtonUserFunction", time, [&]() -> ElementBatch::PostNewton {
      const VectorX r = vectorFromPython(f(py::handle(host_.model), time),
                                         "the result of postNewtonUserFunction");
      if (r.size() != 2)
        throw py::type_error("postNewtonUserFunction must return [error, recommendedStepSize]");
      return {r[0], r[1]};
    });
  }
  // f returns rows of row, column, value.
  std::vector<MatrixEntry> callJacobian(const py::object& f, Real time, Real position,
                                        Real velocity, Real firstOrder) {
    return called("systemJacobianUserFunction", time, [&] {
      using Rows = py::array_t<Real, py::array::c_style | py::array::forcecast>;
      const auto rows =
          py::cast<Rows>(f(py::handle(host_.model), time, position, velocity, firstOrder));
      std::vector<MatrixEntry> entries;
      for (py::ssize_t i = 0; i < rows.shape(0); ++i)
        entries.push_back(
            {static_cast<int>(rows.at(i, 0)), static_cast<int>(rows.at(i, 1)), rows.at(i, 2)});
      return entries;
    });
  }
  void checkSignals(Real time) {
    const py::gil_scoped_acquire gil;
    if (PyErr_CheckSignals() != 0) host_.fail("interrupted", time);
  }

  py::dict describe(const SolveReport& r, long long calls, Real callSeconds) const {
    py::dict d, phases;
    d["outcome"] = r.outcome == Outcome::finished  ? "finished"
                   : r.outcome == Outcome::stopped ? "stopped"
                                                   : "not converged";
    d["message"] = r.message;
    d["warnings"] = r.warnings;
    d["steps"] = r.steps;
    d["rejectedSteps"] = r.rejectedSteps;
    d["newtonIterations"] = r.newtonIterations;
    d["jacobians"] = r.jacobians;
    d["discontinuousIterations"] = r.discontinuousIterations;
    d["time"] = r.time;
    d["linearSolver"] = r.linearSolver;
    if (r.correction.coordinate >= 0)
      d["extrapolation"] = py::dict(
          py::arg("coordinate") = system_->system().coordinateName(r.correction.coordinate),
          py::arg("largest") = r.correction.size, py::arg("time") = r.correction.time);
    phases["motions"] = r.phases.motions;
    phases["elements"] = r.phases.elements;
    phases["gather"] = r.phases.gather;
    phases["factorization"] = r.phases.factorization;
    phases["solve"] = r.phases.solve;
    phases["update"] = r.phases.update;
    phases["output"] = r.phases.output;
    phases["total"] = r.phases.total;
    phases["userFunctions"] = callSeconds;  // part of elements
    d["seconds"] = phases;
    d["userFunctionCalls"] = calls;
    return d;
  }

  std::unique_ptr<MainSystem> system_;
  mutable CallbackHost host_;
  PyObject* functions_ = nullptr;  // borrowed from the owner
  State initial_, startOfStep_, reference_;
  StepInfo step_;
  std::vector<Real> solution_;
  bool assembled_ = false, reassemble_ = false, solving_ = false;
};

// Points and frames of a joint in the frames of two bodies at p0, A0 and p1, A1. position [3] and
// axes [3 x 3] of the joint: in the world, or in the frame of body 0.
py::tuple jointFrames(const Vector3& p0, const Matrix3& A0, const Vector3& p1, const Matrix3& A1,
                      Vector3 position, Matrix3 axes, bool global) {
  if (!global) {
    position = p0 + A0 * position;
    axes = A0 * axes;
  }
  return py::make_tuple(Vector3(A0.transpose() * (position - p0)),
                        Vector3(A1.transpose() * (position - p1)), Matrix3(A0.transpose() * axes),
                        Matrix3(A1.transpose() * axes));
}

void registerIndexTypes(const py::list& types) {
  for (int c = 0; c < categoryCount; ++c)
    indexTypes[c] = reinterpret_cast<PyTypeObject*>(types[c].ptr());
}

}  // namespace
}  // namespace catena

PYBIND11_MODULE(_catena, m) {
  using namespace catena;
  m.doc() = "Models, settings and the registry of items; use the package catena instead.";
  py::register_exception_translator(translate);

  py::enum_<Category>(m, "Category")
      .value("node", Category::node)
      .value("object", Category::object)
      .value("marker", Category::marker)
      .value("load", Category::load)
      .value("sensor", Category::sensor);
  py::enum_<Configuration>(m, "Configuration")
      .value("current", Configuration::current)
      .value("reference", Configuration::reference)
      .value("initial", Configuration::initial)
      .value("startOfStep", Configuration::startOfStep);
  py::enum_<Part>(m, "Part")
      .value("q", Part::q)
      .value("v", Part::v)
      .value("a", Part::a)
      .value("y", Part::y)
      .value("ydot", Part::ydot)
      .value("multipliers", Part::multipliers)
      .value("data", Part::data);

  m.def("types", &describeTypes);
  m.def("settings", &describeSettings);
  m.def("outputVariables", [] {
    py::list names;
    for (const auto n : outputVariableNames()) names.append(n);
    return names;
  });
  m.def("registerIndexTypes", &registerIndexTypes);
  m.def("jointFrames", &jointFrames);
  m.def("beStrict", [](bool on) { strictness = {on, on}; });
  m.def("nearestName", [](const std::string& name, const std::vector<std::string>& known) {
    return nearestName(name, std::vector<std::string_view>(known.begin(), known.end()));
  });

  py::class_<SimulationSettings>(m, "Settings")
      .def(py::init<>())
      .def(py::init<const SimulationSettings&>())
      .def("get", [](const SimulationSettings& s,
                     const std::string& path) { return toPython(s.get(path)); })
      .def("set", [](SimulationSettings& s, const std::string& path, py::handle value) {
        s.set(path, fromPython(value));
      });

  py::class_<EigenvalueOptions> options(m, "EigenvalueOptions");
  options.def(py::init<>());
  for (const Field& f : EigenvalueOptions::fields())
    options.def_property(
        std::string(f.name).c_str(),
        [&f](const EigenvalueOptions& o) { return toPython(f.get(&o)); },
        [&f](EigenvalueOptions& o, py::handle value) {
          const std::string where = "eigenvalues";
          f.set(&o, checkedValue(f, fromPython(value, f, where), where));
        });

  py::class_<Model>(m, "Model")
      .def(py::init<>())
      .def("own", &Model::own)
      .def("add", &Model::add)
      .def("parameter", &Model::parameter)
      .def("setParameter", &Model::setParameter)
      .def("count", &Model::count)
      .def("name", &Model::name)
      .def("typeName", &Model::typeName)
      .def("find", &Model::find)
      .def("assemble", &Model::assemble)
      .def_property_readonly("assembled", &Model::assembled)
      .def("solve", &Model::solve)
      .def("eigenvalues", &Model::eigenvalues)
      .def("linearized", &Model::linearized)
      .def("degreesOfFreedom", &Model::degreesOfFreedom)
      .def("currentStep", &Model::currentStep)
      .def("solution", &Model::solution)
      .def("nodeOutput", &Model::nodeOutput)
      .def("objectOutput", &Model::objectOutput)
      .def("bodyOutput", &Model::bodyOutput)
      .def("markerOutput", &Model::markerOutput)
      .def("loadValue", &Model::loadValue)
      .def("sensorOutput", &Model::sensorOutput)
      .def("sensorRows", &Model::sensorRows)
      .def("coordinates", &Model::coordinates)
      .def("setCoordinates", &Model::setCoordinates)
      .def("time", &Model::time)
      .def("setTime", &Model::setTime)
      .def("referenceFrame", &Model::referenceFrame)
      .def("nodePlace", &Model::nodePlace)
      .def("multipliersOf", &Model::multipliersOf)
      .def("toJson", &Model::toJson)
      .def("fromJson", &Model::fromJson);
}
