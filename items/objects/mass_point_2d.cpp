// A point mass in the x-y plane.
#include "items/connector.h"

namespace catena {
namespace {

struct ObjectMassPoint2D {
  static constexpr std::string_view typeName = "MassPoint2D";
  static constexpr std::string_view summary = "point mass on a Point2D node";
  static constexpr std::string_view theory =
      "m a = f in the x-y plane; forces along z have no effect. Points of the body are the node "
      "plus a constant world vector.";
  static constexpr OutputVariable outputs[] = {
      OutputVariable::Position,        OutputVariable::Displacement,
      OutputVariable::Velocity,        OutputVariable::Acceleration,
      OutputVariable::RotationMatrix,  OutputVariable::Rotation,
      OutputVariable::AngularVelocity, OutputVariable::AngularVelocityLocal};

  Real mass = 0;
  NodeIndex nodeNumber;

  static std::span<const Field> fields() {
    using T = ObjectMassPoint2D;
    static constexpr Field table[] = {
        field<&T::mass>("mass", "m", "kg", "mass", nonNegative).withAlias("physicsMass"),
        field<&T::nodeNumber>("nodeNumber", "", "", "the Point2D node that carries the mass"),
    };
    return table;
  }

  class Batch final : public ResolvedBatch<ObjectMassPoint2D, int> {
   public:
    explicit Batch(const BatchSource& source) : ResolvedBatch(source) {
      for (int i = 0; i < size(); ++i) {
        const NodeIndex node = items_[i].nodeNumber;
        const std::string where = view_.where(Category::object, numbers_[i]);
        if (!node.valid())
          throw ModelError(where + ": nodeNumber is missing; give the index of a Point2D node");
        const NodeLayout& layout = view_.layout(node);
        if (!layout.hasFrame || layout.shape.translations != 2 || layout.shape.rotations != 0)
          throw ModelError(where + ": " + view_.where(Category::node, node.value) +
                           " is no Point2D node");
        resolved_.push_back(view_.place(node).frame);
      }
    }
    int localSize() const override { return 2; }
    void describe(int e, ElementPattern& pattern) const override {
      const int g = pattern.add({view_.groupOfFrame(resolved_[e]), 0, 2, 0});
      pattern.couple(g, g);
    }
    void evaluate(const EvaluationContext& context, const ElementSink& sink, int begin,
                  int end) override {
      const Real scale = context.variation.rowScale * context.variation.acceleration;
      for (int e = begin; e < end; ++e) {
        const Vector2 r = items_[e].mass * context.frames[resolved_[e]].acceleration.head<2>();
        const LocalMatrix<2> L = scale * items_[e].mass * LocalMatrix<2>::Identity();
        storeElement(context, sink, e, r.data(), context.withMatrix ? L.data() : nullptr, 2);
      }
    }
  };

  class Behaviour final : public ObjectBehaviour {
   public:
    bool isBody() const override { return true; }
    bool hasOrientation(const void*) const override { return false; }
    NodeIndex bodyNode(const void* object) const override {
      return static_cast<const ObjectMassPoint2D*>(object)->nodeNumber;
    }
    std::pair<Real, Vector3> massAndCentre(const void* object) const override {
      return {static_cast<const ObjectMassPoint2D*>(object)->mass, Vector3::Zero()};
    }
    std::unique_ptr<ElementBatch> makeBatch(const BatchSource& source) const override {
      return std::make_unique<Batch>(source);
    }
  };
};

const RegisterObject<ObjectMassPoint2D> registered;

}  // namespace
}  // namespace catena
