// swift-tools-version: 6.2

import Foundation
import PackageDescription

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
    name: "Examples",
    platforms: [.macOS(.v15)],
    products: [.library(name: "ExampleSupport", targets: ["ExampleSupport"])],
    dependencies: [
        .package(name: "PlacesKit", path: ".."),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
    ],
    targets: [
        .target(
            name: "ExampleSupport",
            dependencies: [
                .product(name: "PlacesKit", package: "PlacesKit"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: settings),
        .executableTarget(
            name: "first-steps",
            dependencies: [.product(name: "PlacesKit", package: "PlacesKit")],
            swiftSettings: settings),
    ]
        + [
            "top-places", "favorite-places", "top-regions", "virtual-tourist", "document-inspector",
        ].map { name in
            .executableTarget(
                name: name,
                dependencies: [
                    "ExampleSupport",
                    .product(name: "PlacesKit", package: "PlacesKit"),
                    .product(name: "ArgumentParser", package: "swift-argument-parser"),
                ],
                swiftSettings: settings)
        },
    swiftLanguageModes: [.v6]
)
