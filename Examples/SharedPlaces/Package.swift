// swift-tools-version: 6.2

import Foundation
import PackageDescription

// A package of its own, so that only who wants it needs PostgreSQL's library (libpq-dev).
let strict: [SwiftSetting] =
    ProcessInfo.processInfo.environment["PLACESKIT_STRICT"] == nil
    ? [] : [.treatAllWarnings(as: .error)]

let settings: [SwiftSetting] =
    [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
    ] + strict

let package = Package(
    name: "SharedPlaces",
    platforms: [.macOS(.v15)],
    products: [.executable(name: "shared-places", targets: ["shared-places"])],
    dependencies: [.package(name: "PlacesKit", path: "../..", traits: ["Postgres"])],
    targets: [
        .executableTarget(
            name: "shared-places",
            dependencies: [
                .product(name: "PlacesGraph", package: "PlacesKit"),
                .product(name: "PlacesPostgres", package: "PlacesKit"),
            ],
            swiftSettings: settings)
    ],
    swiftLanguageModes: [.v6]
)
