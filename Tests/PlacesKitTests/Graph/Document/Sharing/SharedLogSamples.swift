import Foundation
import PlacesKit
import PlacesKitTesting

extension SharedCommit {
    /// Commits with the numbers after one, for tests of logs.
    static func after(_ number: Int, _ count: Int = 1, by opening: Int64 = 1) -> [SharedCommit] {
        (number + 1..<number + 1 + count).map {
            SharedCommit(
                opening: opening, sequence: Int64($0), number: $0,
                change: #"{"insert":{"Town":{"\#($0)":{}}}}"#)
        }
    }

    /// A first commit with the bytes of one value.
    init(bringing bytes: Data) {
        let value = SharedValue(
            digest: bytes.withUnsafeBytes(SharedValue.digest), byteCount: bytes.count
        ) { bytes }
        self.init(opening: 1, sequence: 1, number: 1, change: "{}", values: [value])
    }
}

extension SharedLog {
    /// All commits from the first one on.
    func allCommits() async throws -> [SharedCommit] {
        var found: [SharedCommit] = []
        while true {
            let page = try await commits(after: found.count)
            guard !page.isEmpty else { return found }
            found += page
        }
    }

    /// Adds commits after whatever is there, until it has taken so many from this writer.
    func write(_ count: Int, by opening: Int64) async throws {
        var last = 0
        for _ in 0..<count {
            while true {
                while let commit = try await commits(after: last).last { last = commit.number }
                if try await append(SharedCommit.after(last, by: opening), after: last) { break }
            }
        }
    }
}
