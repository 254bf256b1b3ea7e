import ExampleSupport
import Foundation
import HTTPTypes
package import Hummingbird

/// The scripts and styles that are compiled in.
package enum Asset {
    private static let assets: [String: (bytes: [UInt8], type: String)] = [
        "page.js": (PackageResources.page_js, "text/javascript; charset=utf-8"),
        "world.js": (
            Array("export const land = `\(LandOutlines.path)`;\n".utf8),
            "text/javascript; charset=utf-8"
        ),
        "page.css": (PackageResources.page_css, "text/css; charset=utf-8"),
        "icon.svg": (PackageResources.icon_svg, "image/svg+xml"),
    ]

    /// Marks of what the assets are in this build.
    private static let marks = assets.mapValues { asset in
        let hash = asset.bytes.reduce(0xCBF2_9CE4_8422_2325 as UInt64) {
            ($0 ^ UInt64($1)) &* 0x100_0000_01B3
        }
        return "\"\(String(hash, radix: 36))\""
    }

    /// The asset of an address.
    package static func response(_ request: WebRequest) throws -> Response {
        guard let name = request.path.last, let asset = assets[name], let mark = marks[name] else {
            throw HTTPError(.notFound)
        }
        var response =
            request.knownMark == mark
            ? Response(status: .notModified) : .data(Data(asset.bytes), asset.type)
        response.headers[.eTag] = mark
        response.headers[.cacheControl] = "no-cache"
        return response
    }
}
