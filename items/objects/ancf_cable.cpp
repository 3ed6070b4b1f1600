// Thin cable with bending stiffness in space, without torsion.
#include "items/cable.h"

namespace catena {
namespace {

struct ObjectANCFCable : Cable<ObjectANCFCable, 3> {
  static constexpr std::string_view typeName = "ANCFCable";
  static constexpr std::string_view aliases[] = {"Cable"};
  static constexpr std::string_view nodeType = "PointSlope1";
  static constexpr std::string_view summary =
      "thin cable with axial and bending stiffness in space, without torsion";
  static constexpr std::string_view theory =
      "As ANCFCable2D with r(x) in space and the curvature K = |r' x r''| / |r'|^2, which has no "
      "sign; where the cable is straight, bending damping and a rest curvature have no direction "
      "and do not act. It has no cross section: points lie on the axis. (Gerstmayr, Shabana, "
      "Nonlinear Dynamics 45, 2006, https://doi.org/10.1007/s11071-006-1856-1.)";
  static constexpr OutputVariable outputs[] = {
      OutputVariable::Position,   OutputVariable::Displacement, OutputVariable::Velocity,
      OutputVariable::Director1,  OutputVariable::StrainLocal,  OutputVariable::CurvatureLocal,
      OutputVariable::ForceLocal, OutputVariable::TorqueLocal,  OutputVariable::Acceleration};

  Real referenceCurvature() const { return 0; }
  static std::span<const Field> fields() {
    static constexpr auto table = cableFields<ObjectANCFCable>();
    return table;
  }
};

const RegisterObject<ObjectANCFCable> registered;

}  // namespace
}  // namespace catena
