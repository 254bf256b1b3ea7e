public import Foundation
import PlacesGraph

/// The memory of a photo that a person deleted, so that no fetch brings it back.
public final class DeletedPhoto: ManagedObject {
    /// The identifier that the photo's source gave it.
    @Attribute(.unique) public internal(set) var uniqueID: String
    /// The title that the photo had.
    @Attribute public internal(set) var title = ""
    /// When it was deleted.
    @Attribute(.indexed) public internal(set) var date = Date.distantPast
}
