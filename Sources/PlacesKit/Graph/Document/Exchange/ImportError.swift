import Foundation
public import PlacesBase

/// Why a file could not be imported; nothing of it was imported.
public enum ImportError: DescribedError {
    /// The file has something else than what belongs there.
    ///
    /// Lines, and columns in Unicode scalars, are counted from 1.
    case malformed(file: String, line: Int, column: Int, problem: String)
    /// The objects that the file describes break rules of the model.
    case refused(file: String, [Refusal])
    /// Each time that the file was read, others saved meanwhile what does not go with it: they wrote or deleted the same
    /// objects, or objects of the file and theirs break rules together.
    case overtaken(
        file: String, attempts: Int, conflicts: [SaveConflict], refusals: [Refusal])

    /// A rule of the model that an object breaks.
    public struct Refusal: Sendable, Hashable {
        /// The line where the object's record begins; `nil` for an object that is not in the file.
        public var line: Int?
        /// The rule that the object breaks.
        public var failure: ValidationFailure
    }

    /// How many refusals are told in words.
    private static let limit = 10

    /// What is wrong, where, and what belongs there.
    public var description: String {
        switch self {
        case .malformed(let file, let line, let column, let problem):
            // It may end with a question.
            "\(file):\(line):\(column): \(problem)\(problem.hasSuffix("?") ? "" : ".") Nothing was imported."
        case .refused(let file, let refusals):
            Self.list(Self.lines(of: refusals, in: file))
        case .overtaken(let file, let attempts, let conflicts, let refusals):
            Self.list(
                [
                    """
                    \(file): others saved while it was read\(attempts > 1 ? ", \(attempts) times" : ""), and \
                    that does not go with what it says. Import it again while they save less, or in smaller \
                    files. A pipe is read only once: write what it gives to a file, and import that.
                    """
                ] + conflicts.map { "\($0)" } + Self.lines(of: refusals, in: file))
        }
    }

    private static func lines(of refusals: [Refusal], in file: String) -> [String] {
        refusals.map { "\(file):\($0.line.map { "\($0): " } ?? " ")\($0.failure)" }
    }

    /// Some lines, of many only the first ones, and what became of the file.
    private static func list(_ lines: [String]) -> String {
        let rest = lines.count > limit ? "And \(lines.count - limit) more. " : ""
        return (lines.prefix(limit) + [rest + "Nothing was imported."]).joined(separator: "\n")
    }
}

/// A fault of a record, at a location in its file.
struct ImportFault: Error {
    var location: TextLocation
    var problem: String
}

/// A line, and a column in Unicode scalars, both counted from 1.
struct TextLocation: Sendable, Equatable {
    var line = 1
    var column = 1

    /// Moves behind a byte.
    mutating func pass(_ byte: UInt8) {
        if byte == UInt8(ascii: "\n") {
            line += 1
            column = 1
        } else if byte & 0xC0 != 0x80 {
            column += 1
        }
    }

    /// Moves to the beginning of the next line, where a line ends without a line feed.
    mutating func passLine() { self = TextLocation(line: line + 1) }

    /// A location that is given as seen from this one.
    func offset(by location: TextLocation) -> TextLocation {
        TextLocation(
            line: line + location.line - 1,
            column: location.line == 1 ? column + location.column - 1 : location.column)
    }
}
