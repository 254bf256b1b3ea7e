import PlacesKit

extension PlacesKitContestant {
    /// A store of a world, in strings that nobody else holds, and nothing besides.
    static func makeStore(of world: World) throws -> GraphStore {
        let store = try makeEmpty()
        try insert(world.copied(), into: store)
        return store
    }
}
