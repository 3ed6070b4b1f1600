// Spring-damper along the line between two points.
#include "items/connector.h"
#include "items/user_function.h"

namespace catena {
namespace {

struct ConnectorSpringDamper {
  static constexpr std::string_view typeName = "ConnectorSpringDamper";
  static constexpr std::string_view aliases[] = {"SpringDamper"};
  static constexpr std::string_view summary = "spring-damper along the line between two markers";
  static constexpr std::string_view theory =
      "L = |p1 - p0|, n = (p1 - p0) / L: f = k (L - L0) + d (dL/dt - v_off) + f_a, tension "
      "positive; the force f n pulls "
      "marker 1 towards marker 0 and the reverse. Force = f n (world), ForceLocal = f.";
  static constexpr OutputVariable outputs[] = {
      OutputVariable::Distance, OutputVariable::Displacement, OutputVariable::Velocity,
      OutputVariable::Force, OutputVariable::ForceLocal};

  MarkerPair markerNumbers;
  Real referenceLength = 0;
  Real stiffness = 0;
  Real damping = 0;
  Real force = 0;
  Real velocityOffset = 0;
  bool activeConnector = true;
  UserFunction springForceUserFunction;

  static std::span<const Field> fields() {
    using T = ConnectorSpringDamper;
    static constexpr Field table[] = {
        field<&T::markerNumbers>("markerNumbers", "", "", "two position markers"),
        field<&T::referenceLength>("referenceLength", "L_0", "m", "stress-free length",
                                   nonNegative),
        field<&T::stiffness>("stiffness", "k", "N/m", "stiffness", nonNegative),
        field<&T::damping>("damping", "d", "N s/m", "damping", nonNegative),
        field<&T::force>("force", "f_a", "N", "added constant force, tension positive"),
        field<&T::velocityOffset>("velocityOffset", "v_off", "m/s",
                                  "rate of the length without damping force"),
        field<&T::activeConnector>("activeConnector", "", "", "false: no force"),
        field<&T::springForceUserFunction>(
            "springForceUserFunction", "f", "N",
            "replaces f; of t, u = L - L0, v = dL/dt - v_off, k, d, force"),
    };
    return table;
  }

  struct Resolved {
    FramePair pair;
    CompiledFunction force;
  };

  // Scalar force f(u, v) and its derivatives.
  struct Tension {
    Real f, byLength, byRate;
  };
  static Tension tension(const ConnectorSpringDamper& s, CompiledFunction& function, Real t, Real u,
                         Real v, bool withDerivatives) {
    if (!s.activeConnector) return {0, 0, 0};
    if (!function.defined())
      return {s.stiffness * u + s.damping * v + s.force, s.stiffness, s.damping};
    return differentiate(u, v, withDerivatives, [&](Real x, Real y) {
      const Real arguments[] = {t, x, y, s.stiffness, s.damping, s.force};
      Real result;
      function.evaluate(arguments, {&result, 1});
      return result;
    });
  }
  template <class F>
  static Tension differentiate(Real u, Real v, bool withDerivatives, const F& f) {
    Tension result{f(u, v), 0, 0};
    if (withDerivatives) {
      result.byLength = centralDifference([&](Real x) { return f(x, v); }, u);
      result.byRate = centralDifference([&](Real y) { return f(u, y); }, v);
    }
    return result;
  }

  class Batch final : public ResolvedBatch<ConnectorSpringDamper, Resolved> {
   public:
    explicit Batch(const BatchSource& source) : ResolvedBatch(source) {
      for (int i = 0; i < size(); ++i) {
        const std::string where =
            view_.where(Category::object, numbers_[i]) + ": springForceUserFunction";
        resolved_.push_back({resolveFrames(view_, Category::object, numbers_[i],
                                           items_[i].markerNumbers, MarkerNeed::position),
                             CompiledFunction(items_[i].springForceUserFunction,
                                              {"t", "u", "v", "k", "d", "force"}, 1, where)});
        serial_ = serial_ || resolved_.back().force.serial();
      }
    }
    int localSize() const override { return 12; }
    bool serial() const override { return serial_; }
    void describe(int e, ElementPattern& pattern) const override {
      describeFramePair(view_, resolved_[e].pair, true, pattern);
    }
    void evaluate(const EvaluationContext& context, const ElementSink& sink, int begin,
                  int end) override {
      LocalVector<12> r;
      LocalMatrix<12> L;
      for (int e = begin; e < end; ++e) {
        Resolved& c = resolved_[e];
        const auto [dp, dv] = motion(c.pair, context.frames);
        const Real length = dp.norm();
        if (!(length > 0)) throw ModelError(zeroLength(e));
        const Vector3 n = dp / length;
        const Real rate = n.dot(dv) - items_[e].velocityOffset;
        const Tension s = tension(items_[e], c.force, context.state.time,
                                  length - items_[e].referenceLength, rate, context.withMatrix);
        const Matrix3 across = (Matrix3::Identity() - n * n.transpose()) / length;
        const Matrix3 along = n * n.transpose();
        const Matrix3 Kp =
            s.f * across + s.byLength * along + s.byRate * n * (across * dv).transpose();
        addPointForce(context, c.pair, s.f * n, Kp, s.byRate * along, r, L);
        storeElement(context, sink, e, r.data(), context.withMatrix ? L.data() : nullptr, 12);
      }
    }
    bool output(int e, OutputVariable variable, const OutputContext& context,
                std::vector<Real>& out) const override {
      using enum OutputVariable;
      const auto [dp, dv] = motion(resolved_[e].pair, context.frames);
      const Real length = dp.norm();
      const auto f = [&] {
        CompiledFunction& function = const_cast<Resolved&>(resolved_[e]).force;
        const Real rate = dp.dot(dv) / length - items_[e].velocityOffset;
        return tension(items_[e], function, context.state.time, length - items_[e].referenceLength,
                       rate, false)
            .f;
      };
      switch (variable) {
        case Distance:
          setOutput(out, length);
          return true;
        case Displacement:
          setOutput(out, dp);
          return true;
        case Velocity:
          setOutput(out, dv);
          return true;
        case Force:
          setOutput(out, f() * dp / length);
          return true;
        case ForceLocal:
          setOutput(out, f());
          return true;
        default:
          return false;
      }
    }

   private:
    static std::pair<Vector3, Vector3> motion(const FramePair& pair, const Frame* frames) {
      const Frame &f0 = frames[pair.point0.frame], &f1 = frames[pair.point1.frame];
      return {relativePosition(pair, f0, f1), relativeVelocity(pair, f0, f1)};
    }
    std::string zeroLength(int e) const {
      return view_.where(Category::object, numbers_[e]) +
             ": the distance of its markers is 0, so the spring has no direction; keep the points "
             "apart or use "
             "ConnectorCartesianSpringDamper";
    }
    bool serial_ = false;
  };

  class Behaviour final : public ObjectBehaviour {
   public:
    std::unique_ptr<ElementBatch> makeBatch(const BatchSource& source) const override {
      return std::make_unique<Batch>(source);
    }
  };
};

const RegisterObject<ConnectorSpringDamper> registered;

}  // namespace
}  // namespace catena
