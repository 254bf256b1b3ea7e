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
        canSearch: Bool = true, empty: String = "Nothing here.", isMapped: Bool = false
    ) async -> Answer {
        print("")
        let found = searchText.isEmpty ? "" : " with “\(searchText)”"
        for line in "\(title)\(found)".wrapped(to: Terminal.columns) { print(line.styled(.title)) }
        let guide = Guide(rowCount: rows.count, commands: commands, canSearch: canSearch)
        if rows.isEmpty {
            print((searchText.isEmpty ? empty : "Nothing found.").fitting(Terminal.columns))
        } else if let answer = await guide.page(rows, isMapped: isMapped) {
            return answer
        }
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

    private func hints(before count: Int) -> [String] {
        ["Return: \(count.counted("more row"))"] + hints + ["b: back", "q: quit", "?: help"]
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

    /// Shows rows; where they do not fit the terminal one page after the other, until the person knows what they
    /// want.
    private func page(_ rows: [Row], isMapped: Bool) async -> Answer? {
        let listing = RowListing(rows)
        var map = isMapped ? MapPicture.lines(of: rows) : []
        var shown = 0
        while true {
            let questions = hints(before: rows.count - shown)
                .joinedLines(fitting: Terminal.columns)
            var room = Terminal.lines.map { max(1, $0 - 2 - questions.count) }
            // A map that leaves no room for some rows is none.
            if let height = room, height < map.count + 5 { map = [] }
            for line in map { print(line) }
            room = room.map { $0 - map.count }
            map = []
            let (lines, count) = await listing.page(from: shown, fitting: room)
            for line in lines { print(line) }
            shown += count
            guard shown < rows.count else { return nil }
            if let answer = await ask(hints(before: rows.count - shown)) { return answer }
        }
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
