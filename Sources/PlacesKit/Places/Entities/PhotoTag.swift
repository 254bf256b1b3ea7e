import PlacesBase
import PlacesGraph

/// A word that describes photos; it is deleted when no photo has it any more.
///
/// All photos together have one as well, whose title is "All".
public final class PhotoTag: ManagedObject {
    /// The name in lower case, without needless spaces; the empty name is that of all photos.
    @Attribute(.unique) public internal(set) var name: String
    /// The text that a list shows: the first spelling that came, which begins in upper case.
    @Attribute public internal(set) var title = ""
    /// The place of the name in the alphabet.
    @Derived(from: \PhotoTag.name, by: Alphabet.key) package var nameKey: String
    /// The photos that have the tag.
    @Relationship public internal(set) var photos: ObjectSet<Photo>
    /// How many photos there are.
    @Derived(count: \PhotoTag.photos, .indexed) public var photoCount: Int

    /// Whether it is the tag that all photos have.
    public var isAll: Bool { name == PhotoTag.allName }

    /// How many photos there are, in words.
    public var subtitle: String { photoCount.counted("photo") }

    /// The name of the tag of all photos: it comes before all others, and no source can give it.
    static let allName = ""

    /// The name of the tag that a source spells in some way.
    static func name(of spelling: String) -> String {
        spelling.split(whereSeparator: \.isWhitespace).joined(separator: " ").lowercased()
    }

    /// The title of the tag that a source spells in some way.
    static func title(of spelling: String) -> String {
        guard spelling != allName else { return "All" }
        let words = spelling.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        return words.prefix(1).uppercased() + words.dropFirst()
    }
}
