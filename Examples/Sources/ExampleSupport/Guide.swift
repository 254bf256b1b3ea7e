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

    private let rowCount: Int
    private let commands: Commands
    private let canSearch: Bool

    /// Shows a list, and asks what to do with it until that is clear.
    public static func ask(
        _ title: String, _ rows: [Row], commands: Commands = [], searchText: String = "",
        canSearch: Bool = true, empty: String = "Nothing here."
    ) async -> Answer {
        print("")
        let found = searchText.isEmpty ? "" : " with “\(searchText)”"
        for line in "\(title)\(found)".wrapped(to: Terminal.columns) { print(line.styled(.title)) }
        let guide = Guide(rowCount: rows.count, commands: commands, canSearch: canSearch)
        let lines = rows.lines(empty: searchText.isEmpty ? empty : "Nothing found.")
        if let answer = await guide.page(lines) { return answer }
        print("")
        return await guide.ask()
    }

    /// Asks what to do with what is shown, until that is clear.
    public static func ask(_ commands: Commands = []) async -> Answer {
        print("")
        return await Guide(rowCount: 0, commands: commands, canSearch: false).ask()
    }

    private var hints: [String] {
        (rowCount == 0 ? [] : ["number: choose"])
            + (canSearch ? ["/text: search"] : [])
            + commands.map { "\($0.key): \($0.meaning)" }
    }

    private func hints(before lines: ArraySlice<String>) -> [String] {
        ["Return: \(lines.count.counted("more line"))"] + hints + ["b: back", "q: quit", "?: help"]
    }

    private func ask() async -> Answer {
        await ask(hints + ["Return: back", "q: quit", "?: help"]) ?? .back
    }

    /// Asks until the answer is one, or to go on, which is `nil`.
    private func ask(_ hints: [String]) async -> Answer? {
        while true {
            for line in hints.joinedLines(fitting: Terminal.columns) { print(line.styled(.faint)) }
            guard let line = await Terminal.ask("> ") else { return .quit }
            let text = line.trimmed
            if text.isEmpty { return nil }
            if let answer = answer(text) { return answer }
        }
    }

    /// Shows lines; where they do not fit the terminal one page after the other, until the person knows what
    /// they want.
    private func page(_ lines: [String]) async -> Answer? {
        var rest = lines[...]
        while let height = Terminal.lines {
            let questions = hints(before: rest).joinedLines(fitting: Terminal.columns)
            let length = height - 2 - questions.count
            guard rest.count > length else { break }
            var page = rest.prefix(max(1, length))
            // A section's title stands above its rows.
            while page.count > 1, page.last?.hasPrefix(" ") == false { page.removeLast() }
            for line in page { print(line) }
            rest = rest.dropFirst(page.count).drop(while: \.isEmpty)
            if let answer = await ask(hints(before: rest)) { return answer }
        }
        for line in rest { print(line) }
        return nil
    }

    /// What a text means; `nil` after telling what could be meant.
    private func answer(_ text: String) -> Answer? {
        switch text {
        case "?": explain()
        case "q": return .quit
        case "b" where !commands.contains { $0.key == "b" }: return .back
        case _ where canSearch && text.hasPrefix("/"):
            return .search(String(text.dropFirst()).trimmed)
        default:
            if let number = Int(text), number > 0, number <= rowCount {
                return .row(number - 1)
            }
            if text.count == 1, let key = text.first, commands.contains(where: { $0.key == key }) {
                return .command(key)
            }
            print("That is none of these.".fitting(Terminal.columns))
        }
        return nil
    }

    private func explain() {
        var help: [(String, String)] = []
        if rowCount > 0 {
            help.append(("1", "chooses the first row, and so on up to \(rowCount)"))
        }
        if canSearch {
            help.append(("/text", "shows only what has the text; / alone shows all again"))
        }
        help += commands.map { (String($0.key), $0.meaning) }
        help += [
            ("Return", "goes on in a long list, else back; from the first list out"),
            ("b", "goes back at once"), ("q", "quits; everything is saved"),
        ]
        print("")
        for (key, meaning) in help {
            let indent = "          "
            let lines = meaning.wrapped(to: Terminal.columns, indent: indent)
            for (index, line) in lines.enumerated() {
                print(index == 0 ? "  \(key.fitted(to: 8))\(line.dropFirst(indent.count))" : line)
            }
        }
        print("")
    }
}

extension String {
    fileprivate var trimmed: String {
        String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }
}

extension [String] {
    /// The texts one behind the other, in as many lines as it takes.
    fileprivate func joinedLines(fitting columns: Int?) -> [String] {
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
