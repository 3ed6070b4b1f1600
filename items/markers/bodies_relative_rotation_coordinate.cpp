// Relative rotation of two bodies about an axis.
#include "items/marker.h"
#include "kernels/rotation.h"

namespace catena {
namespace {

struct MarkerBodiesRelativeRotationCoordinate {
  static constexpr std::string_view typeName = "BodiesRelativeRotationCoordinate";
  static constexpr std::string_view summary =
      "relative rotation of two bodies about an axis of body 0";
  static constexpr std::string_view theory =
      "With a basis [x, y, axis0] in body 0 and R = A0^T A1: phi = atan2(y.R x, x.R x) - offset, "
      "rate = A0 axis0 . (w1 - w0) "
      "(world angular velocities). With a data node of one coordinate the angle continues beyond "
      "+-pi. It is assumed that "
      "the bodies turn only about this axis relative to each other.";

  std::array<ObjectIndex, 2> bodyNumbers;
  NodeIndex nodeNumber;
  Vector3 localPosition0 = Vector3::Zero();
  Vector3 localPosition1 = Vector3::Zero();
  Vector3 axis0 = Vector3::UnitX();
  Real offset = 0;

  static std::span<const Field> fields() {
    using T = MarkerBodiesRelativeRotationCoordinate;
    static constexpr Field table[] = {
        field<&T::bodyNumbers>("bodyNumbers", "", "", "two bodies with orientation"),
        field<&T::nodeNumber>(
            "nodeNumber", "", "",
            "GenericData node with one coordinate that continues the angle; -1: none"),
        field<&T::localPosition0>("localPosition0", "", "m", "point of body 0, for drawing"),
        field<&T::localPosition1>("localPosition1", "", "m", "point of body 1, for drawing"),
        field<&T::axis0>("axis0", "a_0", "", "axis of rotation in body 0, unit length"),
        field<&T::offset>("offset", "x_off", "rad", "subtracted from the angle"),
    };
    return table;
  }

  static MarkerBinding bind(const MarkerBodiesRelativeRotationCoordinate& m,
                            const std::string& where, AssemblyView& view) {
    MarkerBinding binding = MarkerBinding::ofCoordinate();
    ScalarCoordinate& c = *binding.scalar;
    c.kind = ScalarCoordinate::Kind::relativeRotation;
    c.point0 = bodyPoint(view, m.bodyNumbers[0], m.localPosition0, true, where);
    c.point1 = bodyPoint(view, m.bodyNumbers[1], m.localPosition1, true, where);
    if (std::abs(m.axis0.norm() - 1) > 1e-9)
      throw ModelError(where + ": axis0 = " + valueText(VectorX(m.axis0)) + " must have length 1");
    c.axis = m.axis0;
    c.basis = basisAroundAxis(m.axis0);
    c.offset = m.offset;
    if (m.nodeNumber.valid()) {
      if (view.layout(m.nodeNumber).data != 1)
        throw ModelError(where + ": nodeNumber = " + std::to_string(m.nodeNumber.value) +
                         " refers to " + view.where(Category::node, m.nodeNumber.value) +
                         "; the angle needs a GenericData node with one coordinate");
      c.data = view.place(m.nodeNumber).data;
    }
    return binding;
  }
};

const RegisterMarker<MarkerBodiesRelativeRotationCoordinate> registered;

}  // namespace
}  // namespace catena
