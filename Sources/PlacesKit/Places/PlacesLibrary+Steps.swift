import PlacesGraph

extension PlacesLibrary {
    /// Makes and saves changes as one step, which a person takes back by its name.
    ///
    /// It is saved inside: what a listener changes because of the step is a part of it.
    func step<Result>(_ name: String, _ body: () throws -> Result) throws -> Result {
        try context.undoGroup(named: name) {
            let result = try body()
            try context.save()
            return result
        }
    }
}
