// Example models of any size.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "model/json_reader.h"

namespace catena {

struct GenerateOptions {
  std::string kind = "chain";  // one of generatedKinds()
  long long bodies = 400;
  std::string nodes =
      "RigidBodyRotVecLG";  // or RigidBodyEP, RigidBodyRxyz; short: RotVecLG, EP, Rxyz
};

//   chain      bars in a row, each turned against the one before, revolute joints, gravity along +z
//   tree       binary tree of bars, spherical and revolute joints alternate from level to level
//   net        rectangular net of bars, spherical joints at the knots, hung at the upper corners
//   four-bars  n parallel four-bar linkages of 2 n + 1 rods, IFToMM benchmark A02
//   bed        spheres that fall into a long trough, contact with friction
std::span<const std::string_view> generatedKinds();

// The model with its settings, not yet assembled. Throws ModelError for options that make no model.
SimulationJob generateModel(const GenerateOptions& options);

}  // namespace catena
