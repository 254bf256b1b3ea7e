import Foundation

/// The values that prototypes hold in attributes of each type, so chosen that what computes something from one shows.
///
/// The first four are ordinary ones, and the fifth is most like nothing. Those that follow grow stranger, so that what
/// computes something is found out before it meets what it is not ready for. They are made once for all classes.
enum ProbeValues {
    static let all: [AttributeType: [Datum]] = Dictionary(
        uniqueKeysWithValues: AttributeType.allCases.map { ($0, values(of: $0)) })

    private static func values(of type: AttributeType) -> [Datum] {
        switch type {
        case .boolean: [.boolean(true), .boolean(false)]
        case .int8: integers([3, 97, -41, 111, 0] as [Int8])
        case .int16: integers([3, 12_345, -12_345, .max / 3, 0] as [Int16])
        case .int32: integers([3, 12_345, -12_345, .max / 3, 0] as [Int32])
        case .int64: integers([3, 12_345, -12_345, .max / 3, 0] as [Int64])
        case .uint8: integers([3, 97, 41, 222, 0] as [UInt8])
        case .uint16: integers([3, 12_345, 99, .max / 3, 0] as [UInt16])
        case .uint32: integers([3, 12_345, 99, .max / 3, 0] as [UInt32])
        case .uint64: integers([3, 12_345, 99, .max - 7, 0] as [UInt64])
        case .float: doubles.map { .double(Double(Float($0))) }
        case .double: doubles.map(Datum.double)
        case .decimal:
            decimals.compactMap { Decimal(string: $0) }.map(Datum.decimal) + [.decimal(.nan)]
        case .date: seconds.map { .date(Date(timeIntervalSinceReferenceDate: $0)) }
        case .string: texts.map(Datum.string)
        // What is written in another way once it is read would make computed properties of all.
        case .url: urls.filter { URL(stored: $0).stored == $0 }.map(Datum.string)
        case .uuid: uuids.compactMap { UUID(uuidString: $0) }.map(Datum.uuid)
        case .data: data.map(Datum.data)
        // They have the one value that the attribute begins with.
        case .json: []
        }
    }

    // MARK: - Numbers

    /// Integers of every magnitude for which a type has room, its greatest and its least last.
    private static func integers<Integer: FixedWidthInteger>(_ first: [Integer]) -> [Datum] {
        (first + steps.compactMap { Integer(exactly: $0) } + [.max, .min]).map {
            Integer.self == UInt64.self ? .unsigned(UInt64($0)) : .integer(Int64($0))
        }
    }

    private static let steps: [Int64] = [
        1, -1, 2, -2, 10, 60, 99, 100, 101, -100, 127, 128, 255, 256, 1_000, 1_001, -32_769, 65_536,
        1_000_000, -1_000_001, 4_294_967_296, -4_000_000_000, 1_000_000_000_000,
        9_007_199_254_740_993, -3_074_457_345_618_258_602,
    ]

    private static let doubles: [Double] = [
        1234.5, 0.25, -98_765_432, 0x1p100, 0, 1, -1, 0.5, -0.5, 0.1, 2, 10, 99.99, 100, 100.5,
        -100.25, 180, -180.5, 360, 1_000, 1e-9, -1e-9, -0.0, 1_000_000.125, -1e15, 1e300,
        .leastNonzeroMagnitude, .greatestFiniteMagnitude, -.greatestFiniteMagnitude, .infinity,
        -.infinity, .nan,
    ]

    private static let decimals = [
        "1234.5", "0.25", "-98765432", "1e30", "0", "1", "-1", "0.5", "-0.5", "0.1", "2", "10",
        "99.99", "100", "100.005", "-100.25", "1e-9", "-1e-9", "1000000.125", "-1e15", "1e100",
        "-1e-100",
    ]

    /// Seconds since 2001: with fractions and without, before 1970, in the far past and the far future.
    private static let seconds: [Double] = [
        800_000_000.5, 12_345.25, -1e9, 4e9, 0, 1, -0.5, 86_400, 86_399.999, 730_000_000,
        730_000_000.123, -978_307_200, -978_307_200.001, 63_113_904_000, -63_114_076_800, 1e11,
        -1e11, 1e15, .infinity, -.infinity, .nan,
    ]

