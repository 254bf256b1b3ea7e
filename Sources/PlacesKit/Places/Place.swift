/// A place where photos are taken.
public final class Place: ManagedObject {
    /// The identifier that the place's source gave it.
    @Attribute(.unique) public var identifier: String
    /// The full name, from near to far.
    @Attribute public var name = ""
    /// What a list shows first: the first part of the name.
    @Attribute public var title = ""
    /// What a list shows below: the middle parts of the name.
    @Attribute public var subtitle = ""
    /// The section of a list that the place belongs into: the last part of the name.
    @Attribute public var country = ""
    /// The place's rank in the list of top places; `nil` when it is not one of them now.
    @Attribute public var rank: Int?
    /// The photos taken there.
    @Relationship public var photos: ObjectSet<Photo>
}

extension Place {
    /// Takes over what a source says of the place.
    func update(from record: PlaceRecord) {
        name = record.name
        title = record.title
        subtitle = record.subtitle
        country = record.section
    }

    /// The place in the terms of its source.
    var record: PlaceRecord { PlaceRecord(identifier: identifier, name: name) }
}
