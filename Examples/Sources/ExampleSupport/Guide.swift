/// Leads a person through lists in a terminal: numbers choose, words search, letters do things.
@MainActor
public struct Guide {
    /// What the person wants.
    public enum Answer: Equatable {
        /// The row of an index.
        case row(Int)
        /// To see only what has this text; all if it is empty.
        case search(String)
        /// What a letter stands for.
        case command(Character)
        /// To go to where they came from.
        case back
        /// To stop.
        case quit
    }

    /// What letters stand for here.
    public typealias Commands = [(key: Character, meaning: String)]

    /// Shows a list, and asks what to do with it until that is clear.
    public static func ask(
        _ title: String, _ rows: [Row], commands: Commands = [], searchText: String = "",
        canSearch: Bool = true, empty: String = "Nothing here."
    ) async -> Answer {
        print("")
        print("\(title)\(searchText.isEmpty ? "" : " with “\(searchText)”")".fitting(columns))
        show(rows, empty: searchText.isEmpty ? empty : "Nothing found.")
        print("")
        var hints = rows.isEmpty ? [] : ["number: choose"]
        if canSearch { hints.append("/text: search") }
        hints += commands.map { "\($0.key): \($0.meaning)" }
        hints += ["Return: back", "q: quit"]
        while true {
            for line in hints.wrapped(to: columns) { print(line) }
            guard let line = await Terminal.ask("> ") else { return .quit }
            if let answer = answer(line, rows.count, commands, canSearch) { return answer }
            print("That is none of these.".fitting(columns))
        }
    }

    private static var columns: Int? { Terminal.columns }

    private static func answer(
        _ line: String, _ count: Int, _ commands: Commands, _ canSearch: Bool
    ) -> Answer? {
        let text = line.trimmed
        if text.isEmpty { return .back }
        if text == "q" { return .quit }
        if text.hasPrefix("/") {
            return canSearch ? .search(String(text.dropFirst()).trimmed) : nil
        }
        if let number = Int(text) {
            return (1...max(1, count)).contains(number) && count > 0 ? .row(number - 1) : nil
        }
        guard text.count == 1, let key = text.first else { return nil }
        return commands.contains { $0.key == key } ? .command(key) : nil
    }
}

extension String {
    fileprivate var trimmed: String {
        String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }
}

extension [String] {
    /// The texts one behind the other, in as many lines as it takes.
    fileprivate func wrapped(to columns: Int?) -> [String] {
        var lines: [String] = []
        for text in self {
            if let last = lines.last, last.displayWidth + 3 + text.displayWidth <= columns ?? .max {
                lines[lines.count - 1] += " · " + text
            } else {
                lines.append(text.fitting(columns))
            }
        }
        return lines
    }
}
