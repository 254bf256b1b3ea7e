import Foundation

/// What the program writes to and reads from.
public enum Terminal {
    /// Whether a person sits before it: both its input and its output are a terminal.
    public static var isInteractive: Bool {
        isatty(STDIN_FILENO) != 0 && isatty(STDOUT_FILENO) != 0
    }

    /// Whether the output shows styles and links: it is a terminal, no dumb one, and nobody asked for none
    /// (no-color.org).
    static let isStyled =
        moves(STDOUT_FILENO) && ProcessInfo.processInfo.environment["NO_COLOR"] ?? "" == ""

    /// Whether a file is a terminal that knows commands.
    static func moves(_ file: Int32) -> Bool {
        isatty(file) != 0
            && !["", "dumb"].contains(ProcessInfo.processInfo.environment["TERM"] ?? "")
    }

    /// How many columns a line of the output has; `nil` where it is no terminal.
    public static var columns: Int? { size(of: STDOUT_FILENO)?.columns }

    /// How many lines the output shows at once; `nil` where it is no terminal.
    static var lines: Int? { size(of: STDOUT_FILENO)?.lines }

    /// How many columns a line has of what is written beside the output, such as progress.
    static var noteColumns: Int? { size(of: STDERR_FILENO)?.columns }

    /// How many pixels a character takes; a usual size where the terminal does not say.
    static var cellSize: (width: Int, height: Int) {
        guard let size = window(of: STDOUT_FILENO), size.ws_col > 0, size.ws_row > 0,
            size.ws_xpixel >= size.ws_col, size.ws_ypixel >= size.ws_row
        else { return (8, 16) }
        return (Int(size.ws_xpixel / size.ws_col), Int(size.ws_ypixel / size.ws_row))
    }

    private static func size(of file: Int32) -> (columns: Int?, lines: Int?)? {
        window(of: file).map { size in
            (size.ws_col > 0 ? Int(size.ws_col) : nil, size.ws_row > 0 ? Int(size.ws_row) : nil)
        }
    }

    private static func window(of file: Int32) -> winsize? {
        guard isatty(file) != 0 else { return nil }
        var size = winsize()
        return ioctl(file, UInt(TIOCGWINSZ), &size) == 0 ? size : nil
    }

    /// Writes a line for the person, not for the next program.
    public static func note(_ line: String) {
        try? FileHandle.standardError.write(contentsOf: Data((line.forTerminal + "\n").utf8))
    }

    /// Writes a line of output, without what would move the cursor.
    public static func tell(_ line: String) { print(line.forTerminal) }

    /// Brings out what was printed.
    ///
    /// - Throws: A ``Problem`` if not all of it could be written, as when a disk is full.
    public static func finishOutput() throws {
        guard fflush(nil) == 0, !OutputState.isLossy else {
            throw Problem("The output cannot be written. There may be no space left for it.")
        }
    }

    /// Asks for a line; `nil` at the end of the input.
    ///
    /// Nobody else waits meanwhile.
    public static func ask(_ prompt: String) async -> String? {
        try? FileHandle.standardOutput.write(contentsOf: Data(prompt.utf8))
        let line = await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: readLine()) }
        }
        // What comes next does not stand behind the question.
        if line == nil { print("") }
        return line
    }

    /// Asks whether something is to be done; only a clear yes is one.
    public static func confirms(_ question: String) async -> Bool {
        for line in question.wrapped(to: columns) { print(line) }
        let answer = await ask("y: yes · Return: no > ") ?? ""
        return ["y", "yes"].contains(answer.lowercased())
    }
}
