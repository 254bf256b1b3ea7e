import Foundation
import PlacesKit
import PlacesKitTesting

/// Answers as Wikimedia Commons does.
struct CommonsStandIn: Sendable {
    let world: StandInWorld

    func answer(_ request: LoopbackServer.Request) -> LoopbackReply {
        guard request.headers["user-agent"]?.contains("https://example.org/tests") == true else {
            return .html("<html>Set a user agent</html>", status: 403)
        }
        if request.queryValue("action") == nil {
            return .image(.picture(request.target))
        }
        if request.queryValue("list") == "geosearch" { return files(request) }
        if request.queryValue("generator") == "allimages" { return uploads(request) }
        let numbers = request.numbers("pageids", separator: "|").map { Int($0) - 1 }
        return StandInWorld.reply(["batchcomplete": true, "query": ["pages": numbers.map(page)]])
    }

    private func files(_ request: LoopbackServer.Request) -> LoopbackReply {
        let point = request.numbers("gscoord", separator: "|")
        let edges = request.numbers("gsbbox", separator: "|")
        let area: CoordinateArea =
            edges.count == 4
            ? .box(
                CoordinateBox(
                    southwest: Coordinate(latitude: edges[2], longitude: edges[1]),
                    northeast: Coordinate(latitude: edges[0], longitude: edges[3])))
            : .circle(
                center: Coordinate(latitude: point[0], longitude: point[1]),
                kilometers: (request.numbers("gsradius", separator: "|").first ?? 0) / 1_000)
        let found = world.numbers(in: area).prefix(500)
        return StandInWorld.reply([
            "batchcomplete": true, "query": ["geosearch": found.map { hit($0) }],
        ])
    }

    private func hit(_ number: Int) -> [String: Any] {
        let coordinate = world.photos[number].coordinate
        return [
            "pageid": number + 1, "ns": 6, "title": "File:Sample \(number).jpg",
            "lat": coordinate?.latitude ?? 0, "lon": coordinate?.longitude ?? 0,
            "country": NSNull(),
        ]
    }

    private func uploads(_ request: LoopbackServer.Request) -> LoopbackReply {
        let start = Int(request.queryValue("gaicontinue") ?? "") ?? 0
        // The pages of a reply are in the order of their numbers, here the oldest upload first.
        let shown = world.photos.indices.dropFirst(start).prefix(60).reversed()
        return StandInWorld.reply([
            "batchcomplete": true,
            "continue": ["gaicontinue": "\(start + 60)", "continue": "gaicontinue||"],
            "query": ["pages": shown.map(page)],
        ])
    }

    private func page(_ number: Int) -> [String: Any] {
        guard world.photos.indices.contains(number) else {
            return ["pageid": number + 1, "missing": true]
        }
        let photo = world.photos[number]
        let name = "Sample_\(number).jpg"
        let base = "https://upload.wikimedia.org/wikipedia/commons"
        let thumbs = "https://thumb.wikimedia.org/wikipedia/commons/thumb/a/ab/\(name)"
        let metadata: [String: Any] = [
            "Artist": ["value": "<a href=\"//x\">\(photo.owner.name)</a>"],
            "ImageDescription": ["value": photo.caption],
            "LicenseShortName": ["value": "CC BY 4.0"],
            "CommonsMetadataExtension": ["value": 1.2],
        ]
        let info: [String: Any] = [
            "url": "\(base)/a/ab/\(name)", "thumburl": "\(thumbs)/960px-\(name)",
            "thumbwidth": 960, "thumbheight": 720,
            "descriptionurl": "https://commons.wikimedia.org/wiki/File:\(name)", "width": 1600,
            "height": 1200, "mime": "image/jpeg", "user": photo.owner.identifier,
            "timestamp": photo.uploaded?.ISO8601Format() ?? "", "extmetadata": metadata,
        ]
        return [
            "pageid": number + 1, "title": "File:Sample \(number).jpg", "imageinfo": [info],
            "thumbnail": ["source": "\(thumbs)/330px-\(name)", "width": 330, "height": 248],
            "coordinates": [
                [
                    "lat": photo.coordinate?.latitude ?? 0,
                    "lon": photo.coordinate?.longitude ?? 0, "primary": true, "globe": "earth",
                ]
            ],
        ]
    }
}
