#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Writes throw-away keys for this case into ./keys (never commit them).
set -eu
mkdir -p keys && cd keys && rm -f ./*
ssh-keygen -q -t ed25519 -N '' -C plain -f plain
ssh-keygen -q -t ed25519 -N 'pass 短语' -C enc -f enc-bcrypt -a 16
ssh-keygen -q -t ed25519 -N 'secret' -C gcm -Z aes256-gcm@openssh.com -f enc-gcm
ssh-keygen -q -t rsa -b 3072 -m PEM -N 'secret' -C pem -f enc-pem
ssh-keygen -q -t ecdsa -N '' -C nopub -f nopub && rm nopub.pub
head -c 200 enc-bcrypt > cut
printf 'PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none\n' > putty.ppk
sed 's/$/\r/' plain > crlf
cp plain open-mode && chmod 644 open-mode
mkdir adir
