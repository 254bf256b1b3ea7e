import Foundation

/// What the bytes are taken for: these targets are compiled together, since each needs the whole document.
private let fuzz: ([UInt8]) -> Void =
    switch ProcessInfo.processInfo.environment["FUZZ_TARGET"] {
    case "journal": fuzzJournal
    case "manifest": fuzzManifest
    case "import": fuzzImport
    default: fuzzSnapshot
    }

/// Hands bytes to the target that the environment names.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzDocuments(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    fuzz(Array(UnsafeBufferPointer(start: start, count: count)))
    return 0
}
