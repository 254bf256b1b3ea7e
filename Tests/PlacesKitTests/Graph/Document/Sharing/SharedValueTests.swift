import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

/// Bytes of attributes with external storage, on their way to others.
@Suite struct SharedValueTests {
    final class Picture: ManagedObject {
        @Attribute(.unique) var name = ""
        @Attribute(.externalStorage) var bytes = Data()
    }

    /// A member, as far as it is told from others by its folder and its way to the log.
    private final class Member {
        let url: URL
        let connection: MemorySharedLog.Connection
        let log: WatchedLog
        private var document: ManagedDocument?

        init(_ url: URL, _ log: MemorySharedLog) {
            (self.url, connection) = (url, log.connection())
            self.log = WatchedLog(connection)
        }

        nonisolated(nonsending) func open() async throws {
            document = try await ManagedDocument.open(
                at: url, model: [Picture.self],
                options: .exchangedByHand {
                    ($0.sharedCommitAge, $0.onUnreadableData) = (.seconds(10), { _ in })
                }, sharing: log)
        }

        /// Lets go of the document as a crash would.
        func crash() { document = nil }

        var opened: ManagedDocument { get throws { try #require(document) } }
        var context: ManagedObjectContext { get throws { try opened.viewContext } }

        func set(_ bytes: Data, of name: String) throws {
            let picture = try context.findOrInsert(Picture.self, \.name, name)
            picture.bytes = bytes
        }

        nonisolated(nonsending) func share() async throws {
            try await opened.save(durability: .shared)
        }

        nonisolated(nonsending) func synchronize() async throws {
            try await opened.sharing?.synchronize()
            try context.refreshAllObjects()
        }

        /// The bytes of all pictures, by their names.
        func pictures() throws -> [String: Data] {
            let found = try context.fetch(FetchRequest<Picture>())
            return Dictionary(uniqueKeysWithValues: found.map { ($0.name, $0.bytes) })
        }

        /// The files of bytes that the folder has.
        func files() throws -> [URL] {
            let folder = url.appending(path: "blobs")
            guard FileManager.default.fileExists(atPath: folder.path) else { return [] }
            return try FileManager.default.contentsOfDirectory(
                at: folder, includingPropertiesForKeys: nil)
        }
    }

    private nonisolated(nonsending) func withMembers(
        _ body:
            nonisolated(nonsending) (Member, Member, MemorySharedLog) async throws -> Void
    ) async throws {
        try await withTemporaryDirectory { directory in
            let log = MemorySharedLog()
            let first = Member(directory.appending(path: "first"), log)
            let second = Member(directory.appending(path: "second"), log)
            try await first.open()
            try await second.open()
            try await body(first, second, log)
        }
    }

    private let bytes = Data((0..<50_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })

    @Test func `bytes that many objects have travel once to the log, and once to each member`()
        async throws
    {
        try await withMembers { first, second, log in
            for name in ["a", "b", "c"] { try first.set(bytes, of: name) }
            try await first.share()
            try first.set(Data(bytes.reversed()), of: "a")
            try await first.share()
            try first.set(bytes, of: "d")
            try await first.share()
            #expect(first.log.sentCount == 2)
            let length = log.commits.reduce(0) { $0 + $1.line.count }
            #expect(length < 2_000)
            try await second.synchronize()
            #expect(second.log.receivedCount == 2)
            #expect(try second.pictures() == first.pictures())
            // What has come from elsewhere need not come again, nor go.
            try second.set(bytes, of: "e")
            try await second.share()
            #expect(second.log.sentCount == 0)
            try await first.synchronize()
            #expect(first.log.receivedCount == 0)
            #expect(try first.pictures() == second.pictures())
        }
    }

    @MainActor @Test func `bytes that a log does not give come back to the caller's actor`() async {
        let value = SharedValue(digest: "0", byteCount: 1) {
            throw MemorySharedLog.Failure.noAnswer
        }
        do {
            _ = try await value.bytes()
            Issue.record("There were bytes.")
        } catch {
            #expect(isOnMainQueue)
        }
    }

    @Test func `few bytes stand in the commit itself`() async throws {
        try await withMembers { first, second, log in
            try first.set(Data(1...100), of: "small")
            try await first.share()
            #expect(log.commits.flatMap(\.values).isEmpty)
            try await second.synchronize()
            #expect(try second.pictures() == ["small": Data(1...100)])
        }
    }

    @Test(arguments: [false, true])
    func `bytes wait in the folder for a log out of reach, also over a crash`(
        isRebased: Bool
    ) async throws {
        try await withMembers { first, second, _ in
            second.connection.cut()
            try second.set(bytes, of: "kept")
            try await second.opened.save(durability: .disk)
            // Nothing refers to the first ones any more, but for a commit that waits.
            try second.set(Data(bytes.reversed()), of: "kept")
            try await second.opened.save(durability: .disk)
            second.crash()
            if isRebased {
                try first.set(Data(count: 300), of: "other")
                try await first.share()
            }
            try await second.open()
            try await second.opened.compact()
            second.connection.heal()
            try await second.synchronize()
            try await first.synchronize()
            #expect(try first.pictures()["kept"] == Data(bytes.reversed()))
            #expect(try first.pictures() == second.pictures())
            #expect(first.log.receivedCount == 2)
        }
    }

    @Test func `who comes back after long asks only for bytes that it does not have`()
        async throws
    {
        try await withMembers { first, second, log in
            for index in 0..<5 {
                try first.set(Data(repeating: UInt8(index), count: 1_000), of: "\(index)")
            }
            try await first.share()
            try await second.synchronize()
            try await second.opened.close()
            try first.set(bytes, of: "0")
            try await first.share()
            log.advance(by: .seconds(20))
            try await first.opened.compact()
            try await first.synchronize()
            #expect(log.commits.count == 1)
            let known = second.log.receivedCount
            try await second.open()
            try await second.synchronize()
            #expect(second.log.receivedCount == known + 1)
            #expect(try second.pictures() == first.pictures())
        }
    }

    @Test func `bytes that came before the log was lost need not come again`() async throws {
        try await withMembers { first, second, _ in
            for index in 0..<6 {
                try first.set(Data(repeating: UInt8(index), count: 1_500_000), of: "\(index)")
                try await first.share()
            }
            second.log.fail(after: 5)
            await #expect(throws: MemorySharedLog.Failure.noAnswer) {
                try await second.synchronize()
            }
            try second.context.refreshAllObjects()
            #expect(try second.pictures().count == 3)
            try await second.synchronize()
            #expect(second.log.receivedCount == 7)
            #expect(try second.files().count == 6)
            #expect(try second.pictures() == first.pictures())
        }
    }

