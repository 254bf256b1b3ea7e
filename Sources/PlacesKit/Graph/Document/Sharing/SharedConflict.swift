import Foundation
import PlacesBase

/// A commit of this process that was not made again on top of what others committed first.
///
/// Usually it is in no other process, and in no graph any more; after a crash, the document may show it until the log is
/// reached. Look at what it was to change, make that again in another way, and let ``DocumentSharing/dismiss(_:)`` forget it.
/// If a copy of the folder may have shared it (``mayBeShared``), look first whether that is there.
public struct SharedConflict: Sendable, Identifiable {
    /// Which commit it is; the last one, where several became one.
    public let id: SharedCommit.ID
    /// The first of those that became one with it, as far as that is known.
    let earliest: SharedCommit.ID
    /// Why it was refused, for a person.
    public let reason: String
    /// Whether others may have what it was to change; if not, the log did not have it when it was refused.
    ///
    /// It is true if a copy of the folder may have shared the commit, or one that it became together with later ones, and
    /// nothing tells whether it did. Make the change again only where the graph lacks it, or its new objects are there twice.
    public let mayBeShared: Bool
    /// What it was to change.
    public let change: ChangeRecord
    /// Whether somebody has dismissed it, though a file of commits may have it still.
    var isDismissed = false
}

extension SharedConflict {
    init(_ refusal: Rebase.Refusal, _ change: ChangeRecord) {
        (id, earliest) = (refusal.commit.id, refusal.commit.earliest)
        (reason, mayBeShared, self.change) = (refusal.reason, refusal.mayBeShared, change)
    }

    /// Whether a commit of the same folder is one of those that became this one.
    func covers(_ commit: SharedCommit.ID) -> Bool {
        if commit == id || commit == earliest { return true }
        // An opening of a folder has a higher number than all before it.
        func position(_ id: SharedCommit.ID) -> (Int64, Int64) { (id.opening, id.sequence) }
        return position(earliest) <= position(commit) && position(commit) <= position(id)
    }

    private enum Key: String, FileKey {
        case reason, mayBeShared, change, dismissed
        /// The number and the sequence of the opening that made the first of several commits.
        case opening, sequence
        case checksum = "crc"
    }
    private static let keys = FileKeys<Key>()

    /// A line that says the same.
    var line: [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.write(reason, for: Key.reason)
        if mayBeShared {
            writer.write(true, for: Key.mayBeShared)
        }
        writer.write(earliest.opening, for: Key.opening)
        writer.write(earliest.sequence, for: Key.sequence)
        if isDismissed {
            writer.write(true, for: Key.dismissed)
        }
        writer.write(String(decoding: change.line, as: UTF8.self), for: Key.change)
        writer.endObject()
        return JournalLine.seal(writer.bytes)
    }

    /// The conflict of a line.
    init(line: [UInt8]) throws {
        var (reason, change) = ("", "")
        var (opening, sequence) = (Int64?.none, Int64?.none)
        var (mayBeShared, isDismissed) = (false, false)
        try JSONReader.read(line) { json in
            try json.beginObject()
            while let key = try json.nextKey(in: Self.keys) {
                switch key {
                case .reason: reason = try json.readString()
                case .mayBeShared: mayBeShared = try json.readBool()
                case .opening: opening = try json.readInt64()
                case .sequence: sequence = try json.readInt64()
                case .dismissed: isDismissed = try json.readBool()
                case .change: change = try json.readString()
                case .checksum: try json.skipValue()
                }
            }
        }
        let record = try ChangeRecord(line: Array(change.utf8))
        id = try SharedCommit(line: Data(record.line)).id
        // Earlier versions wrote none.
        if let opening, let sequence, line.withUnsafeBytes(JournalLine.isWhole) {
            earliest = SharedCommit.ID(opening: opening, sequence: sequence)
        } else {
            earliest = id
        }
        (self.reason, self.change) = (reason, record)
        (self.mayBeShared, self.isDismissed) = (mayBeShared, isDismissed)
    }
}
