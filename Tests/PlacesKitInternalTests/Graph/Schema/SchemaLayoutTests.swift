import PlacesKit
import Testing

@testable import PlacesGraph

/// Where the properties of a schema lie.
@Suite struct SchemaLayoutTests {
    @Test func `the objects of siblings lie in one table, and each property in a slot of its own`()
        throws
    {
        func entity(_ name: String, from superentity: String? = nil) -> EntityDescription {
            let trick = PropertyDescription.attribute(.init(name: "trick", type: .string))
            return EntityDescription(
                name: name, properties: superentity == nil ? [] : [trick], superentity: superentity)
        }
        let schema = try Schema(entities: [
            entity("Cat", from: "Animal"), entity("Animal"), entity("Dog", from: "Animal"),
        ])
        let layout = GraphLayout(schema: schema)
        #expect(layout.tables[1].properties.map(\.name) == ["trick", "trick"])
        #expect(layout.entities.map(\.slots) == [[0], [], [1]])
        #expect(layout.entities.map(\.kinds) == [1..<2, 0..<3, 2..<3])
        #expect(layout.entities.map(\.table) == [1, 1, 1])
    }

    @Test(arguments: AttributeType.allCases)
    func `only types of integers that fit 64 bits with a sign have a range`(type: AttributeType) {
        #expect(
            (type.integerRange != nil) == (type.columnKind == .integer && type != .uint64))
    }
}
