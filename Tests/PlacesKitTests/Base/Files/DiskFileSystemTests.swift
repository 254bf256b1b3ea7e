import Foundation
import PlacesKit
import Testing

@Suite struct DiskFileSystemTests {
    private let files: any FileSystem = DiskFileSystem()
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test func `a new file holds what is written to it, in order`() throws {
        let file = try files.open(folder["new"], mode: .createNew)
        try file.write(Array("one ".utf8))
        try file.write([])
        try file.write(Array("two".utf8))
        try file.synchronize()
        try file.close()
        #expect(try files.read(folder["new"]) == Array("one two".utf8))
        #expect(try files.status(of: folder["new"]) == FileStatus(isDirectory: false, size: 7))
    }

    @Test func `a file is made anew only if there is none`() throws {
        try files.open(folder["file"], mode: .createNew).close()
        #expect(throws: FileSystemError.failed(.create, path: folder["file"].description, code: 17))
        {
            try files.open(folder["file"], mode: .createNew)
        }
    }

    @Test func `appending goes on at the end, also after a cut`() throws {
        try files.replaceFile(at: folder["journal"], with: Array("one two torn".utf8))
        let file = try files.open(folder["journal"], mode: .append)
        try file.truncate(to: 8)
        try file.write(Array("three".utf8))
        try file.close()
        #expect(try files.read(folder["journal"]) == Array("one two three".utf8))
    }

    @Test(arguments: [0, 1, 4095, 4096, 3_000_000])
    func `files of any size are read whole`(size: Int) throws {
        let content = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        try files.replaceFile(at: folder["file"], with: content)
        #expect(try files.read(folder["file"]) == content)
    }

    @Test func `a file whose size the system does not tell is read whole`() throws {
        let path = FilePath("/proc/self/status")
        guard try files.exists(path) else { return }
        #expect(try files.status(of: path)?.size == 0)
        #expect(try String(decoding: files.read(path), as: UTF8.self).contains("Pid:"))
    }

    @Test func `a directory lists its names in order`() throws {
        try files.ensureDirectory(at: folder["b"])
        try files.ensureDirectory(at: folder["b"])
        try files.replaceFile(at: folder["c ö"], with: [])
        try files.replaceFile(at: folder["a"], with: [1])
        #expect(try files.list(folder.path) == ["a", "b", "c ö"])
        #expect(try files.status(of: folder["b"])?.isDirectory == true)
        #expect(try files.list(folder["b"]) == [])
    }

    @Test func `any part of a file is read, under any of its names but through no link`()
        throws
    {
        try files.replaceFile(at: folder["a"], with: [1, 2, 3, 4, 5])
        let path = folder.path.description
        try FileManager.default.linkItem(atPath: path + "/a", toPath: path + "/b")
        try FileManager.default.createSymbolicLink(
            atPath: path + "/c", withDestinationPath: path + "/a")
        let inside = try files.inside(folder.path)
        let file = try inside.openForSeeking(folder["b"])
        #expect(file.size == 5)
        #expect(file.version == inside.version(of: folder["a"]) && file.version != nil)
        #expect(try file.read(from: 3, count: 2) == [4, 5])
        #expect(try file.read(from: 1, count: 9) == [2, 3, 4, 5])
        #expect(try file.read(from: 7, count: 1) == [])
        #expect(throws: FileSystemError.unexpected(path: path + "/c", found: .link)) {
            try inside.openForSeeking(folder["c"])
        }
    }

    @Test(arguments: ["../secret", "a/../../secret", "a/..", "a/../b", ".."])
    func `no path leads out of a folder by the names of those above`(name: String) throws {
        try files.replaceFile(at: folder["secret"], with: [1])
        try files.ensureDirectory(at: folder["inner"])
        for name in ["a", "b"] { try files.ensureDirectory(at: folder["inner"].appending(name)) }
        let inside = try files.inside(folder["inner"])
        let path = folder["inner"].appending(name)
        let code = POSIXError.Code.EXDEV.rawValue
        #expect(throws: FileSystemError.failed(.open, path: path.description, code: code)) {
            try inside.read(path)
        }
        #expect(throws: FileSystemError.failed(.list, path: path.description, code: code)) {
            try inside.list(path)
        }
        #expect(throws: FileSystemError.self) { try inside.remove(path) }
        #expect(try files.read(folder["secret"]) == [1])
    }

    @Test func `a removed file is gone, and nothing is there twice`() throws {
        try files.replaceFile(at: folder["file"], with: [1])
        try files.remove(folder["file"])
        #expect(try !files.exists(folder["file"]))
        let path = folder["file"].description
        #expect(throws: FileSystemError.failed(.remove, path: path, code: 2)) {
            try files.remove(folder["file"])
        }
        #expect(throws: FileSystemError.failed(.read, path: folder.path.description, code: 21)) {
            try files.read(folder.path)
        }
    }

    @Test func `a directory is removed only if it is empty and no link`() throws {
        try files.makeDirectory(at: folder["a"])
        try files.replaceFile(at: folder["a"].appending("file"), with: [1])
        let path = folder["a"].description
        try FileManager.default.createSymbolicLink(
            atPath: folder["link"].description, withDestinationPath: path)
        for name in ["a", "link"] {
            #expect(throws: FileSystemError.self) { try files.removeDirectory(at: folder[name]) }
        }
        try files.remove(folder["a"].appending("file"))
        #expect(throws: FileSystemError.self) { try files.removeDirectory(at: folder["link"]) }
        try files.removeDirectory(at: folder["a"])
        #expect(try files.list(folder.path) == ["link"])
    }

    @Test func `a closed file refuses everything`() throws {
        let file = try files.open(folder["file"], mode: .createNew)
        try file.close()
        #expect(throws: FileSystemError.self) { try file.write([1]) }
        #expect(throws: FileSystemError.self) { try file.synchronize() }
        #expect(throws: FileSystemError.self) { try file.close() }
    }

    @Test func `a full volume is told as one`() throws {
        let path = FilePath("/dev/full")
        guard try files.exists(path) else { return }
        let file = try files.open(path, mode: .append)
        let error = #expect(throws: FileSystemError.self) { try file.write([1]) }
        #expect(error == .failed(.write, path: "/dev/full", code: 28))
        #expect(
            error?.description.hasSuffix("Free some space on the volume, then try again.") == true)
    }

    @Test func `errors say what failed, where, why and what helps`() throws {
        try files.replaceFile(at: folder["file"], with: [])
        let path = folder["file"].appending("x")
        let error = #expect(throws: FileSystemError.self) { try files.read(path) }
        let text = error?.localizedDescription ?? ""
        #expect(text.hasPrefix("Cannot open '\(path)': "))
        #expect(text.hasSuffix("A part of the path is a file where a folder is needed."))

        let missing = #expect(throws: FileSystemError.self) { try files.read(folder["none"]) }
        #expect(missing?.description.contains("Check the spelling of the path") == true)
    }

    @Test func `a file that is too large to be written has nothing to do with memory`() {
        let code = POSIXError.Code.EFBIG.rawValue
        let write = FileSystemError.failed(.write, path: "/file", code: code).description
        #expect(write.hasSuffix("The volume or a limit of the process allows no larger file."))
        let read = FileSystemError.failed(.read, path: "/file", code: code).description
        #expect(read.hasSuffix("It does not fit into memory."))
    }
}
