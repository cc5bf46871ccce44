#!/usr/bin/env python3
"""Trains what finds pauses (Sources/Motion/PauseFinder.swift) and writes its weights into Sources/Motion/PauseWeights.swift.

    Tests/Accuracy/train_pauses.py --tool .build/release/accuracy --recordings ../shared/recordings [--work DIR] [--seed 1]

To be run after train.py, in whose work directory it finds the networks that judge each recording without having heard its
subject; it adds what finds pauses, trained on the other subjects too, to each line of WORK/folds.csv. There are few
recordings in which walks end and each step is known, so others are made: walks of all recordings, broken off after a step
and followed by some seconds of other ones in which somebody stands, sits or has work in hand. The features come from the
Swift engine itself (`accuracy pauses`). The same seed gives the same weights. Needs numpy and scikit-learn.
"""
import json
import os
import subprocess
import sys

os.environ["OPENBLAS_NUM_THREADS"] = os.environ["OMP_NUM_THREADS"] = "1"

import numpy
import sklearn
from sklearn.linear_model import LogisticRegression

import train

FEATURES = 15
NAMES = ["bounce 0.5 s", "impact 0.5 s", "swing 0.5 s", "silence", "bounce 1 s", "impact 1 s", "swing 1 s",
         "long silence", "bounce 1.7 s", "impact 1.7 s", "swing 1.7 s", "turning", "bounce alike", "swing alike",
         "unsteadiness"]
RATE = 50.0
MADE = 800
# The share of walks that are played slower, of rests with work in hand, and of those in which the device is taken out.
SLOWED, AT_WORK, HANDLED = 0.3, 0.45, 0.5
# What a look takes off the evidence: stops have to be likelier than not by far. And how much of what is learnt about long
# silences counts: the walks made here stop for good between two beats, real ones shuffle on. Both chosen on the recordings.
BIAS, SILENCE = 3.5, 0.5
# A walk has ended this long after its last step, in s, if there is none for PAUSE more.
ENDED, PAUSE, WALKING = 0.7, 3.0, 1.6
ON_FOOT = train.WALKING | {"running", "treadmill_running"}
# Hands that go up and down as steps do are no rest, and not to be told from a walk by this.
RHYTHMIC = ("gym", "clap", "brush", "jump", "rowing", "squat", "cross", "bend", "basket", "kick", "playing", "wash",
            "comb", "sit_up", "push")


