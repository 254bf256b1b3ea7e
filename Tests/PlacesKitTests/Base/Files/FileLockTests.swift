import Foundation
import PlacesKit
import Testing

@Suite struct FileLockTests {
    private let files: any FileSystem = DiskFileSystem()
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test func `a second holder in the same process is told who holds the lock`() throws {
        let lock = try files.lock(at: folder["lock"])
        let process = ProcessInfo.processInfo.processIdentifier
        let error = #expect(throws: FileSystemError.self) { try files.lock(at: folder["lock"]) }
        #expect(error == .locked(path: folder["lock"].description, holder: process))
        #expect(error?.description.contains("locked by this process") == true)
        #expect(try files.read(folder["lock"]) == Array("\(process)\n".utf8))
        lock.release()
    }

    @Test func `a released lock can be taken again`() throws {
        let lock = try files.lock(at: folder["lock"])
        lock.release()
        lock.release()
        let second = try files.lock(at: folder["lock"])
        lock.release()
        #expect(throws: FileSystemError.self) { try files.lock(at: folder["lock"]) }
        second.release()
    }

    @Test func `a lock that nobody holds any more is free`() throws {
        for _ in 0..<3 {
            _ = try files.lock(at: folder["lock"])
        }
    }

    @Test func `a lock left by a dead process is free`() throws {
        try files.replaceFile(at: folder["lock"], with: Array("999999999 and more".utf8))
        let lock = try files.lock(at: folder["lock"])
        let process = ProcessInfo.processInfo.processIdentifier
        #expect(try files.read(folder["lock"]) == Array("\(process)\n".utf8))
        lock.release()
    }

    #if os(Linux)
        @Test
        func `a lock that is given up is free while a program starts that has the descriptor`()
            throws
        {
            let path = folder["lock"].description
            let lock = try files.lock(at: folder["lock"])
            // What a fork does to descriptors until the program begins.
            let copies = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
                .filter {
                    (try? FileManager.default.destinationOfSymbolicLink(
                        atPath: "/proc/self/fd/\($0)"))
                        == path
                }
                .compactMap { Int32($0).map { dup($0) } }
            defer { for copy in copies { close(copy) } }
            #expect(!copies.isEmpty)
            lock.release()
            try files.lock(at: folder["lock"]).release()
        }

        @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/flock")))
        func `another process is told by its number`() throws {
            let path = folder["lock"].description
            let process = Process()
            let output = Pipe()
            let input = Pipe()
            process.executableURL = URL(filePath: "/bin/sh")
            process.arguments = ["-c", "exec 9>\"$0\"; flock 9; echo $$ >&9; echo; read x", path]
            process.standardOutput = output
            process.standardInput = input
            try process.run()
            _ = output.fileHandleForReading.readData(ofLength: 1)

            #expect(throws: FileSystemError.locked(path: path, holder: process.processIdentifier)) {
                try files.lock(at: folder["lock"])
            }
            try input.fileHandleForWriting.close()
            process.waitUntilExit()
            try files.lock(at: folder["lock"]).release()
        }
    #endif
}
