// A rigid body frame with Euler parameters.
#include "items/node_behaviour.h"
#include "kernels/rotation.h"

namespace catena {
namespace {

struct NodeRigidBodyEP {
  static constexpr std::string_view typeName = "RigidBodyEP";
  static constexpr std::string_view aliases[] = {"RigidEP"};
  static constexpr std::string_view summary =
      "rigid body frame: position and four Euler parameters";
  static constexpr std::string_view theory =
      "Coordinates [u (3), psi (4)], Euler parameters e = psi_ref + psi, scalar first. A = I + 2 "
      "e0 skew(e_v) + 2 "
      "skew(e_v)^2, body-fixed angular velocity w = Gbar(e) de/dt with Gbar = 2 [-e_v, e0 I - "
      "skew(e_v)]. The "
      "normalisation e.e = 1 (in the index-2 form 2 e.de/dt = 0) is solved together with the "
      "rotation inside the node: the "
      "linear system has six unknowns, the translation and the body-fixed rotation increment "
      "dtheta, with de = Gbar^T "
      "dtheta / (4 e.e) plus the radial correction. The equations of motion are the projections by "
      "Gbar, whose null space "
      "is e, so the multiplier of the normalisation is zero. (Shabana, Dynamics of Multibody "
      "Systems, sections 2.2, 3.1.)";
  static constexpr OutputVariable outputs[] = {OutputVariable::Position,
                                               OutputVariable::Displacement,
                                               OutputVariable::Velocity,
                                               OutputVariable::Acceleration,
                                               OutputVariable::CoordinatesTotal,
                                               OutputVariable::Coordinates,
                                               OutputVariable::Coordinates_t,
                                               OutputVariable::Coordinates_tt,
                                               OutputVariable::RotationMatrix,
                                               OutputVariable::Rotation,
                                               OutputVariable::AngularVelocity,
                                               OutputVariable::AngularVelocityLocal,
                                               OutputVariable::AngularAcceleration,
                                               OutputVariable::AngularAccelerationLocal};

  Vector7 referenceCoordinates = Vector7::Zero();
  Vector7 initialCoordinates = Vector7::Zero();
  Vector7 initialVelocities = Vector7::Zero();
  bool addConstraintEquation = true;

  static std::span<const Field> fields() {
    using T = NodeRigidBodyEP;
    static constexpr Field table[] = {
        field<&T::referenceCoordinates>(
            "referenceCoordinates", "q_ref", "m, 1",
            "reference position and Euler parameters (scalar first, norm 1)"),
        field<&T::initialCoordinates>("initialCoordinates", "q_0", "m, 1",
                                      "initial displacements from the reference"),
        field<&T::initialVelocities>("initialVelocities", "v_0", "m/s, 1/s",
                                     "initial velocity and rates of the Euler parameters"),
        field<&T::addConstraintEquation>("addConstraintEquation", "", "",
                                         "no effect: the Euler parameters keep unit norm in any "
                                         "case, and a constraint of the model "
                                         "that asks for it is redundant"),
    };
    return table;
  }

  static void check(const NodeRigidBodyEP& n, const std::string& where) {
    const Real norm = (n.referenceCoordinates + n.initialCoordinates).tail<4>().norm();
    if (std::abs(norm - 1) > 1e-3)
      throw ModelError(where +
                       ": the initial Euler parameters (referenceCoordinates[3:7] + "
                       "initialCoordinates[3:7]) have norm " +
                       valueText(norm) +
                       "; they must have norm 1, e.g. [1, 0, 0, 0] for no rotation");
  }
  static NodeLayout layout(const NodeRigidBodyEP&) {
    return {.coordinates = 7,
            .groups = {3, 3},
            .hasFrame = true,
            .shape = {3, 3},
            .providesPosition = true,
            .providesOrientation = true};
  }
  static Vector3 referencePosition(const NodeRigidBodyEP& n) {
    return n.referenceCoordinates.head<3>();
  }
  static void initialState(const NodeRigidBodyEP& n, const NodeView& s) {
    Eigen::Map<Vector7>(s.q) = n.initialCoordinates;
    Eigen::Map<Vector7>(s.v) = n.initialVelocities;
  }

