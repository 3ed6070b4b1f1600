// Points along a planar cable.
#include <algorithm>

#include "items/marked_cable.h"

namespace catena {
namespace {

struct MarkerBodyCable2DShape {
  static constexpr std::string_view typeName = "BodyCable2DShape";
  static constexpr std::string_view summary = "equidistant points along a planar cable";
  static constexpr std::string_view theory =
      "n + 1 points p_i = r(x_i) + h n(x_i), x_i = L i / n, 0 <= i <= n, with the unit normal n of "
      "the cable. Position, Displacement and Velocity list those of all points, from node 0 on.";

  ObjectIndex bodyNumber;
  int numberOfSegments = 3;
  Real verticalOffset = 0;

  static std::span<const Field> fields() {
    using T = MarkerBodyCable2DShape;
    static constexpr Field table[] = {
        field<&T::bodyNumber>("bodyNumber", "", "", "an ANCFCable2D"),
        field<&T::numberOfSegments>("numberOfSegments", "n", "", "stretches between the points",
                                    Bounds{1}),
        field<&T::verticalOffset>("verticalOffset", "h", "m",
                                  "distance from the axis, along its normal")};
    return table;
  }

  static MarkerBinding bind(const MarkerBodyCable2DShape& m, const std::string& where,
                            AssemblyView& view) {
    const int body = markedCable2D(view, m.bodyNumber, where).value;
    const auto& fields = view.typeOf(Category::object, body).fields;
    const auto field = std::ranges::find(fields, "physicsLength", &Field::name);
    const Real length = std::get<Real>(field->get(view.item(Category::object, body)));
    MarkerBinding binding;
    binding.points = std::make_unique<std::vector<FramePoint>>();
    for (int i = 0; i <= m.numberOfSegments; ++i)
      binding.points->push_back(bodyPoint(
          view, m.bodyNumber,
          {std::min(length, length * i / m.numberOfSegments), m.verticalOffset, 0}, false, where));
    return binding;
  }
};

const RegisterMarker<MarkerBodyCable2DShape> registered;

}  // namespace
}  // namespace catena
