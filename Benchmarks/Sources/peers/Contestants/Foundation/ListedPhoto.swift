import Foundation
import PlainModel

/// A photo as a plain class, in an array: what an application without any library would search.
final class ListedPhoto {
    let uniqueID: String
    let title: String
    let views: Int
    let dateUploaded: Date
    let photographer: String
    let takenAt: PlainPlace

    init(_ sample: PhotoSample, at place: PlainPlace) {
        uniqueID = sample.uniqueID
        title = sample.title
        views = sample.views
        dateUploaded = sample.dateUploaded
        photographer = sample.photographer
        takenAt = place
    }

    /// The photos of a world.
    static func list(_ world: World) -> [ListedPhoto] {
        let places = world.places.map { PlainPlace(name: $0.name, country: $0.country) }
        return world.photos.map { ListedPhoto($0, at: places[$0.place]) }
    }
}
