@testable import PlacesGraph

/// Reads bytes as a journal, and its lines as records whose checksums are right.
func fuzzJournal(_ bytes: [UInt8]) {
    read(bytes)
    var replay = JournalReplay(Graph(layout: layout), checks: [])
    var number = 0
    for line in bytes.split(separator: 0x0A) {
        let commit = try? line.withUnsafeBytes { try replay.apply($0, after: number) }
        guard let commit else { break }
        precondition(commit.number == number + 1)
        number = commit.number
        let broken = replay.finish().brokenInvariants(allowingDeniedDeletes: false)
        precondition(broken.isEmpty, "\(broken)")
        _ = try? ChangeRecord(line: Array(line))
    }
}

private func read(_ bytes: [UInt8]) {
    guard let file = try? JournalFile(bytes) else { return }
    var replay = JournalReplay(Graph(layout: layout), checks: [])
    guard (try? replay.use(file.header)) != nil else { return }
    _ = try? file.forEachRecord(after: file.header.commit) { try replay.apply($0, after: $1) }
    precondition(replay.finish().brokenInvariants(allowingDeniedDeletes: false).isEmpty)
}
