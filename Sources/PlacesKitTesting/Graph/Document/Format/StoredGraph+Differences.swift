import Foundation
import PlacesGraph

extension StoredGraph {
    /// The values that PlacesKit holds differently.
    ///
    /// - Parameters:
    ///   - records: All objects as PlacesKit has them.
    ///   - isOrderGiven: Whether members of relationships without an order have one nevertheless, as in a file.
    ///   - bytes: Reads what a value with external storage refers to.
    /// - Returns: A sentence for each.
    /// - Throws: What `bytes` throws, or an error of the decoder.
    func differences(
        from records: [ObjectRecord], isOrderGiven: Bool = true,
        bytes: ([String: StoredTree]) throws -> Data
    ) throws -> [String] {
        var differences: [String] = []
        for record in records {
            let identity = identity(record.id.number, of: record.id.entity)
            guard let object = objects[identity], object.entity == record.id.entity else {
                differences.append("\(record.id) was read and is not in the files")
                continue
            }
            for property in schema.properties(of: object.entity) where !property.isDerived {
                let value = record[property.name]
                let agrees =
                    try value.map {
                        let hasOrder = isOrderGiven || property.isOrdered
                        return try isSame($0, property, hasOrder, of: identity, object, bytes)
                    } ?? false
                if !agrees {
                    differences.append(
                        "\(record.id).\(property.name) was read as \(value.map(String.init(describing:)) ?? "nothing")"
                    )
                }
            }
        }
        if records.count != objects.count {
            differences.append("\(records.count) objects were read of \(objects.count)")
        }
        return differences
    }

    private func isSame(
        _ value: PropertyValue, _ property: StoredSchema.Property, _ hasOrder: Bool,
        of identity: Identity, _ object: Object, _ bytes: ([String: StoredTree]) throws -> Data
    ) throws -> Bool {
        switch value {
        case .object(let other):
            return members(of: identity, property.name) == (other.map { [$0.number] } ?? [])
        case .objects(let others):
            let (members, numbers) = (members(of: identity, property.name), others.map(\.number))
            return hasOrder ? members == numbers : members.sorted() == numbers.sorted()
        case .attribute(let datum):
            let tree = object.values[property.name] ?? .null
            if case .members(let reference) = tree, property.isExternal {
                return datum == .data(try bytes(reference))
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
