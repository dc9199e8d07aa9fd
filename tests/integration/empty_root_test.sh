#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# empty_root_test.sh PROGRAM: the program says its version in a root that holds nothing but itself.
set -eu
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
cp "$1" "$root/program"
if [ "$(id -u)" = 0 ]; then
    chroot "$root" /program --version
elif unshare --user --map-root-user true 2>/dev/null; then
    unshare --user --map-root-user chroot "$root" /program --version
else
    echo "skipped: neither root nor user namespaces, so no root can be changed"
    exit 77
fi
