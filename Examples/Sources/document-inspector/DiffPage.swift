import ExampleSupport
import Foundation
import PlacesKit

/// What differs between two documents as a page to keep, by entity: what came, what changed, what went.
struct DiffPage {
    /// How many objects of an entity are shown of each kind.
    private static let limit = 300

    let title: String
    let old: DocumentReader
    let new: DocumentReader
    let changes: SnapshotChanges
    /// What differs between the schemas, a line each.
    let schema: [String]

    /// The text of the page.
    ///
    /// - Throws: What reading an entity's records throws.
    func html() throws -> String {
        var values = ValueHTML()
        var parts: [String] = []
        if !schema.isEmpty {
            let lines = schema.map { "<li>\($0.forTerminal.escapedForHTML)</li>" }
            parts.append("<h2>Schema</h2>\n<ol>\(lines.joined())</ol>")
        }
        let entities =
            old.schema.entities.map(\.name)
            + new.schema.entities.map(\.name).filter { old.schema.entity(named: $0) == nil }
        for entity in entities { parts.append(try section(of: entity, &values)) }
        if changes.isEmpty, schema.isEmpty { parts.append("<p>Both hold the same.</p>") }
        return HTMLPage.text(
            title: title, note: changes.words + values.pictures.note,
            body: parts.filter { !$0.isEmpty }.joined(separator: "\n"))
    }

    private func section(of entity: String, _ values: inout ValueHTML) throws -> String {
        let inserted = changes.inserted.filter { $0.entity == entity }
        let updated = changes.updated.filter { $0.object.entity == entity }
        let deleted = changes.deleted.filter { $0.entity == entity }
        guard inserted.count + updated.count + deleted.count > 0 else { return "" }
        var parts = ["<h2>\(entity.escapedForHTML)</h2>"]
        let shown = inserted.prefix(Self.limit) + updated.prefix(Self.limit).map(\.object)
        let records = try records(shown, of: entity, in: new)
        parts += kind("Inserted", inserted) { object(records[$0], $0, class: "new", &values) }
        parts += kind("Updated", updated) { change($0, records[$0.object], &values) }
        let former = try self.records(deleted.prefix(Self.limit), of: entity, in: old)
        parts += kind("Deleted", deleted) { object(former[$0], $0, class: "old", &values) }
        return parts.joined(separator: "\n")
    }

    /// The objects of one kind, as many as a page should have.
    private func kind<Element>(
        _ title: String, _ elements: [Element], _ html: (Element) -> String
    ) -> [String] {
        guard !elements.isEmpty else { return [] }
        var parts = ["<h3>\(title): \(elements.count)</h3>"]
        parts += elements.prefix(Self.limit).map(html)
        let rest = elements.count - Self.limit
        if rest > 0 { parts.append("<p>and \(Listing.counted(rest, "other"))</p>") }
        return parts
    }

    private func records(
        _ ids: some Collection<ObjectID>, of entity: String, in reader: DocumentReader
    ) throws -> [ObjectID: ObjectRecord] {
        guard !ids.isEmpty else { return [:] }
        let wanted = Set(ids)
        let found = try reader.records(RecordQuery("%K", entity)).filter { wanted.contains($0.id) }
        return Dictionary(found.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// An object that only one of both has, with all that it holds.
    private func object(
        _ record: ObjectRecord?, _ id: ObjectID, class name: String, _ values: inout ValueHTML
    ) -> String {
        var rows: [String] = []
        for property in record?.propertyNames ?? [] {
            guard let value = record?[property], !value.isEmpty else { continue }
            rows.append(
                "<tr><th>\(property.escapedForHTML)</th><td>\(values.html(value))</td></tr>")
        }
        return """
            <details class="object"><summary class="\(name)">\(heading(id, record))</summary>
            <table>\(rows.joined(separator: "\n"))</table></details>
            """
    }

    /// An object that both have, with its old values beside the new ones.
    private func change(
        _ change: ObjectChange, _ record: ObjectRecord?, _ values: inout ValueHTML
    ) -> String {
        let rows = change.properties.map { property in
            let (old, new) = values.html(property.values)
            return """
                <tr><th>\(property.name.escapedForHTML)</th><td class="old">\(old)</td>\
                <td class="new">\(new)</td></tr>
                """
        }
        return """
            <div class="object"><h4>\(heading(change.object, record))</h4>
            <table><tr><th>Property</th><th>Before</th><th>After</th></tr>
            \(rows.joined(separator: "\n"))</table></div>
            """
    }

    /// Which object it is, and what people call it.
    private func heading(_ id: ObjectID, _ record: ObjectRecord?) -> String {
        let names = ["title", "name"] + (record?.propertyNames.prefix(1) ?? [])
        let name = names.lazy.compactMap { record?[$0] }.first { !$0.isEmpty }?.cell ?? ""
        return ["\(id)", name].filter { !$0.isEmpty }
            .map { $0.fitting(120).escapedForHTML }.joined(separator: " · ")
    }
}

extension PropertyValue {
    /// Whether there is nothing to show of it.
    fileprivate var isEmpty: Bool {
        switch self {
        case .attribute(let datum): datum == .null
        case .object(let id): id == nil
        case .objects(let ids): ids.isEmpty
        }
    }
}

/// Values as HTML; bytes that are pictures are shown as such.
private struct ValueHTML {
    /// How many members of a relationship are named.
    private static let memberLimit = 30

    var pictures = PagePictures()

    mutating func html(_ value: PropertyValue) -> String {
        switch value {
        case .attribute(let datum): html(datum)
        case .object(let id): html(id.map { [$0] } ?? [])
        case .objects(let ids): html(ids)
        }
    }

    /// What was, and what is instead.
    mutating func html(_ values: PropertyChange.Values) -> (old: String, new: String) {
        switch values {
        case .attribute(let old, let new): (html(old), html(new))
        case .toOne(let old, let new): (html(old.map { [$0] } ?? []), html(new.map { [$0] } ?? []))
        case .toMany([], []): ("", "in another order")
        case .toMany(let inserted, let removed): (html(removed), html(inserted))
        }
    }

    private mutating func html(_ datum: Datum) -> String {
        guard case .data(let bytes) = datum else {
            return datum == .null ? "—" : datum.cell.forTerminal.escapedForHTML
        }
        let isPicture = PictureType.ofPicture(beginning: bytes) != nil
        let address = isPicture ? pictures.address(of: bytes) : nil
        return (address.map { "<img src=\"\($0)\" alt=\"\">" } ?? "")
            + Listing.counted(bytes.count, "byte")
    }

    private func html(_ ids: [ObjectID]) -> String {
        guard !ids.isEmpty else { return "—" }
        let rest = ids.count - Self.memberLimit
        return
            (ids.prefix(Self.memberLimit).map { "\($0)".escapedForHTML }
            + (rest > 0 ? ["and \(rest) more"] : [])).joined(separator: ", ")
    }
}
