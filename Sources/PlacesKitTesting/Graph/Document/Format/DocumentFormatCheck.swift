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
        var read = 0
        for entity in graph.schema.entities where entity.superentity == nil {
            for record in try reader.records(RecordQuery(entity.name)) {
                read += 1
                let identity = graph.identity(record.id.number, of: record.id.entity)
                guard let object = graph.objects[identity], object.entity == record.id.entity else {
                    differences.append("\(record.id) was read and is not in the files")
                    continue
                }
                for property in graph.schema.properties(of: object.entity)
                where !property.isDerived {
                    let value = record[property.name]
                    let agrees =
                        try value.map { try isSame($0, property, of: identity, object) } ?? false
                    if !agrees {
                        differences.append(
                            "\(record.id).\(property.name) was read as \(value.map(String.init(describing:)) ?? "nothing")"
                        )
                    }
                }
            }
        }
        if read != graph.objects.count {
            differences.append("\(read) objects were read of \(graph.objects.count)")
        }
        return differences
    }

    private func isSame(
        _ value: PropertyValue, _ property: StoredSchema.Property,
        of identity: StoredGraph.Identity, _ object: StoredGraph.Object
    ) throws -> Bool {
        switch value {
        case .object(let other):
            return graph.members(of: identity, property.name) == (other.map { [$0.number] } ?? [])
        case .objects(let others):
            return graph.members(of: identity, property.name) == others.map(\.number)
        case .attribute(let datum):
            let tree = object.values[property.name] ?? .null
            if case .members(let reference) = tree, property.isExternal {
                return datum == .data(try bytes(of: reference))
            }
            guard property.type == "json" else {
                return tree.value(of: property.type ?? "").map { isSame($0, datum) } ?? false
            }
            guard case .string(let text) = datum else { return tree == .null && datum == .null }
            return try StoredTree(json: Data(text.utf8)) == tree
        }
    }

    /// Whether values are equal bit by bit, except for the payload of a NaN.
    private func isSame(_ one: Datum, _ other: Datum) -> Bool {
        switch (one, other) {
        case (.double(let one), .double(let other)):
            one.bitPattern == other.bitPattern || one.isNaN && other.isNaN
        case (.date(let one), .date(let other)):
            one == other
                || one.timeIntervalSinceReferenceDate.isNaN
                    && other.timeIntervalSinceReferenceDate.isNaN
        case (.decimal(let one), .decimal(let other)): one == other || one.isNaN && other.isNaN
        case (.string(let one), .string(let other)): one.utf8.elementsEqual(other.utf8)
        default: one == other
        }
    }
}
