import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

/// Indexes, constraints and derived attributes in files.
@Suite struct DocumentDerivedTests {
    private typealias Shelf = ShelfModel.Shelf
    private typealias Item = ShelfModel.Item

    private func text() async throws -> String {
        try await HandwrittenDocument.text(of: ShelfModel.types) { context in
            let shelf = Shelf(context: context)
            for number in 0..<3 {
                let item = Item(context: context)
                item.shelf = shelf
                item.number = number
                item.weight = 0.1 * Double(number)
                item.isLit = number == 1
            }
        }
    }

    @Test func `derived values are not written, and are there again after reading`() async throws {
        let text = try await text()
        let line = try #require(
            text.split(separator: "\n").first { $0.contains(#""name":"Shelf""#) })
        #expect(line.contains(#""unique":true"#) == false)
        #expect(
            line.contains(
                #"{"name":"litCount","type":"int64","derived":"count","over":"items","where":"isLit"}"#
            ))
        #expect(text.contains(#""unique":[["shelf","number"]],"indexes":[["shelf","day"],"#))
        #expect(!text.contains(#""itemCount":3"#))

        let written = try HandwrittenDocument(of: ShelfModel.types, text)
        let document = try await written.open()
        try document.viewContext.checkIntegrity()
        #expect(try document.viewContext.fetch(Shelf.self).map(\.itemCount) == [3])
        #expect(try await written.text(of: document) == text)
    }

    @Test func `what a file says of a derived value is passed over`() async throws {
        let text = try await text()
            .replacing(#"{"id":0,"name":"""#, with: #"{"id":0,"name":"","itemCount":99"#)
        #expect(text.contains("99"))
        let document = try await HandwrittenDocument(of: ShelfModel.types, text).open()
        try document.viewContext.checkIntegrity()
        #expect(try document.viewContext.fetch(Shelf.self).map(\.itemCount) == [3])
    }

    @Test func `a file in which a unique combination is not is refused`() async throws {
        let text = try await text()
            .replacing(#""number":2"#, with: #""number":1"#)
        let damage = try await HandwrittenDocument(of: ShelfModel.types, text).damage()
        #expect(damage?.description.contains("a unique combination of shelf, number") == true)
    }
}
