import PlacesKit

final class Place: ManagedObject {
    @Attribute(.unique) var name: String
    @Attribute var country = ""
    @Relationship var photos: ObjectSet<Photo>
}
