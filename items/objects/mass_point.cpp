// A point mass.
#include "items/connector.h"

namespace catena {
namespace {

struct ObjectMassPoint {
  static constexpr std::string_view typeName = "MassPoint";
  static constexpr std::string_view summary = "point mass on a Point node";
  static constexpr std::string_view theory =
      "m a = f. Points of the body are the node plus a constant world vector.";
  static constexpr OutputVariable outputs[] = {
      OutputVariable::Position,        OutputVariable::Displacement,
      OutputVariable::Velocity,        OutputVariable::Acceleration,
      OutputVariable::RotationMatrix,  OutputVariable::Rotation,
      OutputVariable::AngularVelocity, OutputVariable::AngularVelocityLocal};

  Real mass = 0;
  NodeIndex nodeNumber;

  static std::span<const Field> fields() {
    using T = ObjectMassPoint;
    static constexpr Field table[] = {
        field<&T::mass>("mass", "m", "kg", "mass", nonNegative).withAlias("physicsMass"),
        field<&T::nodeNumber>("nodeNumber", "", "", "the Point node that carries the mass"),
    };
    return table;
  }

  class Batch final : public ResolvedBatch<ObjectMassPoint, int> {
   public:
    explicit Batch(const BatchSource& source) : ResolvedBatch(source) {
      for (int i = 0; i < size(); ++i) {
        const NodeIndex node = items_[i].nodeNumber;
        const std::string where = view_.where(Category::object, numbers_[i]);
        if (!node.valid())
          throw ModelError(where + ": nodeNumber is missing; give the index of a Point node");
        const NodeLayout& layout = view_.layout(node);
        const bool isPoint =
            layout.hasFrame && layout.shape.translations == 3 && layout.shape.rotations == 0;
        if (!isPoint && !(layout.ground && layout.hasFrame))  // a mass on the ground rests
          throw ModelError(where + ": " + view_.where(Category::node, node.value) +
                           " is no Point node");
        resolved_.push_back(view_.place(node).frame);
      }
    }
    int localSize() const override { return 3; }
    void describe(int e, ElementPattern& pattern) const override {
      const int g = addFrameGroups(view_, resolved_[e], 0, pattern)[0];
      if (g >= 0) pattern.couple(g, g);
    }
    void evaluate(const EvaluationContext& context, const ElementSink& sink, int begin,
                  int end) override {
      const Real scale = context.variation.rowScale * context.variation.acceleration;
      for (int e = begin; e < end; ++e) {
        const Vector3 r = items_[e].mass * context.frames[resolved_[e]].acceleration;
        const Matrix3 L = scale * items_[e].mass * Matrix3::Identity();
        storeElement(context, sink, e, r.data(), context.withMatrix ? L.data() : nullptr, 3);
      }
    }
  };

  class Behaviour final : public ObjectBehaviour {
   public:
    bool isBody() const override { return true; }
    bool hasOrientation(const void*) const override { return false; }
    NodeIndex bodyNode(const void* object) const override {
      return static_cast<const ObjectMassPoint*>(object)->nodeNumber;
    }
    std::pair<Real, Vector3> massAndCentre(const void* object) const override {
      return {static_cast<const ObjectMassPoint*>(object)->mass, Vector3::Zero()};
    }
    std::unique_ptr<ElementBatch> makeBatch(const BatchSource& source) const override {
      return std::make_unique<Batch>(source);
    }
  };
};

const RegisterObject<ObjectMassPoint> registered;

}  // namespace
}  // namespace catena
