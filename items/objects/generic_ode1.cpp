// Linear (and user-defined nonlinear) equations of first order on the coordinates of some nodes.
#include "items/connector.h"

namespace catena {
namespace {

struct ObjectGenericODE1 {
  static constexpr std::string_view typeName = "GenericODE1";
  static constexpr std::string_view summary =
      "first order equations with a given system matrix and right-hand side";
  static constexpr std::string_view theory =
      "y' = A y + f + f_user(t, y), with y the coordinates (without reference values) of the "
      "nodes, "
      "in their order. A Coordinate load on a NodeODE1Coordinate marker adds to the right-hand "
      "side.";
  static constexpr OutputVariable outputs[] = {
      OutputVariable::CoordinatesTotal, OutputVariable::Coordinates, OutputVariable::Coordinates_t};

  std::vector<NodeIndex> nodeNumbers;
  MatrixX systemMatrix;
  VectorX rhsVector;
  UserFunction rhsUserFunction;

  static std::span<const Field> fields() {
    using T = ObjectGenericODE1;
    static constexpr Field table[] = {
        field<&T::nodeNumbers>("nodeNumbers", "", "",
                               "the GenericODE1 nodes whose coordinates make up y"),
        field<&T::systemMatrix>("systemMatrix", "A", "1/s", "system matrix, n x n; empty: zero"),
        field<&T::rhsVector>("rhsVector", "f", "", "constant rates, n values; empty: zero"),
        field<&T::rhsUserFunction>("rhsUserFunction", "f_user", "",
                                   "added to the rates, n components; of t, q0.. = y"),
    };
    return table;
  }

  struct Part {  // the coordinates of one node
    NodePlace place;
    int start, size;
  };
  struct Resolved {
    std::vector<Part> parts;
    VectorX reference;
    CompiledFunction function;

    int size() const { return static_cast<int>(reference.size()); }
    void gather(const VectorX& global, VectorX& local) const {
      local.resize(size());
      for (const Part& p : parts)
        local.segment(p.start, p.size) = global.segment(p.place.firstOrder, p.size);
    }
  };

  class Batch final : public ResolvedBatch<ObjectGenericODE1, Resolved> {
   public:
    explicit Batch(const BatchSource& source) : ResolvedBatch(source) {
      for (int i = 0; i < size(); ++i) {
        resolved_.push_back(resolve(items_[i], view_.where(Category::object, numbers_[i]), view_));
        largest_ = std::max(largest_, resolved_.back().size());
        serial_ = serial_ || resolved_.back().function.serial();
      }
    }
    int localSize() const override { return largest_; }
    bool serial() const override { return serial_; }
    void describe(int e, ElementPattern& pattern) const override {
      const auto& parts = resolved_[e].parts;
      for (const Part& p : parts) pattern.add({p.place.group, p.start, p.size, 0});
      for (int i = 0; i < static_cast<int>(parts.size()); ++i)
        for (int j = 0; j < static_cast<int>(parts.size()); ++j) pattern.couple(i, j);
    }
    void evaluate(const EvaluationContext& context, const ElementSink& sink, int begin,
                  int end) override {
      thread_local Scratch s;  // keeps its memory
      for (int e = begin; e < end; ++e) {
        const Resolved& r = resolved_[e];
        r.gather(context.state.y, s.y);
        r.gather(context.state.ydot, s.r);
        subtractRates(e, context.state.time, s.y, s, s.r);
        if (context.withMatrix) tangent(e, context, s);
        storeElement(context, sink, e, s.r.data(), context.withMatrix ? s.L.data() : nullptr,
                     r.size());
      }
    }
    bool output(int e, OutputVariable variable, const OutputContext& context,
                std::vector<Real>& out) const override {
      using enum OutputVariable;
      VectorX y;
      resolved_[e].gather(variable == Coordinates_t ? context.state.ydot : context.state.y, y);
      if (variable == CoordinatesTotal) y += resolved_[e].reference;
      if (variable != CoordinatesTotal && variable != Coordinates && variable != Coordinates_t)
        return false;
      setOutput(out, y);
      return true;
    }

