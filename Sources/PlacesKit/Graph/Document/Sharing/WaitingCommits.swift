import Foundation
import PlacesBase

/// What a file has of commits that a shared log may not have.
struct WaitingCommits {
    private let file: JournalFile
    /// The lines after the first, each read once; `nil` for what is no whole line.
    private let commits: [SharedCommit?]
    private let directory: DocumentDirectory

    /// Reads the lines.
    init(_ bytes: [UInt8], in directory: DocumentDirectory) throws {
        file = try JournalFile(bytes)
        self.directory = directory
        commits = bytes.split(separator: UInt8(ascii: "\n")).dropFirst().map {
            try? SharedCommit(line: Data($0))
        }
    }

    /// Reads the lines of a file that begins on the commit of its name.
    init(_ bytes: [UInt8], in directory: DocumentDirectory, after base: Int) throws {
        try self.init(bytes, in: directory)
        guard header.commit.number == base else {
            throw JournalFile.failure(
                expected: "what follows commit \(base), not a copy of another file")
        }
    }

    /// How many lines there are after the first.
    var count: Int { commits.count }

    /// What the commits were made on, and the names in their lines.
    var header: JournalHeader { file.header }

    /// Checks the commits, as far as their lines are whole.
    ///
    /// - Throws: `JSONError` with the line and byte, or `DocumentError`, also where bytes are lost.
    func check() throws {
        let found = try foundValues(of: commits[...])
        _ = try forEachLine(after: header.commit) { line, _, number in
            if let lost = line.values.first(where: { found[$0.digest] == nil }) {
                throw DocumentError.incomplete(
                    file: "\(directory.blobs.path), the value \(lost.digest),")
            }
            _ = try ChangeRecord(line: Array(line.line))
            return Commit(number: number + 1, date: .distantPast, author: nil)
        }
    }

    /// Calls `body` for each whole line; its values are only named.
    private func forEachLine(
        after commit: Commit,
        _ body: (SharedCommit, UnsafeRawBufferPointer, Int) throws -> Commit
    ) throws -> JournalFile.Outcome {
        var rest = commits[...]
        return try file.forEachRecord(after: commit) { bytes, number in
            // What could not be read is read again for the reason.
            let line = try rest.popFirst().flatMap(\.self) ?? SharedCommit(line: Data(bytes))
            return try body(line, bytes, number)
        }
    }

    /// The values to which some commits refer, as far as the folder has their bytes.
    private func foundValues(of commits: ArraySlice<SharedCommit?>) throws -> [String: SharedValue]
    {
        let values = Set(commits.lazy.compactMap(\.self).flatMap(\.values))
        guard !values.isEmpty else { return [:] }
        var search = try ValueSearch(directory.blobs, .all, isReadOnly: directory.isReadOnly)
        let found = try search.values(like: values)
        return Dictionary(uniqueKeysWithValues: found.map { ($0.digest, $0) })
    }

    /// Whether the commits that come after the same one in the journals are the first of these, and none of somebody else
    /// is among them.
    ///
    /// - Parameters:
    ///   - last: The number of the last commit in the journals.
    ///   - record: Gives the one of a number.
    /// - Returns: Whether it is so, as far as lines are whole.
    func begin(asUpTo last: Int, _ record: (Int) -> ChangeRecord?) -> Bool {
        for (line, number) in zip(commits, (header.commit.number + 1)...) where number <= last {
            // What is damaged is found by who makes them again.
            guard let line else { return true }
            guard let other = record(number) else { return false }
            guard let isSame = try? line.isSame(as: other) else { return true }
            guard isSame else { return false }
        }
        return true
    }

    /// Whether the one of its number was made when a commit was, and by whom.
    func have(_ commit: Commit) -> Bool {
        let position = commit.number - header.commit.number - 1
        guard commits.indices.contains(position), let line = commits[position] else { return false }
        return (try? line.isMade(as: commit)) ?? false
    }

    /// Whether objects move of commits up to one: nobody can tell then which of them the journals have.
    func have(_ renumbered: RenumberedObjects, upTo number: Int) -> Bool {
        guard !renumbered.isEmpty else { return false }
        return commits.prefix(max(number - header.commit.number, 0)).contains {
            $0.map { renumbered.concern($0.id.opening) } ?? false
        }
    }

