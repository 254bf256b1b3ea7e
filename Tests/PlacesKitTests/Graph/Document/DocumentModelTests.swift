import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

@testable import PlacesGraph

/// Documents of another model, or of another time.
@Suite struct DocumentModelTests {
    // MARK: - Formats

    @Test(arguments: ["manifest.json", "snapshot-1.json"])
    func `a newer format is told, whatever else has changed in it`(name: String) async throws {
        try await withTemporaryDirectory { url in
            let folder = DocumentFolder(url: url)
            try await DocumentModel.open(url).close()
            for text in [#"{"placeskit":7}"#, #"{"placeskit":7,"entities":5,"generation":"x"}"#] {
                try Data(text.utf8).write(to: folder[name])
                let error = await #expect(throws: DocumentError.self) {
                    try await DocumentModel.open(url)
                }
                let newest = name == "manifest.json" ? 2 : 1
                guard case .newerFormat(let file, found: 7, supported: newest)? = error else {
                    Issue.record("\(error as Any)")
                    return
                }
                #expect(file == folder[name].path(percentEncoded: false))
                #expect(error?.description.contains("Update PlacesKit") == true)
                #expect(try Data(contentsOf: folder[name]) == Data(text.utf8))
            }
            try Data(#"{"placeskit":0}"#.utf8).write(to: folder[name])
            let error = await #expect(throws: DocumentError.self) {
                try await DocumentModel.open(url)
            }
            guard case .damaged? = error else {
                Issue.record("\(error as Any)")
                return
            }
        }
    }

    @Test(arguments: [
        #"{"placeskit":1,"generation":1,"snapshot":"lock"}"#,
        #"{"placeskit":1,"generation":1,"snapshot":"../snapshot-1.json"}"#,
        #"{"placeskit":1,"generation":1,"snapshot":"snapshot-2.json"}"#,
        #"{"placeskit":1,"generation":-1,"snapshot":"snapshot--1.json"}"#,
        #"{"placeskit":1,"generation":9223372036854775807,"snapshot":"snapshot-9223372036854775807.json"}"#,
        #"{"placeskit":1,"generation":1}"#, #"{"generation":1,"snapshot":"snapshot-1.json"}"#, "[]",
        "",
    ])
    func `a manifest that names no snapshot of its generation is damaged`(
        text: String
    ) async throws {
        try await withTemporaryDirectory { url in
            try await DocumentModel.open(url).close()
            try Data(text.utf8).write(to: DocumentFolder(url: url)["manifest.json"])
            let error = await #expect(throws: DocumentError.self) {
                try await DocumentModel.open(url)
            }
            guard case .damaged? = error else {
                Issue.record("\(error as Any)")
                return
            }
        }
    }

    @Test func `a snapshot that the manifest names and that is missing is told`() async throws {
        try await withTemporaryDirectory { url in
            try await DocumentModel.open(url).close()
            let file = try DocumentFolder(url: url).snapshot
            try FileManager.default.removeItem(at: file)
            let error = await #expect(throws: DocumentError.self) {
                try await DocumentModel.open(url)
            }
            guard case .incomplete(file.path(percentEncoded: false))? = error else {
                Issue.record("\(error as Any)")
                return
            }
        }
    }

    // MARK: - Models

    private static let attribute = AttributeDescription(name: "value", type: .int64)
    private static let link = RelationshipDescription(
        name: "link", destination: "B", inverse: "links", isToMany: false)

    /// Changes of a property, and whether a document tells the difference.
    private static let changes: [(old: PropertyDescription, new: PropertyDescription, Bool)] = {
        func attribute(_ change: (inout AttributeDescription) -> Void) -> PropertyDescription {
            var changed = Self.attribute
            change(&changed)
            return .attribute(changed)
        }
        func link(_ change: (inout RelationshipDescription) -> Void) -> PropertyDescription {
            var changed = Self.link
            change(&changed)
            return .relationship(changed)
        }
        let (oldAttribute, oldLink) = (
            PropertyDescription.attribute(Self.attribute),
            PropertyDescription.relationship(Self.link)
        )
        return [
            (oldAttribute, attribute { $0.type = .int32 }, true),
            (oldAttribute, attribute { $0.type = .string }, true),
            (oldAttribute, attribute { $0.isOptional = true }, true),
            (oldAttribute, attribute { $0.isUnique = true }, false),
            (oldAttribute, attribute { $0.defaultValue = .integer(1) }, false),
            (oldAttribute, link { $0.name = "value" }, true),
            (oldLink, link { $0.destination = "A" }, true),
            (oldLink, link { $0.isToMany = true }, true),
            (oldLink, link { $0.inverse = "others" }, true),
            (oldLink, link { $0.inverse = nil }, true),
            (oldLink, link { $0.deleteRule = .cascade }, false),
        ]
    }()

    @Test(arguments: changes.indices)
    func `a property is another one if its values are written otherwise`(index: Int) throws {
        let change = Self.changes[index]
        // Inverses are checked by the schema, which is of no concern here.
        let others = EntityDescription(name: "B", properties: [])
        let found = [EntityDescription(name: "A", properties: [change.old]), others]
        let expected = EntityDescription(name: "A", properties: [change.new])
        let differences = SnapshotMatch(found, [expected, others]).differences
        #expect(differences.isEmpty == !change.2, "\(differences)")
    }

    @Test func `entities and properties that only one side has are named`() {
        let (one, two) = (PropertyDescription.attribute(Self.attribute), Self.changes[6].old)
        let match = SnapshotMatch(
            [
                EntityDescription(name: "A", properties: [one]),
                EntityDescription(name: "B", properties: []),
            ],
            [
                EntityDescription(name: "A", properties: [two]),
                EntityDescription(name: "C", properties: []),
            ])
        #expect(
            match.differences == [
                "the model has no B", "the model has no A.value", "the document has no A.link",
                "the document has no C",
            ])
    }
}
