import PlacesBase

// A graph that was salvaged may lack objects that the journal goes on with.

extension JournalReplay {
    /// Leaves out what an object is missing for, unless that is an error.
    func lose(_ error: JSONError) throws {
        guard let onLoss else { throw error }
        onLoss(error)
    }

    /// The row of an object that exists; `nil` if it is lost.
    func rowUnlessLost(
        _ json: inout JSONReader, in table: TableNumber, of entity: String
    ) throws -> Row? {
        do {
            return try row(&json, in: table, of: entity)
        } catch let error as JSONError {
            try lose(error)
            return nil
        }
    }

    /// Reads an element of an array, or passes it if an object of it is lost.
    mutating func readElement(
        from json: inout JSONReader,
        _ read: (inout JournalReplay, inout JSONReader) throws -> Void
    ) throws {
        let (offset, depth) = (json.offset, json.depth)
        do {
            try read(&self, &json)
        } catch let error as JSONError {
            try lose(error)
            (json.offset, json.depth, json.isAtFirstElement) = (offset, depth, false)
            try json.skipValue()
        }
    }
}
