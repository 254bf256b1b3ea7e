import PlacesBase

/// What PlacesKit puts into a document's folder, and how it is told from what others have put there.
///
/// Nothing else is changed or removed.
enum DocumentFile {
    case manifest
    case snapshot(SnapshotName)
    case journal(JournalName)
    case blobs
    case lock
    /// Which numbers a shared document gives out, and what could not be shared.
    case membership
    case conflicts
    /// Commits that a shared log may not have.
    case outbox

    static let manifestName = "manifest.json"
    static let lockName = "lock"
    /// How long a manifest may be.
    static let manifestLimit = 1 << 16
    /// How many of the first bytes of a file tell what it is.
    static let prefixCount = 1 << 10

    /// What has a name; `nil` for what is not ours.
    init?(_ name: String) {
        switch name {
        case Self.manifestName: self = .manifest
        case Self.lockName: self = .lock
        case BlobFiles.directoryName: self = .blobs
        case SharingMembership.fileName: self = .membership
        case RefusedCommits.fileName: self = .conflicts
        default:
            if OutboxName(name) != nil {
                self = .outbox
            } else if let name = SnapshotName(name) {
                self = .snapshot(name)
            } else if let name = JournalName(name) {
                self = .journal(name)
            } else {
                return nil
            }
        }
    }

    /// Whether a replacement of a file of this name may have left a temporary one.
    static func isReplaced(_ name: String) -> Bool {
        switch DocumentFile(name) {
        case .manifest, .snapshot, .journal, .membership, .conflicts, .outbox: true
        case .blobs, .lock, nil: false
        }
    }

    /// Whether a file may have been written by PlacesKit, by its first bytes.
    func isLike(_ start: [UInt8]) -> Bool {
        switch self {
        case .manifest: DocumentManifest.isLike(start)
        case .snapshot:
            start.starts(with: BinaryPropertyListReader.header)
                || String(decoding: start, as: UTF8.self).contains("placeskit")
        case .journal, .membership, .outbox: start.starts(with: #"{"placeskit":"#.utf8)
        case .conflicts: start.starts(with: #"{"reason":"#.utf8)
        case .lock: LockContent.isLike(start)
        case .blobs: false
        }
    }

    /// Whether a snapshot or journal that begins so may be read on: its first character is one of theirs.
    static func isReadable(_ start: [UInt8]) -> Bool {
        guard let first = start.first(where: { $0 > 0x20 }) else { return false }
        return first == 0xEF || #"{<b"#.utf8.contains(first)
    }
}
