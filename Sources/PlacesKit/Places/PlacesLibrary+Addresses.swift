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
    /// An answer holds as long as the loader remembers that an address is dead: otherwise each row that
    /// shows such a photo would cost a request.
    ///
    /// - Parameters:
    ///   - found: What gets the records that the source tells, to be stored.
    ///   - made: Makes the request by the address that a record tells.
    /// - Returns: What the loader calls in that case.
    func readdress(
        _ found: FoundRecords,
        by made: @escaping @Sendable (PhotoRecord) -> ImageRequest = Photo.pictureRequest
    ) -> ImageLoader.Readdress {
        let (now, age) = (options.now, images.options.goneAge)
        return { [source, answers = work.answers] request in
            if let known = answers.answer(about: request.photo, at: now(), upTo: age) {
                return known.record?.request(insteadOf: request, by: made)
            }
            guard let present = try await source.presentRequest(insteadOf: request, by: made) else {
                answers.note(nil, about: request.photo, at: now(), upTo: age)
                return nil
            }
            if let record = present.record {
                answers.note(record, about: request.photo, at: now(), upTo: age)
                found.add(record)
            }
            return present.request
        }
    }

    /// Stores the addresses that the source told while pictures were fetched.
    ///
    /// If that fails, the photos keep their addresses until the source is asked again.
    func note(_ found: FoundRecords) {
        let records = found.records
        guard !records.isEmpty, !isReadOnly else { return }
        try? giveAddresses(of: records)
    }
}

extension PhotoRecord {
    /// A request by the address that this tells, or the one before if it tells none.
    fileprivate func request(
        insteadOf request: ImageRequest, by made: (PhotoRecord) -> ImageRequest
    ) -> ImageRequest {
        let present = made(self)
        return present.ladder.isEmpty ? request : present
    }
}

extension PhotoSource {
    /// Asks where a picture is by now, whose address leads nowhere.
    ///
    /// - Parameters:
    ///   - request: The request whose address that is.
    ///   - made: Makes the request by the address that a record tells.
    /// - Returns: The same request if the source tells no other address, and its record of the photo
    ///   if it tells anything; nil if it says that it has removed the photo.
    /// - Throws: `PhotoSourceError`, or `CancellationError`.
    func presentRequest(
        insteadOf request: ImageRequest,
        by made: (PhotoRecord) -> ImageRequest = Photo.pictureRequest
    ) async throws -> (request: ImageRequest, record: PhotoRecord?)? {
        guard capabilities.contains(.details) else { return (request, nil) }
        guard let record = try await presentRecord(ofPhoto: request.photo) else { return nil }
        return (record.request(insteadOf: request, by: made), record)
    }
}

/// What a source told of photos while their pictures were fetched.
final class FoundRecords: Sendable {
    private let found = Mutex<[PhotoRecord]>([])

    var records: [PhotoRecord] { found.withLock { $0 } }

    func record(of photo: String) -> PhotoRecord? {
        found.withLock { $0.last { $0.identifier == photo } }
    }

    func add(_ record: PhotoRecord) {
        found.withLock { $0.append(record) }
    }
}
