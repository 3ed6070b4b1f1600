// All markers with all connectors and loads that act on them: their generalised forces are the
// force times the displacement of the marker, which is taken from outputs by differences.
#include <catch2/catch.hpp>
#include <map>

#include "tests/mechanisms.h"

using namespace catena;
using namespace catena::test;

namespace {

using Markers = std::map<std::string, int>;

// A body at rest in its reference orientation, where angles are the integrals of angular velocity.
int addUprightBody(MainSystem& mbs, std::string_view node, const Vector3& position) {
  Body b;
  b.position = position;
  return addBody(mbs, node, b);
}

// One of every kind of body, each with its markers: of orientation first, then coordinates.
Markers addAllMarkers(MainSystem& mbs, int which, bool orientation) {
  Markers m;
  const Real shift = which;
  const int ground = mbs.AddObject("Ground", {});
  const auto marker = [&](std::string_view type, const Dictionary& parameters) {
    m[std::string(type)] = mbs.AddMarker(type, parameters);
  };
  const int body = addUprightBody(mbs, which ? "RigidBodyEP" : "RigidBodyRxyz", {shift, 1, 2});
  const int node = mbs.items().count(Category::node) - 1;
  const VectorX lever = Vector3(0.2, -0.3, 0.4);
  if (orientation) {
    marker("BodyRigid", {{"bodyNumber", body}, {"localPosition", lever}});
    marker("NodeRigid", {{"nodeNumber", node}});
    std::vector<int> points;
    for (const Vector3& p : {Vector3(0, 0, 0), Vector3(1, 0, 0), Vector3(0, 1, 0.5)})
      points.push_back(mbs.AddNode("Point", {{"referenceCoordinates", VectorX(p)}}));
    const int mesh = mbs.AddObject(
        "GenericODE2", {{"nodeNumbers", points}, {"massMatrix", MatrixX(MatrixX::Zero(9, 9))}});
    marker("SuperElementRigid", {{"bodyNumber", mesh},
                                 {"meshNodeNumbers", std::vector<int>{0, 1, 2}},
                                 {"weightingFactors", VectorX(Vector3(0.5, 0.3, 0.2))}});
    const int joints = mbs.AddNode("GenericODE2", {{"numberOfODE2Coordinates", 2}});
    MatrixX frames(6, 3);
    frames << Matrix3::Identity(), expSO3({0.3, 0.4, -0.2});
    const int tree = mbs.AddObject(
        "KinematicTree", {{"nodeNumber", joints},
                          {"jointTypes", UserFunction{{"RevoluteZ", "RevoluteX"}, nullptr}},
                          {"linkParents", std::vector<int>{-1, 0}},
                          {"jointTransformations", frames},
                          {"jointOffsets", MatrixX(MatrixX::Ones(2, 3))},
                          {"linkInertiasCOM", MatrixX(MatrixX::Zero(6, 3))},
                          {"linkCOMs", MatrixX(MatrixX::Zero(2, 3))},
                          {"linkMasses", VectorX(VectorX::Zero(2))}});
    marker("KinematicTreeRigid",
           {{"objectNumber", tree}, {"linkNumber", 1}, {"localPosition", lever}});
    return m;
  }
  const int slider = mbs.AddNode("1D", {});
  marker("NodeCoordinate", {{"nodeNumber", slider}, {"coordinate", 0}});
  marker("NodeRotationCoordinate", {{"nodeNumber", node}, {"rotationCoordinate", 2}});
  marker("BodiesRelativeTranslationCoordinate", {{"bodyNumbers", std::vector<int>{ground, body}},
                                                 {"localPosition1", lever},
                                                 {"axis0", VectorX(Vector3(0, 0.6, 0.8))}});
  marker("BodiesRelativeRotationCoordinate",
         {{"bodyNumbers", std::vector<int>{ground, body}}, {"axis0", VectorX(Vector3(0, 0, 1))}});
  const int first = mbs.AddNode("GenericODE1", {{"numberOfODE1Coordinates", 1}});
  marker("NodeODE1Coordinate", {{"nodeNumber", first}, {"coordinate", 0}});
  std::vector<int> ends;
  for (const Real x : {0.0, 2.0}) {
    VectorX q(4);
    q << x, 0, 1, 0;
    ends.push_back(mbs.AddNode("Point2DSlope1", {{"referenceCoordinates", q}}));
  }
  const int cable = mbs.AddObject("ANCFCable2D", {{"nodeNumbers", ends}, {"physicsLength", 2.0}});
  marker("BodyCable2DCoordinates", {{"bodyNumber", cable}});
  return m;
}

VectorX residual(System& s) {
  VectorX r;
  s.evaluate({}, ConstraintLevel::position, false, r);
  return r;
}

// d output / d unknown: one column per unknown of second order.
template <class Output>
MatrixX derivative(System& s, const Output& output) {
  const State base = s.state();
  const Real h = 1e-6;
  VectorX delta = VectorX::Zero(s.unknowns());
  const auto at = [&](int j, Real step) {
    delta[j] = step;
    s.increment(delta, {.position = 1}, ConstraintLevel::position);
    delta[j] = 0;
    s.computeMotions();
    const std::vector<Real> x = output();
    s.state() = base;
    s.computeMotions();
    return VectorX(Eigen::Map<const VectorX>(x.data(), static_cast<int>(x.size())));
  };
  MatrixX D;
  for (int j = 0; j < s.dynamicUnknowns(); ++j) {
    const VectorX column = (at(j, h) - at(j, -h)) / (2 * h);
    D.conservativeResize(column.size(), s.dynamicUnknowns());
    D.col(j) = column;
  }
  return D;
}

}  // namespace

