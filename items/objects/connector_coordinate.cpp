// Constraint between two scalar coordinates.
#include "items/scalar_coordinate.h"
#include "items/user_function.h"

namespace catena {
namespace {

struct ConnectorCoordinate {
  static constexpr std::string_view typeName = "ConnectorCoordinate";
  static constexpr std::string_view aliases[] = {"CoordinateConstraint"};
  static constexpr std::string_view summary = "constraint between two scalar coordinates";
  static constexpr std::string_view theory =
      "g = k q_m1 - q_m0 - l_off(t) = 0 with k = factorValue1; velocity level (index 2 or "
      "velocityLevel): k v_m1 - v_m0 - d = "
      "0 with d = offsetUserFunction_t, or without it the offset itself if velocityLevel, else the "
      "difference quotient of l_off. Force = "
      "lambda: the force on marker "
      "0; +2 when the constraint holds marker 1 against a load of +2.";
  static constexpr OutputVariable outputs[] = {
      OutputVariable::Displacement, OutputVariable::Velocity, OutputVariable::ConstraintEquation,
      OutputVariable::Force};

  MarkerPair markerNumbers;
  Real offset = 0;
  Real factorValue1 = 1;
  bool velocityLevel = false;
  UserFunction offsetUserFunction;
  UserFunction offsetUserFunction_t;
  bool activeConnector = true;

  static std::span<const Field> fields() {
    using T = ConnectorCoordinate;
    static constexpr Field table[] = {
        field<&T::markerNumbers>("markerNumbers", "", "", "two coordinate markers"),
        field<&T::offset>("offset", "l_off", "m", "offset; a velocity if velocityLevel"),
        field<&T::factorValue1>("factorValue1", "k", "", "factor of the coordinate of marker 1"),
        field<&T::velocityLevel>("velocityLevel", "", "",
                                 "constrain velocities instead of positions"),
        field<&T::offsetUserFunction>("offsetUserFunction", "l_off", "m",
                                      "replaces the offset; of t, offset"),
        field<&T::offsetUserFunction_t>(
            "offsetUserFunction_t", "d", "m/s",
            "time derivative of the offset, for explicit methods, initial accelerations and "
            "velocity level; of t, offset; if missing, from differences of offsetUserFunction"),
        field<&T::activeConnector>("activeConnector", "", "",
                                   "false switches the constraint off (lambda = 0)"),
    };
    return table;
  }

