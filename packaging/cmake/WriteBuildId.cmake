# SPDX-License-Identifier: Apache-2.0
# cmake -DSOURCE=DIR -DVERSION=0.1.0 -DOUTPUT=FILE -P WriteBuildId.cmake
# Writes the functions of core/base/build_id.h; leaves the file alone when nothing changed.
file(GLOB_RECURSE sources RELATIVE "${SOURCE}" "${SOURCE}/core/*.cpp" "${SOURCE}/core/*.h" "${SOURCE}/core/CMakeLists.txt")
list(SORT sources)
set(all "${VERSION}")
foreach(source IN LISTS sources)
  file(SHA256 "${SOURCE}/${source}" hash)
  string(APPEND all "${source} ${hash}\n")
endforeach()
string(SHA256 id "${all}")
string(SUBSTRING "${id}" 0 16 id)
file(CONFIGURE OUTPUT "${OUTPUT}" @ONLY CONTENT [[
#include "core/base/build_id.h"

namespace trialdeck::base {

std::string_view version() {
    return "@VERSION@";
}

std::string_view buildId() {
    return "@id@";
}

} // namespace trialdeck::base
]])
