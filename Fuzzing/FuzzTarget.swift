import Foundation

/// What the bytes are taken for: these targets are compiled together, since each needs the whole document.
private let fuzz: @Sendable ([UInt8]) -> Void =
    switch ProcessInfo.processInfo.environment["FUZZ_TARGET"] {
    case "journal": { fuzzJournal($0) }
    case "manifest": { fuzzManifest($0) }
    case "import": { fuzzImport($0) }
    default: { fuzzSnapshot($0) }
    }

/// Hands bytes to the target that the environment names.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzDocuments(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    fuzz(Array(UnsafeBufferPointer(start: start, count: count)))
    return 0
}
