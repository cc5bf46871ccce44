// CoreMotion's names, so that code which was written for it needs another import and nothing else.

/// CoreMotion's name of `Pedometer`.
public typealias CMPedometer = Pedometer
/// CoreMotion's name of `PedometerData`.
public typealias CMPedometerData = PedometerData
/// CoreMotion's name of `PedometerHandler`.
public typealias CMPedometerHandler = PedometerHandler
/// CoreMotion's name of `PedometerEvent`.
public typealias CMPedometerEvent = PedometerEvent
/// CoreMotion's name of `PedometerEvent.Kind`.
public typealias CMPedometerEventType = PedometerEvent.Kind
/// CoreMotion's name of `PedometerEventHandler`.
public typealias CMPedometerEventHandler = PedometerEventHandler
/// CoreMotion's name of `MotionActivityManager`.
public typealias CMMotionActivityManager = MotionActivityManager
/// CoreMotion's name of `MotionActivity`.
public typealias CMMotionActivity = MotionActivity
/// CoreMotion's name of `MotionActivity.Confidence`.
public typealias CMMotionActivityConfidence = MotionActivity.Confidence
/// CoreMotion's name of `MotionActivityHandler`.
public typealias CMMotionActivityHandler = MotionActivityHandler
/// CoreMotion's name of `MotionActivityQueryHandler`.
public typealias CMMotionActivityQueryHandler = MotionActivityQueryHandler
/// CoreMotion's name of `AuthorizationStatus`.
public typealias CMAuthorizationStatus = AuthorizationStatus
