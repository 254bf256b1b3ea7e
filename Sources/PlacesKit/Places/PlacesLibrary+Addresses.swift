import PlacesGraph
import PlacesPhotos
import Synchronization

extension PlacesLibrary {
    /// Gives photos that are still there the addresses that their source told.
    nonisolated(nonsending) func takeAddresses(of records: [PhotoRecord]) async throws {
        guard !records.isEmpty else { return }
        try giveAddresses(of: records)
        try await save()
    }

    private func giveAddresses(of records: [PhotoRecord]) throws {
        try besides { context, _ in
            for record in records {
                try context.find(Photo.self, \.uniqueID, record.identifier)?
                    .takeAddresses(of: record)
            }
        }
    }

    /// Asks the source where a picture is by now, if its address leads nowhere.
    ///
    /// Of a photo that the source has once said to have removed it is not asked each time that a row shows it.
    ///
    /// - Parameters:
    ///   - request: The request for the picture.
    ///   - found: What gets the source's answer, for ``note(_:)``.
    ///   - made: Makes the request by the address that a record tells.
    /// - Returns: What the loader calls in that case.
    func readdress(
        _ request: ImageRequest, _ found: FoundRecords,
        by made: @escaping @Sendable (PhotoRecord) -> ImageRequest = Photo.pictureRequest
    ) -> ImageLoader.Readdress {
        let isRemoved = work.removedPhotos.contains(request.photo)
        return { [source] request in
            if isRemoved { return nil }
            guard let present = try await source.presentRequest(insteadOf: request, by: made)
            else {
                found.addRemoved(request.photo)
                return nil
            }
            if let record = present.record { found.add(record) }
            return present.request
        }
    }

    /// Remembers what the source told of photos while their pictures were fetched.
    ///
    /// If that fails, the next call asks again.
    func note(_ found: FoundRecords) {
        work.removedPhotos.formUnion(found.removed)
        let records = found.records
        guard !records.isEmpty, !isReadOnly else { return }
        try? giveAddresses(of: records)
    }
}

extension PhotoSource {
    /// Asks where a picture is by now, whose address leads nowhere.
    ///
    /// - Returns: The same request if the source tells no other address, and its record of the photo
    ///   if it tells anything; nil if it says that it has removed the photo.
    func presentRequest(
        insteadOf request: ImageRequest,
        by made: (PhotoRecord) -> ImageRequest = Photo.pictureRequest
    ) async throws -> (request: ImageRequest, record: PhotoRecord?)? {
        guard capabilities.contains(.details) else { return (request, nil) }
        guard let record = try await presentRecord(ofPhoto: request.photo) else { return nil }
        let present = made(record)
        return (present.ladder.isEmpty ? request : present, record)
    }
}

/// What a source told of photos while their pictures were fetched.
final class FoundRecords: Sendable {
    private let found = Mutex<(records: [PhotoRecord], removed: [String])>(([], []))

    var records: [PhotoRecord] { found.withLock { $0.records } }

    /// The photos that the source said to have removed.
    var removed: [String] { found.withLock { $0.removed } }

    func add(_ record: PhotoRecord) {
        found.withLock { $0.records.append(record) }
    }

    func addRemoved(_ photo: String) {
        found.withLock { $0.removed.append(photo) }
    }
}
