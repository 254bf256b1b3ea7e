/// Why a snapshot, though it is JSON, is not one of this model.
enum SnapshotError: Error {
    case newerFormat(found: Int, supported: Int)
    case differentModel([String])
}