    // MARK: - Texts

    private static let texts = [
        " Zwölf Boxkämpfer\n", String(repeating: "aB ", count: 100), "e\u{301}Q", "17", "",
        everyKindOfSign, "/usr/local_files/My Photo (2).JPG", "a-small_text.tar.gz", "A", "z",
        "The Owl and the Pussycat: A Song", "A town", "~/Documents/.hidden",
        "https://www.probe.example/a%20b/?q=1&r=2#top", "someone@probe.example",
        "<p>Tom &amp; <b>Jerry</b></p>", "{\"a\": [1, null]}", "-0012,345.50e+10",
        "+49 (30) 901820-0", "2024-02-29T12:34:56Z", "\"quoted\"", "(in brackets)", "#tag",
        "one line\nanother line\r\nthe last line\n\n", "   ", "\n", "-", "nil", "N/A", "東京タワー",
        "👩‍👩‍👧‍👦🇫🇷", String(repeating: "The quick brown fox. ", count: 1_000),
    ]

    /// Every printable sign of ASCII, spaces of every kind, signs in the place of plainer ones, and letters of several
    /// scripts.
    private static let everyKindOfSign =
        " \t" + String(decoding: 32...126 as ClosedRange<UInt8>, as: UTF8.self)
        + "  two spaces\r\n\u{0}\u{7f}\u{85}\u{a0}\u{ad}\u{200b}\u{2028}\u{feff}“”‘’–—…•"
        + "Éçñ ẞß İı ﬁ Ω\u{2126} Å\u{212b} A\u{30a} \u{1100}\u{1161}\u{11a8} Ж ש ع हिन्दी ไทย"
        + " 日本 👍🏽 ²½ \n"

    private static let urls =
        (0..<5).map { "https://Probe.example/\($0)/a.b?c=\($0)#D" } + [
            "http://probe.example", "https://www.probe.example/", "https://probe.example/a/",
            "HTTPS://PROBE.EXAMPLE/A",
            "https://user:word@probe.example:8443/../a//b/./c;d=1?q=a+b&r=%20%C3%A9",
            "file:///usr/local/My%20Photo.JPG", "file:///", "mailto:someone@probe.example",
            "relative/path", "/absolute/", "?q=1", "#f", "data:,x",
        ]

    // MARK: - Bytes

    private static let uuids =
        (1...5).map { "0\($0)010203-0405-0607-0809-0A0B0C0D0E0\($0)" } + [
            "00000000-0000-0000-0000-000000000000", "FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF",
            "9F1C7E2B-5D34-4A6F-8B0E-3C2D1E0F9A8B", "018F3A5C-7B21-7D0E-9C44-5A6B7C8D9E0F",
        ]

    private static let data: [Data] =
        (0..<5).map { Data(repeating: UInt8($0 * 50 + 5), count: 12 - $0 * 3) } + [
            Data([0]), Data([0xff, 0xd8, 0xff, 0xe0]),
            Data([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10]),
            Data("plain text\n".utf8), Data([0xef, 0xbb, 0xbf, 0x41]), Data("{\"a\": 1}".utf8),
            Data(repeating: 7, count: 10_000),
        ]
}

extension AttributeDescription {
    /// What the prototype of a row holds in the attribute: the first four ordinary values, the next four what is most like
    /// nothing, and the others that and what follows it.
    func probe(_ row: Int, of values: [Datum]) -> Datum {
        // Where nothing is known of the type no expectation is met, so that objects are asked.
        if values.isEmpty || isOptional && (4..<8).contains(row) { return .null }
        let number = row < 8 ? min(row, 4) : row - 4
        return values[number % values.count]
    }
}

extension Datum {
    /// Whether another value is the same in every respect: what is no number is so too, and zero has a sign.
    func isJust(_ other: Datum) -> Bool {
        switch (self, other) {
        case (.double(let a), .double(let b)): a.isNaN ? b.isNaN : a == b && a.sign == b.sign
        case (.date(let a), .date(let b)): a.isSame(as: b)
        // Text may be composed in several ways, most often of another length.
        case (.string(let a), .string(let b)): a == b && a.utf8.count == b.utf8.count
        default: self == other
        }
    }
}
