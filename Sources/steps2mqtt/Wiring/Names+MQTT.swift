import MQTT

typealias ClientConfiguration = Configuration
typealias ClientEvent = Event
