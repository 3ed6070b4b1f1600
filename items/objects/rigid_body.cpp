// A rigid body in space.
#include <Eigen/Eigenvalues>

#include "items/connector.h"
#include "items/strictness.h"

namespace catena {
namespace {

struct ObjectRigidBody {
  static constexpr std::string_view typeName = "RigidBody";
  static constexpr std::string_view summary = "rigid body on a node with position and orientation";
  static constexpr std::string_view theory =
      "With mass m, inertia J about the reference point (the node) in body axes, centre of mass b "
      "(body), body-fixed "
      "angular velocity w and acceleration alpha, rotation A, acceleration a of the reference "
      "point: force (world) "
      "m (a + A (alpha x b + w x (w x b))), torque (body axes) J alpha + w x J w + m b x A^T a. "
      "(Bauchau, Flexible "
      "Multibody Dynamics, section 8.1.)";
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
  Vector6 inertia = Vector6::Zero();
  Vector3 centerOfMass = Vector3::Zero();
  NodeIndex nodeNumber;

  static std::span<const Field> fields() {
    using T = ObjectRigidBody;
    static constexpr Field table[] = {
        field<&T::mass>("mass", "m", "kg", "mass", nonNegative).withAlias("physicsMass"),
        field<&T::inertia>(
            "inertia", "J", "kg m^2",
            "inertia tensor about the reference point, body axes: xx, yy, zz, yz, xz, xy")
            .withAlias("physicsInertia"),
        field<&T::centerOfMass>("centerOfMass", "b", "m",
                                "centre of mass relative to the reference point, body axes")
            .withAlias("physicsCenterOfMass"),
        field<&T::nodeNumber>("nodeNumber", "", "", "the rigid body node that carries the body"),
    };
    return table;
  }

  Matrix3 tensor() const {
    Matrix3 J;
    J << inertia[0], inertia[5], inertia[4], inertia[5], inertia[1], inertia[3], inertia[4],
        inertia[3], inertia[2];
    return J;
  }

  class Batch final : public ResolvedBatch<ObjectRigidBody, int> {
   public:
    explicit Batch(const BatchSource& source) : ResolvedBatch(source) {
      for (int i = 0; i < size(); ++i) {
        const NodeIndex node = items_[i].nodeNumber;
        const std::string where = view_.where(Category::object, numbers_[i]);
        if (!node.valid())
          throw ModelError(where + ": nodeNumber is missing; give the index of a rigid body node");
        const NodeLayout& layout = view_.layout(node);
        if (!layout.hasFrame || layout.shape.translations != 3 || layout.shape.rotations != 3)
          throw ModelError(
              where + ": " + view_.where(Category::node, node.value) +
              " is no rigid body node; use RigidBodyEP, RigidBodyRxyz or RigidBodyRotVecLG");
        resolved_.push_back(view_.place(node).frame);
      }
    }
    int localSize() const override { return 6; }
    void describe(int e, ElementPattern& pattern) const override {
      const auto g = addFrameGroups(view_, resolved_[e], 0, pattern);
      pattern.couple(g[0], g[0]);
      pattern.couple(g[1], g[1]);
      if (items_[e].centerOfMass.isZero(0)) return;
      pattern.couple(g[0], g[1]);
      pattern.couple(g[1], g[0]);
    }
    void evaluate(const EvaluationContext& context, const ElementSink& sink, int begin,
                  int end) override {
      LocalVector<6> r;
      LocalMatrix<6> L = LocalMatrix<6>::Zero();
      for (int e = begin; e < end; ++e) {
        evaluateBody(items_[e], context, resolved_[e], r, L);
        storeElement(context, sink, e, r.data(), context.withMatrix ? L.data() : nullptr, 6);
      }
    }

   private:
    static void evaluateBody(const ObjectRigidBody& body, const EvaluationContext& context,
                             int frame, LocalVector<6>& r, LocalMatrix<6>& L) {
      const Frame& f = context.frames[frame];
      const Matrix3 J = body.tensor();
      const Vector3& b = body.centerOfMass;
      const Vector3& w = f.omega;
      const Vector3 Jw = J * w;
      const bool offset = !b.isZero(0);
      r.head<3>() = body.mass * f.acceleration;
      r.tail<3>() = J * f.alpha + w.cross(Jw);
      const Vector3 c = f.alpha.cross(b) + w.cross(w.cross(b));
      const Vector3 aLocal = f.rotation.transpose() * f.acceleration;
      if (offset) {
        r.head<3>() += body.mass * (f.rotation * c);
        r.tail<3>() += body.mass * b.cross(aLocal);
      }
      if (!context.withMatrix) return;

      const Variation& along = context.variation;
      const Real s = along.rowScale;
      Matrix3 omega = along.velocity * Matrix3::Identity(),
              alpha = along.acceleration * Matrix3::Identity();
      if (const FrameVariation* v = context.variationOf(frame)) {
        omega += along.position * v->omega;
        alpha += along.position * v->alpha;
      }
      L.topLeftCorner<3, 3>() = s * along.acceleration * body.mass * Matrix3::Identity();
      L.bottomRightCorner<3, 3>() = s * (J * alpha + (skew(w) * J - skew(Jw)) * omega);
      if (!offset) return;
      const Matrix3 B = skew(b);
      const Matrix3 byOmega = -skew(w.cross(b)) - skew(w) * B;
      L.topRightCorner<3, 3>() =
          s * body.mass * f.rotation * (byOmega * omega - B * alpha - along.position * skew(c));
      L.bottomLeftCorner<3, 3>() = s * along.acceleration * body.mass * B * f.rotation.transpose();
      L.bottomRightCorner<3, 3>() += s * along.position * body.mass * B * skew(aLocal);
    }
  };

  class Behaviour final : public ObjectBehaviour {
   public:
    bool isBody() const override { return true; }
    NodeIndex bodyNode(const void* object) const override {
      return static_cast<const ObjectRigidBody*>(object)->nodeNumber;
    }
    std::pair<Real, Vector3> massAndCentre(const void* object) const override {
      const auto& body = *static_cast<const ObjectRigidBody*>(object);
      return {body.mass, body.centerOfMass};
    }
    std::unique_ptr<ElementBatch> makeBatch(const BatchSource& source) const override {
      return std::make_unique<Batch>(source);
    }
    // The inertia about the centre of mass must be that of some distribution of mass: no negative
    // principal moment, none larger than the sum of the other two.
    void check(const void* object, const std::string& where) const override {
      const auto& body = *static_cast<const ObjectRigidBody*>(object);
      const Matrix3 B = skew(body.centerOfMass);
      const Matrix3 central = body.tensor() + body.mass * B * B;
      const Vector3 p =
          Eigen::SelfAdjointEigenSolver<Matrix3>(central, Eigen::EigenvaluesOnly).eigenvalues();
      const Real tolerance = 1e-9 * body.tensor().cwiseAbs().maxCoeff();
      const bool triangle = p[2] <= p[0] + p[1] + tolerance || !strictness.triangleInequality;
      if (p[0] < -tolerance || !triangle)
        throw ModelError(
            where + ": inertia = " + valueText(VectorX(body.inertia)) +
            " is not physical: its principal moments about the centre of mass are " +
            valueText(VectorX(p)) +
            " kg m^2; they must be >= 0 and none may exceed the sum of the other "
            "two (inertia is about the reference point, order xx, yy, zz, yz, xz, xy)");
    }
  };
};

const RegisterObject<ObjectRigidBody> registered;

}  // namespace
}  // namespace catena
