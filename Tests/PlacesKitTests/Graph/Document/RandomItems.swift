import Foundation
import PlacesKit

/// Objects with random values and links, the extremes of each type more often than not.
struct RandomItems {
    private typealias Item = DocumentModel.Item
    private typealias Box = DocumentModel.Box
    private typealias Label = DocumentModel.Label
    private typealias Tag = DocumentModel.Tag

    var generator: DocumentRandom
    private var number = 0

    init(seed: UInt64) { generator = DocumentRandom(seed: seed) }

    /// Makes and deletes some objects, and changes the values and links of many.
    mutating func change(_ context: ManagedObjectContext, times: Int) throws {
        for _ in 0..<times {
            let items = Array(try context.fetch(Item.self))
            let boxes = Array(try context.fetch(Box.self))
            let tags = Array(try context.fetch(Tag.self))
            let labels = Array(try context.fetch(Label.self))
            guard let item = items.randomElement(using: &generator),
                let box = boxes.randomElement(using: &generator),
                let tag = tags.randomElement(using: &generator),
                let other = tags.randomElement(using: &generator),
                let label = labels.randomElement(using: &generator)
            else {
                make(in: context)
                continue
            }
            switch Int.random(in: 0..<20, using: &generator) {
            case 0..<5: make(in: context)
            case 5:
                context.delete([item, box, tag, label].randomElement(using: &generator) ?? item)
            case 6..<8: fill(item)
            case 8..<11: item.box = maybe(box)
            case 11: box.items.insert(item)
            case 12: box.parent = maybe(boxes.randomElement(using: &generator))
            case 13: item.label = maybe(label)
            case 14: item.favourite = maybe(tag)
            case 15: tag.related.insert(other)
            case 16: tag.relatedBy.remove(other)
            case 17: item.tags.remove(tag)
            default:
                item.tags.insert(tag)
                other.items.insert(item)
            }
        }
    }

    private mutating func maybe<Object>(_ object: Object?) -> Object? {
        Int.random(in: 0..<4, using: &generator) == 0 ? nil : object
    }

    private mutating func make(in context: ManagedObjectContext) {
        number += 1
        let item = Item(context: context)
        item.code = "\(number) \(UInt64.random(in: 0 ... .max, using: &generator))"
        // Some keep their defaults.
        if Bool.random(using: &generator) { fill(item) }
        for name in [text(), text()] {
            Tag(context: context).name = name
            Box(context: context).name = name
        }
        _ = Label(context: context)
    }

    private mutating func fill(_ item: Item) {
        item.flag = Bool.random(using: &generator)
        item.int8 = integer()
        item.int16 = integer()
        item.int32 = integer()
        item.int64 = integer()
        item.int = integer()
        item.uint8 = integer()
        item.uint16 = integer()
        item.uint32 = integer()
        item.uint64 = integer()
        item.decimal = decimal()
        item.optionalDecimal = maybe(decimal())
        item.flags = DocumentModel.Flags(rawValue: integer())
        item.size = size()
        item.words = (0..<Int.random(in: 0..<4, using: &generator)).map { _ in text() }
        item.sizes = maybe([size(), size(), size()])
        for _ in 0..<Int.random(in: 0..<3, using: &generator) { item.counts[UUID()] = integer() }
        item.float = Float(double())
        item.double = double()
        item.text = text()
        item.date = date()
        item.uuid = maybe(
            UUID(uuid: (1, 2, 3, integer(), 5, 6, 7, 8, 9, integer(), 1, 2, 3, 4, 5, 6)))
        item.url = maybe(URL(string: "https://example.org/\(number)?q=%C3%A9#x"))
        item.data = data()
        item.mood = DocumentModel.Mood.allCases.randomElement(using: &generator) ?? .calm
        item.rank = DocumentModel.Rank.allCases.randomElement(using: &generator)
        item.optionalFlag = maybe(false)
        item.optionalInt = maybe(integer())
        item.optionalDouble = maybe(double())
        item.optionalText = maybe(text())
        item.optionalDate = maybe(date())
        item.optionalData = maybe(data())
        item.optionalMood = maybe(.blasé)
    }

    // MARK: - Values

    private mutating func integer<Value: FixedWidthInteger>() -> Value {
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: .min
        case 1: .max
        default: Value(truncatingIfNeeded: UInt64.random(in: 0 ... .max, using: &generator))
        }
    }

    private mutating func decimal() -> Decimal {
        let extremes = [
            Decimal.nan, 0, .greatestFiniteMagnitude, -.leastNonzeroMagnitude, Decimal(1) / 3,
        ]
        let (high, low): (UInt64, UInt64) = (integer(), integer())
        let product = Decimal(high) * Decimal(low)
        return extremes.randomElement(using: &generator).flatMap { maybe($0) }
            ?? Decimal(
                sign: Bool.random(using: &generator) ? .plus : .minus,
                exponent: Int.random(in: -60...20, using: &generator), significand: product)
    }

    private mutating func size() -> DocumentModel.Size {
        var width = double()
        if width.isNaN { width = .infinity }
        return DocumentModel.Size(width: width, unit: maybe(text()))
    }

    mutating func double() -> Double {
        let extremes = [
            0, -0.0, .nan, -.nan, .infinity, -.infinity, .leastNonzeroMagnitude,
            .leastNormalMagnitude,
            .greatestFiniteMagnitude, -.greatestFiniteMagnitude, .pi, 0.1, 1e22, 1e23,
            .ulpOfOne,
        ]
        return Bool.random(using: &generator)
            ? extremes.randomElement(using: &generator) ?? 0
            : Double(bitPattern: UInt64.random(in: 0 ... .max, using: &generator))
    }

    mutating func date() -> Date {
        let seconds =
            switch Int.random(in: 0..<5, using: &generator) {
            case 0: double()
            case 1: Double.random(in: -2...2, using: &generator)
            case 2: Double.random(in: -1e9...1e9, using: &generator)
            case 3: Double.random(in: -1e9...1e9, using: &generator).rounded()
            default: Double.random(in: -7e10...3e11, using: &generator)
            }
        return Date(timeIntervalSinceReferenceDate: seconds)
    }

    private mutating func text() -> String {
        var text = ""
        for _ in 0..<Int.random(in: 0..<12, using: &generator) {
            switch Int.random(in: 0..<5, using: &generator) {
            case 0:
                let special = [
                    "\0", "\n", "\r\n", "\t", "\"", "\\", "/", "\u{7F}", "\u{1F}", "\u{2028}", "é",
                    "e\u{301}", "\u{301}", "👩‍👩‍👧", "\u{FEFF}", "\u{FFFF}", "\u{10FFFF}",
                ]
                text += special.randomElement(using: &generator) ?? ""
            case 1: text.unicodeScalars.append(scalar(below: 0x11_0000))
            default: text.unicodeScalars.append(scalar(below: 0x80))
            }
        }
        return text
    }

    private mutating func scalar(below bound: UInt32) -> Unicode.Scalar {
        Unicode.Scalar(UInt32.random(in: 0..<bound, using: &generator)) ?? "x"
    }

    private mutating func data() -> Data {
        Data((0..<Int.random(in: 0..<20, using: &generator)).map { _ in integer() })
    }
}
