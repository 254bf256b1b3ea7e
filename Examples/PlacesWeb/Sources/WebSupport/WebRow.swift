/// What a browser shows of an object in a list.
package struct WebRow: Encodable, Sendable {
    /// What tells the row from others.
    package var id: String
    /// The first line.
    package var title: String
    /// The second line.
    package var subtitle: String?
    /// Where choosing the row leads.
    package var path: String?
    /// Where the small picture is.
    package var picture: String?
    /// Whether the row can be deleted.
    package var isDeletable = false
    /// Whether it is a favorite, where that is shown.
    package var isFavorite: Bool?
    /// How far it is, where that is shown: a word that the style sheet knows.
    package var state: String?
    /// Degrees north of the equator.
    package var latitude: Double?
    /// Degrees east of Greenwich.
    package var longitude: Double?

    /// Makes a row with a title.
    package init(id: String, title: String) { (self.id, self.title) = (id, title) }
}