  static Vector4 parameters(const NodeRigidBodyEP& n, const Real* q) {
    return n.referenceCoordinates.tail<4>() + Eigen::Map<const Vector4>(q + 3);
  }
  static void motion(const NodeRigidBodyEP& n, const ConstNodeView& s, Frame& f) {
    const Vector4 e = parameters(n, s.q);
    const Matrix34 G = gbarEulerParameters(e);
    f = {Eigen::Map<const Vector3>(s.q),
         rotationFromEulerParameters(e),
         Eigen::Map<const Vector3>(s.v),
         G * Eigen::Map<const Vector4>(s.v + 3),
         Eigen::Map<const Vector3>(s.a),
         G * Eigen::Map<const Vector4>(s.a + 3),  // dGbar/dt de/dt = 0
         e.squaredNorm()};
  }
  // w = Gbar(e) e' and Gbar(x) y = -Gbar(y) x give dw = gamma' dtheta - Gbar(e') de, likewise for
  // alpha.
  static void variation(const NodeRigidBodyEP& n, const ConstNodeView& s, const Variation&,
                        FrameVariation& w) {
    const Vector4 e = parameters(n, s.q);
    const Matrix34 G = gbarEulerParameters(e) / (4 * e.squaredNorm());
    w.omega = -gbarEulerParameters(Eigen::Map<const Vector4>(s.v + 3)) * G.transpose();
    w.alpha = -gbarEulerParameters(Eigen::Map<const Vector4>(s.a + 3)) * G.transpose();
  }
  static void increment(const NodeRigidBodyEP& n, const NodeView& s, const Real* delta,
                        const Variation& along, ConstraintLevel level) {
    const Vector4 e = parameters(n, s.q);
    const Real e2 = e.squaredNorm();
    Vector4 de =
        gbarEulerParameters(e).transpose() * Eigen::Map<const Vector3>(delta + 3) / (4 * e2);
    const Eigen::Map<const Vector4> rate(s.v + 3), second(s.a + 3);
    if (level == ConstraintLevel::position)
      // the radial part that restores the norm exactly; along e, so that its rounding does not
      // disturb the rotation
      de += e * ((std::sqrt((1 - std::min(0.5, (along.position * de).squaredNorm())) / e2) - 1) /
                 along.position);
    else if (level == ConstraintLevel::velocity)
      // e.e' = 0 to first order in de, de' = gamma' de: radial part of de
      de -= e * ((e.dot(rate) + along.position * de.dot(rate)) /
                 (along.velocity * e2 + along.position * e.dot(rate)));
    else
      de -= e * ((rate.squaredNorm() + e.dot(second)) / e2);
    const Vector3 dr = Eigen::Map<const Vector3>(delta);
    Eigen::Map<Vector3>(s.q) += along.position * dr;
    Eigen::Map<Vector3>(s.v) += along.velocity * dr;
    Eigen::Map<Vector3>(s.a) += along.acceleration * dr;
    Eigen::Map<Vector4>(s.q + 3) += along.position * de;
    Eigen::Map<Vector4>(s.v + 3) += along.velocity * de;
    Eigen::Map<Vector4>(s.a + 3) += along.acceleration * de;
  }
  static void coordinateRows(const NodeRigidBodyEP& n, const ConstNodeView& s, int coordinate,
                             Real* positionRow, Real* forceRow, Real* hessian) {
    if (coordinate < 3) {
      positionRow[coordinate] = forceRow[coordinate] = 1;
      return;
    }
    const Vector4 e = parameters(n, s.q);
    const Matrix34 G = gbarEulerParameters(e) / (4 * e.squaredNorm());
    for (int k = 0; k < 3; ++k) {
      positionRow[3 + k] = forceRow[3 + k] = G(k, coordinate - 3);
      const Vector4 de = G.row(k).transpose();
      Eigen::Map<Matrix6>(hessian).block<3, 1>(3, 3 + k) =
          gbarEulerParameters(de).col(coordinate - 3) / (4 * e.squaredNorm());
    }
  }
};

const RegisterNode<NodeRigidBodyEP> registered;

}  // namespace
}  // namespace catena
