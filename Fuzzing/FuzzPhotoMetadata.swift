import Foundation

/// Reads any bytes as a JPEG file, and checks what everyone relies on.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzPhotoMetadata(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = [UInt8](UnsafeBufferPointer(start: start, count: count))
    guard let metadata = PhotoMetadata(jpeg: bytes) else { return 0 }
    precondition(metadata.coordinate?.isValid ?? true)
    precondition(metadata.thumbnail.map { $0.upperBound <= count } ?? true)
    precondition(metadata.nanosecond.map { (0..<1_000_000_000).contains($0) } ?? true)
    precondition((metadata.width ?? 1) > 0 && (metadata.height ?? 1) > 0)
    _ = metadata.takenInstant
    _ = metadata.uprightSize
    return 0
}
