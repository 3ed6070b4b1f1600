// A mass that moves along a fixed axis.
#include "items/connector.h"

namespace catena {
namespace {

struct ObjectMass1D {
  static constexpr std::string_view typeName = "Mass1D";
  static constexpr std::string_view summary = "mass that moves along a fixed axis";
  static constexpr std::string_view theory =
      "m a = f on one coordinate. The body's frame moves along x of referenceRotation: p = "
      "referencePosition + "
      "referenceRotation (q_ref + q, 0, 0), its orientation is constant; the force of a wrench is "
      "its component along this "
      "axis.";
  static constexpr OutputVariable outputs[] = {
      OutputVariable::Position,        OutputVariable::Displacement,
      OutputVariable::Velocity,        OutputVariable::Acceleration,
      OutputVariable::RotationMatrix,  OutputVariable::Rotation,
      OutputVariable::AngularVelocity, OutputVariable::AngularVelocityLocal};

  Real mass = 0;
  NodeIndex nodeNumber;
  Vector3 referencePosition = Vector3::Zero();
  Matrix3 referenceRotation = Matrix3::Identity();

  static std::span<const Field> fields() {
    using T = ObjectMass1D;
    static constexpr Field table[] = {
        field<&T::mass>("mass", "m", "kg", "mass", nonNegative).withAlias("physicsMass"),
        field<&T::nodeNumber>("nodeNumber", "", "", "a node with one coordinate (1D)"),
        field<&T::referencePosition>("referencePosition", "p_ref", "m",
                                     "position where q_ref + q = 0"),
        field<&T::referenceRotation>("referenceRotation", "A", "",
                                     "orientation; the mass moves along its x axis"),
    };
    return table;
  }

  class Batch final : public ResolvedBatch<ObjectMass1D, NodePlace> {
   public:
    explicit Batch(const BatchSource& source) : ResolvedBatch(source) {
      for (int i = 0; i < size(); ++i)
        resolved_.push_back(nodeOfOneCoordinate(view_, items_[i].nodeNumber, numbers_[i]));
    }
    int localSize() const override { return 1; }
    void describe(int e, ElementPattern& pattern) const override {
      const int g = pattern.add({resolved_[e].group, 0, 1, 0});
      pattern.couple(g, g);
    }
    void evaluate(const EvaluationContext& context, const ElementSink& sink, int begin,
                  int end) override {
      for (int e = begin; e < end; ++e) {
        const Real r = items_[e].mass * context.state.a[resolved_[e].coordinate];
        const Real L = context.variation.rowScale * context.variation.acceleration * items_[e].mass;
        storeElement(context, sink, e, &r, context.withMatrix ? &L : nullptr, 1);
      }
    }
  };

  class Behaviour final : public ObjectBehaviour {
   public:
    bool isBody() const override { return true; }
    NodeIndex bodyNode(const void* object) const override {
      return static_cast<const ObjectMass1D*>(object)->nodeNumber;
    }
    std::optional<BodyFrame> ownFrame(const void* object, int number,
                                      const AssemblyView& view) const override {
      const auto& body = *static_cast<const ObjectMass1D*>(object);
      nodeOfOneCoordinate(view, body.nodeNumber, number);
      const Vector3 axis = body.referenceRotation.col(0);
      const Real reference = referenceCoordinate(view, body.nodeNumber);
      return BodyFrame{{1, 0}, axis, body.referencePosition + reference * axis};
    }
    void motion(const void* object, const ConstNodeView& node, const AssemblyView&,
                Frame& f) const override {
      const auto& body = *static_cast<const ObjectMass1D*>(object);
      const Vector3 axis = body.referenceRotation.col(0);
      f = {node.q[0] * axis, body.referenceRotation, node.v[0] * axis,
           Vector3::Zero(),  node.a[0] * axis,       Vector3::Zero()};
    }
    std::pair<Real, Vector3> massAndCentre(const void* object) const override {
      return {static_cast<const ObjectMass1D*>(object)->mass, Vector3::Zero()};
    }
    std::unique_ptr<ElementBatch> makeBatch(const BatchSource& source) const override {
      return std::make_unique<Batch>(source);
    }
    void check(const void* object, const std::string& where) const override {
      checkRotation(static_cast<const ObjectMass1D*>(object)->referenceRotation,
                    "referenceRotation", where);
    }
  };
};

const RegisterObject<ObjectMass1D> registered;

}  // namespace
}  // namespace catena
