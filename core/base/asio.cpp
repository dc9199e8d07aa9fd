// SPDX-License-Identifier: Apache-2.0
// Asio is compiled once, here (ASIO_SEPARATE_COMPILATION): its templates would otherwise cost every file
// seconds. Asio 1.22 finds out whether there is std::aligned_alloc by a macro that the standard library's
// headers set. Without one of them before it, this file would free with operator delete what all others take
// from aligned_alloc.
#include <version>

#include <asio/impl/src.hpp>
