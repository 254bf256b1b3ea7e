import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

/// A progress where there is nothing to read or write.
@Suite struct DocumentProgressTests {
    private final class Note: ManagedObject {
        @Attribute var title = ""
    }

    private static let url = URL(filePath: "/Notes", directoryHint: .notDirectory)
    private let files = CrashingFiles()

    private func open(_ progress: Progress? = nil) async throws -> ManagedDocument {
        try await ManagedDocument.open(
            at: Self.url, model: [Note.self],
            options: .savedByHand { $0.progress = progress }, files: files)
    }

    @Test func `copies and conversions of no objects are done`() async throws {
        let document = try await open()
        try await document.save()
        for step in 0..<4 {
            let progress = Progress(totalUnitCount: 100)
            let other = URL(filePath: "/Other \(step)", directoryHint: .notDirectory)
            switch step {
            case 0: try await document.compact(progress: progress)
            case 1: try await document.convert(to: .xmlPropertyList, progress: progress)
            case 2: try await document.duplicate(to: other, progress: progress)
            default: try await document.save(as: other, progress: progress)
            }
            #expect(progress.isFinished, "\(step)")
        }
        try await document.close()
    }

    @Test func `a document whose files are empty is damaged, also with a progress`() async throws {
        let document = try await open()
        Note(context: document.viewContext).title = "a"
        try await document.close()
        for name in ["snapshot-1.json", "journal-1.jsonl"] {
            try files.replaceFile(at: FilePath("/Notes/\(name)"), with: [])
        }
        for progress in [nil, Progress(totalUnitCount: 100)] {
            let error = await #expect(throws: DocumentError.self) { try await open(progress) }
            guard case .damaged? = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
        }
    }
}
