// Load proportional to mass: gravity.
#include "items/load.h"

namespace catena {
namespace {

struct LoadMassProportional {
  static constexpr std::string_view typeName = "MassProportional";
  static constexpr std::string_view aliases[] = {"Gravity"};
  static constexpr std::string_view summary =
      "load proportional to the mass of a body, e.g. gravity";
  static constexpr std::string_view theory =
      "Force m g at the centre of mass, g = loadVector (world).";

  MarkerIndex markerNumber;
  Vector3 loadVector = Vector3::Zero();
  UserFunction loadVectorUserFunction;

  static std::span<const Field> fields() {
    using T = LoadMassProportional;
    static constexpr Field table[] = {
        field<&T::markerNumber>("markerNumber", "", "", "a BodyMass marker"),
        field<&T::loadVector>("loadVector", "g", "m/s^2", "acceleration"),
        field<&T::loadVectorUserFunction>(
            "loadVectorUserFunction", "g", "m/s^2",
            "replaces the acceleration, three components; of t, f0, f1, f2 = loadVector"),
    };
    return table;
  }

  class Batch final : public ElementBatch {
   public:
    explicit Batch(const BatchSource& source)
        : items_(static_cast<const PoolOf<LoadMassProportional>&>(source.pool).items),
          view_(source.view) {
      for (int i = 0; i < size(); ++i) {
        const auto& load = items_[i];
        const std::string where = view_.where(Category::load, source.numbers[i]);
        if (!load.markerNumber.valid())
          throw ModelError(where + ": markerNumber is missing; give a BodyMass marker");
        const MarkerBinding& marker = view_.marker(load.markerNumber);
        if (!marker.mass)
          throw ModelError(where + ": " + view_.where(Category::marker, load.markerNumber.value) +
                           " is no BodyMass marker; use one on the body");
        const ItemType& type = view_.typeOf(Category::object, marker.body.value);
        const auto [mass, centre] =
            type.object->massAndCentre(view_.item(Category::object, marker.body.value));
        bodies_.push_back({marker.point.frame, mass, centre});
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
      const auto g = addFrameGroups(view_, bodies_[e].frame, 0, pattern);
      if (g[1] >= 0 && !bodies_[e].centre.isZero(0)) pattern.couple(g[1], g[1]);
    }
    void evaluate(const EvaluationContext& context, const ElementSink& sink, int begin,
                  int end) override {
      LocalVector<6> r;
      LocalMatrix<6> L = LocalMatrix<6>::Zero();
      for (int e = begin; e < end; ++e) {
        const Body& body = bodies_[e];
        const bool given = !functions_.empty() && functions_[e].defined();
        const Vector3 force =
            (given ? 1.0 : context.loadFactor) * body.mass * value(e, context.state.time);
        r.head<3>() = -force;
        r.tail<3>().setZero();
        if (!body.centre.isZero(0)) {
          const Vector3 local = context.frames[body.frame].rotation.transpose() * force;
          r.tail<3>() = -body.centre.cross(local);
          if (context.withMatrix)
            L.bottomRightCorner<3, 3>() = -context.variation.rowScale * context.variation.position *
                                          skew(body.centre) * skew(local);
        } else {
          L.bottomRightCorner<3, 3>().setZero();
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
    struct Body {
      int frame;
      Real mass;
      Vector3 centre;
    };
    Vector3 value(int e, Real t) const {
      const Vector3& given = items_[e].loadVector;
      if (functions_.empty() || !functions_[e].defined()) return given;
      const Real arguments[] = {t, given[0], given[1], given[2]};
      Vector3 result;
      functions_[e].evaluate(arguments, {result.data(), 3});
      return result;
    }

    const std::vector<LoadMassProportional>& items_;
    const AssemblyView& view_;
    std::vector<Body> bodies_;
    mutable std::vector<CompiledFunction> functions_;
    bool serial_ = false;
  };
};

const RegisterLoad<LoadMassProportional> registered;

}  // namespace
}  // namespace catena
