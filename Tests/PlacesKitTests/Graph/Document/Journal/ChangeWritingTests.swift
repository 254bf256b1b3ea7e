import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

/// Commits that are written to a pipe which somebody reads slowly, or not at all.
@Suite(.endsWaiting) @MainActor struct ChangeWritingTests {
    private typealias Reader = JournalModel.Reader
    private let pipe = Pipe()

    /// A document with commits whose lines are longer than what a pipe holds.
    private func makeDocument(commits: Int = 1, isReadOnly: Bool = false) async throws
        -> ManagedDocument
    {
        let files = CrashingFiles()
        func open(isReadOnly: Bool) async throws -> ManagedDocument {
            try await ManagedDocument.open(
                at: URL(filePath: "/Photos", directoryHint: .notDirectory),
                model: JournalModel.types,
                options: .savedByHand { ($0.keepsHistory, $0.isReadOnly) = (true, isReadOnly) },
                files: files)
        }
        let document = try await open(isReadOnly: false)
        try await document.save()
        for _ in 0..<commits {
            Reader(context: document.viewContext).name = String(repeating: "x", count: 300_000)
            try await document.save()
        }
        guard isReadOnly else { return document }
        try await document.close()
        return try await open(isReadOnly: true)
    }

    private func write(_ document: ManagedDocument) -> Task<Void, any Error> {
        Task { try await document.writeChanges(since: 0, to: pipe.fileHandleForWriting) }
    }

    /// Returns when a part of a line is in the pipe, and the rest has no room.
    private func waitForPart() async throws {
        let part = try await BlockingQueue("A slow reader").run { [pipe] () throws -> Data? in
            try pipe.fileHandleForReading.read(upToCount: 1)
        }
        #expect(part?.count == 1)
    }

    /// Reads all other lines, while they are written.
    private func expectLines(_ count: Int, from writing: Task<Void, any Error>) async throws {
        let reading = Task { [pipe] in
            try await BlockingQueue("A reader").run { () throws -> Data? in
                try pipe.fileHandleForReading.readToEnd()
            }
        }
        try await writing.value
        try pipe.fileHandleForWriting.close()
        let lines = try await reading.value?.split(separator: UInt8(ascii: "\n")) ?? []
        #expect(lines.count == count && lines.allSatisfy { $0.last == UInt8(ascii: "}") })
    }

    @Test func `while nobody reads, the actor is free, and cancelling ends it`() async throws {
        let document = try await makeDocument()
        let writing = write(document)
        try await waitForPart()
        Reader(context: document.viewContext).name = "meanwhile"
        try await document.save()
        writing.cancel()
        try await writing.value
        try await document.close()
    }

    @Test func `what is written when the document is closed waits for who reads slowly`()
        async throws
    {
        let document = try await makeDocument(commits: 3)
        let writing = write(document)
        try await waitForPart()
        try await document.close()
        try await expectLines(3, from: writing)
    }

    @Test func `a pipe that may not wait gets every line whole`() async throws {
        let document = try await makeDocument(commits: 3, isReadOnly: true)
        let output = pipe.fileHandleForWriting.fileDescriptor
        _ = fcntl(output, F_SETFL, fcntl(output, F_GETFL) | O_NONBLOCK)
        let writing = write(document)
        try await waitForPart()
        try await expectLines(3, from: writing)
    }

    @Test func `a pipe that nobody reads any more is an error`() async throws {
        let document = try await makeDocument()
        try pipe.fileHandleForReading.close()
        let error = await #expect(throws: POSIXError.self) {
            try await document.writeChanges(since: 0, to: pipe.fileHandleForWriting)
        }
        #expect(error?.code == .EPIPE)
        try await document.close()
    }

    @Test func `what gets the number of the pipe meanwhile is not written to`() async throws {
        let document = try await makeDocument()
        let writing = write(document)
        try await waitForPart()
        let other = Pipe()
        let number = pipe.fileHandleForWriting.fileDescriptor
        #expect(dup2(other.fileHandleForWriting.fileDescriptor, number) == number)
        async let rest = BlockingQueue("A reader").run { [pipe] in
            try pipe.fileHandleForReading.readToEnd()
        }
        try await document.close()
        try await writing.value
        #expect(try await rest?.last == UInt8(ascii: "\n"))
        for end in [pipe, other] { try end.fileHandleForWriting.close() }
        #expect(try other.fileHandleForReading.readToEnd() ?? Data() == Data())
    }

    #if !canImport(Darwin)
        // There it is a mistake in a program's text, which ends it.
        @Test func `a pipe that was closed is an error`() async throws {
            let document = try await makeDocument()
            try pipe.fileHandleForWriting.close()
            await #expect(throws: (any Error).self) {
                try await document.writeChanges(since: 0, to: pipe.fileHandleForWriting)
            }
            try await document.close()
        }
    #endif
}
