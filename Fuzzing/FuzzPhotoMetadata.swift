@testable import PlacesPhotos

/// Reads any bytes as a JPEG file, and checks what everyone relies on.
func fuzzPhotoMetadata(_ bytes: [UInt8]) {
    guard let metadata = PhotoMetadata(jpeg: bytes) else { return }
    precondition(metadata.coordinate?.isValid ?? true)
    precondition(metadata.thumbnail.map { $0.upperBound <= bytes.count } ?? true)
    precondition(metadata.nanosecond.map { (0..<1_000_000_000).contains($0) } ?? true)
    precondition((metadata.width ?? 1) > 0 && (metadata.height ?? 1) > 0)
    _ = metadata.takenInstant
    _ = metadata.uprightSize
}
