import Dispatch
import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

@testable import PlacesGraph
@testable import PlacesKitTests

/// What writes a document, and when it is asked to.
@Suite struct DocumentWriterTests {
    private typealias Reader = JournalModel.Reader

    private let files = CrashingFiles()

    private func open(
        _ files: CrashingFiles, _ change: (inout ManagedDocument.Options) -> Void = { _ in }
    ) async throws -> ManagedDocument {
        var options = ManagedDocument.Options()
        options.autosave = nil
        change(&options)
        return try await ManagedDocument.open(
            at: URL(filePath: "/Photos"), model: JournalModel.types, options: options, files: files)
    }

    @Test func `saves that wait for the disk share one trip to it`() async throws {
        let document = try await open(files)
        try await document.save()
        let (writer, steps) = (document.writer, files.stepCount)
        let store = document.store
        let gate = DispatchSemaphore(value: 0)
        writer.queue.submit { gate.wait() }
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<5 {
                let context = ManagedObjectContext(store, isolation: nil)
                _ = Reader(context: context)
                try? context.save()
                group.addTask { try? await writer.queue.run { try writer.write(.disk) } }
            }
            gate.signal()
        }
        #expect(files.stepCount == steps + 2, "\(files.steps.suffix(4))")
        let found = try await open(files.afterPowerCut(after: files.stepCount, seed: 0))
        #expect(try found.viewContext.count(Reader.self) == 5)
    }

    @Test func `without an actor nobody touches the context`() async throws {
        let document = try await open(files) { $0.autosave = .init() }
        #expect(document.viewContext.listeners.turns == nil)
        try await document.close()
    }
}
