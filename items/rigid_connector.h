// Connectors between two frames that state a wrench for any scalar type: their exact tangent comes
// from differentiating it, geometric stiffness and the turning of the markers included.
//
// An item struct T provides
//   MarkerPair markerNumbers;  bool activeConnector;
//   static constexpr MarkerNeed need;
//   struct Resolved;           // what it needs besides its markers
//   static Resolved resolve(const T&, const std::string& where, const AssemblyView&);
//   template <class S> static PairWrench<S> wrench(const T&, Resolved&, const PairMotion<S>&);
//   static bool output(const T&, Resolved&, const PairMotion<Real>&, OutputVariable,
//   std::vector<Real>&);
// and, if it has states that only change after Newton,
//   static bool isDiscontinuous(const T&, const Resolved&);
//   static ElementBatch::PostNewton postNewton(const T&, Resolved&, const PairMotion<Real>&,
//                                              const State& start, State& state);
// and, if it watches the run,
//   static void stepAccepted(const T&, Resolved&, const PairMotion<Real>&, Real h);
//   static void warnings(const Resolved&, std::vector<std::string>&);
#pragma once

#include "items/connector.h"
#include "items/user_function.h"

namespace catena {

// What a connector sees: both frames, and the state for time, multipliers and data.
template <class S>
struct PairMotion {
  using V = MatrixOf<S, 3>;

  const FramePair& pair;
  const AssemblyView& view;
  const State& state;
  Motion<S> m0, m1;

  // Point 1 relative to point 0, world components.
  V displacement() const {
    return relativePosition(m0, pair.point0.local, m1, pair.point1.local, pair.origins);
  }
  V velocity() const { return V(velocity1() - velocity0()); }
  V angularVelocity() const { return V(angularVelocity1() - angularVelocity0()); }
  V velocity0() const { return pointVelocity(m0, pair.point0.local); }
  V velocity1() const { return pointVelocity(m1, pair.point1.local); }
  V angularVelocity0() const { return V(m0.rotation * m0.omega); }
  V angularVelocity1() const { return V(m1.rotation * m1.omega); }
  // Position of marker 0; only for outputs, for it loses digits far from the origin.
  V position0() const {
    return V(lift<S>(view.referencePosition(pair.point0.frame)) + m0.displacement +
             m0.rotation * lift<S>(pair.point0.local));
  }
};

// What a connector adds to the left-hand side, world components: -force at point 0 and +force at
// point 1, torque0 on frame 0 and torque1 on frame 1.
template <class S>
struct PairWrench {
  MatrixOf<S, 3> force = MatrixOf<S, 3>::Constant(S(0));
  MatrixOf<S, 3> torque0 = MatrixOf<S, 3>::Constant(S(0));
  MatrixOf<S, 3> torque1 = MatrixOf<S, 3>::Constant(S(0));
};

// Rows of a force at point u and a torque, for the tangent of the frame (world, body-fixed).
template <class S>
void addWrench(const Motion<S>& m, Real norm2, const Vector3& u, const MatrixOf<S, 3>& force,
               const MatrixOf<S, 3>& torque, S* rows) {
  using V = MatrixOf<S, 3>;
  const V local = m.rotation.transpose() * force;
  V turning = m.rotation.transpose() * torque;
  if (norm2 != 1) turning = V((turning - torque * S(1 - norm2)) / S(norm2));  // see Frame::norm2
  const V moment = lift<S>(u).cross(local) + turning;
  for (int i = 0; i < 3; ++i) rows[i] += force[i], rows[3 + i] += moment[i];
}

template <class S>
void wrenchRows(const PairMotion<S>& motion, Real norm0, Real norm1, const PairWrench<S>& w,
                MatrixOf<S, 12>& rows) {
  rows.setConstant(S(0));
  addWrench<S>(motion.m0, norm0, motion.pair.point0.local, -w.force, w.torque0, rows.data());
  addWrench<S>(motion.m1, norm1, motion.pair.point1.local, w.force, w.torque1, rows.data() + 6);
}

// The motion of a pair of frames, and with derivatives by the tangents of both (0..5 and 6..11).
inline PairMotion<Real> pairMotion(const FramePair& pair, const AssemblyView& view,
                                   const State& state, const Frame* frames) {
  return {pair, view, state, motionOf(frames[pair.point0.frame]),
          motionOf(frames[pair.point1.frame])};
}
template <int N = 12>
PairMotion<Dual<N>> liftedPairMotion(const FramePair& pair, const AssemblyView& view,
                                     const EvaluationContext& context, const Variation& along) {
  const auto lifted = [&](int frame, int first) {
    return liftMotion<N>(context.frames[frame], context.variationOf(frame), along, first);
  };
  return {pair, view, context.state, lifted(pair.point0.frame, 0), lifted(pair.point1.frame, 6)};
}

// A user function of arguments that depend on the motion: x replaces arguments first, first + 1,
// ... The values are exact, the derivatives by x central differences.
template <class S>
void evaluateLifted(CompiledFunction& function, std::span<Real> arguments, int first,
                    std::span<const S> x, std::span<S> results) {
  for (std::size_t j = 0; j < x.size(); ++j) arguments[first + j] = valueOf(x[j]);
  VectorX values(results.size());
  function.evaluate(arguments, {values.data(), results.size()});
  for (std::size_t i = 0; i < results.size(); ++i) results[i] = S(values[i]);
  if constexpr (!std::is_same_v<S, Real>) {
    for (std::size_t j = 0; j < x.size(); ++j) {
      if ((x[j].gradient == 0).all()) continue;
      const auto at = [&](Real y) {
        arguments[first + j] = y;
        function.evaluate(arguments, {values.data(), results.size()});
        return values;
      };
      const VectorX slope = centralDifference(at, x[j].value);
      arguments[first + j] = x[j].value;
      for (std::size_t i = 0; i < results.size(); ++i)
        results[i].gradient += slope[i] * x[j].gradient;
    }
  }
}

// Residual r, and L where the context asks for it, of a wrench that is a template of the motion.
template <class Wrench>
void evaluateWrench(const EvaluationContext& context, const AssemblyView& view,
                    const FramePair& pair, const Wrench& wrench, LocalVector<12>& r,
                    LocalMatrix<12>& L) {
  const Real norm0 = context.frames[pair.point0.frame].norm2;
  const Real norm1 = context.frames[pair.point1.frame].norm2;
  const auto motion = pairMotion(pair, view, context.state, context.frames);
  wrenchRows<Real>(motion, norm0, norm1, wrench(motion), r);
  if (!context.withMatrix) return;
  using S = Dual<12>;
  const auto lifted = liftedPairMotion(pair, view, context, context.variation);
  MatrixOf<S, 12> rows;
  wrenchRows<S>(lifted, norm0, norm1, wrench(lifted), rows);
  for (int i = 0; i < 12; ++i)
    L.row(i) = context.variation.rowScale * rows[i].gradient.matrix().transpose();
}

template <class T>
class RigidConnectorBatch final : public ElementBatch {
 public:
  explicit RigidConnectorBatch(const BatchSource& source)
      : items_(static_cast<const PoolOf<T>&>(source.pool).items), view_(source.view) {
    for (int i = 0; i < size(); ++i) {
      const int number = source.numbers[i];
      pairs_.push_back(
          resolveFrames(view_, Category::object, number, items_[i].markerNumbers, T::need));
      resolved_.push_back(T::resolve(items_[i], view_.where(Category::object, number), view_));
      if constexpr (requires { resolved_[i].function; })
        serial_ = serial_ || resolved_[i].function.serial();
      if constexpr (discontinuous)
        hasPostNewton_ = hasPostNewton_ || T::isDiscontinuous(items_[i], resolved_[i]);
    }
  }
  int size() const override { return static_cast<int>(items_.size()); }
  int localSize() const override { return 12; }
  bool serial() const override { return serial_; }
  void describe(int e, ElementPattern& pattern) const override {
    describeFramePair(view_, pairs_[e], true, pattern);
  }
  void evaluate(const EvaluationContext& context, const ElementSink& sink, int begin,
                int end) override {
    LocalVector<12> r;
    LocalMatrix<12> L;
    for (int e = begin; e < end; ++e) {
      if (items_[e].activeConnector) {
        evaluateElement(context, e, r, L);
      } else {
        r.setZero();
        L.setZero();
      }
      storeElement(context, sink, e, r.data(), context.withMatrix ? L.data() : nullptr, 12);
    }
  }
  bool output(int e, OutputVariable variable, const OutputContext& context,
              std::vector<Real>& out) const override {
    return T::output(items_[e], resolved_[e],
                     pairMotion(pairs_[e], view_, context.state, context.frames), variable, out);
  }

