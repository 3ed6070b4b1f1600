// A rigid body in the x-y plane.
#include "items/connector.h"

namespace catena {
namespace {

struct ObjectRigidBody2D {
  static constexpr std::string_view typeName = "RigidBody2D";
  static constexpr std::string_view summary = "rigid body in the x-y plane on a RigidBody2D node";
  static constexpr std::string_view theory =
      "With mass m, inertia J about the reference point (the node), centre of mass c = Rz(theta) b "
      "(world), acceleration a of "
      "the reference point and angular velocity w: force m (a + dw/dt z x c - w^2 c), torque J "
      "dw/dt + m (c x a).z. The "
      "output Rotation is the angle phi without its reference value. (Haug, Computer-Aided "
      "Kinematics and Dynamics of "
      "Mechanical Systems, 1989, section 6.1.)";
  static constexpr OutputVariable outputs[] = {OutputVariable::Position,
                                               OutputVariable::Displacement,
                                               OutputVariable::Velocity,
                                               OutputVariable::VelocityLocal,
                                               OutputVariable::RotationMatrix,
                                               OutputVariable::Rotation,
                                               OutputVariable::AngularVelocity,
                                               OutputVariable::AngularVelocityLocal,
                                               OutputVariable::Acceleration,
                                               OutputVariable::AccelerationLocal,
                                               OutputVariable::AngularAcceleration,
                                               OutputVariable::AngularAccelerationLocal};

  Real mass = 0;
  Real inertia = 0;
  Vector2 centerOfMass = Vector2::Zero();
  NodeIndex nodeNumber;

  static std::span<const Field> fields() {
    using T = ObjectRigidBody2D;
    static constexpr Field table[] = {
        field<&T::mass>("mass", "m", "kg", "mass", nonNegative).withAlias("physicsMass"),
        field<&T::inertia>("inertia", "J", "kg m^2", "moment of inertia about the reference point",
                           nonNegative)
            .withAlias("physicsInertia"),
        field<&T::centerOfMass>("centerOfMass", "b", "m",
                                "centre of mass relative to the reference point, body axes")
            .withAlias("physicsCenterOfMass"),
        field<&T::nodeNumber>("nodeNumber", "", "", "the RigidBody2D node that carries the body"),
    };
    return table;
  }

  class Batch final : public ResolvedBatch<ObjectRigidBody2D, int> {
   public:
    explicit Batch(const BatchSource& source) : ResolvedBatch(source) {
      for (int i = 0; i < size(); ++i) {
        const NodeIndex node = items_[i].nodeNumber;
        const std::string where = view_.where(Category::object, numbers_[i]);
        if (!node.valid())
          throw ModelError(where + ": nodeNumber is missing; give the index of a RigidBody2D node");
        const NodeLayout& layout = view_.layout(node);
        if (!layout.hasFrame || layout.shape.translations != 2 || layout.shape.rotations != 1)
          throw ModelError(where + ": " + view_.where(Category::node, node.value) +
                           " is no RigidBody2D node");
        resolved_.push_back(view_.place(node).frame);
      }
    }
    int localSize() const override { return 3; }
    void describe(int e, ElementPattern& pattern) const override {
      const int group = view_.groupOfFrame(resolved_[e]);
      const int x = pattern.add({group, 0, 2, 0}), phi = pattern.add({group + 1, 2, 1, 0});
      pattern.couple(x, x);
      pattern.couple(phi, phi);
      if (items_[e].centerOfMass.isZero(0)) return;
      pattern.couple(x, phi);
      pattern.couple(phi, x);
    }
    void evaluate(const EvaluationContext& context, const ElementSink& sink, int begin,
                  int end) override {
      Vector3 r;
      Matrix3 L = Matrix3::Zero();
      for (int e = begin; e < end; ++e) {
        evaluateBody(items_[e], context, context.frames[resolved_[e]], r, L);
        storeElement(context, sink, e, r.data(), context.withMatrix ? L.data() : nullptr, 3);
      }
    }

   private:
    static void evaluateBody(const ObjectRigidBody2D& body, const EvaluationContext& context,
                             const Frame& f, Vector3& r, Matrix3& L) {
      const Real m = body.mass, w = f.omega[2], alpha = f.alpha[2];
      const Vector2 c = f.rotation.topLeftCorner<2, 2>() * body.centerOfMass;
      const Vector2 a = f.acceleration.head<2>(), across(-c[1], c[0]);  // z x c
      r.head<2>() = m * (a + alpha * across - w * w * c);
      r[2] = body.inertia * alpha + m * across.dot(a);
      if (!context.withMatrix) return;
      const Variation& along = context.variation;
      L.topLeftCorner<2, 2>() = along.acceleration * m * LocalMatrix<2>::Identity();
      L.topRightCorner<2, 1>() = m * ((along.acceleration - along.position * w * w) * across -
                                      (2 * along.velocity * w + along.position * alpha) * c);
      L.bottomLeftCorner<1, 2>() = along.acceleration * m * across.transpose();
      L(2, 2) = along.acceleration * body.inertia - along.position * m * c.dot(a);
      L *= along.rowScale;
    }
  };

  class Behaviour final : public ObjectBehaviour {
   public:
    bool isBody() const override { return true; }
    NodeIndex bodyNode(const void* object) const override {
      return static_cast<const ObjectRigidBody2D*>(object)->nodeNumber;
    }
    std::pair<Real, Vector3> massAndCentre(const void* object) const override {
      const auto& body = *static_cast<const ObjectRigidBody2D*>(object);
      return {body.mass, {body.centerOfMass[0], body.centerOfMass[1], 0}};
    }
    std::unique_ptr<ElementBatch> makeBatch(const BatchSource& source) const override {
      return std::make_unique<Batch>(source);
    }
    bool bodyOutput(const void* object, int frame, const Vector3& local, OutputVariable variable,
                    const OutputContext& context, std::vector<Real>& out) const override {
      if (variable != OutputVariable::Rotation)
        return ObjectBehaviour::bodyOutput(object, frame, local, variable, context, out);
      setOutput(out, context.state.q[context.view.place(bodyNode(object)).coordinate + 2]);
      return true;
    }
    void check(const void* object, const std::string& where) const override {
      const auto& body = *static_cast<const ObjectRigidBody2D*>(object);
      const Real least = body.mass * body.centerOfMass.squaredNorm();
      if (body.inertia < least * (1 - 1e-9))
        throw ModelError(where + ": inertia = " + valueText(body.inertia) +
                         " kg m^2 is about the reference point and must be "
                         "at least mass * |centerOfMass|^2 = " +
                         valueText(least) + " kg m^2");
    }
  };
};

const RegisterObject<ObjectRigidBody2D> registered;

}  // namespace
}  // namespace catena
