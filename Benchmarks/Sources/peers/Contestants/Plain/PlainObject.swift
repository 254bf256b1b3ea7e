import PlainModel

/// What the loops over plain objects need of them.
protocol PlainObject: AnyObject {
    init(uniqueID: String)
    var views: Int { get set }
}

extension PlainPhoto: PlainObject {}

extension PlainObject {
    /// The photos of a world; what the loops do not read keeps its default.
    static func makeAll(in world: World) -> [Self] {
        world.photos.map { sample in
            let photo = Self(uniqueID: sample.uniqueID)
            photo.views = sample.views
            return photo
        }
    }

    /// Reads the views of all photos.
    static func reading(in world: World) -> Trial {
        let photos = makeAll(in: world)
        return { round in
            round.measure { sumOfViews(photos) }
        }
    }

    /// Writes the views of all photos, other ones in each round.
    static func writing(in world: World) -> Trial {
        let photos = makeAll(in: world)
        return { round in
            var views = round.number
            round.measure {
                for photo in photos {
                    photo.views = views
                    views &+= 3
                }
            }
            return sumOfViews(photos)
        }
    }

    private static func sumOfViews(_ photos: [Self]) -> Checksum {
        var checksum = Checksum()
        for photo in photos {
            checksum.add(photo.views)
        }
        return checksum
    }
}
