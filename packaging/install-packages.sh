# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Sourced by packaging/run and tests/run: installs what packaging/packages.txt lists and this machine lacks.

# Installs the packages that are its arguments and starts no service of theirs, now or at the next boot: tests want
# sshd's program, and nobody who runs them wants a login from outside. A policy that the machine has is put back.
without_services='
    policy=/usr/sbin/policy-rc.d
    kept=
    restore() {
        rm -f "$policy"
        if [[ -n $kept ]]; then mv -f "$kept" "$policy"; fi
    }
    if [[ -e $policy || -L $policy ]]; then
        kept=$policy.kept-by-trialdeck
        mv -f "$policy" "$kept" || exit
    fi
    trap restore EXIT
    printf "#!/bin/sh\nexit 101\n" >"$policy" && chmod 755 "$policy" || exit
    DEBIAN_FRONTEND=noninteractive apt-get -qq -o Dpkg::Use-Pty=0 install -y --no-install-recommends "$@" || exit
    if [[ " $* " == *" openssh-server "* ]] && command -v systemctl >/dev/null; then
        systemctl --quiet disable ssh.service ssh.socket 2>/dev/null || true
    fi
'

# install_missing_packages run   what building and running needs
# install_missing_packages test  the same and what the tests need
# Says what is missing and why before it installs anything; silent when nothing is missing.
install_missing_packages() {
    local purpose=$1 root installed list=() reasons=() package for_what why
    root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
    if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
        echo "This is not Debian: install the packages that packaging/packages.txt lists by hand." >&2
        return 0
    fi
    installed=$(dpkg-query -W -f '${Package} ${db:Status-Status}\n')
    while read -r package for_what why; do
        [[ -z $package || $package == \#* ]] && continue
        [[ $purpose == run && $for_what != run ]] && continue
        if [[ $'\n'$installed$'\n' != *$'\n'"$package installed"$'\n'* ]]; then
            list+=("$package")
            reasons+=("$(printf '  %-24s %s' "$package" "$why")")
        fi
    done <"$root/packaging/packages.txt"
    ((${#list[@]})) || return 0

    echo "Missing on this machine, and what each is for:"
    printf '%s\n' "${reasons[@]}"
    local as_root=()
    if ((EUID != 0)); then
        if ! command -v sudo >/dev/null; then
            echo "Neither root nor sudo: ask an administrator to run" >&2
            echo "  apt-get install --no-install-recommends ${list[*]}" >&2
            return 1
        fi
        as_root=(sudo)
    fi
    echo "Installing them with apt-get."
    local apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq -o Dpkg::Use-Pty=0)
    "${apt[@]}" update </dev/null || return
    "${as_root[@]}" bash -c "$without_services" bash "${list[@]}" </dev/null >/dev/null || {
        echo "apt-get could not install: ${list[*]}" >&2
        return 1
    }
}