    /// Makes those commits again that come after one, on what it left.
    ///
    /// Bytes that the folder has lost keep no commit from being made: an attribute reads as if their file were missing.
    ///
    /// - Parameters:
    ///   - commit: The commit, which was made on what these were made on, or is one of them.
    ///   - apply: Makes a commit again.
    /// - Returns: The last commit, and what is no whole line.
    /// - Throws: `JSONError` with the line and byte, `DocumentError`, `FileSystemError`, or what `apply` throws.
    func forEachNew(
        after commit: Commit, _ apply: (SharedCommit, UnsafeRawBufferPointer, Int) throws -> Commit
    ) throws -> (last: Commit, tail: JournalFile.Tail?) {
        var last = commit
        var values = try foundValues(
            of: commits.dropFirst(max(commit.number - header.commit.number, 0)))
        let outcome = try forEachLine(after: header.commit) { line, bytes, number in
            guard number >= commit.number else {
                return Commit(number: number + 1, date: header.commit.date, author: nil)
            }
            var line = line
            line.values = try line.values.map { value in
                if let found = values[value.digest] { return found }
                let lost = try SharedValue(
                    Blob(lost: value.digest, byteCount: value.byteCount, in: directory.blobs))
                values[value.digest] = lost
                return lost
            }
            last = try apply(line, bytes, number)
            return last
        }
        return (last, outcome.tail)
    }
}

extension SharedCommit {
    /// Whether a journal has it.
    fileprivate func isSame(as other: ChangeRecord) throws -> Bool {
        let own = try ChangeRecord(line: Array(line))
        if own.isSame(inJournal: other) { return true }
        guard !values.isEmpty else { return false }
        // The journal may tell in another way what was made again of the line.
        func objects(_ record: ChangeRecord) -> [[ObjectID]] {
            [record.inserted.map(\.id), record.updated.map(\.id), record.deleted]
        }
        return (own.commit, own.date, own.author) == (other.commit, other.date, other.author)
            && objects(own) == objects(other)
    }
}

extension ChangeRecord {
    /// Whether it is the same commit in a journal, which refers to files also for the few bytes that a log's line has itself.
    fileprivate func isSame(inJournal other: ChangeRecord) -> Bool {
        var (own, other) = (self, other)
        // A clock may give no number, which is not equal to itself.
        if own.date.isNotANumber, other.date.isNotANumber {
            (own.date, other.date) = (.distantPast, .distantPast)
        }
        for objects in [\ChangeRecord.tombstones, \.inserted, \.updated] {
            for (index, object) in zip(own[keyPath: objects].indices, other[keyPath: objects]) {
                for (name, value) in object.values
                where own[keyPath: objects][index].values[name]?.stands(forBytesOf: value) == true {
                    own[keyPath: objects][index].values[name] = value
                }
            }
        }
        return own == other
    }
}

extension JSONValue {
    /// Whether it is what a log has of bytes, and the other one may be how a journal refers to their file.
    fileprivate func stands(forBytesOf reference: JSONValue) -> Bool {
        guard case .object(let reference) = reference, reference[BlobKey.number.rawValue] != nil,
            let count = reference[BlobKey.byteCount.rawValue]
        else { return false }
        switch self {
        case .string(let text):
            guard let bytes = Data(base64Encoded: text) else { return false }
            let checksum = CRC32.text(of: bytes.withUnsafeBytes(CRC32.checksum))
            return count == .integer(Int64(bytes.count))
                && reference[BlobKey.checksum.rawValue] == .string(checksum)
        case .object(let value):
            return value[BlobKey.digest.rawValue] != nil
                && value[BlobKey.byteCount.rawValue] == count
        default: return false
        }
    }
}

extension DocumentDirectory {
    /// The numbers of the commits on which files of commits begin that a shared log may not have, ascending.
    func outboxBases() throws -> [Int] { try outboxBases(among: fileNames()) }