TEST_CASE("a torque works on the rotation of every marker with orientation", "[items]") {
  const Vector3 torque(0.7, -1.1, 0.4);
  for (const bool bodyFixed : {false, true}) {
    MainSystem prototype;
    for (const auto& [type, number] : addAllMarkers(prototype, 0, true)) {
      MainSystem mbs;
      const int marker = addAllMarkers(mbs, 0, true).at(type);
      mbs.AddLoad(
          "TorqueVector",
          {{"markerNumber", marker}, {"loadVector", VectorX(torque)}, {"bodyFixed", bodyFixed}});
      mbs.Assemble();
      System& s = mbs.system();
      Random random(3);
      s.increment(random.vector(s.unknowns(), 0.3), {.position = 1}, ConstraintLevel::position);
      s.computeMotions();
      const auto rotation = [&] { return s.markerOutput(marker, OutputVariable::RotationMatrix); };
      const std::vector<Real> rows = rotation();
      const Matrix3 A = Eigen::Map<const Matrix3>(rows.data()).transpose();
      const MatrixX D = derivative(s, rotation);
      const VectorX r = residual(s);
      const Vector3 world = bodyFixed ? Vector3(A * torque) : torque;
      for (int j = 0; j < s.dynamicUnknowns(); ++j) {
        const VectorX column = D.col(j);
        const Matrix3 turn = Eigen::Map<const Matrix3>(column.data()).transpose() * A.transpose();
        INFO(type << ", bodyFixed " << bodyFixed << ", " << s.describeUnknown(j));
        CHECK(r[j] == Approx(-world.dot(Vector3(turn(2, 1), turn(0, 2), turn(1, 0)))).margin(1e-8));
      }
      CHECK(r.head(s.dynamicUnknowns()).norm() > 0.1);
    }
  }
}

TEST_CASE("scalar connectors work on the coordinates of all pairs of coordinate markers",
          "[items]") {
  struct Connector {
    std::string_view type;
    Dictionary parameters;
  };
  const Connector connectors[] = {
      {"ConnectorCoordinateSpringDamper", {{"stiffness", 3.0}, {"offset", 0.5}}},
      {"ConnectorCoordinateSpringDamperExt",
       {{"stiffness", 3.0}, {"offset", 0.5}, {"factor0", 2.0}}},
      {"ContactCoordinate", {{"contactStiffness", 3.0}, {"offset", 0.5}}},
      {"ConnectorCoordinate", {{"factorValue1", 2.0}}}};
  MainSystem prototype;
  const Markers types = addAllMarkers(prototype, 0, false);
  for (const Connector& connector : connectors)
    for (const auto& [type0, n0] : types)
      for (const auto& [type1, n1] : types) {
        MainSystem mbs;
        const int marker0 = addAllMarkers(mbs, 0, false).at(type0);
        const int marker1 = addAllMarkers(mbs, 1, false).at(type1);
        Dictionary parameters = connector.parameters;
        parameters.emplace_back("markerNumbers", std::vector<int>{marker0, marker1});
        if (connector.type == "ContactCoordinate")
          parameters.emplace_back(
              "nodeNumber",
              mbs.AddNode("GenericData", {{"numberOfDataCoordinates", 1},
                                          {"initialCoordinates", VectorX(-VectorX::Ones(1))}}));
        const int object = mbs.AddObject(connector.type, parameters);
        INFO(connector.type << " between " << type0 << " and " << type1);
        // These are no coordinates of bodies that a force could act on.
        const bool refused = type0 == "BodyCable2DCoordinates" || type0 == "NodeODE1Coordinate" ||
                             type1 == "BodyCable2DCoordinates" || type1 == "NodeODE1Coordinate";
        if (refused) {
          CHECK_THROWS_WITH(mbs.Assemble(),
                            Catch::Contains("provides no coordinate; use a coordinate") ||
                                Catch::Contains("takes no forces"));
          continue;
        }
        mbs.Assemble();
        System& s = mbs.system();
        s.state().multipliers.setConstant(1.7);
        s.computeMotions();
        const auto gap = [&] {  // factor1 q1 - factor0 q0
          const Real f0 = connector.type.ends_with("Ext") ? 2 : 1;
          const Real f1 = connector.type == "ConnectorCoordinate" ? 2 : 1;
          const auto value = [&](int marker) {
            return s.markerOutput(marker, OutputVariable::Coordinates)[0];
          };
          return std::vector<Real>{f1 * value(marker1) - f0 * value(marker0)};
        };
        const MatrixX D = derivative(s, gap);
        const Real force = connector.type == "ContactCoordinate"
                               ? 3.0 * (gap()[0] - 0.5)
                               : s.objectOutput(object, OutputVariable::Force)[0];
        const VectorX r = residual(s);
        for (int j = 0; j < s.dynamicUnknowns(); ++j) {
          INFO(s.describeUnknown(j));
          CHECK(r[j] == Approx(force * D(0, j)).margin(1e-8));
        }
        CHECK(r.head(s.dynamicUnknowns()).norm() > 0.1);
      }
}
