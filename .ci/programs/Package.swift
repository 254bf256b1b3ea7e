// swift-tools-version: 6.2

import PackageDescription

/// The programs of several nested packages, so that the library is built once for all of them:
/// `swift build --package-path .ci/programs --product places-web`.
let package = Package(
    name: "Programs",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "PlacesWeb", path: "../../Examples/PlacesWeb"),
        .package(name: "SQLiteReplica", path: "../../Examples/SQLiteReplica"),
        .package(name: "SharedPlaces", path: "../../Examples/SharedPlaces"),
    ],
    targets: [
        .plugin(
            name: "Programs", capability: .buildTool(),
            dependencies: [
                .product(name: "places-web", package: "PlacesWeb"),
                .product(name: "document-web", package: "PlacesWeb"),
                .product(name: "web-live", package: "PlacesWeb"),
                .product(name: "sqlite-replica", package: "SQLiteReplica"),
                .product(name: "shared-places", package: "SharedPlaces"),
            ],
            path: "Programs")
    ],
    swiftLanguageModes: [.v6]
)
