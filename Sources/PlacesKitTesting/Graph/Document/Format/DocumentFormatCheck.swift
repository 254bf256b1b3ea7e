public import Foundation
import PlacesGraph

/// Checks that a document follows <doc:DocumentFormat>, and that PlacesKit reads it correctly.
///
/// It reads the files a second time, slowly, with code that follows the article and shares nothing
/// with PlacesKit's readers. So it finds mistakes that PlacesKit makes both when it writes and when
/// it reads.
///
/// ```swift
/// try await document.save()
/// try await checkDocumentFormat(at: document.url)
/// ```
/// - Parameter url: The document's directory. It may be open; the check may miss what is being
///   written meanwhile.
/// - Throws: ``StoredDocumentError`` with every contradiction, or why a file cannot be read.
/// - Complexity: O(n²) in some parts: for the small documents of tests.
public nonisolated(nonsending) func checkDocumentFormat(at url: URL) async throws {
    let stored = try StoredDocument(at: url)
    let violations = stored.graph.violations
    guard violations.isEmpty else { throw StoredDocumentError(violations: violations) }
    let differences = try stored.differences(from: try await DocumentReader.open(at: url))
    guard differences.isEmpty else { throw StoredDocumentError(violations: differences) }
}

extension StoredDocument {
    /// The values that PlacesKit reads differently.
    fileprivate func differences(from reader: DocumentReader) throws -> [String] {
        var differences: [String] = []
        if Int64(reader.commit.number) != commit {
            differences.append(
                "the files tell of commit \(commit), read was \(reader.commit.number)")
        }
        let records = try graph.schema.entities.filter { $0.superentity == nil }.flatMap {
            try Array(reader.records(RecordQuery("%K", $0.name)))
        }
        return try differences + graph.differences(from: records, bytes: bytes)
    }
}
