// SPDX-License-Identifier: Apache-2.0
// Compiled only so that the headers which every test includes are parsed once; see trialdeck_test().
