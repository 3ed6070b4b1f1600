// Spring-damper in the three world directions.
#include "items/connector.h"
#include "items/user_function.h"

namespace catena {
namespace {

struct ConnectorCartesianSpringDamper {
  static constexpr std::string_view typeName = "ConnectorCartesianSpringDamper";
  static constexpr std::string_view aliases[] = {"CartesianSpringDamper"};
  static constexpr std::string_view summary = "spring-damper in the three world directions";
  static constexpr std::string_view theory =
      "u = p1 - p0, v = du/dt (world): f_i = k_i (u_i - offset_i) + d_i v_i; f acts on marker 1 as "
      "-f and on marker 0 as +f. "
      "Displacement = u - offset, Distance = |u - offset|, Force = f.";
  static constexpr OutputVariable outputs[] = {OutputVariable::Displacement,
                                               OutputVariable::Distance, OutputVariable::Velocity,
                                               OutputVariable::Force};

  MarkerPair markerNumbers;
  Vector3 stiffness = Vector3::Zero();
  Vector3 damping = Vector3::Zero();
  Vector3 offset = Vector3::Zero();
  UserFunction springForceUserFunction;
  bool activeConnector = true;

  static std::span<const Field> fields() {
    using T = ConnectorCartesianSpringDamper;
    static constexpr Field table[] = {
        field<&T::markerNumbers>("markerNumbers", "", "", "two position markers"),
        field<&T::stiffness>("stiffness", "k", "N/m", "stiffness along x, y, z"),
        field<&T::damping>("damping", "d", "N s/m", "damping along x, y, z"),
        field<&T::offset>("offset", "u_off", "m", "relative position without spring force"),
        field<&T::springForceUserFunction>(
            "springForceUserFunction", "f", "N",
            "replaces f, three components; of t, u0..u2, v0..v2, k0..k2, d0..d2, offset0..offset2"),
        field<&T::activeConnector>("activeConnector", "", "", "false: no force"),
    };
    return table;
  }

  struct Resolved {
    FramePair pair;
    CompiledFunction force;
  };

  static Vector3 evaluateForce(const ConnectorCartesianSpringDamper& s, CompiledFunction& function,
                               Real t, const Vector3& u, const Vector3& v) {
    if (!s.activeConnector) return Vector3::Zero();
    if (!function.defined())
      return s.stiffness.cwiseProduct(u - s.offset) + s.damping.cwiseProduct(v);
    Eigen::Matrix<Real, 16, 1> arguments;
    arguments << t, u, v, s.stiffness, s.damping, s.offset;
    Vector3 f;
    function.evaluate({arguments.data(), 16}, {f.data(), 3});
    return f;
  }

  class Batch final : public ResolvedBatch<ConnectorCartesianSpringDamper, Resolved> {
   public:
    explicit Batch(const BatchSource& source) : ResolvedBatch(source) {
      const std::vector<std::string> names = {"t",  "u0",      "u1",      "u2",     "v0", "v1",
                                              "v2", "k0",      "k1",      "k2",     "d0", "d1",
                                              "d2", "offset0", "offset1", "offset2"};
      for (int i = 0; i < size(); ++i) {
        const std::string where =
            view_.where(Category::object, numbers_[i]) + ": springForceUserFunction";
        resolved_.push_back({resolveFrames(view_, Category::object, numbers_[i],
                                           items_[i].markerNumbers, MarkerNeed::position),
                             CompiledFunction(items_[i].springForceUserFunction, names, 3, where)});
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
        const auto& s = items_[e];
        Resolved& c = resolved_[e];
        const Frame &f0 = context.frames[c.pair.point0.frame],
                    &f1 = context.frames[c.pair.point1.frame];
        const Vector3 u = relativePosition(c.pair, f0, f1), v = relativeVelocity(c.pair, f0, f1);
        const Real t = context.state.time;
        Matrix3 Kp = Matrix3::Zero(), Kv = Matrix3::Zero();
        if (s.activeConnector && !c.force.defined()) {
          Kp = s.stiffness.asDiagonal();
          Kv = s.damping.asDiagonal();
        } else if (s.activeConnector && context.withMatrix) {
          for (int j = 0; j < 3; ++j) {
            Kp.col(j) = centralDifference(
                [&](Real x) { return evaluateForce(s, c.force, t, replaced(u, j, x), v); }, u[j]);
            Kv.col(j) = centralDifference(
                [&](Real x) { return evaluateForce(s, c.force, t, u, replaced(v, j, x)); }, v[j]);
          }
        }
        addPointForce(context, c.pair, evaluateForce(s, c.force, t, u, v), Kp, Kv, r, L);
        storeElement(context, sink, e, r.data(), context.withMatrix ? L.data() : nullptr, 12);
      }
    }
    bool output(int e, OutputVariable variable, const OutputContext& context,
                std::vector<Real>& out) const override {
      using enum OutputVariable;
      const FramePair& pair = resolved_[e].pair;
      const Frame &f0 = context.frames[pair.point0.frame], &f1 = context.frames[pair.point1.frame];
      const Vector3 u = relativePosition(pair, f0, f1), v = relativeVelocity(pair, f0, f1);
      switch (variable) {
        case Displacement:
          setOutput(out, u - items_[e].offset);
          return true;
        case Distance:
          setOutput(out, (u - items_[e].offset).norm());
          return true;
        case Velocity:
          setOutput(out, v);
          return true;
        case Force:
          setOutput(out, evaluateForce(items_[e], const_cast<Resolved&>(resolved_[e]).force,
                                       context.state.time, u, v));
          return true;
        default:
          return false;
      }
    }

   private:
    static Vector3 replaced(Vector3 x, int i, Real value) {
      x[i] = value;
      return x;
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

const RegisterObject<ConnectorCartesianSpringDamper> registered;

}  // namespace
}  // namespace catena
