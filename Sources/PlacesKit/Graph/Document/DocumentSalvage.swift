import Foundation
import PlacesBase

/// Salvaging beside somebody who writes the document.
extension DocumentSalvage {
    /// How often a document is read that somebody else writes all the time.
    static let attemptLimit = 16

    /// Reads a document that is as whoever opens it expects, or what can be read of it.
    static func read(
        _ directory: DocumentDirectory
    ) throws -> (salvage: DocumentSalvage, read: CommittedGraph) {
        var attempt = 0
        while true {
            attempt += 1
            if let whole = whole(in: directory) { return whole }
            var (salvage, read) = try directory.steadily(
                isWhole: { $0.0.report.isSound && !$0.0.hasMissed }
            ) {
                var salvage = DocumentSalvage(directory: directory)
                let read = try salvage.read()
                return (salvage, read)
            }
            if salvage.hasMissed, attempt < attemptLimit { continue }
            if salvage.hasMissed {
                salvage.note(
                    directory.path,
                    """
                    Files went before they were read, for somebody writes the document: what they had may be left \
                    out. Salvage a copy of the folder.
                    """)
            }
            if read.number == 0, salvage.report.objectCount > 0 {
                // No commit is told, but there was one.
                read.commit.number = 1
                salvage.report.lastCommit = 1
            }
            return (salvage, read)
        }
    }

    /// Reads what the document holds, as whoever opens it does: nobody can remove files from under that for long.
    ///
    /// - Returns: What was read; `nil` where the files are not as they should be, or have later commits.
    private static func whole(
        in directory: DocumentDirectory
    ) -> (salvage: DocumentSalvage, read: CommittedGraph)? {
        var salvage = DocumentSalvage(directory: directory)
        let found = try? directory.steadily(isWhole: { $0.content.recovery.isEmpty }) {
            let last = try directory.generations().journals.last.flatMap(salvage.lastCommit)
            let outboxes = try directory.outboxBases().map(directory.outbox)
            let layout = GraphLayout(schema: try directory.newestSchema())
            return (content: try directory.readWithWaiting(layout), last: last ?? 0, outboxes)
        }
        guard let (content, last, outboxes) = found, content.recovery.isEmpty,
            content.generation > 0, content.commit.number >= max(last, 1)
        else { return nil }
        salvage.users = [directory.snapshot(content.generation)] + outboxes
        salvage.report.lastCommit = content.commit.number
        salvage.report.waitingCount = content.waitingCount
        salvage.report.objectCount = content.graph.objectCount
        return (salvage, CommittedGraph(graph: content.graph, commit: content.commit))
    }

    /// Whether somebody who writes the document may have removed bytes of what was read.
    var isOvertaken: Bool { users.contains(where: directory.files.isGone) }

    // MARK: - What is left out

    /// Notes what the manifest names and the folder does not have.
    mutating func noteMissing(
        of manifest: DocumentManifest, _ snapshots: [Int64], _ journals: [Int64]
    ) {
        let generation = manifest.generation
        var files: [FilePath] = []
        if !snapshots.contains(generation) { files.append(directory.snapshot(generation)) }
        if manifest.hasJournal, !journals.contains(generation) {
            files.append(directory.journal(generation))
        }
        for file in files {
            guard directory.files.isGone(file) else {
                hasMissed = true
                continue
            }
            note(file, DocumentError.incomplete(file: file.description).description)
        }
    }

    /// Notes once why a file could not be read, unless it has gone meanwhile.
    mutating func note(_ file: FilePath, failure error: any Error, _ loss: String = "") {
        guard !directory.files.isGone(file) else {
            hasMissed = true
            return
        }
        let problem = DocumentReport.Problem(
            file: file.description, description: "\(loss)\(error)")
        if !report.problems.contains(problem) { report.problems.append(problem) }
    }

    /// The graph without the blobs whose files are damaged or missing.
    mutating func withoutUnreadableBlobs(_ graph: Graph) -> Graph {
        var lost: [Graph.AttributeAddress] = []
        graph.forEachBlob { blob, address in
            do {
                _ = try blob.bytes()
            } catch {
                let object = graph.objectID(address.row, in: address.table)
                let name = graph.layout.tables[address.table].properties[address.slot].name
                let file = directory.blobs.path.description
                report.problems.append(
                    DocumentReport.Problem(
                        file: file, description: "Left out \(name) of \(object): \(error)"))
                lost.append(address)
            }
        }
        if lost.isEmpty { return graph }
        let transaction = Transaction(graph, rows: RowAllocator(tables: graph.tables.count))
        for address in lost {
            let property = graph.layout.tables[address.table].properties[address.slot]
            transaction.write(
                property.attribute?.isOptional ?? true ? .null : .data(Data()), address.row,
                address.slot, in: address.table)
        }
        return transaction.freeze()
    }
}
