import PlacesGraph

/// A person who publishes photos.
public final class Photographer: ManagedObject {
    /// The identifier that the photographer's source gave them.
    @Attribute(.unique) public var identifier: String
    /// The name to show.
    @Attribute public var name = ""
    /// The photos that they took.
    @Relationship public var photos: ObjectSet<Photo>
}
