#!/usr/bin/env python3
"""Trains the network of Sources/Motion/Network.swift and writes its weights into Sources/Motion/Weights.swift.

    Tests/Accuracy/train.py --tool .build/release/accuracy --recordings ../shared/recordings [--folds 5]
                            [--work DIR] [--validate-only] [--seed 1]

The features come from the Swift engine itself (`accuracy features`). First the subjects are dealt into folds, and for
each fold a network is trained on all other subjects: WORK/folds.csv then lets `accuracy analyze` judge every recording
by a network that never heard its subject (MOTION_FOLDS=WORK/folds.csv), and the confusion of frames is printed. Last a
network is trained on all subjects, and written. The same seed gives the same weights. Needs numpy and scikit-learn ≥ 1.7.
"""
import argparse
import collections
import csv
import hashlib
import os
import subprocess
import sys

# Sums in another order differ in their last digits: one thread gives the same weights on every run.
os.environ["OPENBLAS_NUM_THREADS"] = os.environ["OMP_NUM_THREADS"] = "1"

import numpy
import sklearn
from sklearn.neural_network import MLPClassifier

FEATURES = 29
CLASSES = ["stationary", "walking", "running", "cycling", "automotive", "other"]
LAYERS = (36, 24)
# The features say what went on over about two seconds: at 1.4 s before now the label fits best.
DELAY = 1.4
# How much each class counts beside 1/sqrt(n) a subject and activity.
EMPHASIS = {"stationary": 1.0, "walking": 2.0, "running": 1.0, "cycling": 2.0, "automotive": 1.5, "other": 5.0}
SYNTHETIC = 0.3
# ... and walks played slowly, beside the same ones at their own speed.
SLOW = 0.25
EPOCHS = 30
RATE = 2e-3
NOISE = 0.4
L2 = 0.02
RIDES = 250

WALKING = {"walking", "stairs", "stairs_up", "stairs_down", "walking_slow", "treadmill_walking", "walking_turn", "turning"}
STILL = {"stationary", "sitting", "standing", "lying", "desk_work", "typing", "hand_idle_hands", "elevator_standing"}
VEHICLE = {"car", "driving", "bus", "tram", "train", "metro"}
# There are steps in these, or nobody knows.
UNUSED = {
    "mixed_daily", "housework", "kicking_ball", "playing_catch", "dribbling", "basketball", "cross_trainer", "stepper",
    "elevator_moving", "treadmill", "folding_clothes", "car_in_out", "Break", "setBreak", "freezing", "sitting_down",
    "standing_up", "stand_to_sit", "sit_to_stand", "sit_to_lie", "lie_to_sit", "stand_to_lie", "lie_to_stand",
}


def class_of(name):
    if name in UNUSED or name.startswith("feature:"):
        return None
    if name in WALKING or name.startswith("parkinson"):
        return "walking"
    if name in {"running", "treadmill_running"}:
        return "running"
    if name == "cycling":
        return "cycling"
    if name in STILL:
        return "stationary"
    if name in VEHICLE:
        return "automotive"
    return "other"


class Recording:
    """A row of the manifest, and when what went on."""

    def __init__(self, root, row):
        self.name = row["path"]
        self.path = os.path.join(root, row["path"])
        self.subject = row["dataset"] + "/" + (row["subject"] or row["path"])
        self.activity = row["activity"]
        self.duration = float(row.get("duration_s") or 0)
        self.rate = float(row["rate_hz"] or 0)
        self.placement = row["placement"]
        stem = self.path[:-4]
        self.spans = []
        if os.path.exists(stem + ".labels"):
            with open(stem + ".labels") as file:
                rows = list(csv.DictReader(file))
            self.spans = [(float(r["start_s"]), float(r["end_s"]), r["label"]) for r in rows]
        elif self.activity:
            self.spans = [(-1e9, 1e9, self.activity)]
        self.steps = None
        if os.path.exists(stem + ".steps"):
            self.steps = numpy.loadtxt(stem + ".steps", ndmin=1)

    def labels(self, times):
        """The class of each time, −1 where it is not known."""
        labels = numpy.full(len(times), -1)
        for start, end, name in self.spans:
            kind = class_of(name)
            if kind is not None:
                labels[(times >= start) & (times < end)] = CLASSES.index(kind)
        if self.steps is not None and len(self.steps) > 1:
            after = numpy.searchsorted(self.steps, times)
            before = self.steps[numpy.clip(after - 1, 0, None)]
            behind = self.steps[numpy.clip(after, None, len(self.steps) - 1)]
            walks = (after > 0) & (after < len(self.steps)) & (behind - before < 1.6)
            labels[(labels == 1) & ~walks] = -1
        return labels