class Material:
    """Walks and rests of recordings, with the times of the steps."""

    def __init__(self, recordings, tool, folds):
        self.walks, self.rests, self.read = {}, {}, {}
        for recording in recordings:
            place = "wrist" if recording.placement == "wrist" else "body"
            for start, end, name in recording.spans:
                start, end = max(start, 0), min(end, recording.duration)
                if end - start < 8 or name in {"walking_turn", "turning"}:
                    continue
                span = (recording, start, end, place)
                if name in ON_FOOT:
                    self.walks.setdefault((recording.subject, name), []).append(span)
                elif name in train.STILL:
                    self.rests.setdefault((place, False), {}).setdefault(recording.subject, []).append(span)
                elif (recording.placement in {"hand", "wrist"} and train.class_of(name) == "other"
                      and not any(word in name for word in RHYTHMIC)):
                    self.rests.setdefault((place, True), {}).setdefault(recording.subject, []).append(span)
        paths = sorted({span[0].path for spans in self.walks.values() for span in spans if span[0].steps is None})
        said = subprocess.run([tool, "steps"] + paths, capture_output=True, text=True, check=True,
                              env=dict(os.environ, MOTION_FOLDS=folds)).stdout
        self.counted = {heard["recording"]: numpy.array(heard["times"]) for heard in map(json.loads, said.splitlines())}

    def steps(self, recording):
        return self.counted[recording.path] if recording.steps is None else recording.steps

    def piece(self, recording, start, end):
        """The samples of some seconds at an even rate."""
        if recording.path not in self.read:
            rows = numpy.loadtxt(recording.path, delimiter=",", skiprows=1, usecols=(0, 1, 2, 3))
            self.read[recording.path] = rows[numpy.concatenate([[True], numpy.diff(rows[:, 0]) > 0])]
        rows = self.read[recording.path]
        times = numpy.arange(start, end, 1 / RATE)
        return numpy.stack([numpy.interp(times, rows[:, 0], rows[:, axis]) for axis in (1, 2, 3)], axis=1)

    def walk(self, span, generator):
        """A walk that is broken off, softer towards its end, and its steps' times; None where the steps are not clear."""
        recording, start, end, _ = span
        length = min(generator.uniform(8, 16), max(end - start - 1.5, 6))
        begin = generator.uniform(start, max(end - length - 1.2, start + 0.01))
        steps = self.steps(recording)
        steps = steps[(steps > begin) & (steps < min(begin + length, end - 0.8))]
        if len(steps) < 8 or numpy.diff(steps).max() > 1.4 or steps[0] - begin > 1.5:
            return None
        samples = self.piece(recording, begin, steps[-1] + generator.uniform(0.55, 0.85))
        mean = samples[-int(2 * RATE):].mean(axis=0)
        soft = int(RATE * generator.uniform(0.4, 1.2))
        gain = numpy.ones(len(samples))
        gain[-soft:] = numpy.linspace(1, generator.uniform(0.35, 1), soft)
        samples = mean + (samples - mean) * gain[:, None]
        slow = generator.uniform(0.85, 1.6) if generator.random() < SLOWED else 1
        count = int(len(samples) * slow)
        places = numpy.linspace(0, len(samples) - 1, count)
        samples = numpy.stack([numpy.interp(places, numpy.arange(len(samples)), samples[:, axis]) for axis in range(3)], axis=1)
        return samples, (steps - begin) * slow, mean

    def rest(self, place, down, generator):
        """Some seconds of rest, turned so that gravity points as it did before; None where there are too few."""
        hands = generator.random() < AT_WORK
        people = self.rests.get((place, hands)) or self.rests[("wrist" if hands else place, hands)]
        spans = people[sorted(people)[generator.integers(len(people))]]
        recording, start, end, _ = spans[generator.integers(len(spans))]
        length = min(generator.uniform(4.5, 7.5), end - start - 1)
        begin = generator.uniform(start, end - length - 0.6)
        samples = self.piece(recording, begin, begin + length)
        if len(samples) < 100 or numpy.linalg.norm(samples[:25].mean(axis=0)) < 0.3:
            return None
        mean = samples.mean(axis=0)
        samples = (mean + (samples - mean) * generator.uniform(0.5, 1.2)) @ rotation(samples[:25].mean(axis=0), down).T
        return handled(samples, generator) if generator.random() < HANDLED else samples


def rotation(start, end):
    """The shortest rotation from one direction to another."""
    start, end = start / numpy.linalg.norm(start), end / numpy.linalg.norm(end)
    axis, cosine = numpy.cross(start, end), start @ end
    if cosine < -0.999:
        return -numpy.eye(3)
    cross = numpy.array([[0, -axis[2], axis[1]], [axis[2], 0, -axis[0]], [-axis[1], axis[0], 0]])
    return numpy.eye(3) + cross + cross @ cross / (1 + cosine)


def handled(samples, generator):
    """The samples of a device that is taken out and turned meanwhile."""
    times = numpy.arange(len(samples)) / RATE
    at, lasts = generator.uniform(0.2, 2), generator.uniform(0.4, 1.5)
    share = numpy.clip((times - at) / lasts, 0, 1)
    angles = generator.uniform(0.3, 2) * (share - numpy.sin(2 * numpy.pi * share) / (2 * numpy.pi))
    axis = generator.normal(size=3)
    axis /= numpy.linalg.norm(axis)
    cross = numpy.array([[0, -axis[2], axis[1]], [axis[2], 0, -axis[0]], [-axis[1], axis[0], 0]])
    turns = numpy.eye(3) + numpy.sin(angles)[:, None, None] * cross + (1 - numpy.cos(angles))[:, None, None] * (cross @ cross)
    shaking = numpy.stack([numpy.convolve(row, numpy.ones(5) / 5, "same") for row in generator.normal(size=(3, len(samples)))], 1)
    strength = generator.uniform(0.02, 0.25) * numpy.exp(-0.5 * ((times - at - lasts / 2) / (lasts / 1.5)) ** 2)
    return numpy.einsum("nij,nj->ni", turns, samples) + shaking * strength[:, None]


