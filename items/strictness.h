// How strictly models are checked. A program sets this once, before it builds models.
#pragma once

namespace catena {

struct Strictness {
  // Refuse an inertia whose principal moments violate the triangle inequality. Off for scripts of
  // other programs that only warn; negative moments are refused always.
  bool triangleInequality = true;
  // Refuse a name that another item of the category has; else the first item keeps it.
  bool uniqueNames = true;
};

inline Strictness strictness;

}  // namespace catena
