// As on Apple's systems: whoever imports the framework has Date, NSNumber and OperationQueue.
@_exported public import Foundation