    @Test
    func `many commits with small values come in parts, and those that came need not come again`()
        async throws
    {
        try await withMembers { first, second, _ in
            for index in 0..<300 {
                try first.set(Data(repeating: 7, count: 200 + index), of: "\(index)")
                try await first.opened.save(durability: .memory)
            }
            try await first.share()
            second.log.fail(after: 280)
            await #expect(throws: MemorySharedLog.Failure.noAnswer) {
                try await second.synchronize()
            }
            try second.context.refreshAllObjects()
            #expect(try second.pictures().count == 256)
            try await second.synchronize()
            #expect(second.log.receivedCount == 301)
            #expect(try second.pictures() == first.pictures())
        }
    }

    @Test func `who was killed asks for no bytes that its folder has`() async throws {
        try await withMembers { first, second, _ in
            try second.set(bytes, of: "own")
            try await second.share()
            try first.set(Data(bytes.reversed()), of: "other")
            try await first.share()
            try await second.synchronize()
            try await second.opened.save(durability: .disk)
            let (count, files) = (second.log.receivedCount, try second.files())
            second.crash()
            try await second.open()
            try await second.synchronize()
            #expect(second.log.receivedCount == count)
            #expect(try Set(second.files()) == Set(files))
            try await first.synchronize()
            #expect(try second.pictures() == first.pictures())
        }
    }

