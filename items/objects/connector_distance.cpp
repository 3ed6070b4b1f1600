// Constant distance of two points.
#include "items/connector.h"

namespace catena {
namespace {

struct ConnectorDistance {
  static constexpr std::string_view typeName = "ConnectorDistance";
  static constexpr std::string_view aliases[] = {"DistanceConstraint"};
  static constexpr std::string_view summary = "constant distance of two points (massless rod)";
  static constexpr std::string_view theory =
      "g = |p1 - p0| - L = 0, dg/dt = n.(v1 - v0) with n = (p1 - p0) / |p1 - p0|. Force = lambda: "
      "the rod pulls marker 1 "
      "with -lambda n (tension positive).";
  static constexpr OutputVariable outputs[] = {OutputVariable::Displacement,
                                               OutputVariable::Velocity, OutputVariable::Distance,
                                               OutputVariable::Force};

  MarkerPair markerNumbers;
  Real distance = 0;
  bool activeConnector = true;

  static std::span<const Field> fields() {
    using T = ConnectorDistance;
    static constexpr Field table[] = {
        field<&T::markerNumbers>("markerNumbers", "", "", "two position markers"),
        field<&T::distance>("distance", "L", "m", "prescribed distance", nonNegative),
        field<&T::activeConnector>("activeConnector", "", "",
                                   "false switches the constraint off (lambda = 0)"),
    };
    return table;
  }

  struct Resolved {
    FramePair pair;
    int multiplier;
  };

  template <class S>
  static S rate(const FramePair& pair, const Motion<S>& m0, const Motion<S>& m1) {
    using std::sqrt;
    using V = MatrixOf<S, 3>;
    const V dp = relativePosition(m0, pair.point0.local, m1, pair.point1.local, pair.origins);
    const V dv = pointVelocity(m1, pair.point1.local) - pointVelocity(m0, pair.point0.local);
    return dp.dot(dv) / sqrt(S(dp.dot(dp)));
  }

  class Batch final : public ResolvedBatch<ConnectorDistance, Resolved> {
   public:
    explicit Batch(const BatchSource& source) : ResolvedBatch(source) {
      for (int i = 0; i < size(); ++i) {
        if (!(items_[i].distance > 0))
          throw ModelError(view_.where(Category::object, numbers_[i]) +
                           ": distance = " + valueText(items_[i].distance) +
                           " m must be > 0; use a spherical joint for coinciding points");
        resolved_.push_back({resolveFrames(view_, Category::object, numbers_[i],
                                           items_[i].markerNumbers, MarkerNeed::position),
                             view_.multiplier({numbers_[i]})});
      }
    }
    int localSize() const override { return 13; }
    void describe(int e, ElementPattern& pattern) const override {
      const bool active = items_[e].activeConnector;
      const auto g = describeFramePair(view_, resolved_[e].pair, active, pattern);
      const int l = pattern.add({view_.multiplierGroup({numbers_[e]}), 12, 1, 0});
      if (!active) {
        pattern.couple(l, l);
        return;
      }
      for (const int k : g)
        if (k >= 0) pattern.couple(k, l), pattern.couple(l, k);
    }
    void evaluate(const EvaluationContext& context, const ElementSink& sink, int begin,
                  int end) override {
      LocalVector<13> r;
      LocalMatrix<13> L;
      for (int e = begin; e < end; ++e) {
        r.setZero();
        L.setZero();
        if (items_[e].activeConnector)
          evaluateRod(e, context, r, L);
        else
          r[12] = context.state.multipliers[resolved_[e].multiplier],
          L(12, 12) = 1 / context.variation.rowScale;
        storeElement(context, sink, e, r.data(), context.withMatrix ? L.data() : nullptr, 13);
      }
    }
    bool output(int e, OutputVariable variable, const OutputContext& context,
                std::vector<Real>& out) const override {
      using enum OutputVariable;
      const FramePair& pair = resolved_[e].pair;
      const Frame &f0 = context.frames[pair.point0.frame], &f1 = context.frames[pair.point1.frame];
      switch (variable) {
        case Displacement:
          setOutput(out, relativePosition(pair, f0, f1));
          return true;
        case Velocity:
          setOutput(out, relativeVelocity(pair, f0, f1));
          return true;
        case Distance:
          setOutput(out, relativePosition(pair, f0, f1).norm());
          return true;
        case Force:
          setOutput(out, context.state.multipliers[resolved_[e].multiplier]);
          return true;
        default:
          return false;
      }
    }

   private:
    void evaluateRod(int e, const EvaluationContext& context, LocalVector<13>& r,
                     LocalMatrix<13>& L) const {
      const FramePair& pair = resolved_[e].pair;
      const Variation& along = context.variation;
      const Frame &f0 = context.frames[pair.point0.frame], &f1 = context.frames[pair.point1.frame];
      const Vector3 dp = relativePosition(pair, f0, f1);
      const Real length = dp.norm();
      if (!(length > 0))
        throw ModelError(view_.where(Category::object, numbers_[e]) +
                         ": its points coincide, so the rod has no direction");
      const Vector3 n = dp / length;
      const Real lambda = context.state.multipliers[resolved_[e].multiplier];
      const Matrix3 across = (Matrix3::Identity() - n * n.transpose()) / length;
      LocalVector<12> force;
      LocalMatrix<12> K;
      addPointForce(context, pair, lambda * n, lambda * across, Matrix3::Zero(), force, K);
      LocalVector<12> C;
      C << -n, -pair.point0.local.cross(f0.rotation.transpose() * n), n,
          pair.point1.local.cross(f1.rotation.transpose() * n);
      r.head<12>() = force;
      r[12] = length - items_[e].distance;
      if (context.withMatrix) {
        L.topLeftCorner<12, 12>() = K;
        L.block<12, 1>(0, 12) = C;
        L.block<1, 12>(12, 0) = along.constraintPosition * C.transpose();
      }
      if (context.level == ConstraintLevel::velocity) {
        r[12] = rate(pair, motionOf(f0), motionOf(f1));
        if (!context.withMatrix) return;
        const Dual<12> g =
            rate(pair, liftMotion<12>(f0, context.variationOf(pair.point0.frame), along, 0),
                 liftMotion<12>(f1, context.variationOf(pair.point1.frame), along, 6));
        L.block<1, 12>(12, 0) = g.gradient.matrix().transpose();
      } else if (context.level == ConstraintLevel::acceleration) {
        r[12] = rate(pair, timeMotion(f0), timeMotion(f1)).gradient[0];
      }
    }
  };

  class Behaviour final : public ObjectBehaviour {
   public:
    std::vector<int> multiplierGroups(const void*) const override { return {1}; }
    std::unique_ptr<ElementBatch> makeBatch(const BatchSource& source) const override {
      return std::make_unique<Batch>(source);
    }
  };
};

const RegisterObject<ConnectorDistance> registered;

}  // namespace
}  // namespace catena
