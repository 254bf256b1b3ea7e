import Foundation

@testable import PlacesGraph

/// What the bytes are taken for; all targets are compiled together, once.
private let fuzz: @Sendable ([UInt8]) -> Void =
    switch ProcessInfo.processInfo.environment["FUZZ_TARGET"] {
    case "photo-metadata": { fuzzPhotoMetadata($0) }
    case "flickr": { fuzzFlickr($0) }
    case "commons": { fuzzCommons($0) }
    case "predicate-format": { fuzzPredicateFormat($0) }
    case "json": { fuzzJSON($0) }
    case "xml": { fuzzXML($0) }
    case "binary": { fuzzBinary($0) }
    case "manifest": { fuzzManifest($0) }
    case "journal": { fuzzJournal($0) }
    case "snapshot": { fuzzSnapshot($0) }
    case "import": { fuzzImport($0) }
    case let name: fatalError("There is no fuzzing target \(name ?? "without a name").")
    }

/// Hands bytes to the target that the environment names.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzTarget(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    fuzz(Array(UnsafeBufferPointer(start: start, count: count)))
    return 0
}
