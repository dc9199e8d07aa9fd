// SPDX-License-Identifier: Apache-2.0
// Asio is compiled once, here (ASIO_SEPARATE_COMPILATION): its templates would otherwise cost every file
// seconds.
#include <asio/impl/src.hpp>
