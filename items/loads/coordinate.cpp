// Force on a scalar coordinate.
#include "items/load.h"

namespace catena {
namespace {

struct LoadCoordinate {
  static constexpr std::string_view typeName = "Coordinate";
  static constexpr std::string_view summary = "force on a scalar coordinate";
  static constexpr std::string_view theory =
      "Q = J^T load with J the gradient of the coordinate's rate. On a first order coordinate: "
      "y' = ... + load.";

  MarkerIndex markerNumber;
  Real load = 0;
  UserFunction loadUserFunction;

  static std::span<const Field> fields() {
    using T = LoadCoordinate;
    static constexpr Field table[] = {
        field<&T::markerNumber>("markerNumber", "", "", "a coordinate marker"),
        field<&T::load>("load", "f", "N", "force"),
        field<&T::loadUserFunction>("loadUserFunction", "f", "N", "replaces the force; of t, load"),
    };
    return table;
  }

  class Batch final : public ElementBatch {
   public:
    explicit Batch(const BatchSource& source)
        : items_(static_cast<const PoolOf<LoadCoordinate>&>(source.pool).items),
          view_(source.view) {
      for (int i = 0; i < size(); ++i) {
        const std::string where = view_.where(Category::load, source.numbers[i]);
        coordinates_.push_back(*resolveMarker(view_, Category::load, source.numbers[i],
                                              items_[i].markerNumber, MarkerNeed::coordinate)
                                    .scalar);
        functions_.emplace_back(items_[i].loadUserFunction, std::vector<std::string>{"t", "load"},
                                1, where + ": loadUserFunction");
        serial_ = serial_ || functions_.back().serial();
        width_ = std::max(width_, scalarSize(view_, coordinates_.back()));
      }
    }
    int size() const override { return static_cast<int>(items_.size()); }
    int localSize() const override { return width_; }
    bool serial() const override { return serial_; }
    void describe(int e, ElementPattern& pattern) const override {
      const auto g = addScalarGroups(view_, coordinates_[e], 0, pattern);
      if (scalarSize(view_, coordinates_[e]) == 1) return;
      for (const int i : g)
        for (const int j : g)
          if (i >= 0 && j >= 0) pattern.couple(i, j);
    }
    void evaluate(const EvaluationContext& context, const ElementSink& sink, int begin,
                  int end) override {
      ScalarMotion m;
      LocalVector<12> r;
      LocalMatrix<12> storage;
      for (int e = begin; e < end; ++e) {
        evaluateScalar(view_, coordinates_[e], context.state, context.frames,
                       context.withMatrix ? &context : nullptr, m);
        const Real f =
            (functions_[e].defined() ? 1.0 : context.loadFactor) * value(e, context.state.time);
        r.setZero();
        r.head(m.size) = -f * m.forceRow.head(m.size);
        if (context.withMatrix) {
          Eigen::Map<MatrixX> L(storage.data(), width_, width_);
          L.setZero();
          L.topLeftCorner(m.size, m.size) =
              -context.variation.rowScale * f * m.dForceRow.topLeftCorner(m.size, m.size);
        }
        storeElement(context, sink, e, r.data(), context.withMatrix ? storage.data() : nullptr,
                     width_);
      }
    }
    bool output(int e, OutputVariable, const OutputContext& context,
                std::vector<Real>& out) const override {
      setOutput(out, value(e, context.state.time));
      return true;
    }

   private:
    Real value(int e, Real t) const {
      if (!functions_[e].defined()) return items_[e].load;
      const Real arguments[] = {t, items_[e].load};
      Real result;
      functions_[e].evaluate(arguments, {&result, 1});
      return result;
    }

    const std::vector<LoadCoordinate>& items_;
    const AssemblyView& view_;
    std::vector<ScalarCoordinate> coordinates_;
    mutable std::vector<CompiledFunction> functions_;
    int width_ = 1;
    bool serial_ = false;
  };
};

const RegisterLoad<LoadCoordinate> registered;

}  // namespace
}  // namespace catena
