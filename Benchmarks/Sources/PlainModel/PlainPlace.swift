/// A place as a plain class: what an application without any library would write.
public final class PlainPlace {
    /// What it is called.
    public var name: String

    /// Where it is.
    public var country: String

    /// Makes a place.
    public init(name: String, country: String) {
        self.name = name
        self.country = country
    }
}