def ride(generator):
    """A minute of cycling: (times, samples), in s and g.

    A thigh is a driven pendulum of 45 to 105 turns a minute that now and then coasts, a wrist rests on the bar; both
    are shaken by the road.
    """
    rate = 50.0
    n = int(60 * rate)
    turns = generator.uniform(0.75, 1.75)
    wander = numpy.cumsum(generator.normal(0, 0.004, n))
    speed = turns * numpy.exp(wander - wander.mean())
    pedals = numpy.ones(n)
    at = generator.exponential(15)
    while at < 60:
        length = generator.uniform(1, 6)
        pedals[int(at * rate):int((at + length) * rate)] = 0
        at += length + generator.exponential(15)
    smooth = numpy.convolve(pedals, numpy.ones(20) / 20, "same")
    phase = 2 * numpy.pi * numpy.cumsum(speed * smooth) / rate
    on_wrist = generator.random() < 0.15
    swing = generator.uniform(0.0, 0.03) if on_wrist else generator.uniform(0.25, 0.5)
    angle = generator.uniform(0.6, 1.3) + swing * (
        numpy.sin(phase) + generator.uniform(0, 0.2) * numpy.sin(2 * phase + generator.uniform(0, 6.28)))
    turn = numpy.gradient(angle, 1 / rate)
    push = numpy.gradient(turn, 1 / rate)
    radius = generator.uniform(0.05, 0.35) / 9.81
    samples = numpy.stack([
        numpy.sin(angle) + radius * push, numpy.cos(angle) + radius * turn ** 2, numpy.zeros(n)], axis=1)
    road = generator.normal(0, 1, (n, 3))
    keep = generator.uniform(0.2, 0.8)
    for i in range(1, n):
        road[i] = keep * road[i - 1] + (1 - keep) * road[i]
    road /= road.std()
    weather = numpy.exp(numpy.convolve(generator.normal(0, 1, n), numpy.ones(100) / 10, "same") * 0.3)
    level = numpy.exp(generator.uniform(numpy.log(0.01), numpy.log(0.25)))
    samples += road * (level * weather)[:, None] + generator.normal(0, 0.005, (n, 3))
    frame, _ = numpy.linalg.qr(generator.normal(0, 1, (3, 3)))
    return numpy.arange(n) / rate, samples @ frame


def copies(recording, generator):
    """Whether a walk is also played slowly, for the gait of the old and the ill: those short enough, by chance."""
    return recording.duration < 400 and generator.random() < 0.5


def jobs_of(recordings, work, generator):
    """The lines for `accuracy features`, and for each its recording, stretch, and whether it is as recorded."""
    lines, sources = [], []

    def add(recording, stretch, gain, scale, rate, original, kind=""):
        name = f"{len(lines)}.f32"
        lines.append(f"{recording.path},{stretch:.4f},{gain:.4f},{scale:.4f},{rate},{name}")
        sources.append((recording, stretch, original, kind))

    for recording in recordings:
        add(recording, 1, 1, 1, 0, True)
        on_foot = class_of(recording.activity) == "walking"
        for copy in range(2):
            most = 0.08 if on_foot else 0.13
            slow = 12.5 if copy == 1 and recording.rate > 15 else 0
            add(recording, 1 + generator.uniform(-most, most), 1 + generator.uniform(-0.25, 0.25),
                1 + generator.uniform(-0.06, 0.08), slow, False)
        if on_foot and copies(recording, generator):
            add(recording, generator.uniform(1.2, 1.7), generator.uniform(0.6, 1), 1, 0, False, "/slow")
        if recording.activity in {"running", "treadmill_running"}:
            add(recording, generator.uniform(0.75, 0.9), generator.uniform(0.9, 1.2), 1, 0, False, "/fast")
    for i in range(RIDES):
        times, samples = ride(generator)
        path = os.path.join(work, f"ride{i}.csv")
        numpy.savetxt(path, numpy.column_stack([times, samples]), fmt="%.4f", delimiter=",", header="t,x,y,z", comments="")
        row = {"path": path, "dataset": "synthetic", "subject": str(i % 25), "activity": "cycling", "rate_hz": "50",
               "placement": "pocket"}
        add(Recording("", row), 1, 1, 1, 0, False)
    return lines, sources