    @Test func `who comes anew gets the bytes to which the base refers, each once`()
        async throws
    {
        try await withMembers { first, second, log in
            for name in ["a", "b"] { try first.set(bytes, of: name) }
            try first.set(Data(count: 1_000), of: "c")
            try await first.share()
            try first.set(Data(), of: "c")
            try await first.share()
            log.advance(by: .seconds(20))
            try await first.opened.compact()
            try await first.synchronize()
            #expect(log.commits.count == 1)
            #expect(log.bytes.count == 1)
            let third = Member(second.url.deletingLastPathComponent().appending(path: "third"), log)
            try await third.open()
            #expect(try third.pictures() == first.pictures())
            #expect(third.log.receivedCount == 1)
            #expect(try third.files().count == 1)
        }
    }

    @Test
    func `bytes that are not those of their digest are asked for again, and nothing is dropped`()
        async throws
    {
        try await withMembers { first, second, log in
            try first.set(bytes, of: "a")
            try await first.share()
            try second.set(Data(count: 500), of: "own")
            try await second.opened.save()
            second.log.spoil(true)
            let error = await #expect(throws: ExternalStorageError.self) {
                try await second.synchronize()
            }
            let digest = try #require(log.commits.first?.values.first?.digest)
            #expect(error?.description.contains("Value \(digest) of the shared log") == true)
            guard case .offline? = try second.opened.sharing?.state
            else { throw Unexpected(try second.opened.sharing?.state) }
            #expect(try second.pictures() == ["own": Data(count: 500)])
            second.log.spoil(false)
            try await second.synchronize()
            #expect(try second.pictures() == ["own": Data(count: 500), "a": bytes])
        }
    }

    @Test func `a commit that is refused keeps its bytes`() async throws {
        try await withTemporaryDirectory { directory in
            let log = MemorySharedLog()
            func open(_ name: String) async throws -> ManagedDocument {
                try await ManagedDocument.open(
                    at: directory.appending(path: name), model: [Picture.self],
                    options: .exchangedByHand { $0.sharedMergePolicy = .error },
                    sharing: log.connection())
            }
            let (first, second) = (try await open("first"), try await open("second"))
            let picture = Picture(context: first.viewContext)
            picture.name = "a"
            try await first.save(durability: .shared)
            try await second.sharing?.synchronize()
            second.viewContext.refreshAllObjects()
            picture.name = "changed"
            try await first.save(durability: .shared)
            let other = try #require(
                try second.viewContext.fetch(FetchRequest<Picture>()).first)
            (other.name, other.bytes) = ("b", bytes)
            try await second.save(durability: .disk)
            try await second.sharing?.synchronize()
            try await second.save(durability: .disk)
            try await second.close()
            let again = try await open("second")
            let change = try #require(again.sharing?.conflicts.first?.change)
            let value = try #require(change.updated.first?.values["bytes"])
            let found = try await again.externalData(value)
            #expect(found == bytes)
            // The log was never given them.
            #expect(log.bytes.isEmpty)
        }
    }

    @Test func `a document that joins brings its bytes`() async throws {
        try await withTemporaryDirectory { directory in
            let url = directory.appending(path: "first")
            let alone = try await ManagedDocument.open(at: url, model: [Picture.self])
            for name in ["a", "b"] {
                let picture = Picture(context: alone.viewContext)
                (picture.name, picture.bytes) = (name, bytes)
            }
            try await alone.save()
            try await alone.close()
            let log = MemorySharedLog()
            let (first, second) = (
                Member(url, log), Member(directory.appending(path: "second"), log)
            )
            try await first.open()
            try await second.open()
            try await second.synchronize()
            #expect(try second.pictures() == ["a": bytes, "b": bytes])
            #expect(first.log.sentCount == 1 && second.log.receivedCount == 1)
        }
    }

    // MARK: - Lost bytes

    private nonisolated(nonsending) func reading(
        _ url: URL, _ files: any FileSystem = DiskFileSystem()
    ) async throws -> [String] {
        var options = ManagedDocument.Options()
        options.isReadOnly = true
        options.onUnreadableData = { _ in }
        let document = try await ManagedDocument.open(
            at: url, model: [Picture.self], options: options, files: files)
        let found = try document.viewContext.fetch(FetchRequest<Picture>())
        return found.map { "\($0.name) \($0.bytes.count)" }.sorted()
    }

    /// Takes the bytes of a file, or changes one.
    private func spoil(_ files: [URL], isRemoved: Bool) throws {
        for file in files {
            if isRemoved {
                try FileManager.default.removeItem(at: file)
            } else {
                var bytes = try Data(contentsOf: file)
                bytes[bytes.count / 2] ^= 1
                try bytes.write(to: file)
            }
        }
    }

    @Test(arguments: [false, true])
    func `bytes that are lost of what waits keep neither a document from opening nor other commits`(
        isRemoved: Bool
    ) async throws {
        try await withMembers { first, second, log in
            second.connection.cut()
            try second.set(bytes, of: "lost")
            try await second.opened.save(durability: .disk)
            try second.set(Data([1]), of: "later")
            try await second.opened.save(durability: .disk)
            second.crash()
            let files = try second.files()
            #expect(files.count == 1)
            try spoil(files, isRemoved: isRemoved)
            #expect(try await reading(second.url) == ["later 1", "lost 0"])
            let verified = try await ManagedDocument.verify(at: second.url)
            #expect(verified.canBeOpened && !verified.isSound)
            let copy = second.url.appendingPathExtension("copy")
            let report = try await ManagedDocument.salvage(from: second.url, to: copy)
            #expect(report.problems.count == 1)
            #expect((report.waitingCount, report.objectCount) == (2, 2))
            #expect(try await reading(copy) == ["later 1", "lost 0"])
            try await second.open()
            #expect(try second.pictures() == ["lost": Data(), "later": Data([1])])
            // The log is not given what nobody has.
            second.connection.heal()
            let digest = bytes.withUnsafeBytes(SharedValue.digest(of:))
            let error = await #expect(throws: ExternalStorageError.self) {
                try await second.synchronize()
            }
            #expect(error?.description.contains(digest) == true)
            #expect(log.commits.isEmpty)
            guard case .offline? = try second.opened.sharing?.state
            else { throw Unexpected(try second.opened.sharing?.state) }
            try await second.opened.compact()
            second.crash()
            // The name of the file does not matter.
            try bytes.write(to: files[0].deletingLastPathComponent().appending(path: "77"))
            try await second.open()
            try await second.synchronize()
            try await first.synchronize()
            #expect(try first.pictures() == ["lost": bytes, "later": Data([1])])
            #expect(try second.pictures() == first.pictures())
        }
    }

    @Test func `bytes that are lost of what waits are no change to who reads`() async throws {
        try await withMembers { _, second, _ in
            second.connection.cut()
            try second.set(bytes, of: "lost")
            try await second.opened.save(durability: .disk)
            second.crash()
            try spoil(second.files(), isRemoved: true)
            try await second.open()
            let told = Counter()
            var options = ManagedDocument.Options()
            options.isReadOnly = true
            options.onUnreadableData = { _ in told.count() }
            let reader = try await ManagedDocument.open(
                at: second.url, model: [Picture.self], options: options)
            var commits = reader.store.commits.makeAsyncIterator()
            for name in ["one", "two"] {
                let picture = try second.context.findOrInsert(Picture.self, \.name, name)
                try await second.opened.save(durability: .disk)
                // All of it is read anew.
                try await second.opened.compact()
                try await reader.refresh()
                let changed = await commits.next()?.objects
                #expect(changed?.inserted == [picture.objectID])
                #expect(changed?.updated.isEmpty == true)
            }
            #expect(told.value == 0)
            try await reader.close()
        }
    }

    @Test func `a generation that a crash left whole names no bytes that are gone`() async throws {
        let (log, start) = (MemorySharedLog(), CrashingFiles())
        let url = URL(filePath: "/Pictures", directoryHint: .notDirectory)
        func open(
            _ files: CrashingFiles, _ link: MemorySharedLog.Connection? = nil
        ) async throws -> ManagedDocument {
            try await ManagedDocument.open(
                at: url, model: [Picture.self], options: .exchangedByHand(),
                sharing: link ?? log.connection(), files: files)
        }
        func add(_ name: String, to document: ManagedDocument) {
            let picture = Picture(context: document.viewContext)
            (picture.name, picture.bytes) = (name, Data(1...100))
        }
        let link = log.connection()
        let (first, other) = (try await open(start, link), try await open(CrashingFiles()))
        link.cut()
        Picture(context: first.viewContext).name = "own"
        try await first.save()
        for name in ["a", "b"] {
            add(name, to: other)
            try await other.save(durability: .shared)
        }
        // What comes together while something waits stands in the journal as the log has it.
        link.heal()
        try await first.sharing?.synchronize()
        try await first.flush()
        let killed = start.afterProcessDeath()
        let second = try await open(killed)
        killed.fail { step in
            if case .rename(_, let new) = step, new.name == "manifest.json" { ENOSPC } else { nil }
        }
        await #expect(throws: DocumentError.self) { try await second.compact() }
        let files = killed.afterProcessDeath()
        #expect(try files.blobNames(of: "/Pictures").count == 2)
        let third = try await open(files)
        try await third.compact()
        try await third.close()
        #expect(try await ManagedDocument.verify(at: url, files: files).isSound)
        let names = try files.list(FilePath("/Pictures"))
        let latest = try #require(names.filter { $0.hasPrefix("snapshot-") }.max())
        files.damage("/Pictures/" + latest, at: 30, with: 0)
        #expect(try await reading(url, files) == ["a 100", "b 100", "own 0"])
    }

    @Test(arguments: [false, true])
    func `bytes that are lost come from the log, if it has them`(isRemoved: Bool) async throws {
        try await withMembers { _, second, log in
            try second.set(bytes, of: "lost")
            try await second.share()
            second.crash()
            try spoil(second.files(), isRemoved: isRemoved)
            try await second.open()
            #expect(try second.pictures() == ["lost": Data()])
            for _ in 0..<2 {
                try await second.synchronize()
                #expect(try second.pictures() == ["lost": bytes])
                try await second.opened.flush()
                second.crash()
                try await second.open()
                #expect(try second.pictures() == ["lost": bytes])
            }
            #expect(log.commits.count == 1)
            #expect(second.log.receivedCount == 1)
        }
    }

    /// The machine's file system, to a process that has no descriptor left for what is among the blobs.
    private final class BusyBlobs: DiskFiles {
        let disk = DiskFileSystem()

        func read(_ path: FilePath, prefix count: Int) throws(FileSystemError) -> [UInt8] {
            guard path.parent.name != "blobs" else {
                throw .failed(.open, path: path.description, code: POSIXError.Code.EMFILE.rawValue)
            }
            return try disk.read(path, prefix: count)
        }
    }

    @Test func `bytes that can't be read for now are not lost`() async throws {
        try await withMembers { _, second, _ in
            second.connection.cut()
            try second.set(bytes, of: "waiting")
            try await second.opened.save(durability: .disk)
            second.crash()
            let error = await #expect(throws: DocumentError.self) {
                _ = try await reading(second.url, BusyBlobs())
            }
            guard case .fileSystem? = error else { throw Unexpected(error) }
            #expect(try await reading(second.url) == ["waiting \(bytes.count)"])
        }
    }
}
