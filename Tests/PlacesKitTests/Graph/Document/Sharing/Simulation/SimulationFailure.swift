/// What a simulation found.
struct SimulationFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
