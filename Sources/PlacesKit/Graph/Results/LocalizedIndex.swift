public import Foundation

/// The index beside a list, as a language has it: its letters, and `#` for what begins with none.
///
/// ```swift
/// let results = try FetchedResultsController(
///     FetchRequest<Photo>(sortBy: [SortDescriptor(\.title)]), sectionBy: .firstLetters(of: \.title), in: context)
/// let index = LocalizedIndex(locale: Locale(identifier: "sv"))
/// results.sectionIndexTitle = index.title
/// ```
///
/// - A letter with a mark is a letter of its own where the language has it in its alphabet, as Swedish has Å. Elsewhere
///   it counts as the letter without the mark.
/// - A letter of another alphabet is its own title, and comes behind those of the language.
/// - Digits, symbols, no text and no value are in `#`, which comes last.
public struct LocalizedIndex: Sendable {
    /// The letters of the language, and `#`.
    public let titles: [String]

    private let locale: Locale
    private let indices: [String: Int]
    /// The titles for characters of ASCII.
    private var ascii: [String] = []

    /// Makes the index of the language of a locale.
    public init(locale: Locale = .current) {
        self.locale = locale
        let language = locale.language.languageCode?.identifier ?? ""
        titles = (Self.alphabets[language] ?? Self.latin).map(String.init) + [Self.rest]
        indices = Dictionary(
            titles.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
        ascii = (0..<128).map { letter(of: Character(Unicode.Scalar($0))) }
    }

    /// The title for a text: its first letter, or `#`.
    public func title(of text: String?) -> String {
        guard let text, let first = text.first else { return Self.rest }
        return first.asciiValue.map { ascii[Int($0)] } ?? letter(of: first)
    }

    /// A number that sorts titles: those of the language in their order, then others, then `#`.
    public func order(of title: String) -> Int {
        if title == Self.rest { return .max }
        return indices[title] ?? titles.count + Int(title.unicodeScalars.first?.value ?? 0)
    }

    private func letter(of first: Character) -> String {
        let upper = String(first).uppercased(with: locale)
        guard let letter = upper.first, letter.isLetter else { return Self.rest }
        let whole = String(letter)
        if indices[whole] != nil || Self.others.contains(letter) { return whole }
        if let twin = Self.twins[letter], indices[twin] != nil { return twin }
        if let base = Self.bases[letter] { return base }
        // What is left without its marks.
        let scalars = whole.decomposedStringWithCanonicalMapping.unicodeScalars.filter {
            !$0.properties.isDiacritic && $0.properties.generalCategory != .nonspacingMark
        }
        return scalars.isEmpty ? whole : String(String.UnicodeScalarView(scalars))
    }

    // MARK: - Alphabets

    private static let rest = "#"
    private static let latin = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    private static let greek = "ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩ"
    private static let russian = "АБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯ"
    /// Letters that lose no mark in any language.
    private static let others = Set(latin + greek + russian + "ЂЃЄЅІЇЈЉЊЋЌЎЏҐ")
    /// What letters count as where the language has only the other.
    private static let twins: [Character: String] = ["Æ": "Ä", "Ä": "Æ", "Ø": "Ö", "Ö": "Ø"]
    /// What letters without a separable mark count as.
    private static let bases: [Character: String] = [
        "Æ": "A", "Ð": "D", "Đ": "D", "Ħ": "H", "Ł": "L", "Ø": "O", "Œ": "O", "Þ": "T", "Ŧ": "T",
    ]
    /// The alphabets that are not the usual one, by language.
    private static let alphabets: [String: String] = [
        "az": "ABCÇDEƏFGĞHXIİJKQLMNOÖPRSŞTUÜVYZ",
        "be": "АБВГДЕЁЖЗІЙКЛМНОПРСТУЎФХЦЧШЫЬЭЮЯ",
        "bg": "АБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЬЮЯ",
        "bs": "ABCČĆDĐEFGHIJKLMNOPQRSŠTUVWXYZŽ",
        "cs": "ABCČDEFGHIJKLMNOPQRŘSŠTUVWXYZŽ",
        "da": latin + "ÆØÅ",
        "el": greek,
        "es": "ABCDEFGHIJKLMNÑOPQRSTUVWXYZ",
        "et": "ABCDEFGHIJKLMNOPQRSŠZŽTUVWÕÄÖÜXY",
        "fi": latin + "ÅÄÖ",
        "hr": "ABCČĆDĐEFGHIJKLMNOPQRSŠTUVWXYZŽ",
        "hu": "ABCDEFGHIJKLMNOÖPQRSTUÜVWXYZ",
        "is": "AÁBCDÐEÉFGHIÍJKLMNOÓPQRSTUÚVWXYÝZÞÆÖ",
        "lt": "ABCČDEFGHIJKLMNOPQRSŠTUVWXYZŽ",
        "lv": "ABCČDEFGĢHIJKĶLĻMNŅOPQRSŠTUVWXYZŽ",
        "mk": "АБВГДЃЕЖЗЅИЈКЛЉМНЊОПРСТЌУФХЦЧЏШ",
        "nb": latin + "ÆØÅ", "nn": latin + "ÆØÅ", "no": latin + "ÆØÅ",
        "pl": "AĄBCĆDEĘFGHIJKLŁMNŃOÓPQRSŚTUVWXYZŹŻ",
        "ro": "AĂÂBCDEFGHIÎJKLMNOPQRSȘTȚUVWXYZ",
        "ru": russian,
        "sk": "AÄBCČDEFGHIJKLMNOÔPQRSŠTUVWXYZŽ",
        "sl": "ABCČĆDĐEFGHIJKLMNOPQRSŠTUVWXYZŽ",
        "sr": "АБВГДЂЕЖЗИЈКЛЉМНЊОПРСТЋУФХЦЧЏШ",
        "sv": latin + "ÅÄÖ",
        "tr": "ABCÇDEFGĞHIİJKLMNOÖPQRSŞTUÜVWXYZ",
        "uk": "АБВГҐДЕЄЖЗИІЇЙКЛМНОПРСТУФХЦЧШЩЬЮЯ",
    ]
}
