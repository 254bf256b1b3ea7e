import Foundation

/// What the program writes to and reads from.
public enum Terminal {
    /// Whether a person sits before it: both its input and its output are a terminal.
    public static var isInteractive: Bool {
        isatty(STDIN_FILENO) != 0 && isatty(STDOUT_FILENO) != 0
    }

    /// How many columns a line of the output has; `nil` where it is no terminal.
    public static var columns: Int? { columns(of: STDOUT_FILENO) }

    /// How many columns a line has of what is written beside the output, such as progress.
    static var noteColumns: Int? { columns(of: STDERR_FILENO) }

    private static func columns(of file: Int32) -> Int? {
        guard isatty(file) != 0 else { return nil }
        var size = winsize()
        guard ioctl(file, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }

    /// Writes a line for the person, not for the next program.
    public static func note(_ line: String) {
        FileHandle.standardError.write(Data((line.forTerminal + "\n").utf8))
    }

    /// Writes a line of output, without what would move the cursor.
    public static func tell(_ line: String) { print(line.forTerminal) }

    /// Brings out what was printed.
    ///
    /// - Throws: A ``Problem`` if not all of it could be written, as when a disk is full.
    public static func finishOutput() throws {
        guard fflush(nil) == 0 else {
            throw Problem("The output cannot be written. There may be no space left for it.")
        }
    }

    /// Asks for a line; `nil` at the end of the input.
    ///
    /// Nobody else waits meanwhile.
    public static func ask(_ prompt: String) async -> String? {
        FileHandle.standardOutput.write(Data(prompt.utf8))
        return await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: readLine()) }
        }
    }
}
