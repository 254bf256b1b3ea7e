import Foundation
import PlacesKit
import Testing

/// A fault that a photo source may have, and how to plant it.
struct PlantedFault: Sendable, CustomTestStringConvertible {
    let name: String
    let plant: @Sendable (inout SpoiltPhotoSource) -> Void

    init(_ name: String, _ plant: @escaping @Sendable (inout SpoiltPhotoSource) -> Void) {
        self.name = name
        self.plant = plant
    }

    var testDescription: String { name }

    /// A fault in each photo, wherever it is listed.
    static func inPhotos(
        _ name: String, _ change: @escaping @Sendable (inout PhotoRecord) -> Void
    ) -> PlantedFault {
        PlantedFault(name) { source in
            source.spoilPhotos = { photos in
                photos.map { photo in
                    var photo = photo
                    change(&photo)
                    return photo
                }
            }
        }
    }

    /// A fault in each page of a search that can be meant.
    static func inPages(
        _ name: String, _ change: @escaping @Sendable (inout PhotoPage) -> Void
    ) -> PlantedFault {
        PlantedFault(name) { source in
            source.page = { area, number, perPage in
                var page = try await base.photos(in: area, page: number, perPage: perPage)
                change(&page)
                return page
            }
        }
    }

    /// A fault in the choice of a page's photos out of all that lie in the area.
    static func inChoice(
        _ name: String,
        _ choose: @escaping @Sendable ([PhotoRecord], _ page: Int, _ perPage: Int) -> [PhotoRecord]
    ) -> PlantedFault {
        PlantedFault(name) { source in
            source.page = { area, number, perPage in
                var page = try await base.photos(in: area, page: number, perPage: perPage)
                let all = try await base.photos(in: area, page: 1, perPage: 4_000).photos
                if number <= page.usablePages { page.photos = choose(all, number, perPage) }
                return page
            }
        }
    }

    static let base = SpoiltPhotoSource.base

    static let all = pages + lists + records + photos + errors + cancellation + state
}
