import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

/// What a document that is only read makes of files that got another history, and how much it reads to know.
@Suite struct FollowedHistoryTests {
    private typealias Reader = JournalModel.Reader

    private let files = CrashingFiles()

    private func open(
        isReadOnly: Bool = false, at seconds: TimeInterval = 5
    ) async throws -> ManagedDocument {
        try await ManagedDocument.open(
            at: URL(filePath: "/Photos", directoryHint: .notDirectory), model: JournalModel.types,
            options: .savedByHand {
                $0.isReadOnly = isReadOnly
                $0.now = { Date(timeIntervalSinceReferenceDate: seconds) }
            }, files: files)
    }

    /// Saves objects, one by one.
    private func save(_ names: [String], in document: ManagedDocument) async throws {
        for name in names {
            Reader(context: document.viewContext).name = name
            try await document.save()
        }
    }

    private func names(_ document: ManagedDocument) throws -> [String] {
        try document.store.snapshot().context().fetch(Reader.self).map(\.name).sorted()
    }

    /// A reader of four commits, in whose files a backup of the first one was put back.
    private func readerOfReplaced() async throws -> ManagedDocument {
        var writer = try await open()
        try await save(["10"], in: writer)
        try await writer.close()
        let backup = files.afterProcessDeath()
        writer = try await open()
        let reader = try await open(isReadOnly: true)
        try await save(["11", "12", "13"], in: writer)
        try await writer.close()
        try await reader.refresh()
        #expect(try names(reader) == ["10", "11", "12", "13"])
        for name in try backup.list(FilePath("/Photos")) {
            let path = FilePath("/Photos/\(name)")
            let file = try files.open(path, mode: .append)
            try file.truncate(to: 0)
            try file.write(backup.read(path))
        }
        return reader
    }

    private func expectReplaced(_ reader: ManagedDocument) async throws {
        let error = await #expect(throws: DocumentError.self) { try await reader.refresh() }
        guard case .replaced? = error else { throw Unexpected(error) }
        #expect(try names(reader) == ["10", "11", "12", "13"])
    }

    /// With clocks that tell the histories apart, and that do not.
    @Test(arguments: [7, 5] as [TimeInterval])
    func `lines of another history are never taken for those that follow, however long they are`(
        seconds: TimeInterval
    ) async throws {
        let reader = try await readerOfReplaced()
        let writer = try await open(at: seconds)
        for name in ["21", "22", "23"] {
            try await save([name], in: writer)
            try await expectReplaced(reader)
        }
        // It goes on as that one, for its commits are later.
        for name in ["24", "25"] {
            try await save([name], in: writer)
            try await reader.refresh()
            #expect(try names(reader) == names(writer))
            #expect(reader.store.commitNumber == writer.store.commitNumber)
        }
        try await writer.close()
    }

    @Test func `lines of another history are not followed by who did not look meanwhile`()
        async throws
    {
        let reader = try await readerOfReplaced()
        let writer = try await open(at: 7)
        try await save(["21", "22", "23", "24"], in: writer)
        try await reader.refresh()
        #expect(try names(reader) == ["10", "21", "22", "23", "24"])
        try await writer.close()
    }

    @Test
    func `a journal that goes on from another history's commit of the number is not followed`()
        async throws
    {
        let reader = try await readerOfReplaced()
        let writer = try await open(at: 7)
        try await save(["21", "22", "23"], in: writer)
        try await writer.compact()
        try await expectReplaced(reader)
        try await save(["24"], in: writer)
        try await reader.refresh()
        #expect(try names(reader) == ["10", "21", "22", "23", "24"])
        try await writer.close()
    }

    @Test func `a refresh reads what was added, and a few bytes to know what comes before`()
        async throws
    {
        try await withTemporaryDirectory { url in
            var options = ManagedDocument.Options()
            options.autosave = nil
            let writer = try await ManagedDocument.open(
                at: url, model: JournalModel.types, options: options)
            for number in 0..<20 {
                Reader(context: writer.viewContext).name =
                    "\(number)" + String(repeating: "x", count: 1000)
                try await writer.save()
            }
            let files = CountedFiles()
            options.isReadOnly = true
            let reader = try await ManagedDocument.open(
                at: url, model: JournalModel.types, options: options, files: files)
            var start = files.readCount
            try await reader.refresh()
            #expect(files.readCount - start <= 100)
            Reader(context: writer.viewContext).name = "last"
            try await writer.save()
            start = files.readCount
            try await reader.refresh()
            #expect(try reader.viewContext.count(Reader.self) == 21)
            #expect(files.readCount - start < 500)
            try await writer.close()
        }
    }

    @Test func `a refresh asks about as many files, however many generations are kept`()
        async throws
    {
        try await withTemporaryDirectory { url in
            var options = ManagedDocument.Options()
            (options.autosave, options.keepsHistory) = (nil, true)
            let writer = try await ManagedDocument.open(
                at: url, model: JournalModel.types, options: options)
            options.isReadOnly = true
            let reading = options
            let files = CountedFiles()
            func counts() async throws -> [Int] {
                for number in 0..<10 {
                    try await save(["\(number)"], in: writer)
                    try await writer.compact()
                }
                let reader = try await ManagedDocument.open(
                    at: url, model: JournalModel.types, options: reading, files: files)
                var counts: [Int] = []
                for isNew in [false, true] {
                    if isNew { try await save(["new"], in: writer) }
                    let start = files.statusCount
                    try await reader.refresh()
                    counts.append(files.statusCount - start)
                    #expect(reader.store.commitNumber == writer.store.commitNumber)
                }
                try await reader.close()
                return counts
            }
            let few = try await counts()
            #expect(try await counts() == few)
            try await writer.close()
        }
    }

    @Test func `a refresh lists the folder once, also where another journal goes on`()
        async throws
    {
        try await withTemporaryDirectory { url in
            var options = ManagedDocument.Options()
            (options.autosave, options.keepsHistory) = (nil, true)
            let writer = try await ManagedDocument.open(
                at: url, model: JournalModel.types, options: options)
            try await save(["0"], in: writer)
            let files = CountedFiles()
            options.isReadOnly = true
            let reader = try await ManagedDocument.open(
                at: url, model: JournalModel.types, options: options, files: files)
            for round in 0..<4 {
                if round > 0 { try await save(["\(round)"], in: writer) }
                if round > 1 {
                    try await writer.compact()
                    try await save(["another"], in: writer)
                }
                let start = files.listCount
                try await reader.refresh()
                #expect(files.listCount - start == 1, "round \(round)")
                #expect(reader.store.commitNumber == writer.store.commitNumber)
            }
            try await writer.close()
        }
    }
}
