// Thin cable with bending stiffness in the x-y plane.
#include "items/cable.h"

namespace catena {
namespace {

struct ObjectANCFCable2D : Cable<ObjectANCFCable2D, 2> {
  static constexpr std::string_view typeName = "ANCFCable2D";
  static constexpr std::string_view aliases[] = {"Cable2D"};
  static constexpr std::string_view nodeType = "Point2DSlope1";
  static constexpr std::string_view summary =
      "thin cable with axial and bending stiffness in the x-y plane";
  static constexpr std::string_view theory =
      "r(x) by cubic Hermite polynomials from positions and slopes of the nodes, 0 <= x <= L. "
      "eps = |r'| - 1, K = (r' x r'')_z / |r'|^2. N = EA (eps - eps_0 - f_ref eps_ref) + d_eps "
      "eps_t, M = EI (K - K_0 - f_ref K_ref) + d_K K_t, or what the functions give, of x / L and "
      "the strains at that point. A point (x, y) lies at r(x) + y n with the "
      "unit normal n. Director1 is r'. (Gerstmayr, Shabana, Nonlinear Dynamics 45, 2006, "
      "https://doi.org/10.1007/s11071-006-1856-1.)";
  static constexpr OutputVariable outputs[] = {
      OutputVariable::Position,           OutputVariable::Displacement,
      OutputVariable::Velocity,           OutputVariable::VelocityLocal,
      OutputVariable::Rotation,           OutputVariable::Director1,
      OutputVariable::StrainLocal,        OutputVariable::CurvatureLocal,
      OutputVariable::ForceLocal,         OutputVariable::TorqueLocal,
      OutputVariable::AngularVelocity,    OutputVariable::Acceleration,
      OutputVariable::AngularAcceleration};

  Real physicsReferenceCurvature = 0;
  UserFunction axialForceUserFunction;
  UserFunction bendingMomentUserFunction;

  Real referenceCurvature() const { return physicsReferenceCurvature; }
  CableLaw law(const std::string& where) const {
    return {CompiledFunction(axialForceUserFunction,
                             {"t", "x", "u", "v", "offset", "k", "d", "K", "K_t", "K_0"}, 1,
                             where + ": axialForceUserFunction"),
            CompiledFunction(bendingMomentUserFunction,
                             {"t", "x", "u", "v", "offset", "k", "d", "eps", "eps_t", "eps_0"}, 1,
                             where + ": bendingMomentUserFunction")};
  }
  static std::span<const Field> fields() {
    using T = ObjectANCFCable2D;
    static constexpr auto shared = cableFields<T>();
    static constexpr Field table[] = {
        shared[0],
        shared[1],
        shared[2],
        shared[3],
        shared[4],
        shared[5],
        shared[6],
        field<&T::physicsReferenceCurvature>("physicsReferenceCurvature", "K_0", "1/m",
                                             "curvature without moment"),
        shared[7],
        shared[8],
        shared[9],
        field<&T::axialForceUserFunction>(
            "axialForceUserFunction", "N", "N",
            "replaces N; of t, x = place from 0 to 1, u = eps, v = eps_t, offset = eps_0 + f_ref "
            "eps_ref, k = EA, d = d_eps, K, K_t, K_0 (with its f_ref K_ref)"),
        field<&T::bendingMomentUserFunction>(
            "bendingMomentUserFunction", "M", "N m",
            "replaces M; of t, x = place from 0 to 1, u = K, v = K_t, offset = K_0 + f_ref K_ref, "
            "k = EI, d = d_K, eps, eps_t, eps_0 (with its f_ref eps_ref)"),
    };
    return table;
  }
};

const RegisterObject<ObjectANCFCable2D> registered;

}  // namespace
}  // namespace catena
