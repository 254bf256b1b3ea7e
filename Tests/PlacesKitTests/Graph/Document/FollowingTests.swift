import Foundation
import PlacesKit
import PlacesKitTesting
import Synchronization
import Testing

/// A document that is only read and follows its writer by itself.
@Suite(.endsWaiting) struct FollowingTests {
    private typealias Album = JournalModel.Album

    private nonisolated(nonsending) func open(
        _ url: URL, follows: Bool = false, files: any FileSystem = DiskFileSystem()
    ) async throws -> ManagedDocument {
        try await ManagedDocument.open(
            at: url, model: JournalModel.types,
            options: .savedByHand { ($0.isReadOnly, $0.followsWriter) = (follows, follows) },
            files: files)
    }

    @MainActor
    @Test func `a folder is followed to where it was moved, though its path is another document's`()
        async throws
    {
        try await withTemporaryDirectory { directory in
            let url = directory.appending(path: "Photos")
            let writer = try await open(url)
            try await writer.save()
            let reader = try await open(url, follows: true)
            let list = try FetchedResultsController(
                FetchRequest<Album>(sortBy: [SortDescriptor(\.title)]), in: reader.viewContext)
            var changes = list.changes.makeAsyncIterator()
            try FileManager.default.moveItem(at: url, to: directory.appending(path: "Moved"))
            let other = try await open(url)
            try await other.save()
            for round in 0..<6 {
                Album(context: writer.viewContext).title = "\(round)"
                try await writer.save()
                // The journal that follows is watched, too.
                if round.isMultiple(of: 2) { try await writer.compact() }
                while list.objects.count <= round { _ = await changes.next() }
                #expect(list.objects.map(\.title) == (0...round).map(String.init))
            }
            guard case .editingDisabled = reader.state else { throw Unexpected(reader.state) }
            for document in [reader, writer, other] { try await document.close() }
        }
    }

    @Test func `a refresh that succeeds ends the error of what was not followed`() async throws {
        try await withTemporaryDirectory { directory in
            let url = directory.appending(path: "Photos")
            let writer = try await open(url)
            for title in ["one", "two"] {
                Album(context: writer.viewContext).title = title
                try await writer.save()
            }
            try await writer.close()
            let files = ToldFiles()
            let reader = try await open(url, follows: true, files: files)
            try await wait { files.isWatched }
            // An earlier state of the files is an error.
            let journal = url.appending(path: "journal-1.jsonl")
            let whole = try Data(contentsOf: journal)
            let end = try #require(whole.firstIndex(of: 0x0A))
            try whole[...end].write(to: journal)
            files.tell()
            try await wait { if case .readingError = reader.state { true } else { false } }
            try whole.write(to: journal)
            try await reader.refresh()
            guard case .editingDisabled = reader.state else { throw Unexpected(reader.state) }
            #expect(reader.store.commitNumber == 2)
            try await reader.close()
        }
    }
}

/// The machine's file system, of whose changes a test tells.
private final class ToldFiles: DiskFiles {
    let disk = DiskFileSystem()
    private let onChange = Mutex<(@Sendable () -> Void)?>(nil)

    /// Whether somebody wants to be told.
    var isWatched: Bool { onChange.withLock { $0 != nil } }

    /// Tells of a change.
    func tell() { onChange.withLock(\.self)?() }

    func watch(
        _ folder: FilePath, file: FilePath?, onChange: @escaping @Sendable () -> Void
    ) throws(FileSystemError) -> FileWatch? {
        self.onChange.withLock { $0 = onChange }
        return nil
    }
}
