// Constraints between two frames that state their equations and their wrench for any scalar type.
//
// An item struct T provides
//   MarkerPair markerNumbers;  bool activeConnector;
//   static constexpr MarkerNeed need;
//   static constexpr int equationCount;                       // M
//   std::array<bool, M> constrained() const;                  // which equations hold
//   static constexpr bool velocityConstraint;                 // no equations of positions exist
//   template <class S> static void equations(const T&, const PairMotion<S>&, S* g);  // unless so
//   template <class S> static void rates(const T&, const PairMotion<S>&, S* gRate);  // dg/dt
//   template <class S> static PairWrench<S> wrench(const T&, const PairMotion<S>&, const S*
//   lambda); static bool output(const T&, const PairMotion<Real>&, const Real* lambda,
//   OutputVariable,
//                      std::vector<Real>&);
// The wrench of a unit multiplier is the transposed row of the constraint's Jacobian; all M
// equations and multipliers are written, those of free equations are ignored or zero.
#pragma once

#include "items/rigid_connector.h"

namespace catena {

template <class T>
class RigidConstraintBatch final : public ElementBatch {
  static constexpr int M = T::equationCount;
  static constexpr int n = 12 + M;

 public:
  explicit RigidConstraintBatch(const BatchSource& source)
      : items_(static_cast<const PoolOf<T>&>(source.pool).items), view_(source.view) {
    for (int i = 0; i < size(); ++i) {
      const int number = source.numbers[i];
      numbers_.push_back(number);
      pairs_.push_back(
          resolveFrames(view_, Category::object, number, items_[i].markerNumbers, T::need));
      removeRoundingGap(view_, pairs_[i]);
    }
  }
  int size() const override { return static_cast<int>(items_.size()); }
  int localSize() const override { return n; }
  void describe(int e, ElementPattern& pattern) const override {
    const bool active = items_[e].activeConnector;
    const auto g = describeFramePair(view_, pairs_[e], active, pattern);
    const int m = equations(e).count;
    if (m == 0) return;
    const int l = pattern.add({view_.multiplierGroup({numbers_[e]}), 12, m, 0});
    if (!active) {
      pattern.couple(l, l);
      return;
    }
    for (const int k : g)
      if (k >= 0) pattern.couple(k, l), pattern.couple(l, k);
  }
  void evaluate(const EvaluationContext& context, const ElementSink& sink, int begin,
                int end) override {
    LocalVector<n> r;
    LocalMatrix<n> L;
    for (int e = begin; e < end; ++e) {
      r.setZero();
      L.setZero();
      const Equations rows = equations(e);
      if (rows.count && items_[e].activeConnector)
        evaluateConstraint(context, e, rows, r, L);
      else
        for (int k = 0; k < rows.count; ++k) {
          r[12 + k] = context.state.multipliers[view_.multiplier({numbers_[e]}) + k];
          L(12 + k, 12 + k) = 1 / context.variation.rowScale;
        }
      storeElement(context, sink, e, r.data(), context.withMatrix ? L.data() : nullptr, n);
    }
  }
  bool output(int e, OutputVariable variable, const OutputContext& context,
              std::vector<Real>& out) const override {
    const std::array<Real, M> lambda = multipliers<Real>(e, equations(e), context.state);
    return T::output(items_[e], pairMotion(pairs_[e], view_, context.state, context.frames),
                     lambda.data(), variable, out);
  }

 private:
  // The equations that hold: equation index[k] has local row 12 + k.
  struct Equations {
    int count = 0;
    std::array<int, M> index{};
  };
  Equations equations(int e) const {
    Equations rows;
    const std::array<bool, M> constrained = items_[e].constrained();
    for (int k = 0; k < M; ++k)
      if (constrained[k]) rows.index[rows.count++] = k;
    return rows;
  }

  template <class S>
  std::array<S, M> multipliers(int e, const Equations& rows, const State& state) const {
    std::array<S, M> lambda;
    lambda.fill(S(0));
    if (rows.count == 0) return lambda;
    const Real* values = state.multipliers.data() + view_.multiplier({numbers_[e]});
    for (int k = 0; k < rows.count; ++k) lambda[rows.index[k]] = S(values[k]);
    return lambda;
  }

