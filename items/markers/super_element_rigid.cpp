// Mean position and rotation of mesh nodes.
#include "items/super_element.h"

namespace catena {
namespace {

struct MarkerSuperElementRigid {
  static constexpr std::string_view typeName = "SuperElementRigid";
  static constexpr std::string_view summary =
      "weighted mean position and rotation of nodes of a mesh";
  static constexpr std::string_view theory =
      "p = offset + sum w_i p_i. theta = W^-1 sum w_i p_ref,i x u_i with W = -sum w_i "
      "skew(p_ref,i)^2, reference positions p_ref relative to their weighted mean and "
      "displacements u; A = exp(theta), angular velocity T(theta) theta_t. With "
      "useAlternativeApproach = false theta = sum w_i p_ref,i x u_i / sum w_i |p_ref,i|^2.";

  ObjectIndex bodyNumber;
  Vector3 offset = Vector3::Zero();
  std::vector<int> meshNodeNumbers;
  VectorX weightingFactors;
  bool useAlternativeApproach = true;
  int rotationsExponentialMap = 2;

  static std::span<const Field> fields() {
    using T = MarkerSuperElementRigid;
    static constexpr Field table[] = {
        field<&T::bodyNumber>("bodyNumber", "", "", "a GenericODE2 on nodes with positions"),
        field<&T::offset>("offset", "", "m", "added to the mean position, world axes"),
        field<&T::meshNodeNumbers>("meshNodeNumbers", "", "",
                                   "at least three numbers within the mesh, from 0 in the order of "
                                   "nodeNumbers; not on a line",
                                   Bounds{0}),
        field<&T::weightingFactors>("weightingFactors", "w_i", "", "one per node, with sum 1"),
        field<&T::useAlternativeApproach>("useAlternativeApproach", "", "",
                                          "true: rotation of least squares"),
        field<&T::rotationsExponentialMap>(
            "rotationsExponentialMap", "", "",
            "2: exponential map for the rotation, its tangent for the angular velocity",
            Bounds{2, 2}),
    };
    return table;
  }

  static MarkerBinding bind(const MarkerSuperElementRigid& m, const std::string& where,
                            AssemblyView& view) {
    const auto frame =
        meshFrame(view, m.bodyNumber, m.meshNodeNumbers, m.weightingFactors, m.offset, where);
    frame->addRotation(!m.useAlternativeApproach, where);
    return {
        .position = true, .orientation = true, .point = {view.addFrame(frame), Vector3::Zero()}};
  }
};

const RegisterMarker<MarkerSuperElementRigid> registered;

}  // namespace
}  // namespace catena
