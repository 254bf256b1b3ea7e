import Foundation

/// What the program writes to and reads from.
public enum Terminal {
    /// Whether a person sits before it: both its input and its output are a terminal.
    public static var isInteractive: Bool {
        isatty(STDIN_FILENO) != 0 && isatty(STDOUT_FILENO) != 0
    }

    /// How many columns a line has; `nil` where the output is no terminal.
    public static var columns: Int? {
        [STDOUT_FILENO, STDERR_FILENO].lazy.filter { isatty($0) != 0 }.compactMap { file in
            var size = winsize()
            let isKnown = ioctl(file, UInt(TIOCGWINSZ), &size) == 0
            return isKnown && size.ws_col > 0 ? Int(size.ws_col) : nil
        }.first
    }

    /// Writes a line for the person, not for the next program.
    public static func note(_ line: String) {
        FileHandle.standardError.write(Data((line + "\n").utf8))
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