def blended(first, second, seconds):
    """Two pieces, the end of one faded into the beginning of the other."""
    count = int(seconds * RATE)
    share = numpy.linspace(0, 1, count)[:, None]
    middle = first[-count:] * (1 - share) + second[:count] * share
    return numpy.concatenate([first[:-count], middle, second[count:]])


def stops(material, generator, work):
    """Makes recordings of three walks and rests each: (path, name of the network's recording, subject, steps)."""
    made = []
    keys = sorted(material.walks)
    while len(made) < MADE:
        key = keys[generator.integers(len(keys))]
        span = material.walks[key][generator.integers(len(material.walks[key]))]
        samples, truth = numpy.zeros((0, 3)), []
        for _ in range(3):
            walk = material.walk(span, generator)
            rest = walk and material.rest(span[3], walk[2], generator)
            if rest is None:
                break
            begin = max(len(samples) - 10, 0)
            piece = blended(walk[0], rest, 0.3)
            samples = blended(samples, piece, 0.2) if len(samples) else piece
            truth += list(begin / RATE + walk[1])
        else:
            path = os.path.join(work, f"stop{len(made)}.csv")
            table = numpy.column_stack([numpy.arange(len(samples)) / RATE, samples])
            numpy.savetxt(path, table, fmt="%.4f", delimiter=",", header="t,x,y,z", comments="")
            made.append((path, span[0].name, span[0].subject, numpy.array(truth)))
    return made


def labels(times, features, steps, uncovered):
    """1 where a walk has ended, 0 where it goes on since four steps, −1 where neither is known."""
    after = numpy.searchsorted(steps, times, side="right")
    before = numpy.where(after > 0, steps[numpy.clip(after - 1, 0, None)], -99)
    behind = numpy.where(after < len(steps), steps[numpy.clip(after, None, len(steps) - 1)], 1e9)
    labels = numpy.full(len(times), -1)
    labels[(times - before > ENDED) & (times - before < 8) & (behind - before > PAUSE) & (after > 5)] = 1
    gaps = numpy.diff(steps, prepend=-99)
    longest = numpy.maximum.reduce([gaps[numpy.clip(after - back, 0, None)] for back in (1, 2, 3, 4)])
    labels[(behind - before < WALKING) & (behind - times < WALKING) & (longest < WALKING)] = 0
    # Truth whose clock slips goes on with steps of a body that is at rest.
    labels[(labels == 0) & (features[:, 4:7].max(axis=1) < 0.03)] = -1
    for start, end in uncovered:
        labels[(times > start - 0.5) & (times < end + 1)] = -1
    return labels


def uncovered(recording):
    """When the truth of a recording holds no steps though there may be some: labelled turns and events of WeAllWalk."""
    return [(start, end) for start, end, name in recording.spans if name == "walking_turn" or name.startswith("feature:")]


class Looks:
    """All looks for a pause: features, labels, subjects."""

    def __init__(self, sources, work):
        rows, classes, weights, subjects = [], [], [], []
        for i, (_, _, subject, steps, gaps) in enumerate(sources):
            looks = numpy.fromfile(os.path.join(work, f"pause{i}.f32"), dtype="<f4").reshape(-1, FEATURES + 1).astype(float)
            if len(looks) == 0 or len(steps) < 8:
                continue
            known = labels(looks[:, 0], looks[:, 1:], steps, gaps)
            rows.append(looks[known >= 0, 1:])
            classes.append(known[known >= 0])
            subjects += [subject] * int((known >= 0).sum())
        self.rows, self.classes, self.subjects = numpy.concatenate(rows), numpy.concatenate(classes), numpy.array(subjects)


