// Relative translation of two bodies along an axis.
#include "items/marker.h"

namespace catena {
namespace {

struct MarkerBodiesRelativeTranslationCoordinate {
  static constexpr std::string_view typeName = "BodiesRelativeTranslationCoordinate";
  static constexpr std::string_view summary =
      "relative translation of two bodies along an axis of body 0";
  static constexpr std::string_view theory =
      "x = a.(p1 - p0) - offset with a = A0 axis0, rate dx/dt including the turning of a. A force "
      "on it acts along a on both "
      "points, with the couple on body 0 that keeps the angular momentum.";

  std::array<ObjectIndex, 2> bodyNumbers;
  Vector3 localPosition0 = Vector3::Zero();
  Vector3 localPosition1 = Vector3::Zero();
  Vector3 axis0 = Vector3::UnitX();
  Real offset = 0;

  static std::span<const Field> fields() {
    using T = MarkerBodiesRelativeTranslationCoordinate;
    static constexpr Field table[] = {
        field<&T::bodyNumbers>("bodyNumbers", "", "", "two bodies with orientation"),
        field<&T::localPosition0>("localPosition0", "u_0", "m", "point of body 0"),
        field<&T::localPosition1>("localPosition1", "u_1", "m", "point of body 1"),
        field<&T::axis0>("axis0", "a_0", "", "axis in body 0, unit length"),
        field<&T::offset>("offset", "x_off", "m", "subtracted from the distance along the axis"),
    };
    return table;
  }

  static MarkerBinding bind(const MarkerBodiesRelativeTranslationCoordinate& m,
                            const std::string& where, AssemblyView& view) {
    MarkerBinding binding = MarkerBinding::ofCoordinate();
    ScalarCoordinate& c = *binding.scalar;
    c.kind = ScalarCoordinate::Kind::relativeTranslation;
    c.point0 = bodyPoint(view, m.bodyNumbers[0], m.localPosition0, true, where);
    c.point1 = bodyPoint(view, m.bodyNumbers[1], m.localPosition1, true, where);
    if (std::abs(m.axis0.norm() - 1) > 1e-9)
      throw ModelError(where + ": axis0 = " + valueText(VectorX(m.axis0)) + " must have length 1");
    c.axis = m.axis0;
    c.referenceOffset =
        view.referencePosition(c.point1.frame) - view.referencePosition(c.point0.frame);
    c.offset = m.offset;
    return binding;
  }
};

const RegisterMarker<MarkerBodiesRelativeTranslationCoordinate> registered;

}  // namespace
}  // namespace catena
