// Friction coupled to spin and damping from restitution: tables, quadrature, limits.
#include "kernels/contact_functions.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

using namespace catena;

namespace {

using Json = nlohmann::json;

Json reference() {
  std::ifstream file(CATENA_SOURCE_DIR "/tests/items/contact_reference.json");
  return Json::parse(file);
}

CoupledFriction at(FrictionModel model, PatchPressure pressure, double sigma) {
  return coupledFriction(model, pressure, fittedPowerLaw(pressure), sigma);
}

}  // namespace

TEST_CASE("coupled friction agrees with the table of exact and approximate functions",
          "[contact]") {
  const Json tables = reference()["contensou"];
  const std::pair<FrictionModel, const char*> models[] = {{FrictionModel::contensou, "exact"},
                                                          {FrictionModel::contensou, "quadrature"},
                                                          {FrictionModel::pade1, "pade1"},
                                                          {FrictionModel::ellipsoid, "ellipsoid"},
                                                          {FrictionModel::power, "power"}};
  for (const PatchPressure pressure : {PatchPressure::hertz, PatchPressure::uniform})
    for (const Json& row : tables[pressure == PatchPressure::hertz ? "hertz" : "uniform"]["rows"])
      for (const auto& [model, name] : models) {
        const CoupledFriction c = at(model, pressure, 1 / row["delta"].get<double>());
        INFO(name << " at " << row["delta"]);
        CHECK(std::abs(c.force - row[name][0].get<double>()) < 1e-11);
        CHECK(std::abs(c.moment - row[name][1].get<double>()) < 1e-11);
      }
}

TEST_CASE("coupled friction has the slopes of its values, is smooth across its branches and odd",
          "[contact]") {
  for (const PatchPressure pressure : {PatchPressure::hertz, PatchPressure::uniform})
    for (const FrictionModel model : {FrictionModel::contensou, FrictionModel::ellipsoid,
                                      FrictionModel::pade1, FrictionModel::power})
      for (double s = 1e-4; s < 1e3; s *= 1.13) {
        INFO("model " << static_cast<int>(model) << ", sigma " << s);
        const double h = 1e-5 * s;
        const auto difference = [&](auto part) {
          const auto slope = [&](double step) {
            return (part(at(model, pressure, s + step)) - part(at(model, pressure, s - step))) /
                   (2 * step);
          };
          return (4 * slope(h) - slope(2 * h)) / 3;
        };
        const CoupledFriction c = at(model, pressure, s), mirror = at(model, pressure, -s);
        const auto force = [](const CoupledFriction& x) { return x.force; };
        const auto moment = [](const CoupledFriction& x) { return x.moment; };
        CHECK(std::abs(c.forceSlope - difference(force)) < 3e-10 * (1 + 1 / s));
        CHECK(std::abs(c.momentSlope - difference(moment)) < 3e-10 * (1 + 1 / s));
        CHECK(mirror.force == c.force);
        CHECK(mirror.moment == -c.moment);
        CHECK(mirror.forceSlope == -c.forceSlope);
        CHECK(mirror.momentSlope == c.momentSlope);
        if (model == FrictionModel::contensou || model == FrictionModel::ellipsoid)
          CHECK(std::abs(c.forceSlope + s * c.momentSlope) < 1e-12);  // a common potential
      }
}

TEST_CASE("damping from restitution gives the wanted restitution", "[contact]") {
  const std::pair<RestitutionModel, const char*> models[] = {
      {RestitutionModel::exact, "exact"},
      {RestitutionModel::huntCrossley, "huntCrossley"},
      {RestitutionModel::herbertMcWhannell, "herbertMcWhannell"},
      {RestitutionModel::leeWang, "leeWang"},
      {RestitutionModel::lankaraniNikravesh, "lankaraniNikravesh"},
      {RestitutionModel::gonthier, "gonthier"},
      {RestitutionModel::flores, "flores"}};
  const Json cases = reference();
  for (const Json& row : cases["restitution"])
    for (const auto& [model, name] : models) {
      INFO(name << " for " << row["wanted"]);
      CHECK(restitutionDamping(model, row["wanted"].get<double>()) ==
            Approx(row[name]["bv"].get<double>()).epsilon(1e-11));
    }
  for (const double c : {0.3, 0.77, 0.99, 0.9999, 1 - 1e-6, 1 - 1e-9}) {
    const double y = restitutionDamping(RestitutionModel::exact, c);
    INFO("c = " << c << ", y = " << y);
    CHECK(std::abs(y * (1 + c) - std::log1p(y) + std::log1p(-c * y)) < 1e-15 * (1 + y));
    if (c > 0.99) CHECK(y == Approx(1.5 * (1 - c)).epsilon(2 * (1 - c)));  // leading term
  }
  CHECK(restitutionDamping(RestitutionModel::exact, 1) == 0);
  CHECK(restitutionDamping(RestitutionModel::exact, 0.02) == Approx(50).epsilon(1e-15));
}
