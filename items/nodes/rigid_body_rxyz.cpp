// A rigid body frame with Tait-Bryan angles.
#include <Eigen/LU>

#include "items/node_behaviour.h"
#include "kernels/dual.h"
#include "kernels/rotation.h"

namespace catena {
namespace {

struct NodeRigidBodyRxyz {
  static constexpr std::string_view typeName = "RigidBodyRxyz";
  static constexpr std::string_view aliases[] = {"RigidRxyz"};
  static constexpr std::string_view summary =
      "rigid body frame: position and three Tait-Bryan angles";
  static constexpr std::string_view theory =
      "Coordinates [u (3), psi (3)], angles theta = psi_ref + psi, A = Rx(theta_0) Ry(theta_1) "
      "Rz(theta_2), body-fixed "
      "angular velocity w = Gbar(theta) dtheta/dt. Singular where theta_1 = +-pi/2. Inside the "
      "linear system the "
      "rotation increment is body-fixed, dpsi = Gbar^-1 dtheta. (Shabana, Dynamics of Multibody "
      "Systems, section 2.4.)";
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

  Vector6 referenceCoordinates = Vector6::Zero();
  Vector6 initialCoordinates = Vector6::Zero();
  Vector6 initialVelocities = Vector6::Zero();

  static std::span<const Field> fields() {
    using T = NodeRigidBodyRxyz;
    static constexpr Field table[] = {
        field<&T::referenceCoordinates>("referenceCoordinates", "q_ref", "m, rad",
                                        "reference position and angles"),
        field<&T::initialCoordinates>("initialCoordinates", "q_0", "m, rad",
                                      "initial displacements from the reference"),
        field<&T::initialVelocities>("initialVelocities", "v_0", "m/s, rad/s",
                                     "initial velocity and angle rates"),
    };
    return table;
  }

  static NodeLayout layout(const NodeRigidBodyRxyz&) {
    return {.coordinates = 6,
            .groups = {3, 3},
            .hasFrame = true,
            .shape = {3, 3},
            .providesPosition = true,
            .providesOrientation = true};
  }
  static Vector3 referencePosition(const NodeRigidBodyRxyz& n) {
    return n.referenceCoordinates.head<3>();
  }
  static void initialState(const NodeRigidBodyRxyz& n, const NodeView& s) {
    Eigen::Map<Vector6>(s.q) = n.initialCoordinates;
    Eigen::Map<Vector6>(s.v) = n.initialVelocities;
  }

  static Vector3 angles(const NodeRigidBodyRxyz& n, const Real* q) {
    return n.referenceCoordinates.tail<3>() + Eigen::Map<const Vector3>(q + 3);
  }
  static void motion(const NodeRigidBodyRxyz& n, const ConstNodeView& s, Frame& f) {
    const Vector3 theta = angles(n, s.q);
    const Vector3 rate = Eigen::Map<const Vector3>(s.v + 3);
    const Matrix3 G = gbarTaitBryan(theta);
    f = {Eigen::Map<const Vector3>(s.q),
         rotationFromTaitBryan(theta),
         Eigen::Map<const Vector3>(s.v),
         G * rate,
         Eigen::Map<const Vector3>(s.a),
         G * Eigen::Map<const Vector3>(s.a + 3) + gbarRateTaitBryan(theta, rate) * rate};
  }
  static void variation(const NodeRigidBodyRxyz& n, const ConstNodeView& s, const Variation& along,
                        FrameVariation& w) {
    const Vector3 theta = angles(n, s.q);
    const Vector3 rate = Eigen::Map<const Vector3>(s.v + 3);
    const Matrix3 inverse = gbarTaitBryan(theta).inverse();
    w.omega = gbarProductDerivativeTaitBryan(theta, rate) * inverse;
    // alpha = Gbar psi'' + dGbar/dt psi'; its second part with derivatives by angles (0..2) and
    // rates (3..5)
    using S = Dual<6>;
    S x[6];
    for (int i = 0; i < 3; ++i) {
      x[i] = S(theta[i]), x[i].gradient[i] = 1;
      x[3 + i] = S(rate[i]), x[3 + i].gradient[3 + i] = 1;
    }
    const S s1 = sin(x[1]), c1 = cos(x[1]), s2 = sin(x[2]), c2 = cos(x[2]);
    const S &a = x[3], &b = x[4], &c = x[5];
    const S convective[3] = {-(c * c1 * s2 + b * c2 * s1) * a + c * c2 * b,
                             (b * s2 * s1 - c * c2 * c1) * a - c * s2 * b, b * c1 * a};
    Matrix3 byAngles, byRates;
    for (int i = 0; i < 3; ++i) {
      byAngles.row(i) = convective[i].gradient.head<3>().matrix().transpose();
      byRates.row(i) = convective[i].gradient.tail<3>().matrix().transpose();
    }
    // variations are those of an increment with factor position; the coupling to the rates needs
    // velocity / position
    const Real rateFactor = along.position != 0 ? along.velocity / along.position : 0;
    w.alpha = (gbarProductDerivativeTaitBryan(theta, Eigen::Map<const Vector3>(s.a + 3)) +
               byAngles + rateFactor * byRates) *
              inverse;
  }
  static void increment(const NodeRigidBodyRxyz& n, const NodeView& s, const Real* delta,
                        const Variation& along, ConstraintLevel) {
    const Vector3 dr = Eigen::Map<const Vector3>(delta);
    const Vector3 dpsi =
        gbarTaitBryan(angles(n, s.q)).inverse() * Eigen::Map<const Vector3>(delta + 3);
    Eigen::Map<Vector3>(s.q) += along.position * dr;
    Eigen::Map<Vector3>(s.v) += along.velocity * dr;
    Eigen::Map<Vector3>(s.a) += along.acceleration * dr;
    Eigen::Map<Vector3>(s.q + 3) += along.position * dpsi;
    Eigen::Map<Vector3>(s.v + 3) += along.velocity * dpsi;
    Eigen::Map<Vector3>(s.a + 3) += along.acceleration * dpsi;
  }
  static void coordinateRows(const NodeRigidBodyRxyz& n, const ConstNodeView& s, int coordinate,
                             Real* positionRow, Real* forceRow, Real* hessian) {
    if (coordinate < 3) {
      positionRow[coordinate] = forceRow[coordinate] = 1;
      return;
    }
    const Vector3 theta = angles(n, s.q);
    const Matrix3 inverse = gbarTaitBryan(theta).inverse();
    for (int k = 0; k < 3; ++k) {
      positionRow[3 + k] = forceRow[3 + k] = inverse(coordinate - 3, k);
      const Matrix3 dInverse = -inverse * gbarRateTaitBryan(theta, inverse.col(k)) * inverse;
      Eigen::Map<Matrix6>(hessian).block<3, 1>(3, 3 + k) = dInverse.row(coordinate - 3).transpose();
    }
  }
};

const RegisterNode<NodeRigidBodyRxyz> registered;

}  // namespace
}  // namespace catena
