import ArgumentParser
import ExampleSupport
import Foundation
import PlacesKit

struct Diff: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Compares two documents, or two commits of one.",
        discussion: """
            Lines that begin with + are objects that only the second has, with - those that only \
            the first has, and with ~ those that differ. An object is known by its entity and \
            number, so the documents should have been one once.

              document-inspector diff Photos@3 Photos@7
            """)

    @Argument(help: "The first document.") var first: DocumentArgument
    @Argument(help: "The second document.") var second: DocumentArgument
    @Flag(help: "Print no more than how many objects differ.") var summary = false
    @Option(
        help: ArgumentHelp(
            "Write the difference as a page to keep; - for standard output.", valueName: "file"))
    var html: String?

    func run() async throws {
        try await reportingErrors {
            let (old, new) = (try await first.open(), try await second.open())
            let schema = new.schema.differences(from: old.schema)
            let changes = new.changes(since: old)
            if let html {
                let page = DiffPage(
                    title: "\(first.text) → \(second.text)", old: old, new: new, changes: changes,
                    schema: schema)
                try OutputFile.write(Data(try page.html().utf8), to: html)
            } else if !summary {
                for line in schema { print(line.forTerminal) }
                for id in changes.deleted { print("- \(id)".forTerminal) }
                for id in changes.inserted { print("+ \(id)".forTerminal) }
                for change in changes.updated { show(change) }
            }
            if html != "-" { print(changes.words) }
            if !changes.isEmpty || !schema.isEmpty { throw Outcome.findings }
        }
    }

    private func show(_ change: ObjectChange) {
        print("~ \(change.object)".forTerminal)
        for property in change.properties {
            print("    \(property.name): \(property.values.text)".forTerminal)
        }
    }
}

extension SnapshotChanges {
    /// How many objects differ.
    var words: String {
        "\(inserted.count) inserted, \(deleted.count) deleted, \(updated.count) changed"
    }
}

extension PropertyChange.Values {
    /// What changed, in a line.
    fileprivate var text: String {
        switch self {
        case .attribute(let old, let new): "\(old.words) → \(new.words)"
        case .toOne(let old, let new):
            "\(old?.description ?? "nil") → \(new?.description ?? "nil")"
        case .toMany([], []): "in another order"
        case .toMany(let inserted, let removed):
            (removed.map { "-\($0)" } + inserted.map { "+\($0)" }).joined(separator: " ")
        }
    }
}

extension Datum {
    /// The value as a person reads it.
    fileprivate var words: String {
        if case .date(let date) = self { date.exactLocalText } else { description }
    }
}

extension Schema {
    /// What entities and properties one of two schemas has alone, a line each.
    fileprivate func differences(from old: Schema) -> [String] {
        var lines: [String] = []
        for entity in old.entities where self.entity(named: entity.name) == nil {
            lines.append("- entity \(entity.name)")
        }
        for entity in entities {
            guard let former = old.entity(named: entity.name) else {
                lines.append("+ entity \(entity.name)")
                continue
            }
            let (names, formerNames) = (
                Set(entity.properties.map(\.name)), Set(former.properties.map(\.name))
            )
            lines += former.properties.map(\.name).filter { !names.contains($0) }
                .map { "- property \(entity.name).\($0)" }
            lines += entity.properties.map(\.name).filter { !formerNames.contains($0) }
                .map { "+ property \(entity.name).\($0)" }
        }
        return lines
    }
}
