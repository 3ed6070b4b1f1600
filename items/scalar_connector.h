// Force elements between two scalar coordinates.
//
// An item struct T provides
//   MarkerPair markerNumbers;  bool activeConnector;
//   std::array<Real, 2> factors() const;  // u = factor[1] q_m1 - factor[0] q_m0, v likewise
//   struct Resolved;                      // what it needs besides its markers
//   static Resolved resolve(const T&, const std::string& where, const AssemblyView&);
//   static ScalarForce force(const T&, Resolved&, const State&, Real u, Real v, bool
//   withDerivatives);
// and, if it has states that only change after Newton,
//   static bool isDiscontinuous(const T&, const Resolved&);
//   static ElementBatch::PostNewton postNewton(const T&, Resolved&, Real u, Real v,
//                                              const State& start, State& state);
#pragma once

#include "items/scalar_coordinate.h"
#include "items/user_function.h"
#include "kernels/contact_force.h"

namespace catena {

// f on the left-hand side along +u of marker 1, and its derivatives by u and v.
struct ScalarForce {
  Real f = 0, byU = 0, byV = 0;
};

// Of a function of u and v as dual numbers.
template <class F>
ScalarForce scalarForce(const F& force, Real u, Real v) {
  using S = Dual<2>;
  const S f = force(S(u, {1, 0}), S(v, {0, 1}));
  return {f.value, f.gradient[0], f.gradient[1]};
}

template <class T>
class ScalarConnectorBatch final : public ElementBatch {
 public:
  explicit ScalarConnectorBatch(const BatchSource& source)
      : items_(static_cast<const PoolOf<T>&>(source.pool).items), view_(source.view) {
    for (int i = 0; i < size(); ++i) {
      const int number = source.numbers[i];
      pairs_.push_back(resolveScalars(view_, number, items_[i].markerNumbers));
      resolved_.push_back(T::resolve(items_[i], view_.where(Category::object, number), view_));
      if constexpr (requires { resolved_[i].function; })
        serial_ = serial_ || resolved_[i].function.serial();
      if constexpr (discontinuous)
        hasPostNewton_ = hasPostNewton_ || T::isDiscontinuous(items_[i], resolved_[i]);
    }
    width_ = scalarWidth(view_, pairs_);
  }
  int size() const override { return static_cast<int>(items_.size()); }
  int localSize() const override { return 2 * width_; }
  bool serial() const override { return serial_; }
  void describe(int e, ElementPattern& pattern) const override {
    const auto g0 = addScalarGroups(view_, pairs_[e].c0, 0, pattern);
    const auto g1 = addScalarGroups(view_, pairs_[e].c1, width_, pattern);
    for (const auto& rows : {g0, g1})
      for (const auto& columns : {g0, g1})
        for (const int i : rows)
          for (const int j : columns)
            if (i >= 0 && j >= 0) pattern.couple(i, j);
  }
  void evaluate(const EvaluationContext& context, const ElementSink& sink, int begin,
                int end) override {
    const int n = 2 * width_;
    LocalVector<24> r;
    Eigen::Matrix<Real, 24 * 24, 1> storage;
    for (int e = begin; e < end; ++e) {
      Eigen::Map<MatrixX> L(storage.data(), n, n);
      r.head(n).setZero();
      if (context.withMatrix) L.setZero();
      if (items_[e].activeConnector) evaluateElement(context, e, r, L);
      storeElement(context, sink, e, r.data(), context.withMatrix ? storage.data() : nullptr, n);
    }
  }
  bool output(int e, OutputVariable variable, const OutputContext& context,
              std::vector<Real>& out) const override {
    using enum OutputVariable;
    const auto [u, v] = motion(e, context.state, context.frames);
    switch (variable) {
      case Displacement:
        setOutput(out, u);
        return true;
      case Velocity:
        setOutput(out, v);
        return true;
      case Force:
        setOutput(out, items_[e].activeConnector
                           ? T::force(items_[e], resolved_[e], context.state, u, v, false).f
                           : 0.0);
        return true;
      default:
        return false;
    }
  }

  bool hasPostNewton() const override { return hasPostNewton_; }
  PostNewton postNewton(const EvaluationContext& context, const State& start,
                        State& state) override {
    PostNewton result;
    if constexpr (discontinuous)
      for (int e = 0; e < size(); ++e) {
        if (!T::isDiscontinuous(items_[e], resolved_[e])) continue;
        const auto [u, v] = motion(e, context.state, context.frames);
        result.merge(T::postNewton(items_[e], resolved_[e], u, v, start, state));
      }
    return result;
  }

 private:
  static constexpr bool discontinuous = requires(const T& t, const typename T::Resolved& r) {
    T::isDiscontinuous(t, r);
  };

  std::pair<Real, Real> motion(int e, const State& state, const Frame* frames) const {
    const std::array<Real, 2> factor = items_[e].factors();
    ScalarMotion m0, m1;
    evaluateScalar(view_, pairs_[e].c0, state, frames, nullptr, m0);
    evaluateScalar(view_, pairs_[e].c1, state, frames, nullptr, m1);
    return {factor[1] * m1.value - factor[0] * m0.value, factor[1] * m1.rate - factor[0] * m0.rate};
  }

  void evaluateElement(const EvaluationContext& context, int e, LocalVector<24>& r,
                       Eigen::Map<MatrixX>& L) const {
    const EvaluationContext* variations = context.withMatrix ? &context : nullptr;
    ScalarMotion m[2];
    evaluateScalar(view_, pairs_[e].c0, context.state, context.frames, variations, m[0]);
    evaluateScalar(view_, pairs_[e].c1, context.state, context.frames, variations, m[1]);
    const std::array<Real, 2> factors = items_[e].factors();
    const Real sign[2] = {-factors[0], factors[1]};
    const Real u = sign[1] * m[1].value + sign[0] * m[0].value,
               v = sign[1] * m[1].rate + sign[0] * m[0].rate;
    const ScalarForce s =
        T::force(items_[e], resolved_[e], context.state, u, v, context.withMatrix);
    for (int i = 0; i < 2; ++i)
      r.segment(i * width_, m[i].size) = sign[i] * s.f * m[i].forceRow.head(m[i].size);
    if (!context.withMatrix) return;
    const Real scale = context.variation.rowScale;
    for (int i = 0; i < 2; ++i) {
      const int ni = m[i].size;
      for (int j = 0; j < 2; ++j)
        L.block(i * width_, j * width_, ni, m[j].size) =
            (scale * sign[i] * sign[j]) * m[i].forceRow.head(ni) *
            (s.byU * m[j].dValue.head(m[j].size) + s.byV * m[j].dRate.head(m[j].size)).transpose();
      L.block(i * width_, i * width_, ni, ni) +=
          (scale * sign[i] * s.f) * m[i].dForceRow.topLeftCorner(ni, ni);
    }
  }

  const std::vector<T>& items_;
  const AssemblyView& view_;
  std::vector<ScalarPair> pairs_;
  mutable std::vector<typename T::Resolved> resolved_;  // user functions keep their arguments there
  int width_ = 1;
  bool serial_ = false, hasPostNewton_ = false;
};

template <class T>
class ScalarConnectorBehaviour : public ObjectBehaviour {
 public:
  std::unique_ptr<ElementBatch> makeBatch(const BatchSource& source) const override {
    return std::make_unique<ScalarConnectorBatch<T>>(source);
  }
};

}  // namespace catena
