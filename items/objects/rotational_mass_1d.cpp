// A rotor that turns about a fixed axis.
#include "items/connector.h"

namespace catena {
namespace {

struct ObjectRotationalMass1D {
  static constexpr std::string_view typeName = "RotationalMass1D";
  static constexpr std::string_view aliases[] = {"Rotor1D"};
  static constexpr std::string_view summary = "rotor that turns about a fixed axis";
  static constexpr std::string_view theory =
      "J d^2phi/dt^2 = tau on one coordinate. The body's frame turns about z of referenceRotation: "
      "A = referenceRotation "
      "Rz(phi_ref + phi), its origin is fixed. The output Rotation is the total angle phi_ref + "
      "phi.";
  static constexpr OutputVariable outputs[] = {OutputVariable::Position,
                                               OutputVariable::Displacement,
                                               OutputVariable::Velocity,
                                               OutputVariable::RotationMatrix,
                                               OutputVariable::Rotation,
                                               OutputVariable::AngularVelocity,
                                               OutputVariable::AngularVelocityLocal,
                                               OutputVariable::AngularAcceleration};

  Real inertia = 0;
  NodeIndex nodeNumber;
  Vector3 referencePosition = Vector3::Zero();
  Matrix3 referenceRotation = Matrix3::Identity();

  static std::span<const Field> fields() {
    using T = ObjectRotationalMass1D;
    static constexpr Field table[] = {
        field<&T::inertia>("inertia", "J", "kg m^2", "moment of inertia about the axis",
                           nonNegative)
            .withAlias("physicsInertia"),
        field<&T::nodeNumber>("nodeNumber", "", "", "a node with one coordinate (1D)"),
        field<&T::referencePosition>("referencePosition", "p", "m", "position of the rotor"),
        field<&T::referenceRotation>("referenceRotation", "A", "",
                                     "orientation at angle 0; the rotor turns about its z axis"),
    };
    return table;
  }

  class Batch final : public ResolvedBatch<ObjectRotationalMass1D, NodePlace> {
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
        const Real r = items_[e].inertia * context.state.a[resolved_[e].coordinate];
        const Real L =
            context.variation.rowScale * context.variation.acceleration * items_[e].inertia;
        storeElement(context, sink, e, &r, context.withMatrix ? &L : nullptr, 1);
      }
    }
  };

  class Behaviour final : public ObjectBehaviour {
   public:
    bool isBody() const override { return true; }
    NodeIndex bodyNode(const void* object) const override {
      return static_cast<const ObjectRotationalMass1D*>(object)->nodeNumber;
    }
    std::optional<BodyFrame> ownFrame(const void* object, int number,
                                      const AssemblyView& view) const override {
      const auto& body = *static_cast<const ObjectRotationalMass1D*>(object);
      nodeOfOneCoordinate(view, body.nodeNumber, number);
      return BodyFrame{{0, 1}, Vector3::Zero(), body.referencePosition};
    }
    void motion(const void* object, const ConstNodeView& node, const AssemblyView& view,
                Frame& f) const override {
      const auto& body = *static_cast<const ObjectRotationalMass1D*>(object);
      const Real phi = referenceCoordinate(view, body.nodeNumber) + node.q[0];
      Matrix3 turned = Matrix3::Identity();
      turned.topLeftCorner<2, 2>() << std::cos(phi), -std::sin(phi), std::sin(phi), std::cos(phi);
      f = {Vector3::Zero(), body.referenceRotation * turned,
           Vector3::Zero(), {0, 0, node.v[0]},
           Vector3::Zero(), {0, 0, node.a[0]}};
    }
    std::unique_ptr<ElementBatch> makeBatch(const BatchSource& source) const override {
      return std::make_unique<Batch>(source);
    }
    bool bodyOutput(const void* object, int frame, const Vector3& local, OutputVariable variable,
                    const OutputContext& context, std::vector<Real>& out) const override {
      if (variable != OutputVariable::Rotation)
        return ObjectBehaviour::bodyOutput(object, frame, local, variable, context, out);
      const NodeIndex node = bodyNode(object);
      setOutput(out, referenceCoordinate(context.view, node) +
                         context.state.q[context.view.place(node).coordinate]);
      return true;
    }
    void check(const void* object, const std::string& where) const override {
      checkRotation(static_cast<const ObjectRotationalMass1D*>(object)->referenceRotation,
                    "referenceRotation", where);
    }
  };
};

const RegisterObject<ObjectRotationalMass1D> registered;

}  // namespace
}  // namespace catena
