import CYAML

/// What is true of libyaml as a whole.
public enum Library {
  /// The version of the library that runs, such as `0.2.5`.
  public static let version = unsafe String(cString: yaml_get_version_string())
}