  class Batch final : public ResolvedBatch<ConnectorCoordinate, ScalarPair> {
   public:
    explicit Batch(const BatchSource& source) : ResolvedBatch(source) {
      for (int i = 0; i < size(); ++i) {
        const std::string where = view_.where(Category::object, numbers_[i]);
        resolved_.push_back(resolveScalars(view_, numbers_[i], items_[i].markerNumbers));
        offsets_.emplace_back(items_[i].offsetUserFunction, std::vector<std::string>{"t", "offset"},
                              1, where + ": offsetUserFunction");
        rates_.emplace_back(items_[i].offsetUserFunction_t, std::vector<std::string>{"t", "offset"},
                            1, where + ": offsetUserFunction_t");
        serial_ = serial_ || offsets_.back().serial() || rates_.back().serial();
      }
      width_ = scalarWidth(view_, resolved_);
    }
    int localSize() const override { return 2 * width_ + 1; }
    bool serial() const override { return serial_; }
    void describe(int e, ElementPattern& pattern) const override {
      const auto g0 = addScalarGroups(view_, resolved_[e].c0, 0, pattern);
      const auto g1 = addScalarGroups(view_, resolved_[e].c1, width_, pattern);
      const int l = pattern.add({view_.multiplierGroup({numbers_[e]}), 2 * width_, 1, 0});
      if (!items_[e].activeConnector) {
        pattern.couple(l, l);
        return;
      }
      const ScalarCoordinate* c[] = {&resolved_[e].c0, &resolved_[e].c1};
      const std::array<int, 4>* groups[] = {&g0, &g1};
      for (int k = 0; k < 2; ++k)
        for (const int i : *groups[k]) {
          if (i < 0) continue;
          pattern.couple(i, l);
          pattern.couple(l, i);
          if (scalarSize(view_, *c[k]) == 1)
            continue;  // no geometric stiffness of a plain coordinate
          for (const int j : *groups[k])
            if (j >= 0) pattern.couple(i, j);
        }
    }
    void evaluate(const EvaluationContext& context, const ElementSink& sink, int begin,
                  int end) override {
      const int n = 2 * width_ + 1, row = n - 1;
      ScalarMotion m[2];
      LocalVector<25> r;
      Eigen::Matrix<Real, 25 * 25, 1> storage;
      const Variation& along = context.variation;
      for (int e = begin; e < end; ++e) {
        const auto& c = items_[e];
        const Real lambda = context.state.multipliers[view_.multiplier({numbers_[e]})];
        Eigen::Map<MatrixX> L(storage.data(), n, n);
        r.head(n).setZero();
        if (context.withMatrix) L.setZero();
        if (!c.activeConnector) {
          r[row] = lambda;
          if (context.withMatrix) L(row, row) = 1 / along.rowScale;
          storeElement(context, sink, e, r.data(), context.withMatrix ? storage.data() : nullptr,
                       n);
          continue;
        }
        const EvaluationContext* variations = context.withMatrix ? &context : nullptr;
        evaluateScalar(view_, resolved_[e].c0, context.state, context.frames, variations, m[0]);
        evaluateScalar(view_, resolved_[e].c1, context.state, context.frames, variations, m[1]);
        const bool velocity = c.velocityLevel || context.level == ConstraintLevel::velocity;
        const Real k = c.factorValue1;
        if (context.level == ConstraintLevel::acceleration)
          r[row] = k * secondRate(resolved_[e].c1, context) - secondRate(resolved_[e].c0, context) -
                   offsetSecondRate(e, context.state.time);
        else if (velocity)
          r[row] = k * m[1].rate - m[0].rate - offsetRate(e, context.state.time);
        else
          r[row] = k * m[1].value - m[0].value - offset(e, context.state.time);
        for (int i = 0; i < 2; ++i) {
          const Real factor = i ? k : -1;
          const int at = i * width_, ni = m[i].size;
          r.segment(at, ni) = lambda * factor * m[i].forceRow.head(ni);
          if (!context.withMatrix) continue;
          L.block(at, row, ni, 1) = factor * m[i].forceRow.head(ni);
          L.block(at, at, ni, ni) =
              along.rowScale * lambda * factor * m[i].dForceRow.topLeftCorner(ni, ni);
          if (context.level == ConstraintLevel::acceleration)
            L.block(row, at, 1, ni) = factor * m[i].forceRow.head(ni).transpose();
          else
            L.block(row, at, 1, ni) =
                factor * (velocity ? m[i].dRate : m[i].dValue).head(ni).transpose();
        }
        storeElement(context, sink, e, r.data(), context.withMatrix ? storage.data() : nullptr, n);
      }
    }
    bool output(int e, OutputVariable variable, const OutputContext& context,
                std::vector<Real>& out) const override {
      using enum OutputVariable;
      ScalarMotion m0, m1;
      evaluateScalar(view_, resolved_[e].c0, context.state, context.frames, nullptr, m0);
      evaluateScalar(view_, resolved_[e].c1, context.state, context.frames, nullptr, m1);
      const auto& c = items_[e];
      switch (variable) {
        case Displacement:
          setOutput(out, m1.value - m0.value);
          return true;
        case Velocity:
          setOutput(out, m1.rate - m0.rate);
          return true;
        case ConstraintEquation:
          setOutput(out,
                    c.velocityLevel
                        ? c.factorValue1 * m1.rate - m0.rate - offsetRate(e, context.state.time)
                        : c.factorValue1 * m1.value - m0.value - offset(e, context.state.time));
          return true;
        case Force:
          setOutput(out, context.state.multipliers[view_.multiplier({numbers_[e]})]);
          return true;
        default:
          return false;
      }
    }

   private:
    Real secondRate(const ScalarCoordinate& c, const EvaluationContext& context) const {
      return scalarSecondRate(view_, c, context.state, context.frames);
    }
    Real offset(int e, Real t) const {
      return offsets_[e].defined() ? evaluated(offsets_[e], t, items_[e].offset) : items_[e].offset;
    }
    Real offsetRate(int e, Real t) const {
      if (rates_[e].defined()) return evaluated(rates_[e], t, items_[e].offset);
      if (items_[e].velocityLevel) return items_[e].offset;
      if (!offsets_[e].defined()) return 0;
      return timeDerivative([&](Real at) { return offset(e, at); }, t, repeatedTimeStep);
    }
    Real offsetSecondRate(int e, Real t) const {
      const auto rate = [&](Real at) { return offsetRate(e, at); };
      if (rates_[e].defined()) return timeDerivative(rate, t);
      const bool constant = items_[e].velocityLevel || !offsets_[e].defined();
      return constant ? 0 : timeDerivative(rate, t, repeatedTimeStep);
    }
    static Real evaluated(CompiledFunction& function, Real t, Real offset) {
      const Real arguments[] = {t, offset};
      Real result;
      function.evaluate(arguments, {&result, 1});
      return result;
    }

    mutable std::vector<CompiledFunction> offsets_, rates_;
    int width_ = 1;
    bool serial_ = false;
  };

  class Behaviour final : public ObjectBehaviour {
   public:
    std::vector<int> multiplierGroups(const void*) const override { return {1}; }
    std::unique_ptr<ElementBatch> makeBatch(const BatchSource& source) const override {
      return std::make_unique<Batch>(source);
    }
  };
};

const RegisterObject<ConnectorCoordinate> registered;

}  // namespace
}  // namespace catena
