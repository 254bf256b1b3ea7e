import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

/// What a file may hold in attributes of `Codable` types and of raw values that nobody listed.
@Suite struct DocumentCodableTests {
    struct Size: CodableAttribute { var width = 0, height = 0 }
    struct Code: RawRepresentable, AttributeValue {
        var rawValue: Int
        init?(rawValue: Int) {
            guard rawValue >= 0 else { return nil }
            self.rawValue = rawValue
        }
    }
    struct Celsius: AttributeValue {
        var degrees = 0.0
        init?(stored: Double) {
            guard stored >= -273.15 else { return nil }
            degrees = stored
        }
        var stored: Double { degrees }
    }
    final class Item: ManagedObject {
        @Attribute var size = Size()
        @Attribute var code: Code
        @Attribute var price: Decimal?
        @Attribute var serial: UInt64?
        @Attribute var words: [String]?
        @Attribute var warmth: Celsius?
    }

    /// A snapshot of one object with some values.
    static func text(_ values: String) -> String {
        let properties = [
            "size json", "code int64", "price decimal", "serial uint64", "words json",
            "warmth double",
        ]
        .map { $0.split(separator: " ") }
        .map { name in
            let optional = ["price", "serial", "words", "warmth"].contains(name[0])
            return #"{"name":"\#(name[0])","type":"\#(name[1])","optional":\#(optional)}"#
        }
        return """
            {"placeskit":1,"entities":[{"name":"Item","properties":[\(
                properties.joined(separator: ","))]}],
            "objects":{"Item":[{"id":0,\(values)}]}}
            """
    }

    private func document(_ values: String) throws -> HandwrittenDocument {
        try HandwrittenDocument(of: [Item.self], Self.text(values))
    }

    @Test func `values are JSON of their own, in whatever form a person writes it`() async throws {
        let written = try document(
            #""size":{ "height" : 2,\#n"width":1.0},"code":5,"price":"0012.50","#
                + #""serial":18446744073709551615,"words":["\u00e9"]"#)
        let document = try await written.open()
        let item = try #require(try document.viewContext.fetch(Item.self).first)
        #expect(item.size == Size(width: 1, height: 2))
        #expect(item.code.rawValue == 5 && item.price == Decimal(string: "12.5"))
        #expect(item.serial == .max && item.words == ["é"])
        let line =
            #"{"id":0,"size":{"height":2,"width":1},"code":5,"price":"12.5","#
            + #""serial":18446744073709551615,"words":["é"]}"#
        #expect(try await written.text(of: document).contains(line))
    }

    @Test func `a value on several lines is on one in what is made without its class`()
        async throws
    {
        try await withTemporaryDirectory { url in
            let (folder, copy) = (url.appending(path: "Items"), url.appending(path: "Copy"))
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let text = Self.text(
                "\"size\":{\n\"width\":1,\r\n\"height\":2},\"code\":5,\"words\":[\r\"a\"]")
            try Data(text.utf8).write(to: DocumentFolder(url: folder)["snapshot-1.json"])
            let size = #"{ "width":1,  "height":2}"#

            let report = try await ManagedDocument.salvage(from: folder, to: copy)
            #expect(report.isSound, "\(report)")
            let lines = try DocumentFolder(url: copy).text.components(separatedBy: "\n")
            let object = #"{"id":0,"size":\#(size),"code":5,"words":[ "a"]}"#
            #expect(lines.contains(object), "\(lines)")

            var exported = Data()
            let reader = try await DocumentReader.open(at: folder)
            try reader.write(RecordQuery("Item"), keyPaths: ["size"], as: .json) { exported += $0 }
            #expect(String(decoding: exported, as: UTF8.self) == "[\n{\"size\":\(size)}\n]\n")
        }
    }

    @Test(
        arguments: [
            #""code":5,"size":null"#,
            #""code":-1"#, #""code":5,"price":"12,5""#, #""code":5,"price":"1e5""#,
            #""code":5,"price":"--1""#, #""code":5,"price":""#, #""code":5,"price":"-""#,
            #""code":5,"price":"1.""#, #""code":5,"serial":-1"#, #""code":5,"serial":1.5"#,
            #""code":5,"warmth":-300"#, #""code":5,"serial":18446744073709551616"#,
            #""code":5,"words":[1]"#,
            #""code":5,"price":"1234567890123456789012345678901234567890.5""#,
        ])
    func `what is no value of its type is told, with its location`(values: String) async throws {
        #expect(try await document(values).damage()?.line == 2, "\(values)")
    }

    @Test func `a value that only its type refuses is told with its location, too`() async throws {
        let size = #""size":{"height":2,"width":1},"code":5"#
        for words in ["[1]", "{}", #""[]""#] {
            let written = try document(size + #","words":\#(words)"#)
            let error = await #expect(throws: DocumentError.self) { try await written.open() }
            #expect(
                error?.description.contains("/Document/snapshot-1.json at line 2, column") == true,
                "\(error as Any)")
        }
    }
}
