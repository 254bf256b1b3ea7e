import ExampleSupport
import Foundation
import PlacesKit
import WebSupport

/// What a page shows of a value; empty where there is none.
struct Cell: Encodable {
    /// The value as text; how it is read depends on the column.
    var text: String?
    /// Whether there is more text than this.
    var isCut: Bool?
    /// The record that a relationship leads to.
    var record: String?
    /// How many records a relationship leads to, or how many bytes there are.
    var count: Int?
    /// Where the bytes can be had.
    var bytes: String?
    /// Whether the bytes are a picture that a browser may be handed.
    var isPicture: Bool?

    /// A cell without a value.
    init() {}

    /// An attribute's value, of which no more than so many characters are shown.
    init(_ datum: Datum, limit: Int) {
        guard let whole = datum.text else { return }
        let head = whole.unicodeScalars.prefix(limit)
        if head.endIndex == whole.endIndex {
            text = whole
        } else {
            (text, isCut) = (String(head), true)
        }
    }

    /// The bytes of an attribute of a record.
    init(_ data: Data, of attribute: String, of record: ObjectID) {
        count = data.count
        isPicture = PictureType.ofPicture(beginning: data) != nil
        // Another value has another address, so a page asks for it and for nothing twice.
        let mark = data.reduce(0xCBF2_9CE4_8422_2325 as UInt64) {
            ($0 ^ UInt64($1)) &* 0x100_0000_01B3
        }
        bytes = Self.address(of: attribute, of: record) + "?v=\(String(mark, radix: 36))"
    }

    /// Where an attribute's value can be had.
    static func address(of attribute: String, of record: ObjectID) -> String {
        "/bytes/"
            + [record.entity, "\(record.number)", attribute]
            .map { $0.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "" }
            .joined(separator: "/")
    }
}

extension Datum {
    /// The value as a title, with a mark where it was cut; `nil` where there is none.
    var title: String? {
        let cell = Cell(self, limit: 80)
        return cell.text.map { cell.isCut == true ? $0 + "…" : $0 }
    }

    /// The value as text that programs read too; `nil` where there is none.
    var text: String? {
        switch self {
        case .null: nil
        case .string(let text): text
        case .date(let date): date.programText
        case .data(let data): data.base64EncodedString()
        default: description
        }
    }
}

extension Date {
    /// The instant as programs read it, in UTC.
    var programText: String {
        secondsText ?? formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    }
}