class Frames:
    """All frames: inputs, classes, weights, subjects."""

    def __init__(self, sources, work):
        inputs, classes, groups, subjects, original, names, times = [], [], [], [], [], [], []
        for i, (recording, stretch, is_original, kind) in enumerate(sources):
            rows = numpy.fromfile(os.path.join(work, f"{i}.f32"), dtype="<f4").reshape(-1, FEATURES + 1)
            if len(rows) == 0:
                continue
            labels = recording.labels((rows[:, 0] - DELAY) / stretch)
            first = rows[0, 0]
            strength = rows[:, 1]
            labels[rows[:, 0] < first + 2] = -1
            labels[(labels == 1) & (strength < numpy.log(0.02))] = -1
            labels[(labels == 2) & (strength < numpy.log(0.1))] = -1
            if recording.activity == "parkinson_gait":
                labels[strength < numpy.log(0.05)] = -1
            good = labels >= 0
            inputs.append(rows[good, 1:])
            classes.append(labels[good])
            times.append(rows[good, 0])
            group = recording.activity + ("/synthetic" if recording.subject.startswith("synthetic") else kind)
            groups += [(recording.subject, group)] * int(good.sum())
            subjects += [recording.subject] * int(good.sum())
            names += [recording.name] * int(good.sum())
            original += [is_original] * int(good.sum())
        self.inputs = numpy.concatenate(inputs)
        self.classes = numpy.concatenate(classes)
        self.times = numpy.concatenate(times)
        self.subjects = numpy.array(subjects)
        self.names = numpy.array(names)
        self.original = numpy.array(original)
        self.keys = [(s, g, c) for (s, g), c in zip(groups, self.classes)]
        self.counts = collections.Counter(self.keys)

    def weights(self):
        """What each frame counts."""
        def emphasis(activity, kind):
            if activity.endswith("/synthetic"):
                return SYNTHETIC
            return EMPHASIS[CLASSES[kind]] * (SLOW if activity.endswith("/slow") else 1)

        of_key = {key: emphasis(key[1], key[2]) / numpy.sqrt(count) for key, count in self.counts.items()}
        return numpy.array([of_key[key] for key in self.keys])


def fold_of(subject, folds):
    return int(hashlib.sha256(subject.encode()).hexdigest(), 16) % folds


def train(frames, chosen, seed, most):
    """A network trained on the chosen frames, as the flat weights that Network.swift reads."""
    generator = numpy.random.default_rng(seed)
    index = numpy.flatnonzero(chosen)
    if len(index) > most:
        index = generator.choice(index, most, replace=False)
    inputs, classes, weights = frames.inputs[index], frames.classes[index], frames.weights()[index]
    weights = weights / weights.mean()
    mean = numpy.average(inputs, axis=0, weights=weights)
    deviation = numpy.sqrt(numpy.average((inputs - mean) ** 2, axis=0, weights=weights)) + 1e-6
    scaled = numpy.clip((inputs - mean) / deviation, -4, 4).astype(numpy.float32)
    network = MLPClassifier(LAYERS, alpha=L2, batch_size=512, learning_rate_init=RATE, random_state=seed)
    for epoch in range(EPOCHS):
        noisy = scaled + NOISE * generator.standard_normal(scaled.shape, dtype=numpy.float32)
        network.partial_fit(noisy, classes, classes=numpy.arange(len(CLASSES)), sample_weight=weights)
        network._optimizer.learning_rate_init = RATE * (0.5 * (1 + numpy.cos(numpy.pi * (epoch + 1) / EPOCHS)) + 0.02)
    return flat(network, mean, deviation)


