import ExampleSupport
import Foundation
import HTTPTypes
package import Hummingbird

/// A script, a style or a picture that is compiled in.
package struct Asset: Sendable {
    private let bytes: Data
    private let type: String
    /// A mark of what the asset is in this build.
    private let mark: String

    /// Makes an asset; its name tells its media type.
    package init(_ name: String, _ bytes: [UInt8]) {
        self.bytes = Data(bytes)
        type =
            switch (name as NSString).pathExtension {
            case "js": "text/javascript; charset=utf-8"
            case "css": "text/css; charset=utf-8"
            case "svg": "image/svg+xml"
            default: "application/octet-stream"
            }
        let hash = bytes.reduce(0xCBF2_9CE4_8422_2325 as UInt64) {
            ($0 ^ UInt64($1)) &* 0x100_0000_01B3
        }
        mark = "\"\(String(hash, radix: 36))\""
    }

    /// What all sites have.
    private static let shared = named([
        "page.js": PackageResources.page_js, "events.js": PackageResources.events_js,
        "page.css": PackageResources.page_css, "icon.svg": PackageResources.icon_svg,
        "world.js": Array("export const land = `\(LandOutlines.path)`;\n".utf8),
    ])

    /// Assets by their names.
    package static func named(_ assets: [String: [UInt8]]) -> [String: Asset] {
        Dictionary(uniqueKeysWithValues: assets.map { ($0.key, Asset($0.key, $0.value)) })
    }

    /// The asset of an address: one that all sites have, or one of a site's own.
    package static func response(
        _ request: WebRequest, _ own: [String: Asset] = [:]
    ) throws -> Response {
        guard request.path.count == 2, let asset = own[request.path[1]] ?? shared[request.path[1]]
        else {
            throw HTTPError(.notFound)
        }
        var response =
            request.knownMark == asset.mark
            ? Response(status: .notModified) : .data(asset.bytes, asset.type)
        response.headers[.eTag] = asset.mark
        response.headers[.cacheControl] = "no-cache"
        return response
    }
}
