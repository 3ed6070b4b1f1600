// Spring-damper on scalar coordinates.
#include "items/scalar_coordinate.h"
#include "items/user_function.h"

namespace catena {
namespace {

struct ConnectorCoordinateSpringDamper {
  static constexpr std::string_view typeName = "ConnectorCoordinateSpringDamper";
  static constexpr std::string_view aliases[] = {"CoordinateSpringDamper"};
  static constexpr std::string_view summary = "spring-damper between two scalar coordinates";
  static constexpr std::string_view theory =
      "u = q_m1 - q_m0 (displacements, without reference values), v = du/dt: f = k (u - l_off) + d "
      "v acts as -f on marker 1 "
      "and +f on marker 0. Force = f; PotentialEnergy = k (u - l_off)^2 / 2.";
  static constexpr OutputVariable outputs[] = {OutputVariable::Displacement,
                                               OutputVariable::Velocity, OutputVariable::Force,
                                               OutputVariable::PotentialEnergy};

  MarkerPair markerNumbers;
  Real stiffness = 0;
  Real damping = 0;
  Real offset = 0;
  bool activeConnector = true;
  UserFunction springForceUserFunction;

  static std::span<const Field> fields() {
    using T = ConnectorCoordinateSpringDamper;
    static constexpr Field table[] = {
        field<&T::markerNumbers>("markerNumbers", "", "", "two coordinate markers"),
        field<&T::stiffness>("stiffness", "k", "N/m", "stiffness"),
        field<&T::damping>("damping", "d", "N s/m", "damping"),
        field<&T::offset>("offset", "l_off", "m", "relative displacement without spring force"),
        field<&T::activeConnector>("activeConnector", "", "", "false: no force"),
        field<&T::springForceUserFunction>("springForceUserFunction", "f", "N",
                                           "replaces f; of t, u, v, k, d, offset"),
    };
    return table;
  }

  class Batch final : public ResolvedBatch<ConnectorCoordinateSpringDamper, ScalarPair> {
   public:
    explicit Batch(const BatchSource& source) : ResolvedBatch(source) {
      for (int i = 0; i < size(); ++i) {
        const std::string where =
            view_.where(Category::object, numbers_[i]) + ": springForceUserFunction";
        resolved_.push_back(resolveScalars(view_, numbers_[i], items_[i].markerNumbers));
        functions_.emplace_back(items_[i].springForceUserFunction,
                                std::vector<std::string>{"t", "u", "v", "k", "d", "offset"}, 1,
                                where);
        serial_ = serial_ || functions_.back().serial();
      }
      width_ = scalarWidth(view_, resolved_);
    }
    int localSize() const override { return 2 * width_; }
    bool serial() const override { return serial_; }
    void describe(int e, ElementPattern& pattern) const override {
      const auto g0 = addScalarGroups(view_, resolved_[e].c0, 0, pattern);
      const auto g1 = addScalarGroups(view_, resolved_[e].c1, width_, pattern);
      for (const auto& rows : {g0, g1})
        for (const auto& columns : {g0, g1})
          for (const int i : rows)
            for (const int j : columns)
              if (i >= 0 && j >= 0) pattern.couple(i, j);
    }
    void evaluate(const EvaluationContext& context, const ElementSink& sink, int begin,
                  int end) override {
      const int n = 2 * width_;
      ScalarMotion m[2];
      LocalVector<24> r;
      Eigen::Matrix<Real, 24 * 24, 1> storage;
      for (int e = begin; e < end; ++e) {
        const auto& s = items_[e];
        const EvaluationContext* variations = context.withMatrix ? &context : nullptr;
        evaluateScalar(view_, resolved_[e].c0, context.state, context.frames, variations, m[0]);
        evaluateScalar(view_, resolved_[e].c1, context.state, context.frames, variations, m[1]);
        const Real u = m[1].value - m[0].value, v = m[1].rate - m[0].rate;
        const Real f = force(e, context.state.time, u, v);
        r.head(n).setZero();
        for (int i = 0; i < 2; ++i)
          r.segment(i * width_, m[i].size) = (i ? f : -f) * m[i].forceRow.head(m[i].size);
        if (context.withMatrix) {
          Real byU = s.activeConnector ? s.stiffness : 0, byV = s.activeConnector ? s.damping : 0;
          if (s.activeConnector && functions_[e].defined()) {
            byU = centralDifference([&](Real x) { return force(e, context.state.time, x, v); }, u);
            byV = centralDifference([&](Real x) { return force(e, context.state.time, u, x); }, v);
          }
          const Real scale = context.variation.rowScale;
          Eigen::Map<MatrixX> L(storage.data(), n, n);
          L.setZero();
          for (int i = 0; i < 2; ++i) {
            const int ni = m[i].size;
            for (int j = 0; j < 2; ++j)
              L.block(i * width_, j * width_, ni, m[j].size) =
                  (i == j ? scale : -scale) * m[i].forceRow.head(ni) *
                  (byU * m[j].dValue.head(m[j].size) + byV * m[j].dRate.head(m[j].size))
                      .transpose();
            L.block(i * width_, i * width_, ni, ni) +=
                (i ? scale : -scale) * f * m[i].dForceRow.topLeftCorner(ni, ni);
          }
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
      const Real u = m1.value - m0.value, v = m1.rate - m0.rate;
      const auto& s = items_[e];
      switch (variable) {
        case Displacement:
          setOutput(out, u);
          return true;
        case Velocity:
          setOutput(out, v);
          return true;
        case Force:
          setOutput(out, force(e, context.state.time, u, v));
          return true;
        case PotentialEnergy:
          if (functions_[e].defined())
            throw ModelError(view_.where(Category::object, numbers_[e]) +
                             ": PotentialEnergy is not defined with a springForceUserFunction");
          setOutput(out,
                    s.activeConnector ? 0.5 * s.stiffness * (u - s.offset) * (u - s.offset) : 0.0);
          return true;
        default:
          return false;
      }
    }

   private:
    Real force(int e, Real t, Real u, Real v) const {
      const auto& s = items_[e];
      if (!s.activeConnector) return 0;
      if (!functions_[e].defined()) return s.stiffness * (u - s.offset) + s.damping * v;
      const Real arguments[] = {t, u, v, s.stiffness, s.damping, s.offset};
      Real f;
      functions_[e].evaluate(arguments, {&f, 1});
      return f;
    }

    mutable std::vector<CompiledFunction> functions_;
    int width_ = 1;
    bool serial_ = false;
  };

  class Behaviour final : public ObjectBehaviour {
   public:
    std::unique_ptr<ElementBatch> makeBatch(const BatchSource& source) const override {
      return std::make_unique<Batch>(source);
    }
  };
};

const RegisterObject<ConnectorCoordinateSpringDamper> registered;

}  // namespace
}  // namespace catena
