import PlacesGraph

/// The files and directories of a disk, without the steps that led to them.
struct CrashingDisk: Sendable {
    /// The names in each directory, with the number of each name's file; `nil` for a directory.
    var directories: [FilePath: [String: Int?]]
    /// The content of each file, by its number.
    var contents: [Int: [UInt8]] = [:]
    /// The next free number for a file.
    var nextFile = 1

    init(directories: [String]) {
        self.directories = Dictionary(
            directories.map { (FilePath($0).withoutSlash, [:]) }
        ) { first, _ in first }
    }

    /// The file at a path.
    func file(at path: FilePath) -> Int? {
        directories[path.parent]?[path.name].flatMap(\.self)
    }

    /// Throws where the directory is missing in which a name is to be made.
    func checkDirectory(
        of path: FilePath, _ operation: FileSystemError.Operation
    ) throws(FileSystemError) {
        guard directories[path.parent] == nil else { return }
        throw .failed(operation, path: path.description, code: 2)
    }

    /// Performs a step.
    mutating func apply(_ step: CrashingStep) {
        switch step {
        case .makeDirectory(let path):
            directories[path.withoutSlash] = [:]
            directories[path.parent]?[path.name] = .some(nil)
        case .create(let file, let path):
            contents[file] = []
            nextFile = max(nextFile, file + 1)
            directories[path.parent]?[path.name] = file
        case .write(let file, let offset, let bytes):
            write(bytes, to: file, at: offset)
        case .truncate(let file, let size):
            guard let count = contents[file]?.count else { return }
            if size < count {
                contents[file]?.removeLast(count - size)
            } else {
                contents[file]?.append(contentsOf: repeatElement(0, count: size - count))
            }
        case .rename(let old, let new):
            guard let file = file(at: old) else { return }
            directories[old.parent]?[old.name] = nil
            directories[new.parent]?[new.name] = file
        case .remove(let path):
            directories[path.parent]?[path.name] = nil
            directories[path] = nil
        case .synchronize, .synchronizeDirectory: break
        }
    }

    /// Writes bytes into a file, after zeros if the file is too short.
    mutating func write(_ bytes: [UInt8], to file: Int, at offset: Int) {
        var content = contents[file] ?? []
        if content.count < offset + bytes.count {
            content.append(
                contentsOf: repeatElement(0, count: offset + bytes.count - content.count))
        }
        content.replaceSubrange(offset..<offset + bytes.count, with: bytes)
        contents[file] = content
    }
}
