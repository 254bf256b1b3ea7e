import PlacesKit

@testable import PlacesGraph

extension Graph {
    /// How many bytes of blobs are in memory, those of defaults apart.
    var pendingBlobBytes: Int {
        var count = 0
        forEachBlob { blob, _ in count += blob.isInline ? 0 : blob.pendingCount }
        return count
    }

    /// The numbers of the files that hold the blobs.
    func blobNumbers(in files: BlobFiles) -> Set<Int64> {
        var numbers: Set<Int64> = []
        forEachBlob { blob, _ in
            if let reference = blob.reference(in: files) { numbers.insert(reference.number) }
        }
        return numbers
    }
}
