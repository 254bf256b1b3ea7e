/// A word of a predicate format string, and where it begins.
struct FormatToken: Equatable {
    /// What a word is.
    enum Kind: Equatable {
        /// A name, a keyword or an operator written in letters, as it stands.
        case word(String)
        /// A name behind `#`: never a keyword.
        case escapedWord(String)
        /// A function of key-value coding behind `@`, as in `@count`.
        case aggregate(String)
        /// A variable behind `$`.
        case variable(String)
        case integer(Int64)
        /// A whole number for which an `Int64` has no room.
        case unsigned(UInt64)
        case number(Double)
        case string(String)
        /// A placeholder for an argument, by the letter behind `%`.
        case argument(Character)
        /// An operator or a mark.
        case mark(FormatMark)
        case end
    }

    var kind: Kind
    /// Where the word begins in the format string, in characters from 1.
    var column: Int
    /// Whether nothing separates the word from the one before.
    var isAttached: Bool
}

/// The operators and marks of a format string that are not words.
enum FormatMark: String, CaseIterable {
    case power = "**"
    case and = "&&"
    case or = "||"
    case equal = "=="
    case notEqual = "!="
    case notEqualSQL = "<>"
    case shiftedLeft = "<<"
    case shiftedRight = ">>"
    case lessOrEqual = "<="
    case lessOrEqualSwapped = "=<"
    case greaterOrEqual = ">="
    case greaterOrEqualSwapped = "=>"
    case assign = "="
    case less = "<"
    case greater = ">"
    case not = "!"
    case plus = "+"
    case minus = "-"
    case times = "*"
    case divided = "/"
    case bitAnd = "&"
    case bitOr = "|"
    case bitExclusiveOr = "^"
    case bitComplement = "~"
    case dot = "."
    case comma = ","
    case leftParenthesis = "("
    case rightParenthesis = ")"
    case leftBrace = "{"
    case rightBrace = "}"
    case leftBracket = "["
    case rightBracket = "]"
}

extension FormatToken.Kind: CustomStringConvertible {
    /// The word as an error shows it.
    var description: String {
        switch self {
        case .word(let name): name
        case .escapedWord(let name): name.asFormatName == name ? "#\(name)" : name.asFormatName
        case .aggregate(let name): "@\(name)"
        case .variable(let name): "$\(name)"
        case .integer(let value): String(value)
        case .unsigned(let value): String(value)
        case .number(let value): String(value)
        case .string(let text): "\"\(text)\""
        case .argument(let letter): "%\(letter)"
        case .mark(let mark): mark.rawValue
        case .end: "the end"
        }
    }
}
