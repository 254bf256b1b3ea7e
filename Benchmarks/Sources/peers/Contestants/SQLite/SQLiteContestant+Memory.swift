extension SQLiteContestant {
    /// A database of a world, and nothing besides.
    static func makeDatabase(of world: World) throws -> SQLiteConnection {
        let connection = try makeEmpty()
        try insert(world, into: connection)
        return connection
    }
}
