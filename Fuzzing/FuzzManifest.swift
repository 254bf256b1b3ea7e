/// Reads bytes as a manifest; one that can be read is the same when it is written and read again.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzManifest(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    _ = DocumentManifest.isLike(bytes)
    guard let manifest = try? DocumentManifest(bytes) else { return 0 }
    precondition((try? DocumentManifest(manifest.bytes)) == manifest, "it reads as something else")
    return 0
}
