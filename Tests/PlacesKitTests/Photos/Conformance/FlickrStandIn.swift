import Foundation
import PlacesKit
import PlacesKitTesting

/// Answers as Flickr does today: the list of top places is empty, and names come with single photos only.
struct FlickrStandIn: Sendable {
    let world: StandInWorld

    func answer(_ request: LoopbackServer.Request) -> LoopbackReply {
        guard let method = request.queryValue("method") else {
            return .image(.picture(request.target))
        }
        switch method {
        case "flickr.places.getTopPlacesList":
            return StandInWorld.reply(["places": ["total": 0, "place": [Any]()], "stat": "ok"])
        case "flickr.photos.search": return search(request)
        default: return about(request.queryValue("photo_id"), method)
        }
    }

    private func search(_ request: LoopbackServer.Request) -> LoopbackReply {
        let perPage = Int(request.queryValue("per_page") ?? "") ?? 100
        let page = Int(request.queryValue("page") ?? "") ?? 1
        let isOfUnknownPlace = request.queryValue("place_id") != nil
        let found =
            isOfUnknownPlace
            ? [] : area(request).map(world.numbers) ?? Array(world.photos.indices)
        let shown = found.dropFirst((page - 1) * perPage).prefix(perPage)
        return StandInWorld.reply([
            "photos": [
                "page": page, "pages": "\((found.count + perPage - 1) / perPage)",
                "perpage": perPage, "total": "\(found.count)", "photo": shown.map(element),
            ], "stat": "ok",
        ])
    }

    private func area(_ request: LoopbackServer.Request) -> CoordinateArea? {
        let edges = request.numbers("bbox", separator: ",")
        if edges.count == 4 {
            return .box(
                CoordinateBox(
                    southwest: Coordinate(latitude: edges[1], longitude: edges[0]),
                    northeast: Coordinate(latitude: edges[3], longitude: edges[2])))
        }
        guard let latitude = request.numbers("lat", separator: ",").first,
            let longitude = request.numbers("lon", separator: ",").first,
            let radius = request.numbers("radius", separator: ",").first
        else { return nil }
        return .circle(
            center: Coordinate(latitude: latitude, longitude: longitude), kilometers: radius)
    }

    private func about(_ identifier: String?, _ method: String) -> LoopbackReply {
        guard let identifier, let number = Int(identifier), world.photos.indices.contains(number)
        else {
            return StandInWorld.reply(["stat": "fail", "code": 1, "message": "Photo not found"])
        }
        switch method {
        case "flickr.photos.getSizes":
            let sizes = [75, 500].map { edge in
                [
                    "label": edge == 75 ? "Square" : "Medium", "width": edge, "height": "\(edge)",
                    "source": "https://live.staticflickr.com/1/\(number)_s_\(edge).jpg",
                ] as [String: Any]
            }
            return StandInWorld.reply(["sizes": ["size": sizes], "stat": "ok"])
        default:
            var element = element(number)
            let names = world.photos[number].placeNames
            element["location"] = [
                "latitude": element["latitude"] ?? "", "longitude": element["longitude"] ?? "",
                "accuracy": "16", "locality": ["_content": names?.locality ?? ""],
                "region": ["_content": names?.region ?? ""],
                "country": ["_content": names?.country ?? ""],
            ]
            return StandInWorld.reply(["photo": element, "stat": "ok"])
        }
    }

    private func element(_ number: Int) -> [String: Any] {
        let photo = world.photos[number]
        return [
            "id": "\(number)", "owner": photo.owner.identifier, "ownername": photo.owner.name,
            "secret": "s", "server": "1", "title": photo.title, "license": 4,
            "description": ["_content": photo.caption],
            "dateupload": "\(Int(photo.uploaded?.timeIntervalSince1970 ?? 0))",
            "latitude": "\(photo.coordinate?.latitude ?? 0)",
            "longitude": "\(photo.coordinate?.longitude ?? 0)", "accuracy": "16",
        ]
    }
}
