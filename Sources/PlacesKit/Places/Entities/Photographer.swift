import PlacesGraph

/// Somebody who publishes photos.
public final class Photographer: ManagedObject {
    /// The identifier that the photographer's source gave them.
    @Attribute(.unique) public var identifier: String
    /// The name that they show.
    @Attribute public var name = ""
    /// The photos that they took.
    @Relationship public var photos: ObjectSet<Photo>
}
