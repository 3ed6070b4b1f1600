// Position and orientation at a point of a link of a kinematic tree.
#include "items/marker.h"

namespace catena {
namespace {

struct MarkerKinematicTreeRigid {
  static constexpr std::string_view typeName = "KinematicTreeRigid";
  static constexpr std::string_view summary =
      "position and orientation at a point of a link of a kinematic tree";
  static constexpr std::string_view theory =
      "p = p_link + A_link u with u = localPosition in link axes; orientation A_link.";

  ObjectIndex objectNumber;
  int linkNumber = -1;
  Vector3 localPosition = Vector3::Zero();

  static std::span<const Field> fields() {
    using T = MarkerKinematicTreeRigid;
    static constexpr Field table[] = {
        field<&T::objectNumber>("objectNumber", "", "", "the kinematic tree"),
        field<&T::linkNumber>("linkNumber", "", "", "the link, from 0", Bounds{-1}),
        field<&T::localPosition>("localPosition", "u", "m",
                                 "the point, in link axes from the joint of the link"),
    };
    return table;
  }

  static MarkerBinding bind(const MarkerKinematicTreeRigid& m, const std::string& where,
                            AssemblyView& view) {
    return {.position = true,
            .orientation = true,
            .point = partPoint(view, m.objectNumber, "KinematicTree", "linkNumber", m.linkNumber,
                               m.localPosition, where)};
  }
};

const RegisterMarker<MarkerKinematicTreeRigid> registered;

}  // namespace
}  // namespace catena
