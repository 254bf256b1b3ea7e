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
