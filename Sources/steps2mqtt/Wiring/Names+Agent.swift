import Agent

typealias MachineConfiguration = Configuration
typealias AgentSensorDescription = SensorDescription
