#!/usr/bin/env python3
"""What Home Assistant showed, and whether it was right.

  shown.py listen PORT TOKEN        every change of a state, a JSON object a line, until it is ended
  shown.py judge WORK DEVICE...     over WORK/listen*.log and the messages in WORK/mqtt.jsonl: no total went down,
                                    and an event entity fired once for each live pause and resume, never for history
"""
import glob, json, re, sys, urllib.request


def listen(port, token):
    request = urllib.request.Request(
        f"http://127.0.0.1:{port}/api/stream?restrict=state_changed", headers={"Authorization": f"Bearer {token}"})
    with urllib.request.urlopen(request) as stream:
        for line in stream:
            if line.startswith(b"data: {"):
                print(line[6:].decode().strip(), flush=True)


def lines(pattern):
    for path in sorted(glob.glob(pattern)):
        for line in open(path, encoding="utf8"):
            if line.startswith("{"):
                yield json.loads(line)


def judge(work, devices):
    changes = [change["data"] for change in lines(f"{work}/listen*.log")]
    messages = [(m["topic"], m["payload"]) for m in lines(f"{work}/mqtt.jsonl") if m.get("payload")]
    faults = []
    for device in devices:
        name = re.sub("[-_]+", "_", device.lower()).strip("_")
        shown = lambda entity: [c["new_state"] for c in changes if c["entity_id"] == f"{entity}" and c["new_state"]]
        totals = [int(s["state"]) for s in shown(f"sensor.{name}_total_steps") if s["state"].isdigit()]
        faults += [f"{device}: total {a} went down to {b}" for a, b in zip(totals, totals[1:]) if b < a]
        sent = [json.loads(p) for t, p in messages if t == f"steps2mqtt/{device}/event"]
        sent = [e["ts"] for e in sent if e["event_type"] in ("pause", "resume")]
        replayed = [r for t, p in messages if t == f"steps2mqtt/{device}/history" for r in json.loads(p)["records"]]
        replayed = [r for r in replayed if r.get("event_type") in ("pause", "resume")]
        fired = [s["attributes"]["ts"] for s in shown(f"event.{name}_pedometer") if s["attributes"].get("ts")]
        fired = [t for i, t in enumerate(fired) if i == 0 or t != fired[i - 1]]
        # What fired while nobody listened, around a restart, is missing here; nothing may be here that was not live.
        faults += [f"{device}: fired at {t}, which was not live" for t in fired if t not in sent]
        faults += [f"{device}: fired at {r['ts']}, which is history" for r in replayed if r["ts"] in fired]
        if not totals or not replayed:
            faults.append(f"{device}: {len(totals)} totals, {len(replayed)} pauses and resumes replayed: nothing proved")
        print(f"{device}: total {totals[:1]} to {totals[-1:]} in {len(totals)} changes, "
              f"{len(sent)} pauses and resumes live, {len(fired)} shown, {len(replayed)} replayed and not shown")
    print("\n".join(faults))
    return 1 if faults else 0


if sys.argv[1] == "listen":
    listen(*sys.argv[2:])
else:
    sys.exit(judge(sys.argv[2], sys.argv[3:]))