  void stepAccepted(const OutputContext& context, Real h) override {
    if constexpr (requires { &T::stepAccepted; })
      for (int e = 0; e < size(); ++e)
        T::stepAccepted(items_[e], resolved_[e],
                        pairMotion(pairs_[e], view_, context.state, context.frames), h);
  }
  void warnings(std::vector<std::string>& out) const override {
    if constexpr (requires { &T::warnings; })
      for (const auto& r : resolved_) T::warnings(r, out);
  }
  bool hasPostNewton() const override { return hasPostNewton_; }
  PostNewton postNewton(const EvaluationContext& context, const State& start,
                        State& state) override {
    PostNewton result;
    if constexpr (discontinuous)
      for (int e = 0; e < size(); ++e) {
        if (!T::isDiscontinuous(items_[e], resolved_[e])) continue;
        const PostNewton one = T::postNewton(
            items_[e], resolved_[e], pairMotion(pairs_[e], view_, context.state, context.frames),
            start, state);
        result.merge(one);
      }
    return result;
  }

 private:
  static constexpr bool discontinuous = requires(const T& t, const typename T::Resolved& r) {
    T::isDiscontinuous(t, r);
  };

  void evaluateElement(const EvaluationContext& context, int e, LocalVector<12>& r,
                       LocalMatrix<12>& L) {
    evaluateWrench(
        context, view_, pairs_[e],
        [&]<class S>(const PairMotion<S>& motion) {
          return T::template wrench<S>(items_[e], resolved_[e], motion);
        },
        r, L);
  }

  const std::vector<T>& items_;
  const AssemblyView& view_;
  std::vector<FramePair> pairs_;
  mutable std::vector<typename T::Resolved> resolved_;  // user functions keep their arguments there
  bool serial_ = false, hasPostNewton_ = false;
};

template <class T>
class RigidConnectorBehaviour : public ObjectBehaviour {
 public:
  std::unique_ptr<ElementBatch> makeBatch(const BatchSource& source) const override {
    return std::make_unique<RigidConnectorBatch<T>>(source);
  }
};

}  // namespace catena
