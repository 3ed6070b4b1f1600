// Adapter from a node struct to NodeBehaviour: loops over a pool, with the struct's static
// functions inlined.
#pragma once

#include <algorithm>

#include "items/node.h"

namespace catena {

template <class T>
class NodeBehaviourOf final : public NodeBehaviour {
 public:
  NodeLayout layout(const void* node) const override {
    return T::layout(*static_cast<const T*>(node));
  }

  void check(const void* node, const std::string& where) const override {
    if constexpr (requires(const T& t) { T::check(t, where); })
      T::check(*static_cast<const T*>(node), where);
  }
  Vector3 referencePosition(const void* node) const override {
    if constexpr (requires(const T& t) { T::referencePosition(t); })
      return T::referencePosition(*static_cast<const T*>(node));
    return Vector3::Zero();
  }
  void referenceCoordinates(const void* node, Real* q) const override {
    if constexpr (requires(const T& t) { t.referenceCoordinates; }) {
      const T& t = *static_cast<const T*>(node);
      if (const NodeLayout l = layout(node); l.coordinates + l.firstOrder > 0)
        for (int i = 0; i < t.referenceCoordinates.size(); ++i) q[i] = t.referenceCoordinates[i];
    }
  }
  void initialState(const void* node, const NodeView& state) const override {
    T::initialState(*static_cast<const T*>(node), state);
  }

  void motions(const ItemPool& pool, std::span<const NodePlace> places, const State& state,
               Frame* frames, int begin, int end) const override {
    if constexpr (requires(const T& t, Frame& f) { T::motion(t, ConstNodeView{}, f); }) {
      const auto& items = static_cast<const PoolOf<T>&>(pool).items;
      for (int i = begin; i < end; ++i)
        T::motion(items[i], view(state, places[i]), frames[places[i].frame]);
    }
  }
  static constexpr bool varies = requires(const T& t, FrameVariation& f) {
    T::variation(t, ConstNodeView{}, Variation{}, f);
  };
  bool hasVariation() const override { return varies; }
  void variations(const ItemPool& pool, std::span<const NodePlace> places, const State& state,
                  const Variation& variation, FrameVariation* out, int begin,
                  int end) const override {
    if constexpr (varies) {
      const auto& items = static_cast<const PoolOf<T>&>(pool).items;
      for (int i = begin; i < end; ++i)
        T::variation(items[i], view(state, places[i]), variation, out[i]);
    }
  }
  void increment(const ItemPool& pool, std::span<const NodePlace> places, State& state,
                 const VectorX& delta, const Variation& variation, ConstraintLevel level, int begin,
                 int end) const override {
    const auto& items = static_cast<const PoolOf<T>&>(pool).items;
    for (int i = begin; i < end; ++i) {
      const NodePlace& p = places[i];
      const Real* d = delta.data() + p.unknown;
      if constexpr (requires(const T& t) { T::increment(t, NodeView{}, d, variation, level); }) {
        T::increment(items[i], view(state, p), d, variation, level);
      } else {
        const NodeView s = view(state, p);
        const int n = T::layout(items[i]).coordinates;
        for (int k = 0; k < n; ++k) {
          s.q[k] += variation.position * d[k];
          s.v[k] += variation.velocity * d[k];
          s.a[k] += variation.acceleration * d[k];
        }
        if constexpr (firstOrder)
          for (int k = 0; k < T::layout(items[i]).firstOrder; ++k) {
            s.y[k] += variation.position * d[k];
            s.ydot[k] += variation.firstOrderRate * d[k];
          }
      }
    }
  }
  static constexpr bool firstOrder = requires(const T& t) { t.numberOfODE1Coordinates; };
  void predict(const ItemPool& pool, std::span<const NodePlace> places, State& state,
               const VectorX& start, const VectorX& dq, Real twist, int begin,
               int end) const override {
    const auto& items = static_cast<const PoolOf<T>&>(pool).items;
    for (int i = begin; i < end; ++i) {
      const int at = places[i].coordinate;
      const Real* q0 = start.data() + at;
      const Real* d = dq.data() + at;
      if constexpr (requires(const T& t) { T::predict(t, NodeView{}, q0, d, twist); }) {
        T::predict(items[i], view(state, places[i]), q0, d, twist);
      } else {
        const int n = T::layout(items[i]).coordinates;
        for (int k = 0; k < n; ++k) state.q[at + k] = q0[k] + d[k];
      }
    }
  }
  void localRates(const ItemPool& pool, std::span<const NodePlace> places, const VectorX& dq,
                  const VectorX& v, VectorX& rate, int begin, int end) const override {
    const auto& items = static_cast<const PoolOf<T>&>(pool).items;
    for (int i = begin; i < end; ++i) {
      const int at = places[i].coordinate;
      if constexpr (requires(Real * to) { T::localRate(dq.data(), v.data(), to); })
        T::localRate(dq.data() + at, v.data() + at, rate.data() + at);
      else
        std::copy_n(v.data() + at, T::layout(items[i]).coordinates, rate.data() + at);
    }
  }
  void difference(const ItemPool& pool, std::span<const NodePlace> places, const VectorX& q0,
                  const VectorX& q1, VectorX& dq, int begin, int end) const override {
    const auto& items = static_cast<const PoolOf<T>&>(pool).items;
    for (int i = begin; i < end; ++i) {
      const int at = places[i].coordinate;
      if constexpr (requires(const T& t, Real* to) { T::difference(t, q0.data(), q1.data(), to); })
        T::difference(items[i], q0.data() + at, q1.data() + at, dq.data() + at);
      else
        for (int k = 0; k < T::layout(items[i]).coordinates; ++k)
          dq[at + k] = q1[at + k] - q0[at + k];
    }
  }
  void coordinateRows(const void* node, const ConstNodeView& state, int coordinate,
                      Real* positionRow, Real* forceRow, Real* hessian) const override {
    const T& t = *static_cast<const T*>(node);
    const int n = T::layout(t).groups.total();
    std::fill_n(positionRow, n, 0.0);
    std::fill_n(forceRow, n, 0.0);
    std::fill_n(hessian, n * n, 0.0);
    if constexpr (requires {
                    T::coordinateRows(t, state, coordinate, positionRow, forceRow, hessian);
                  })
      T::coordinateRows(t, state, coordinate, positionRow, forceRow, hessian);
    else
      positionRow[coordinate] = forceRow[coordinate] = 1;
  }

  bool output(const void* node, const ConstNodeView& state, OutputVariable variable,
              std::vector<Real>& out) const override {
    if constexpr (requires(const T& t) { T::output(t, state, variable, out); })
      return T::output(*static_cast<const T*>(node), state, variable, out);
    return false;
  }

  static ConstNodeView view(const State& s, const NodePlace& p) { return viewOf(s, p); }
  static NodeView view(State& s, const NodePlace& p) {
    return {s.q.data() + p.coordinate, s.v.data() + p.coordinate,    s.a.data() + p.coordinate,
            s.y.data() + p.firstOrder, s.ydot.data() + p.firstOrder, s.data.data() + p.data};
  }
};

// Registers node struct T when a static object of this type is initialised.
template <class T>
struct RegisterNode {
  RegisterNode() {
    static const NodeBehaviourOf<T> behaviour;
    ItemType type = describeItem<T>(Category::node);
    type.node = &behaviour;
    Registry::instance().add(std::move(type));
  }
};

}  // namespace catena
