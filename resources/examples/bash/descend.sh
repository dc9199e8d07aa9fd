#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# descend.sh STEP X Y: walks down Rosenbrock's valley from (X, Y) and prints where it stands every 50 steps.
set -euo pipefail
step=$1 x=$2 y=$3
echo "from ($x, $y) with steps of $step"
for iteration in {1..40}; do
    read -r x y loss < <(awk -v step="$step" -v x="$x" -v y="$y" 'BEGIN {
        for (i = 0; i < 50; ++i) {
            down_x = -2 * (1 - x) - 400 * x * (y - x * x)
            down_y = 200 * (y - x * x)
            x -= step * down_x
            y -= step * down_y
        }
        printf "%.12g %.12g %.6g\n", x, y, (1 - x)^2 + 100 * (y - x * x)^2
    }')
    echo "iteration $iteration: loss $loss"
done