def regress(rows, classes):
    """The weights of a logistic regression, the constant last."""
    mean, deviation = rows.mean(axis=0), rows.std(axis=0) + 1e-6
    balance = numpy.where(classes == 1, 0.5 * (classes == 0).sum() / (classes == 1).sum(), 1)
    model = LogisticRegression(C=0.3, max_iter=1000).fit((rows - mean) / deviation, classes, sample_weight=balance / balance.mean())
    weights = model.coef_[0] / deviation
    weights[NAMES.index("long silence")] *= SILENCE
    constant = model.intercept_[0] - (model.coef_[0] / deviation) @ mean - BIAS
    return numpy.append(weights, constant).astype("<f4")


def swift(weights, arguments, looks):
    return f"""/// The trained weights of `PauseFinder`, in its order.
///
/// Written by Tests/Accuracy/train_pauses.py; do not edit. Seed {arguments.seed}, {len(set(looks.subjects))} subjects,
/// {len(looks.classes)} looks, numpy {numpy.__version__}, scikit-learn {sklearn.__version__}; the recordings' sources and
/// licences are listed in SOURCES.csv beside them.
enum PauseWeights {{
  static let trained: InlineArray<{len(weights)}, Float> = [
{train.rows_of(weights)}
  ]
}}
"""


def main():
    arguments = train.options(__doc__, "Sources/Motion/PauseWeights.swift").parse_args()
    work = os.path.abspath(arguments.work)
    recordings = train.recordings_in(arguments.recordings)
    # What is heard must not depend on an earlier training of this: weights of 0 find no pause.
    folds, none = os.path.join(work, "folds.csv"), os.path.join(work, "no-pauses.f32")
    numpy.zeros(FEATURES + 1, "<f4").tofile(none)
    write_folds(folds, recordings, arguments.folds, work, lambda fold: none)
    material = Material(recordings, arguments.tool, folds)
    sources = [(*stop, []) for stop in stops(material, numpy.random.default_rng(arguments.seed), work)]
    sources += [(r.path, r.name, r.subject, r.steps, uncovered(r)) for r in recordings if r.steps is not None]
    jobs = os.path.join(work, "pause-jobs.csv")
    with open(jobs, "w") as file:
        file.writelines(f"{path},{name},pause{i}.f32\n" for i, (path, name, *_) in enumerate(sources))
    subprocess.run([arguments.tool, "pauses", work, jobs], check=True, env=dict(os.environ, MOTION_FOLDS=folds))
    looks = Looks(sources, work)
    print(f"{len(looks.classes)} looks for a pause, {int(looks.classes.sum())} of them after a walk's end")
    fold_of = numpy.array([train.fold_of(subject, arguments.folds) for subject in looks.subjects])
    said = numpy.zeros(len(looks.classes))
    for fold in range(arguments.folds):
        apart = fold_of == fold
        weights = regress(looks.rows[~apart], looks.classes[~apart])
        weights.tofile(os.path.join(work, f"pauses{fold}.f32"))
        said[apart] = looks.rows[apart] @ weights[:-1] + weights[-1]
    for kind, name in ((1, "after the end"), (0, "while walking")):
        print(f"{name}: {100 * (said[looks.classes == kind] > 0).mean():.1f} % of the looks speak for a pause")
    write_folds(folds, recordings, arguments.folds, work, lambda fold: os.path.join(work, f"pauses{fold}.f32"))
    weights = regress(looks.rows, looks.classes)
    weights.tofile(os.path.join(work, "pauses.f32"))
    print("  ".join(f"{name} {value:.2f}" for name, value in zip(NAMES + ["constant"], weights)))
    with open(arguments.out, "w") as file:
        file.write(swift(weights, arguments, looks))
    subprocess.run(["swift", "format", "--in-place", arguments.out], check=True)


def write_folds(path, recordings, folds, work, pauses):
    """Which network and which weights of pauses judge which recording."""
    with open(path, "w") as file:
        for recording in recordings:
            fold = train.fold_of(recording.subject, folds)
            file.write(f"{recording.name},{work}/fold{fold}.f32,{pauses(fold)}\n")


if __name__ == "__main__":
    sys.exit(main())