   private:
    struct Scratch {
      VectorX y, r, f, column;
      MatrixX L;
      std::vector<Real> arguments;
    };
    void subtractRates(int e, Real t, const VectorX& y, Scratch& s, VectorX& out) const {
      const ObjectGenericODE1& o = items_[e];
      if (o.systemMatrix.size()) out.noalias() -= o.systemMatrix * y;
      if (o.rhsVector.size()) out -= o.rhsVector;
      subtractUserRates(e, t, y, s, out);
    }
    void subtractUserRates(int e, Real t, const VectorX& y, Scratch& s, VectorX& out) const {
      CompiledFunction& function = const_cast<Resolved&>(resolved_[e]).function;
      if (!function.defined()) return;
      s.arguments.assign(1, t);
      s.arguments.insert(s.arguments.end(), y.data(), y.data() + y.size());
      s.f.resize(y.size());
      function.evaluate(s.arguments, {s.f.data(), static_cast<std::size_t>(s.f.size())});
      out -= s.f;
    }
    void tangent(int e, const EvaluationContext& context, Scratch& s) const {
      const int n = resolved_[e].size();
      const Variation& along = context.variation;
      s.L.setZero(n, n);
      if (items_[e].systemMatrix.size()) s.L = -along.position * items_[e].systemMatrix;
      s.L.diagonal().array() += along.firstOrderRate;
      if (!resolved_[e].function.defined() || along.position == 0) return;
      for (int j = 0; j < n; ++j) {
        const Real at = s.y[j];
        s.L.col(j) +=
            along.position * centralDifference(
                                 [&](Real x) {
                                   s.y[j] = x;
                                   s.column.setZero(n);
                                   subtractUserRates(e, context.state.time, s.y, s, s.column);
                                   return s.column;
                                 },
                                 at);
        s.y[j] = at;
      }
    }

    int largest_ = 0;
    bool serial_ = false;
  };

  static Resolved resolve(const ObjectGenericODE1& o, const std::string& where,
                          const AssemblyView& view) {
    Resolved r;
    int n = 0;
    for (std::size_t i = 0; i < o.nodeNumbers.size(); ++i) {
      const NodeIndex node = o.nodeNumbers[i];
      if (!node.valid())
        throw ModelError(where + ": nodeNumbers contains -1; give the indices of nodes");
      if (std::find(o.nodeNumbers.begin(), o.nodeNumbers.begin() + i, node) !=
          o.nodeNumbers.begin() + i)
        throw ModelError(where + ": nodeNumbers names node " + std::to_string(node.value) +
                         " twice");
      const int size = view.layout(node).firstOrder;
      if (size == 0)
        throw ModelError(where + ": nodeNumbers contains " +
                         view.where(Category::node, node.value) +
                         ", which has no coordinates of first order; use GenericODE1 nodes");
      r.parts.push_back({view.place(node), n, size});
      n += size;
    }
    if (n == 0) throw ModelError(where + ": nodeNumbers is empty; give GenericODE1 nodes");
    if (o.systemMatrix.size() && (o.systemMatrix.rows() != n || o.systemMatrix.cols() != n))
      throw ModelError(where + ": systemMatrix is " + std::to_string(o.systemMatrix.rows()) +
                       " x " + std::to_string(o.systemMatrix.cols()) + "; the nodes have " +
                       std::to_string(n) + " coordinates, so it must be " + std::to_string(n) +
                       " x " + std::to_string(n));
    if (o.rhsVector.size() && o.rhsVector.size() != n)
      throw ModelError(where + ": rhsVector has " + std::to_string(o.rhsVector.size()) +
                       " values; the nodes have " + std::to_string(n) + " coordinates");
    r.reference.setZero(n);
    for (std::size_t i = 0; i < r.parts.size(); ++i)
      view.behaviour(o.nodeNumbers[i])
          .referenceCoordinates(view.item(Category::node, o.nodeNumbers[i].value),
                                r.reference.data() + r.parts[i].start);
    std::vector<std::string> names{"t"};
    for (int i = 0; i < n; ++i) names.push_back("q" + std::to_string(i));
    r.function = CompiledFunction(o.rhsUserFunction, names, n, where + ": rhsUserFunction");
    return r;
  }

  class Behaviour final : public ObjectBehaviour {
   public:
    std::unique_ptr<ElementBatch> makeBatch(const BatchSource& source) const override {
      return std::make_unique<Batch>(source);
    }
  };
};

const RegisterObject<ObjectGenericODE1> registered;

}  // namespace
}  // namespace catena