    /// Those of files with some names.
    func outboxBases(among names: [String]) throws -> [Int] {
        let names = names.filter { OutboxName($0) != nil }
        func isLike(_ file: DocumentFile, _ name: String) throws -> Bool {
            let path = path.appending(name)
            return try files.exists(path)
                && file.isLike(files.read(path, prefix: DocumentFile.prefixCount))
        }
        // Others may have a file of that name beside a document that is not shared.
        let isOurs = try names.isEmpty || isLike(.membership, SharingMembership.fileName)
        return try names.filter { try isOurs || isLike(.outbox, $0) }
            .compactMap { OutboxName($0)?.base }.sorted()
    }

    /// Whether the document shares its commits.
    ///
    /// - Throws: `DocumentError` where the file is damaged or lost that says so.
    var isShared: Bool {
        get throws {
            if try SharingMembership.read(path, files) != nil { return true }
            guard try !outboxBases().isEmpty else { return false }
            let file = path.appending(SharingMembership.fileName)
            throw try files.exists(file)
                ? DocumentError.notADocument(path: file.description)
                : DocumentError.incomplete(file: file.description)
        }
    }

    /// Reads what the document holds, and the commits that wait for the log of a shared one on top.
    ///
    /// Where others were first, and the commits were not made again yet, it is what there was when they were made, and then
    /// those: that is what the document holds for whoever opens it to write.
    func readWithWaiting(
        _ layout: GraphLayout?, checks: [[Int: ValueCheck]] = [], progress: Progress? = nil
    ) throws -> DocumentContent {
        let names = try fileNames()
        let bases = try outboxBases(among: names)
        let looked = DocumentFollower.LookedFiles(
            bases, JournalName.generations(names).last, in: self)
        // Before the journals, which have what a file has when that goes.
        let found = try bases.map { base in
            (base: base, bytes: try reading(outbox(after: base)) { $0 })
        }
        var content = try read(layout, checks: checks, progress: progress)
        // What others begin on was never there.
        guard let (base, bytes) = found.last(where: { $0.base <= content.commit.number }) else {
            if let (base, _) = found.first {
                throw DocumentError.incomplete(file: outbox(after: base).description)
            }
            return content
        }
        let path = outbox(after: base)
        try DocumentError.naming(path.description) {
            let waiting = try WaitingCommits(bytes, in: self)
            if try !journals(goOnWith: waiting, upTo: content.commit.number) {
                var former = try read(layout, checks: checks, upTo: base)
                former.recovery = content.recovery
                content = former
            }
            try content.add(waiting, of: path, checks, blobs)
        }
        content.looked = looked
        return content
    }

    /// Whether the commits of the journals after the one on which others were made are the first of these.
    func journals(
        goOnWith waiting: WaitingCommits, upTo number: Int
    ) throws -> Bool {
        let base = waiting.header.commit.number
        let records = base < number ? try records(after: base, count: waiting.count) : [:]
        return waiting.begin(asUpTo: number) { records[$0] }
    }

    /// The commits of the journals that come after one, by their numbers.
    private func records(after base: Int, count: Int) throws -> [Int: ChangeRecord] {
        let start = try generations().journals.last {
            try beginning(of: $0).header.commit.number <= base
        }
        var records: [Int: ChangeRecord] = [:]
        try forEachRecord(from: start ?? 0) { line, number in
            guard base < number, number <= base + count else { return }
            records[number] = try ChangeRecord(line: Array(line))
        }
        return records
    }
}

extension DocumentContent {
    /// Makes commits again on top that are not there yet.
    fileprivate mutating func add(
        _ waiting: WaitingCommits, of path: FilePath, _ checks: [[Int: ValueCheck]],
        _ files: BlobFiles
    ) throws {
        let reader = BlobReader(files)
        var replay = JournalReplay(graph, checks: checks, blobs: reader)
        try replay.use(waiting.header)
        let (last, tail) = try waiting.forEachNew(after: commit) { line, bytes, number in
            replay.know(line.values)
            return try replay.apply(bytes, after: number)
        }
        if let tail {
            isTorn = true
            recovery.findings.append(tail.finding(in: path, last))
        }
        guard replay.isChanged else { return }
        // What comes next in the journal does not come after these.
        (confirmed, commit, position) = (commit, last, nil)
        graph = replay.finish()
        blobs.formUnion(reader.references)
    }
}
