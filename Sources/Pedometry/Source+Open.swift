internal import Sensors

extension MotionDevice.Configuration.Source {
  /// What is read: samples, and a barometer beside them where there may be one.
  func open() -> (accelerometer: any AccelerometerSource, barometer: IIOBarometer?) {
    switch self {
    case .accelerometer(let name):
      return (IIOSource(IIOSource.Configuration(device: name, rate: Station.rate)), IIOBarometer())
    case .recording(let path, let isHurried):
      return (
        RecordingSource(RecordingSource.Configuration(path: path, speed: isHurried ? .max : .times(1))), nil
      )
    case .syntheticWalk(let isHurried):
      return (
        SyntheticSource(SyntheticSource.Configuration(rate: Station.rate, speed: isHurried ? .max : .times(1))), nil
      )
    }
  }
}
