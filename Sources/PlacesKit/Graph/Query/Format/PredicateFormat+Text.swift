import Foundation

extension PredicateFormat {
    /// The format with its arguments and the values of its variables in their places: it parses to the same predicate.
    ///
    /// ```swift
    /// print(try PredicateFormat("%K == %@", "takenAt.name", "Paris"))  // takenAt.name == 'Paris'
    /// ```
    public var description: String {
        guard let tokens = try? FormatLexer.tokens(of: format) else { return format }
        var arguments = arguments[...]
        let free = Set(root.freeVariables.map(\.column))
        var text = ""
        for token in tokens where token.kind != .end {
            let word =
                switch token.kind {
                case .argument("K"): arguments.popFirst()?.keyPathText ?? ""
                case .argument: arguments.popFirst()?.literal ?? ""
                case .variable(let name) where free.contains(token.column):
                    variables[name]?.literal ?? token.kind.description
                case .string(let string): FormatValue.datum(.string(string)).literal
                case .number(let number): FormatValue.datum(.double(number)).literal
                default: token.kind.description
                }
            // A placeholder ends where its letter does, and a number or a name would go on.
            if !token.isAttached && !text.isEmpty || text.runs(into: word) { text += " " }
            text += word
        }
        return text
    }
}

extension FormatValue {
    /// The value as a format string has it.
    var literal: String {
        switch self {
        case .list(let values): "{" + values.map(\.literal).joined(separator: ", ") + "}"
        case .object(let id): "CAST(\(Self.quoted(id.description)), 'NSManagedObjectID')"
        case .datum(let datum):
            switch datum {
            case .null: "nil"
            case .boolean(let value): value ? "YES" : "NO"
            // What is negative stays one value beside any operator.
            case .integer(.min): "(-9223372036854775807 - 1)"
            case .integer(let value): value < 0 ? "(\(value))" : "\(value)"
            case .unsigned(let value): "\(value)"
            case .decimal(let value): "CAST('\(value)', 'NSDecimalNumber')"
            case .double(let value):
                // A minus before zero is not its sign, but a difference from it.
                !value.isFinite || value == 0 && value.sign == .minus
                    ? "CAST('\(value)', 'NSNumber')"
                    : value.sign == .minus ? "(\(value))" : "\(value)"
            case .string(let text): Self.quoted(text)
            case .date(let date):
                "CAST(\(FormatValue.datum(.double(date.timeIntervalSinceReferenceDate)).literal), 'NSDate')"
            case .uuid(let value): Self.quoted(value.uuidString)
            case .data(let value): "CAST('\(value.base64EncodedString())', 'NSData')"
            }
        }
    }

    /// The value as a key path.
    fileprivate var keyPathText: String? {
        guard case .datum(.string(let path)) = self else { return nil }
        return Self.keyPathText(path)
    }

    /// A key path as a format has it, whatever its properties are called.
    static func keyPathText(_ path: String) -> String {
        let steps = path.split(separator: ".", omittingEmptySubsequences: false).map { step in
            if step.hasPrefix("@") { return String(step) }
            return FormatKeyword(rawValue: step.uppercased()) != nil && step.uppercased() != "SELF"
                ? "#\(step)" : step.asFormatName
        }
        return steps.joined(separator: ".")
    }

    private static func quoted(_ text: String) -> String {
        var result = "'"
        for scalar in text.unicodeScalars {
            switch scalar {
            case "'": result += "\\'"
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case "\0": result += "\\0"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "'"
    }
}
