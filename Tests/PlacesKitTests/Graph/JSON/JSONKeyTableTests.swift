import PlacesKit
import Testing

@Suite struct JSONKeyTableTests {
    private let table = JSONKeyTable([
        "id", "title", "isFavourite", "a\"b", "Zürich", "", "identity",
    ])

    private func keys(_ text: String) throws -> [JSONKey] {
        try JSONReader.read(Array(text.utf8)) { reader in
            var keys: [JSONKey] = []
            try reader.beginObject()
            while let key = try reader.nextKey(in: table) {
                keys.append(key)
                try reader.skipValue()
            }
            return keys
        }
    }

    @Test func `keys in the order of the table are known by their positions`() throws {
        let text =
            #"{"id":1,"title":2,"isFavourite":3,"a\"b":4,"Zürich":5,"":6,"identity":7}"#
        #expect(try keys(text) == (0..<7).map(JSONKey.known))
    }

    @Test func `keys in any order, and some only, are known`() throws {
        let text = #"{"identity":1,"Zürich":2,"id":3,"isFavourite":4,"id":5}"#
        #expect(try keys(text) == [6, 4, 0, 2, 0].map(JSONKey.known))
    }

    @Test func `keys with white space before the colon or needless escapes are known`() throws {
        let text = "{\"id\" :1, \"titl\\u0065\":2, \"Z\\u00fcrich\"\n:3}"
        #expect(try keys(text) == [0, 1, 4].map(JSONKey.known))
    }

    @Test func `other keys are handed out as they are`() throws {
        let text = #"{"i":1,"idx":2,"a\\\"b":3,"Zu\u0308rich":4,"title":5}"#
        #expect(
            try keys(text) == [
                .unknown("i"), .unknown("idx"), .unknown("a\\\"b"), .unknown("Zu\u{308}rich"),
                .known(1),
            ])
    }

    @Test func `objects of different tables may be nested`() throws {
        let inner = JSONKeyTable(["x", "y"])
        let text = #"{"id":{"x":1,"y":2},"title":{"y":3,"x":4},"isFavourite":{}}"#
        let found = try JSONReader.read(Array(text.utf8)) { reader in
            var found: [[JSONKey]] = []
            try reader.beginObject()
            while try reader.nextKey(in: table) != nil {
                var keys: [JSONKey] = []
                try reader.beginObject()
                while let key = try reader.nextKey(in: inner) {
                    keys.append(key)
                    try reader.skipValue()
                }
                found.append(keys)
            }
            return found
        }
        #expect(found == [[.known(0), .known(1)], [.known(1), .known(0)], []])
    }

    @Test func `an empty table knows no key`() throws {
        let key = try JSONReader.read(Array(#"{"a":1}"#.utf8)) { reader in
            try reader.beginObject()
            let key = try reader.nextKey(in: JSONKeyTable([]))
            try reader.skipValue()
            #expect(try reader.nextKey() == nil)
            return key
        }
        #expect(key == .unknown("a"))
    }
}
