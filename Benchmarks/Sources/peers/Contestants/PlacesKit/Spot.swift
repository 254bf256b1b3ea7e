import PlacesKit

/// A photo on a map.
final class Spot: ManagedObject {
    @Attribute(.unique) var uniqueID: String
    @Attribute var views = 0
    @Composite var coordinate: Coordinate

    override class var constraints: [EntityConstraint] { [.spatialIndex(\Spot.coordinate)] }

    /// A context with the photos of a world.
    static func loaded(with world: World) throws -> ManagedObjectContext {
        let context = ManagedObjectContext(try GraphStore(model: [Spot.self]))
        for sample in world.photos {
            let spot = Spot(context: context)
            spot.uniqueID = sample.uniqueID
            spot.views = sample.views
            spot.coordinate = Coordinate(
                latitude: sample.latitude, longitude: sample.longitude)
        }
        try context.save()
        return context
    }
}
