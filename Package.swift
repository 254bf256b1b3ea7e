// swift-tools-version: 6.2

import Foundation
import PackageDescription

/// Warnings stop the checks (`PLACESKIT_STRICT=1`), never the build of somebody who depends on us:
/// a newer compiler may warn of more.
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
    name: "PlacesKit",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "PlacesKit", targets: ["PlacesKit"]),
        .library(name: "PlacesKitTesting", targets: ["PlacesKitTesting"]),
    ],
    targets: [
        .target(name: "PlacesKit", swiftSettings: settings),
        .target(
            name: "PlacesKitTesting", dependencies: ["PlacesKit"], swiftSettings: settings),
        .testTarget(
            name: "PlacesKitTests",
            dependencies: ["PlacesKit", "PlacesKitTesting"],
            swiftSettings: settings),
    ],
    swiftLanguageModes: [.v6]
)
