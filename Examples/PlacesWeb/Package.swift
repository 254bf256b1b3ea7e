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
    name: "PlacesWeb",
    platforms: [.macOS(.v15)],
    products: ["places-web", "document-web", "web-live"].map {
        .executable(name: $0, targets: [$0])
    },
    dependencies: [
        .package(name: "PlacesKit", path: "../.."),
        .package(name: "Examples", path: ".."),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.0.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.80.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.16.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.6.0"),
    ],
    targets: [
        .target(
            name: "WebSupport",
            dependencies: [
                .product(name: "PlacesKit", package: "PlacesKit"),
                .product(name: "ExampleSupport", package: "Examples"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            resources: ["page.js", "events.js", "page.css", "icon.svg"].map {
                .embedInCode("Assets/\($0)")
            },
            swiftSettings: settings),
        .executableTarget(
            name: "places-web",
            dependencies: [
                "WebSupport",
                .product(name: "PlacesKit", package: "PlacesKit"),
                .product(name: "PlacesKitTesting", package: "PlacesKit"),
                .product(name: "ExampleSupport", package: "Examples"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "NIOCore", package: "swift-nio"),
            ],
            swiftSettings: settings),
        .executableTarget(
            name: "web-live",
            dependencies: [
                "WebSupport",
                .product(name: "PlacesKit", package: "PlacesKit"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            swiftSettings: settings),
        .executableTarget(
            name: "document-web",
            dependencies: [
                "WebSupport",
                .product(name: "PlacesKit", package: "PlacesKit"),
                .product(name: "ExampleSupport", package: "Examples"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "NIOCore", package: "swift-nio"),
            ],
            resources: [
                "document.js", "support.js", "table.js", "completion.js", "map.js", "record.js",
                "history.js", "schema.js", "document.css",
            ].map { .embedInCode("Assets/\($0)") },
            swiftSettings: settings),
    ],
    swiftLanguageModes: [.v6]
)
