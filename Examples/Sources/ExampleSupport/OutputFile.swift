public import Foundation

/// A file that a person names to be written.
public enum OutputFile {
    /// Writes all of a file or nothing, or to standard output for “-”.
    ///
    /// - Throws: What the user should read: also where something is there that is no regular file, as a device or a
    ///   link.
    public static func write(_ data: Data, to path: String) throws {
        guard path != "-" else { return try print(data) }
        let type = try? FileManager.default.attributesOfItem(atPath: path)[.type]
        guard type == nil || type as? FileAttributeType == .typeRegular else {
            throw Problem("\(path) is no regular file, and is left as it is. Choose another name.")
        }
        do {
            try data.write(to: URL(filePath: path), options: .atomic)
        } catch {
            throw WriteFailure.translated(
                error, "\(path) cannot be written. Choose a file in a folder that you may write to."
            )
        }
        Swift.print("\(data.count) bytes in \(path.forTerminal)")
    }

    /// Writes to standard output.
    ///
    /// - Throws: What the user should read.
    public static func print(_ data: Data) throws {
        do {
            try FileHandle.standardOutput.write(contentsOf: data)
        } catch {
            throw WriteFailure.translated(error, "The output cannot be written.")
        }
    }
}
