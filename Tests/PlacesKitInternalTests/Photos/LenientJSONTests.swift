import Foundation
import PlacesKit
import Testing

@testable import PlacesPhotos

@Suite struct LenientJSONTests {
    private func value(_ json: String) throws -> LenientJSON {
        try LenientJSON(parsing: Array(#"{"v":\#(json)}"#.utf8))["v"]
    }

    @Test(arguments: [
        #""12""#, "12", "12.0", #"" 12 ""#, #"{"_content":"12"}"#, #"{"_content":12}"#,
    ])
    func `a whole number is read whichever way it is written`(json: String) throws {
        #expect(try value(json).int == 12)
        #expect(try value(json).double == 12)
    }

    @Test(arguments: ["true", "1", #""1""#, #""true""#])
    func `a truth value is read whichever way it is written`(json: String) throws {
        #expect(try value(json).bool == true)
    }

    @Test(arguments: [
        "null", #""""#, #"" ""#, "[]", "{}", #"{"_content":{"_content":"1"}}"#, #""x""#, #""nan""#,
        #""inf""#, #""1e999""#,
    ])
    func `what is no number is nil`(json: String) throws {
        #expect(try value(json).int == nil)
        #expect(try value(json).double == nil)
    }

    @Test func `numbers beyond an integer are nil, not a crash`() throws {
        #expect(try value("1e300").int == nil)
        #expect(try value("123456789012345678901234567890").int == nil)
        #expect(try value("53686868357").text == "53686868357")
    }

    @Test func `faults inside strings are mended`() throws {
        #expect(try value(#""a\ud83d b""#).text == "a\u{FFFD} b")
        #expect(try value(#""\ude00""#).text == "\u{FFFD}")
        #expect(try value(#""\ud83d\ude00""#).text == "😀")
        #expect(try value("\"a\tb\u{1}\"").text == "a\tb\u{1}")
        #expect(try value(#""a\qb\u12c""#).text == "ab12c")
        let bytes = Array(#"{"v":"x"#.utf8) + [0xFF, 0xC3] + Array(#"y"}"#.utf8)
        #expect(try LenientJSON(parsing: bytes)["v"].text == "x\u{FFFD}\u{FFFD}y")
    }

    @Test func `members come in order, the first of a name counts`() throws {
        let object = try value(#"{"b":1,"a":{"c":[1,{"d":2}]},"b":3,"\u0061":4}"#)
        #expect(object.members.map(\.name) == ["b", "a", "b", "a"])
        #expect(object["b"].int == 1)
        #expect(object["a"]["c"].elements.last?["d"].int == 2)
    }

    @Test func `a lone element counts as a list of one and nothing as an empty list`() throws {
        #expect(try value("[1,2]").elements.count == 2)
        #expect(try value(#"{"id":1}"#).elements.count == 1)
        #expect(try value("null").elements.isEmpty)
        #expect(try value("1")["missing"]["deeper"].elements.isEmpty)
    }

    @Test func `members of a large object are found by their names`() throws {
        let names = (0..<300).map { "n\($0 % 250)_\($0 / 2)" }
        let members = names.enumerated().map { #""\#($1)":\#($0)"# }.joined(separator: ",")
        let object = try value("{\(members)}")
        #expect(object.members.map(\.name) == names)
        #expect(object["n7_3"].int == 7)
        #expect(object["n49_149"].int == 299)
        #expect(!object["n7_4"].exists)
    }

    @Test func `an object whose names are in each other's way is searched without an index`() throws
    {
        func object(_ name: (Int) -> String) -> [UInt8] {
            let members = (0..<2_000).map { #""\#(name($0))":\#($0)"# }
            return Array("{\(members.joined(separator: ",")),\"last\":7}".utf8)
        }
        // Names of a length whose first, middle and last two characters are the same have the same hash.
        let bytes = object { "a\(1_000 + $0)bcd\(1_000 + $0)ef" }
        let same = object { "ab\(1_000 + $0)cd______ef" }
        for (bytes, hasIndex) in [(bytes, false), (same, false), (object { "n\($0 * $0)" }, true)] {
            #expect(try LenientDocument(bytes).slots.isEmpty == !hasIndex)
            let value = try LenientJSON(parsing: bytes)
            #expect(value["last"].int == 7)
            #expect(value.members.count == 2_001)
        }
    }

    @Test(arguments: [
        ("a_b", "a_c", "_c"), ("a_b", "a", ""), ("a_b", "", nil), ("a_b", "b_c", nil),
        ("a_b", #"a_\/"#, nil),
        (#"x\/é_b"#, #"x\/é__c"#, "__c"), (#"x\/_b"#, "x/_c", nil),
    ])
    func `what follows a common beginning is read by itself`(
        first: String, second: String, rest: String?
    ) throws {
        let pair = try value(#"["\#(first)","\#(second)"]"#).elements
        let (beginning, text) = try #require(pair[0].beginning(before: UInt8(ascii: "_")))
        #expect(pair[0].text?.hasPrefix(text + "_") == true)
        #expect(pair[1].rest(after: beginning) == rest)
    }

    @Test func `a beginning ends in no escape`() throws {
        #expect(try value(#""a\_b""#).beginning(before: UInt8(ascii: "_")) == nil)
        #expect(try value("12").beginning(before: UInt8(ascii: "1")) == nil)
    }
}
