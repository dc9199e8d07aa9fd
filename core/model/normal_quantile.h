// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace trialdeck::model {

/// The value below which a standard normal variable lies with probability p; p in (0, 1), relative error
/// about 1e-16. Source: Wichura 1988, "Algorithm AS 241: the percentage points of the normal distribution".
[[nodiscard]] double normalQuantile(double p);

/// The probability that a standard normal variable lies below x.
[[nodiscard]] double normalProbability(double x);

} // namespace trialdeck::model
