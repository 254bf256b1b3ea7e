import PlacesGraph

/// A place that somebody has dropped a pin on.
final class Spot: ManagedObject {
    @Attribute(.unique) var name: String
    @Attribute(.range(-90...90)) var latitude = 0.0
    @Attribute(.range(-180...180)) var longitude = 0.0
    @Attribute var note = ""

    /// How a line of the terminal shows it.
    var line: String {
        "\(name) at \(latitude), \(longitude)" + (note.isEmpty ? "" : ": \(note)")
    }
}