def doubts(frames, folds, arguments):
    """The frames whose label networks of other subjects contradict."""
    on_foot = numpy.zeros(len(folds))
    for fold in range(arguments.folds):
        apart = folds == fold
        weights = train(frames, ~apart, arguments.seed + fold, arguments.most // 2)
        on_foot[apart] = judge(weights, frames.inputs[apart])[:, 1:3].sum(axis=1)
    walks = (frames.classes == 1) | (frames.classes == 2)
    changed = numpy.array([key[1].endswith(("/slow", "/fast")) for key in frames.keys])
    return (walks & ~changed & (on_foot < 0.05)) | (~walks & (on_foot > 0.97))


def flat(network, mean, deviation):
    parts = [padded(mean, 32), padded(1 / deviation, 32)]
    for weights, biases in zip(network.coefs_, network.intercepts_):
        rows = numpy.vstack([weights, biases])
        width = 8 if rows.shape[1] == len(CLASSES) else rows.shape[1]
        parts.append(numpy.hstack([rows, numpy.zeros((rows.shape[0], width - rows.shape[1]))]).ravel())
    return numpy.concatenate(parts).astype("<f4")


def padded(values, size):
    return numpy.concatenate([values, numpy.zeros(size - len(values))])


def judge(weights, inputs):
    """What Network.swift computes."""
    x = numpy.clip((inputs - weights[:FEATURES]) * weights[32:32 + FEATURES], -4, 4)
    at = 64
    sizes = [(FEATURES, LAYERS[0]), (LAYERS[0], LAYERS[1]), (LAYERS[1], 8)]
    for i, (rows, width) in enumerate(sizes):
        matrix = weights[at:at + (rows + 1) * width].reshape(rows + 1, width)
        at += (rows + 1) * width
        x = x @ matrix[:-1] + matrix[-1]
        if i < 2:
            x = numpy.maximum(x, 0)
    x = x[:, :len(CLASSES)]
    x = numpy.exp(x - x.max(axis=1, keepdims=True))
    return x / x.sum(axis=1, keepdims=True)


def confusion(classes, said):
    print(f"{'frames':12}" + "".join(f"{name:>12}" for name in CLASSES) + "   recall %")
    for i, name in enumerate(CLASSES):
        row = [int(((classes == i) & (said == j)).sum()) for j in range(len(CLASSES))]
        total = max(sum(row), 1)
        print(f"{name:12}" + "".join(f"{count:12}" for count in row) + f"{100 * row[i] / total:11.1f}")


def rows_of(weights):
    """Weights as the elements of a Swift array, eight a line."""
    return "\n".join("    " + ", ".join(f"{value:.6g}" for value in weights[i:i + 8]) + "," for i in range(0, len(weights), 8))


def swift(weights, arguments, frames):
    return f"""/// The trained weights of `Network`, in its order.
///
/// Written by Tests/Accuracy/train.py; do not edit. Seed {arguments.seed}, {len(set(frames.subjects))} subjects,
/// {len(frames.classes)} frames, {EPOCHS} epochs, numpy {numpy.__version__}, scikit-learn {sklearn.__version__}; the recordings'
/// sources and licences are listed in SOURCES.csv beside them.
enum Weights {{
  static let trained: InlineArray<{len(weights)}, Float> = [
{rows_of(weights)}
  ]
}}
"""


def options(description, out):
    """What every training is told."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tool", required=True)
    parser.add_argument("--recordings", required=True)
    parser.add_argument("--folds", type=int, default=5)
    parser.add_argument("--work", default=".build/training")
    parser.add_argument("--out", default=out)
    parser.add_argument("--seed", type=int, default=1)
    return parser


def recordings_in(directory):
    """The recordings of a manifest of which it is known what was done in them."""
    with open(os.path.join(directory, "manifest.csv")) as file:
        recordings = [Recording(directory, row) for row in csv.DictReader(file)]
    return [recording for recording in recordings if recording.spans]


def main():
    parser = options(__doc__, "Sources/Motion/Weights.swift")
    parser.add_argument("--validate-only", action="store_true")
    parser.add_argument("--final-only", action="store_true")
    parser.add_argument("--most", type=int, default=200_000)
    arguments = parser.parse_args()
    os.makedirs(arguments.work, exist_ok=True)
    work = os.path.abspath(arguments.work)
    recordings = recordings_in(arguments.recordings)
    lines, sources = jobs_of(recordings, work, numpy.random.default_rng(arguments.seed))
    with open(os.path.join(work, "jobs.csv"), "w") as file:
        file.write("\n".join(lines) + "\n")
    subprocess.run([arguments.tool, "features", work, os.path.join(work, "jobs.csv")], check=True)
    frames = Frames(sources, work)
    print(f"{len(frames.classes)} frames of {len(set(frames.subjects))} subjects")
    folds = numpy.array([fold_of(subject, arguments.folds) for subject in frames.subjects])
    # A recording of a walk holds moments of standing, one of hands at work a few steps: frames that a first round of
    # networks, of other subjects, takes for the contrary of their label are left out of the second round.
    doubted = doubts(frames, folds, arguments)
    print(f"{int(doubted.sum())} frames doubted and left out")
    if not arguments.final_only:
        said = numpy.full(len(frames.classes), -1)
        for fold in range(arguments.folds):
            weights = train(frames, (folds != fold) & ~doubted, arguments.seed + fold, arguments.most)
            weights.tofile(os.path.join(work, f"fold{fold}.f32"))
            apart = folds == fold
            said[apart] = judge(weights, frames.inputs[apart]).argmax(axis=1)
            print(f"fold {fold}: {100 * (said[apart] == frames.classes[apart]).mean():.1f} % of the frames kept apart", flush=True)
        with open(os.path.join(work, "folds.csv"), "w") as file:
            for recording in recordings:
                fold = fold_of(recording.subject, arguments.folds)
                file.write(f"{recording.name},{work}/fold{fold}.f32\n")
        confusion(frames.classes[frames.original], said[frames.original])
    if not arguments.validate_only:
        weights = train(frames, ~doubted, arguments.seed, arguments.most)
        with open(arguments.out, "w") as file:
            file.write(swift(weights, arguments, frames))
        weights.tofile(os.path.join(work, "trained.f32"))
        subprocess.run(["swift", "format", "--in-place", arguments.out], check=True)


if __name__ == "__main__":
    sys.exit(main())
