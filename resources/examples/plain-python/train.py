#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Logistic regression on points of two overlapping clouds, with nothing but Python's standard library.

Shows the whole contract between Trialdeck and a program: parameters come on the command line, reports are JSON lines
appended to $TRIALDECK_REPORT, a checkpoint is a folder under $TRIALDECK_CHECKPOINT_DIR that a report names, and
$TRIALDECK_RESUME_FROM is the checkpoint to go on from. Started by hand, it prints its reports.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import random
import signal
import sys
from pathlib import Path

Point = tuple[list[float], int]
FEATURES = 8


def make_points(count: int, generator: random.Random) -> list[Point]:
    points = []
    for _ in range(count):
        label = generator.randrange(2)
        points.append(([generator.gauss(0.6 if label else -0.6, 1.5) for _ in range(FEATURES)] + [1.0], label))
    return points


def probability(weights: list[float], features: list[float]) -> float:
    score = sum(weight * feature for weight, feature in zip(weights, features))
    return 1 / (1 + math.exp(-max(-60.0, min(60.0, score))))


def train_epoch(weights: list[float], speed: list[float], points: list[Point], learning_rate: float, momentum: float) -> None:
    for features, label in points:
        error = probability(weights, features) - label
        for index, feature in enumerate(features):
            speed[index] = momentum * speed[index] - learning_rate * error * feature
            weights[index] += speed[index]


def evaluate(weights: list[float], points: list[Point]) -> tuple[float, float]:
    """Mean loss in nats, and the share of points whose class is guessed."""
    loss, right = 0.0, 0
    for features, label in points:
        chance = probability(weights, features)
        loss -= math.log(max(1e-12, chance if label else 1 - chance))
        right += (chance > 0.5) == (label == 1)
    return loss / len(points), right / len(points)


def report(row: dict[str, object]) -> None:
    path = os.environ.get('TRIALDECK_REPORT')
    if path:
        with open(path, 'a', encoding='utf-8') as file:
            file.write(json.dumps(row) + '\n')
    print(' '.join(f'{name}={value}' for name, value in row.items()), flush=True)


def save_checkpoint(epoch: int, weights: list[float], speed: list[float]) -> str | None:
    """Writes the state into a new folder and returns its name, relative as a report has to give it."""
    parent = os.environ.get('TRIALDECK_CHECKPOINT_DIR')
    if not parent:
        return None
    folder = Path(parent, f'epoch_{epoch}')
    folder.mkdir()
    (folder / 'state.json').write_text(json.dumps({'epoch': epoch, 'weights': weights, 'speed': speed}))
    return folder.name


def wants_checkpoint(epoch: int, last: bool) -> bool:
    frequency = int(os.environ.get('TRIALDECK_CHECKPOINT_FREQUENCY') or 0)
    at_end = os.environ.get('TRIALDECK_CHECKPOINT_AT_END') in ('1', 'true')
    return (frequency > 0 and epoch % frequency == 0) or (last and at_end)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('--learning-rate', type=float, default=0.05)
    parser.add_argument('--momentum', type=float, default=0.5)
    parser.add_argument('--epochs', type=int, default=20)
    parser.add_argument('--points', type=int, default=20000)
    parser.add_argument('--seed', type=int, default=1)
    options = parser.parse_args()
    # Trialdeck stops a trial with SIGTERM; ending at once is right, the last checkpoint is on the disk.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))

    generator = random.Random(options.seed)
    training, held_out = make_points(options.points, generator), make_points(options.points // 4, generator)
    first, weights, speed = 1, [0.0] * (FEATURES + 1), [0.0] * (FEATURES + 1)
    resume_from = os.environ.get('TRIALDECK_RESUME_FROM')
    if resume_from:
        state = json.loads(Path(resume_from, 'state.json').read_text())
        first, weights, speed = state['epoch'] + 1, state['weights'], state['speed']

    for epoch in range(first, options.epochs + 1):
        # An order of the epoch's own, so that a resumed trial goes on exactly as one that was never stopped.
        shuffled = random.Random(options.seed * 1000 + epoch).sample(training, len(training))
        train_epoch(weights, speed, shuffled, options.learning_rate, options.momentum)
        loss, accuracy = evaluate(weights, held_out)
        row: dict[str, object] = {'training_iteration': epoch, 'loss': loss, 'accuracy': accuracy}
        if wants_checkpoint(epoch, last=epoch == options.epochs):
            checkpoint = save_checkpoint(epoch, weights, speed)
            if checkpoint:
                row['checkpoint'] = checkpoint
        report(row)


if __name__ == '__main__':
    main()
