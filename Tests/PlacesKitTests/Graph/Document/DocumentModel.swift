import Foundation
import PlacesKit
import PlacesKitTesting

/// Classes with every type of attribute and every kind of relationship.
enum DocumentModel {
    enum Mood: String, CaseIterable, AttributeValue { case calm, wild, blasé }
    enum Rank: Int, CaseIterable, AttributeValue { case low = -1, high = 9 }

    struct Flags: OptionSet, AttributeValue { let rawValue: Int16 }
    struct Size: CodableAttribute, Hashable { var width = 0.0, unit: String? }

    final class Item: ManagedObject {
        @Attribute(.unique) var code: String
        @Attribute var flag = false
        @Attribute var int8: Int8 = 0
        @Attribute var int16: Int16 = 0
        @Attribute var int32: Int32 = 0
        @Attribute var int64: Int64 = 0
        @Attribute var int = 0
        @Attribute var uint8: UInt8 = 0
        @Attribute var uint16: UInt16 = 0
        @Attribute var uint32: UInt32 = 0
        @Attribute var uint64: UInt64 = 0
        @Attribute var decimal = Decimal()
        @Attribute var optionalDecimal: Decimal? = 3
        @Attribute var flags: Flags = []
        @Attribute var size = Size()
        @Attribute var words: [String] = []
        @Attribute var sizes: Set<Size>?
        @Attribute var counts: [UUID: Int] = [:]
        @Attribute var float: Float = 0
        @Attribute var double = 0.0
        @Attribute var text = ""
        @Attribute var date = Date(timeIntervalSinceReferenceDate: 0)
        @Attribute var uuid: UUID?
        @Attribute var url: URL?
        @Attribute var data = Data()
        @Attribute var mood = Mood.calm
        @Attribute var rank: Rank?
        @Attribute var optionalFlag: Bool? = true
        @Attribute var optionalInt: Int? = 7
        @Attribute var optionalDouble: Double? = .infinity
        @Attribute var optionalText: String? = "none"
        @Attribute var optionalDate: Date? = Date(timeIntervalSinceReferenceDate: 0)
        @Attribute var optionalData: Data? = Data([1])
        @Attribute var optionalMood: Mood? = .wild
        @Relationship(inverse: \Box.items) var box: Box?
        @Relationship(inverse: \Label.item) var label: Label?
        @Relationship(inverse: \Tag.items) var tags: ObjectSet<Tag>
        @Relationship var favourite: Tag?
    }

    final class Box: ManagedObject {
        @Attribute var name = ""
        @Relationship(deleteRule: .cascade) var items: ObjectSet<Item>
        @Relationship(inverse: \Box.children) var parent: Box?
        @Relationship var children: ObjectSet<Box>
    }

    final class Label: ManagedObject {
        @Relationship var item: Item?
    }

    final class Tag: ManagedObject {
        @Attribute var name = ""
        @Relationship var items: ObjectSet<Item>
        @Relationship(inverse: \Tag.relatedBy) var related: ObjectSet<Tag>
        @Relationship var relatedBy: ObjectSet<Tag>
    }

    static let types: [ManagedObject.Type] = [Item.self, Box.self, Label.self, Tag.self]

    /// A document of these classes.
    nonisolated(nonsending) static func open(
        _ url: URL, createsDocument: Bool = true, files: any FileSystem = DiskFileSystem(),
        _ change: (inout ManagedDocument.Options) -> Void = { _ in }
    ) async throws -> ManagedDocument {
        var options = ManagedDocument.Options()
        options.createsDocument = createsDocument
        // What a test saves it saves itself.
        options.autosave = nil
        change(&options)
        return try await ManagedDocument.open(
            at: url, model: types, options: options, files: files)
    }

    /// Opens one in a directory that a test has for itself.
    nonisolated(nonsending) static func with(
        _ body: nonisolated(nonsending) (ManagedDocument, URL) async throws -> Void
    ) async throws {
        try await withTemporaryDirectory { try await body(open($0), $0) }
    }
}

extension GraphReader {
    /// All that there is, a line for each value, exact to the bit.
    var account: [String] {
        snapshot().records.flatMap { record in
            record.propertyNames.map { "\(record.id) \($0): \(record[$0]?.exactly ?? "")" }
        }
        .sorted()
    }
}

extension PropertyValue {
    /// The value to the last bit, but that one NaN is like another.
    fileprivate var exactly: String {
        if case .attribute(let datum) = self { datum.exactly } else { description }
    }
}

extension Datum {
    /// The value to the last bit, but that one NaN is like another.
    fileprivate var exactly: String {
        switch self {
        case .double(let value): value.isNaN ? "NaN" : String(value.bitPattern, radix: 16)
        case .date(let value): Datum.double(value.timeIntervalSinceReferenceDate).exactly
        case .string(let value): "\(Array(value.utf8))"
        case .data(let value): "\(Array(value))"
        case .null, .boolean, .integer, .unsigned, .decimal, .uuid: description
        }
    }
}

/// The snapshot of a document, and the other files beside it.
struct DocumentFolder {
    let url: URL

    /// The names of all files.
    var allNames: [String] {
        get throws {
            try FileManager.default.contentsOfDirectory(atPath: url.path(percentEncoded: false))
                .sorted()
        }
    }

    /// The names of all files but the lock.
    var names: [String] {
        get throws { try allNames.filter { $0 != "lock" } }
    }

    /// The content of all files but the lock.
    var contents: [String: Data] {
        get throws {
            var contents: [String: Data] = [:]
            for name in try names { contents[name] = try Data(contentsOf: self[name]) }
            return contents
        }
    }

    /// The file of a name.
    subscript(name: String) -> URL { url.appending(path: name) }

    /// The file of the one snapshot.
    var snapshot: URL {
        get throws { self[try names.first { $0.hasPrefix("snapshot-") } ?? "no snapshot"] }
    }

    /// The text of the one snapshot.
    var text: String {
        get throws { String(decoding: try Data(contentsOf: snapshot), as: UTF8.self) }
    }
}
