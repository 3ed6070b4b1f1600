// Mean position of mesh nodes.
#include "items/super_element.h"

namespace catena {
namespace {

struct MarkerSuperElementPosition {
  static constexpr std::string_view typeName = "SuperElementPosition";
  static constexpr std::string_view summary = "weighted mean position of nodes of a mesh";
  static constexpr std::string_view theory =
      "p = sum w_i p_i, v = sum w_i v_i; a force acts on node i with its part w_i.";

  ObjectIndex bodyNumber;
  std::vector<int> meshNodeNumbers;
  VectorX weightingFactors;

  static std::span<const Field> fields() {
    using T = MarkerSuperElementPosition;
    static constexpr Field table[] = {
        field<&T::bodyNumber>("bodyNumber", "", "", "a GenericODE2 on nodes with positions"),
        field<&T::meshNodeNumbers>("meshNodeNumbers", "", "",
                                   "numbers within the mesh, from 0 in the order of nodeNumbers",
                                   Bounds{0}),
        field<&T::weightingFactors>("weightingFactors", "w_i", "", "one per node, with sum 1"),
    };
    return table;
  }

  static MarkerBinding bind(const MarkerSuperElementPosition& m, const std::string& where,
                            AssemblyView& view) {
    const int frame = view.addFrame(meshFrame(view, m.bodyNumber, m.meshNodeNumbers,
                                              m.weightingFactors, Vector3::Zero(), where));
    return {.position = true, .point = {frame, Vector3::Zero()}};
  }
};

const RegisterMarker<MarkerSuperElementPosition> registered;

}  // namespace
}  // namespace catena
