"""Judges what a cut of the power left: judge.py SECONDS <what the guest told."""
import json
import sys

MOST_LOST = 25  # steps that may lag behind the disk (decision 15)
published = {"before": {}, "after": {}}  # by epoch and number
states = {"before": [], "after": []}
rows, restarts, check = {}, None, None
for line in sys.stdin:
    words = line.rstrip("\n").split(" ", 2)
    if words[0] == "row":
        seq, kind, steps = line.split()[1:]
        rows[int(seq)] = (int(kind), int(steps))
    elif words[0] == "started":
        restarts = int(words[1])
    elif words[0] == "check":
        check = words[1]
    elif words[0] in published and len(words) == 3:
        leaf = words[1].rsplit("/", 1)[-1]
        try:
            content = json.loads(words[2])
        except ValueError:
            continue  # `online`, or what the cut left of a line
        if leaf == "state":
            states[words[0]].append(content)
        if not isinstance(content, dict):
            continue
        records = content.get("records", []) if leaf == "history" else [content] if leaf in ("steps", "event") else []
        for record in records:
            told = (record["kind"], record.get("steps", 0) if record["kind"] == "steps" else record["event_type"])
            published[words[0]].setdefault((record["epoch"], record["seq"]), set()).add(told)

faults = []
before, after = published["before"], published["after"]
if restarts is None or check != "ok":
    faults.append(f"the agent does not run, or the journal is not whole: {check}")
if not before or not states["before"]:
    faults.append("nothing was published before the cut: cut later")
for key in {**before, **after}:
    if len(before.get(key, set()) | after.get(key, set())) > 1:
        faults.append(f"number {key} stands for two records")
epochs = {epoch for epoch, _ in before}
if not {epoch for epoch, _ in after} <= epochs and ("event", "epoch_started") not in set().union(*after.values()):
    faults.append("a new epoch that no event tells of")
lost = {"steps": 0, "event": 0}
for (epoch, seq), told in before.items():
    kind, what = next(iter(told))
    if seq not in rows:
        lost[kind] += what if kind == "steps" else 1
if lost["event"]:
    faults.append(f"{lost['event']} events that were published are not in the journal")
if lost["steps"] > MOST_LOST:
    faults.append(f"{lost['steps']} steps are lost")
highest = {}
for state in states["before"] + states["after"]:
    total = state["total_steps"]
    if total < highest.get(state["epoch"], 0):
        faults.append(f"the total went down from {highest[state['epoch']]} to {total}")
    highest[state["epoch"]] = max(total, highest.get(state["epoch"], 0))
if not any(key[1] > max(seq for _, seq in before) for key in after) if before else True:
    faults.append("nothing new was recorded after the cut")
walked = sum(what for told in before.values() for kind, what in told if kind == "steps")
total = states["before"][-1]["total_steps"] if states["before"] else 0
first = next((state["total_steps"] for state in states["after"]), None)
print(
    f"cut after {sys.argv[1]} s: {len(before)} records with {walked} steps told before it, of which {lost['steps']} "
    f"steps and {lost['event']} events are not in the journal; total {total} before, {first} after; {len(after)} records since, "
    f"{restarts} restarts"
)
for fault in faults:
    print(f"FAIL  {fault}")
sys.exit(bool(faults))
