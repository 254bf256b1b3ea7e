@testable import PlacesGraph

/// Reads bytes as a manifest; one that can be read is the same when it is written and read again.
func fuzzManifest(_ bytes: [UInt8]) {
    _ = DocumentManifest.isLike(bytes)
    guard let manifest = try? DocumentManifest(bytes) else { return }
    precondition((try? DocumentManifest(manifest.bytes)) == manifest, "it reads as something else")
}
