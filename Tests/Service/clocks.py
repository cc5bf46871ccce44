"""Judges what was told while the clock was set: clocks.py <what the guest told."""
import datetime
import json
import sys

SLACK = 1.5  # s, between the setting of a clock and what is told of it


def seconds(text):
    return datetime.datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp()


def read(lines):
    """The cases: name, steps to expect, the clocks (since when, wall less monotonic time), records, last state."""
    clock, case = None, None
    for line in lines:
        word, _, rest = line.rstrip("\n").partition(" ")
        if word == "clock":
            since, wall = map(float, rest.split())
            clock = (since, wall - since)
            if case:
                case["clocks"].append(clock)
        elif word == "case":
            expected, name = rest.split(" ", 1)
            case = {"name": name, "expected": int(expected), "clocks": [clock], "records": [], "state": {}}
        elif word == "end":
            yield case
            case = None
        elif case:
            topic, payload = rest.split(" ", 1)
            leaf = topic.rsplit("/", 1)[-1]
            if leaf == "state":
                case["state"] = json.loads(payload)
            elif leaf in ("steps", "event", "history"):
                content = json.loads(payload)
                case["records"] += content["records"] if leaf == "history" else [content]


def judge(case):
    """What is wrong with a case."""
    clocks, state, records = case["clocks"], case["state"], {}
    # Where nobody had set the clock yet, the one that was set dates all; else each moment has the clock of then.
    is_unset = len(clocks) == 2
    for record in case["records"]:
        record.pop("historical")
        if records.setdefault(record["seq"], record) != record:
            yield f"a number stands for two records: {records[record['seq']]} and {record}"
    for record in records.values():
        moment = record["mono_ms"] / 1000
        told = seconds(record["end"] if record["kind"] == "steps" else record["ts"])
        if is_unset:
            right = clocks[-1:]
        else:
            right = [clock for clock in clocks if clock[0] <= moment][-1:]
            right += [clock for clock in clocks if abs(clock[0] - moment) < SLACK]
        if not any(abs(told - moment - offset) < SLACK for _, offset in right):
            yield f"the date is wrong: {record}"
        if record["clock"] != "synchronized":
            yield f"nobody vouches for the date: {record}"
    sums = {"told": sum(record["steps"] for record in records.values() if record["kind"] == "steps")}
    sums |= {name: state.get(name) for name in ("total_steps", "session_steps", "today_steps")}
    for name, steps in sums.items():
        if steps != case["expected"]:
            yield f"{steps} steps in {name}, not {case['expected']}"
    events = [record["event_type"] for record in records.values() if record["kind"] == "event"]
    if events.count("clock_step") != len(clocks) - 1:
        yield f"{events.count('clock_step')} events of {len(clocks) - 1} settings of the clock"
    started = [record["ts"] for record in records.values() if record.get("event_type") == "started"]
    if len(started) != 1 or abs(seconds(started[0]) - seconds(state["session_start"])) > SLACK:
        yield f"the session began at {started}, and by the state at {state.get('session_start')}"


failures = 0
for case in read(sys.stdin):
    faults = list(judge(case))
    failures += len(faults)
    print(f"{'FAIL' if faults else 'ok  '}  {case['name']}: {len(case['records'])} records of {case['expected']} steps")
    for fault in faults:
        print(f"      {fault}")
sys.exit(bool(failures))
