import Dispatch
import PlacesKit
import PlacesKitTesting
import Testing

/// The disk in memory on which power cuts are tried.
@Suite struct CrashingFilesTests {
    @Test func `files that are created at once have their own bytes`() throws {
        let files = CrashingFiles()
        DispatchQueue.concurrentPerform(iterations: 500) { number in
            let file = try? files.open(FilePath("/\(number)"), mode: .createNew)
            for part in ["\(number), ", "to the end"] {
                try? part.utf8.withContiguousStorageIfAvailable { bytes in
                    try file?.write(UnsafeRawBufferPointer(bytes))
                }
            }
        }
        for number in 0..<500 {
            let bytes = try files.read(FilePath("/\(number)"))
            #expect(String(decoding: bytes, as: UTF8.self) == "\(number), to the end")
        }
    }

    @Test func `a removed directory may come back until its parent is synchronised`() throws {
        let files = CrashingFiles()
        let path = FilePath("/a")
        try files.ensureDirectory(at: path)
        #expect(throws: FileSystemError.self) {
            try files.replaceFile(at: path.appending("file"), with: [1])
            try files.removeDirectory(at: path)
        }
        try files.remove(path.appending("file"))
        try files.removeDirectory(at: path)
        #expect(try !files.exists(path))
        func found() throws -> Set<Bool> {
            Set(
                try (0..<20 as Range<UInt64>).map {
                    try files.afterPowerCut(after: files.stepCount, seed: $0).exists(path)
                })
        }
        #expect(try found() == [true, false])
        try files.synchronizeDirectory(FilePath("/"))
        #expect(try found() == [false])
        try files.ensureDirectory(at: path)
        #expect(try found() == [true])
    }

    @Test func `nothing is made in a directory that is missing`() throws {
        let files = CrashingFiles()
        let path = FilePath("/missing/file")
        #expect(throws: FileSystemError.self) { try files.open(path, mode: .createNew) }
        #expect(throws: FileSystemError.self) { try files.open(path, mode: .append) }
        #expect(throws: FileSystemError.self) { try files.makeDirectory(at: path) }
        #expect(throws: FileSystemError.self) { try files.lock(at: path) }
        #expect(throws: FileSystemError.self) { try files.synchronizeDirectory(path.parent) }
        try files.replaceFile(at: FilePath("/file"), with: [1])
        #expect(throws: FileSystemError.self) { try files.rename(FilePath("/file"), to: path) }
        #expect(try files.list(FilePath("/")) == ["file"] && files.read(FilePath("/file")) == [1])
    }

    @Test func `of those who create a file at once one succeeds`() {
        let files = CrashingFiles()
        let successes = Counter()
        DispatchQueue.concurrentPerform(iterations: 100) { _ in
            let file = try? files.open(FilePath("/manifest.json"), mode: .createNew)
            if file != nil { successes.count() }
        }
        #expect(successes.value == 1)
    }
}
