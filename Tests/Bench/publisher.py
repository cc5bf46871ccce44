"""The least that sends what the agent sends while its wearer walks: two messages of QoS 1 a second."""

import sys
import time

import paho.mqtt.client as mqtt

port, topic = int(sys.argv[1]), sys.argv[2]
if hasattr(mqtt, "CallbackAPIVersion"):
    client = mqtt.Client(mqtt.CallbackAPIVersion.VERSION2, client_id=topic, protocol=mqtt.MQTTv5)
else:
    client = mqtt.Client(client_id=topic, protocol=mqtt.MQTTv5)
client.connect("127.0.0.1", port, keepalive=30)
while not client.is_connected():
    client.loop(1.0)
due = time.monotonic()
while True:
    client.publish(topic + "/steps", b"x" * 400, qos=1)
    client.publish(topic + "/state", b"x" * 440, qos=1, retain=True)
    due += 1.0
    while (left := due - time.monotonic()) > 0:
        client.loop(left)
