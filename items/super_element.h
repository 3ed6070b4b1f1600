// The mesh nodes that a super element marker names.
#pragma once

#include "items/marker.h"
#include "items/mesh_frame.h"

namespace catena {

// Throws ModelError unless the object has a mesh, the node numbers are those of its mesh, and as
// many weights sum up to 1.
inline std::shared_ptr<MeshFrame> meshFrame(const AssemblyView& view, ObjectIndex body,
                                            const std::vector<int>& meshNodes,
                                            const VectorX& weights, const Vector3& offset,
                                            const std::string& where) {
  if (!body.valid() || view.typeOf(Category::object, body.value).name != "GenericODE2")
    throw ModelError(where + ": bodyNumber = " + std::to_string(body.value) +
                     (body.valid() ? " refers to " + view.where(Category::object, body.value) +
                                         ", which has no mesh"
                                   : " is missing") +
                     "; give the index of a GenericODE2");
  const std::vector<NodeIndex> all = view.typeOf(Category::object, body.value)
                                         .object->nodes(view.item(Category::object, body.value));
  std::vector<NodeIndex> nodes;
  for (const int i : meshNodes) {
    if (i < 0 || i >= static_cast<int>(all.size()))
      throw ModelError(where + ": meshNodeNumbers contains " + std::to_string(i) +
                       "; the mesh has " + std::to_string(all.size()) +
                       " nodes, numbered from 0 in the order of nodeNumbers");
    nodes.push_back(all[i]);
  }
  if (nodes.empty()) throw ModelError(where + ": meshNodeNumbers is empty; give at least one node");
  if (weights.size() != static_cast<int>(nodes.size()) || std::abs(weights.sum() - 1) > 1e-9)
    throw ModelError(where + ": weightingFactors = " + valueText(weights) + " must be " +
                     std::to_string(nodes.size()) + " numbers, one per mesh node, with sum 1");
  return std::make_shared<MeshFrame>(view, nodes, weights, offset, where);
}

}  // namespace catena
