import Foundation
import Testing

@testable import PlacesKit

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
}
