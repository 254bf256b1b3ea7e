import Foundation

/// Finds the places where most photos are taken.
///
/// `flickr.places.getTopPlacesList` used to return them in one call, but since about 2021 its list
/// has been empty. If it is, the photos of the last day are grouped by place, and one of the
/// newest photos of each of the largest groups gives the place its name.
struct FlickrTopPlaces: Sendable {
    let client: FlickrClient
    let now: @Sendable () -> Date
    let namer: FlickrPlaceNamer
    var sampleSize = 1_000
    var placeLimit = 20

    private static let method = "flickr.places.getTopPlacesList"
    private static let localityType = "7"

    func places() async throws -> [PlaceRecord] {
        let listed = try await listedPlaces()
        guard listed.isEmpty else { return listed }
        let found = try await placesOfRecentPhotos()
        guard !found.isEmpty else {
            throw PhotoSourceError.unavailable(
                reason: .methodReturnsNothing(
                    provider: FlickrPhotoSource.providerName, method: Self.method))
        }
        return found
    }

    private func listedPlaces() async throws -> [PlaceRecord] {
        do {
            let reply = try await client.call(Self.method, [("place_type_id", Self.localityType)])
            return try reply.content("places")["place"].elements.compactMap {
                PlaceRecord(flickr: $0)
            }
        } catch PhotoSourceError.service(let failure)
            where failure.code == "\(FlickrErrorCode.methodNotFound)"
        {
            return []
        }
    }

    private func placesOfRecentPhotos() async throws -> [PlaceRecord] {
        let photos = try await FlickrSearch(client: client).newest(sampleSize, ofDayBefore: now())
        var places: [PlaceRecord] = []
        var positions: [String: Int] = [:]
        for group in largestGroups(of: photos) {
            let newest = Array(group.photos.prefix(3))
            guard let name = try await namer.names(of: group.key, byAnyOf: newest)?.fullName else {
                continue
            }
            if let position = positions[name] {
                places[position].photoCount? += group.photos.count
            } else {
                positions[name] = places.count
                places.append(
                    PlaceRecord(
                        identifier: group.key.identifier, name: name,
                        coordinate: group.photos.first?.coordinate,
                        photoCount: group.photos.count))
            }
        }
        return places
    }

    private struct Group {
        let key: FlickrPlaceKey
        let photos: [PhotoRecord]
    }

    /// The photos grouped by place, largest group first, and newest photo first in each group.
    private func largestGroups(of photos: [PhotoRecord]) -> [Group] {
        let groups = Dictionary(grouping: photos.filter { $0.coordinate != nil }) { photo in
            photo.placeIdentifier.flatMap { FlickrPlaceKey(identifier: $0) }
                ?? photo.coordinate.map { FlickrPlaceKey(cellOf: $0) }
        }
        return
            groups
            .compactMap { key, photos in key.map { Group(key: $0, photos: photos) } }
            .sorted { ($1.photos.count, $0.key.identifier) < ($0.photos.count, $1.key.identifier) }
            .prefix(placeLimit)
            .map { $0 }
    }
}
