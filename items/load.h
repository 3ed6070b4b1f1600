// Shared parts of loads.
#pragma once

#include "items/connector.h"
#include "items/scalar_coordinate.h"
#include "items/user_function.h"

namespace catena {

template <class T>
class LoadBehaviourOf final : public LoadBehaviour {
 public:
  std::unique_ptr<ElementBatch> makeBatch(const BatchSource& source) const override {
    return std::make_unique<typename T::Batch>(source);
  }
};

template <class T>
struct RegisterLoad {
  RegisterLoad() {
    static const LoadBehaviourOf<T> behaviour;
    ItemType type = describeItem<T>(Category::load);
    type.load = &behaviour;
    Registry::instance().add(std::move(type));
  }
};

// A vector load on a frame: wrench on local rows 0..5 (minus sign: loads stand on the right-hand
// side). T provides markerNumber, loadVector, loadVectorUserFunction, need and
//   static void apply(const T&, const Vector3& load, const Frame&, const Vector3& u, Wrench&)
struct LoadWrench {
  Vector3 force = Vector3::Zero();         // world
  Vector3 torque = Vector3::Zero();        // frame axes, about the origin of the frame
  Matrix3 forceByTheta = Matrix3::Zero();  // derivatives by the rotation of the frame
  Matrix3 torqueByTheta = Matrix3::Zero();
};

template <class T>
class VectorLoadBatch : public ElementBatch {
 public:
  explicit VectorLoadBatch(const BatchSource& source)
      : items_(static_cast<const PoolOf<T>&>(source.pool).items), view_(source.view) {
    for (int i = 0; i < size(); ++i) {
      const T& load = items_[i];
      const int number = source.numbers[i];
      const std::string where = view_.where(Category::load, number);
      if (!load.markerNumber.valid())
        throw ModelError(where + ": markerNumber is missing; give the index of a marker");
      points_.push_back(T::resolve(load, number, where, view_));
      if (load.loadVectorUserFunction.defined() && functions_.empty())
        functions_.resize(items_.size());
      if (load.loadVectorUserFunction.defined())
        functions_[i] = CompiledFunction(load.loadVectorUserFunction, {"t", "f0", "f1", "f2"}, 3,
                                         where + ": loadVectorUserFunction");
      serial_ = serial_ || (!functions_.empty() && functions_[i].serial());
    }
  }
  int size() const override { return static_cast<int>(items_.size()); }
  int localSize() const override { return 6; }
  bool serial() const override { return serial_; }
  void describe(int e, ElementPattern& pattern) const override {
    const auto g = addFrameGroups(view_, points_[e].frame, 0, pattern);
    if (g[1] < 0) return;
    if (T::torqueTurns(items_[e], points_[e].local)) pattern.couple(g[1], g[1]);
    if (g[0] >= 0 && T::forceTurns(items_[e])) pattern.couple(g[0], g[1]);
  }
  void evaluate(const EvaluationContext& context, const ElementSink& sink, int begin,
                int end) override {
    LocalVector<6> r;
    LocalMatrix<6> L = LocalMatrix<6>::Zero();
    for (int e = begin; e < end; ++e) {
      LoadWrench w;
      const bool given = !functions_.empty() && functions_[e].defined();
      const Vector3 load = (given ? 1.0 : context.loadFactor) * value(e, context.state.time);
      T::apply(items_[e], load, context.frames[points_[e].frame], points_[e].local, w);
      r << -w.force, -w.torque;
      if (context.withMatrix) {
        const Real s = -context.variation.rowScale * context.variation.position;
        L.topRightCorner<3, 3>() = s * w.forceByTheta;
        L.bottomRightCorner<3, 3>() = s * w.torqueByTheta;
      }
      storeElement(context, sink, e, r.data(), context.withMatrix ? L.data() : nullptr, 6);
    }
  }
  bool output(int e, OutputVariable, const OutputContext& context,
              std::vector<Real>& out) const override {
    setOutput(out, value(e, context.state.time));
    return true;
  }

 private:
  Vector3 value(int e, Real t) const {
    const Vector3& given = items_[e].loadVector;
    if (functions_.empty() || !functions_[e].defined()) return given;
    const Real arguments[] = {t, given[0], given[1], given[2]};
    Vector3 result;
    functions_[e].evaluate(arguments, {result.data(), 3});
    return result;
  }

  const std::vector<T>& items_;
  const AssemblyView& view_;
  std::vector<FramePoint> points_;
  mutable std::vector<CompiledFunction> functions_;
  bool serial_ = false;
};

}  // namespace catena