  void evaluateConstraint(const EvaluationContext& context, int e, const Equations& rows,
                          LocalVector<n>& r, LocalMatrix<n>& L) const {
    const auto motion = pairMotion(pairs_[e], view_, context.state, context.frames);
    const std::array<Real, M> lambda = multipliers<Real>(e, rows, context.state);
    LocalVector<12> forces;
    wrenchRows<Real>(motion, norm0(context, e), norm1(context, e),
                     T::template wrench<Real>(items_[e], motion, lambda.data()), forces);
    r.template head<12>() = forces;
    std::array<Real, M> g;
    evaluateEquations(context, e, motion, g);
    for (int k = 0; k < rows.count; ++k) r[12 + k] = g[rows.index[k]];
    if (!context.withMatrix) return;
    forceTangent(context, e, rows, L);
    constraintTangent(context, e, rows, L);
  }

  // Position, velocity or acceleration level, as the solver and the kind of constraint ask for.
  void evaluateEquations(const EvaluationContext& context, int e, const PairMotion<Real>& motion,
                         std::array<Real, M>& g) const {
    if (context.level == ConstraintLevel::acceleration) {
      using S = Dual<1>;
      std::array<S, M> rates;
      const PairMotion<S> moving{pairs_[e], view_, context.state,
                                 timeMotion(context.frames[pairs_[e].point0.frame]),
                                 timeMotion(context.frames[pairs_[e].point1.frame])};
      T::template rates<S>(items_[e], moving, rates.data());
      for (int k = 0; k < M; ++k) g[k] = rates[k].gradient[0];
    } else {
      values(context, e, motion, g);
    }
  }
  template <class S>
  void values(const EvaluationContext& context, int e, const PairMotion<S>& motion,
              std::array<S, M>& g) const {
    if constexpr (T::velocityConstraint) {
      T::template rates<S>(items_[e], motion, g.data());
    } else {
      if (context.level == ConstraintLevel::position)
        T::template equations<S>(items_[e], motion, g.data());
      else
        T::template rates<S>(items_[e], motion, g.data());
    }
  }

  // d (C^T lambda) along the tangents and, by the multipliers, C^T itself.
  void forceTangent(const EvaluationContext& context, int e, const Equations& rows,
                    LocalMatrix<n>& L) const {
    using S = Dual<n>;
    const Real scale = context.variation.rowScale;
    const auto motion = liftedPairMotion<n>(pairs_[e], view_, context, context.variation);
    std::array<S, M> lambda = multipliers<S>(e, rows, context.state);
    for (int k = 0; k < rows.count; ++k) lambda[rows.index[k]].gradient[12 + k] = 1 / scale;
    MatrixOf<S, 12> forces;
    wrenchRows<S>(motion, norm0(context, e), norm1(context, e),
                  T::template wrench<S>(items_[e], motion, lambda.data()), forces);
    for (int i = 0; i < 12; ++i) L.row(i) = scale * forces[i].gradient.matrix().transpose();
  }
  void constraintTangent(const EvaluationContext& context, int e, const Equations& rows,
                         LocalMatrix<n>& L) const {
    Variation along = context.variation;
    if (context.level == ConstraintLevel::acceleration)
      along.position = 0,
      along.velocity = along.acceleration;  // d^2g/dt^2 = C a + ..., dg/dt = C v
    else if (!T::velocityConstraint && context.level == ConstraintLevel::position)
      along.position = along.constraintPosition;
    using S = Dual<12>;
    const auto motion = liftedPairMotion<12>(pairs_[e], view_, context, along);
    std::array<S, M> g;
    if (context.level == ConstraintLevel::acceleration)
      T::template rates<S>(items_[e], motion, g.data());
    else
      values(context, e, motion, g);
    for (int k = 0; k < rows.count; ++k)
      L.template block<1, 12>(12 + k, 0) = g[rows.index[k]].gradient.matrix().transpose();
  }

  Real norm0(const EvaluationContext& context, int e) const {
    return context.frames[pairs_[e].point0.frame].norm2;
  }
  Real norm1(const EvaluationContext& context, int e) const {
    return context.frames[pairs_[e].point1.frame].norm2;
  }

  const std::vector<T>& items_;
  const AssemblyView& view_;
  std::vector<int> numbers_;
  std::vector<FramePair> pairs_;
};

template <class T>
class RigidConstraintBehaviour : public ObjectBehaviour {
 public:
  std::vector<int> multiplierGroups(const void* object) const override {
    int count = 0;
    for (const bool holds : static_cast<const T*>(object)->constrained()) count += holds;
    return count ? std::vector<int>{count} : std::vector<int>{};
  }
  std::unique_ptr<ElementBatch> makeBatch(const BatchSource& source) const override {
    return std::make_unique<RigidConstraintBatch<T>>(source);
  }
};

}  // namespace catena
