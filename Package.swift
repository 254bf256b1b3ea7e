// swift-tools-version: 6.2

import Foundation
import PackageDescription

/// Warnings stop the checks (`PLACESKIT_STRICT=1`), never the build of somebody who depends on us:
/// a newer compiler may warn of more.
let strict: [SwiftSetting] =
    ProcessInfo.processInfo.environment["PLACESKIT_STRICT"] == nil
    ? [] : [.treatAllWarnings(as: .error)]

/// The checks test the library as it is optimised (`PLACESKIT_OPTIMIZED=1`), but for its assertions.
///
/// What runs at random takes a fifth of the time. Tests are compiled as for debugging, which is five times as fast.
let optimized: [SwiftSetting] =
    ProcessInfo.processInfo.environment["PLACESKIT_OPTIMIZED"] == nil
    ? [] : [.unsafeFlags(["-O", "-assert-config", "Debug"])]

/// The tests of what happens on several threads at a time, and what they need, for the thread sanitizer
/// (`PLACESKIT_THREADS=1`): all tests take four times as long to build, and most of them run on one thread.
let threads = [
    "PlacesKitTests": [
        "Graph/Document/DocumentModel.swift",
        "Graph/Document/DocumentRandom.swift",
        "Graph/Document/ManagedDocumentOptions.swift",
        "Graph/Objects/AnimalModel.swift",
        "Graph/Objects/Merging/AutomaticMergeTests.swift",
        "Graph/Objects/Merging/SaveConflictTests.swift",
        "Graph/Objects/Store/ConcurrencyTests.swift",
        "Graph/Objects/Store/PerformTests.swift",
        "Graph/Objects/Store/SnapshotTests.swift",
        "Graph/Objects/Store/StoreTransactionTests.swift",
        "Graph/Objects/TownModel.swift",
        "Graph/Query/Specimen.swift",
        "Gate.swift",
        "MainThread.swift",
        "SeededGenerator.swift",
        "Unexpected.swift",
        "Waiting.swift",
    ],
    "PlacesKitInternalTests": [
        "Base/TurnstileTests.swift",
        "Graph/Document/SnapshotComparing.swift",
        "Graph/Document/SnapshotUnitTests.swift",
        "Graph/Graph/Tables/PackedTextsTests.swift",
        "Graph/Objects/Handles/RowHoldingTests.swift",
        "Graph/Objects/Handles/RowReuseTests.swift",
        "Graph/Objects/Store/QueueModel.swift",
    ],
]

/// The files of a test target: all of them, but for the thread sanitizer.
func sources(of tests: String) -> [String]? {
    ProcessInfo.processInfo.environment["PLACESKIT_THREADS"] == nil ? nil : threads[tests]
}

let settings: [SwiftSetting] =
    [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
    ] + strict

let library = settings + optimized

let package = Package(
    name: "PlacesKit",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "PlacesKit", targets: ["PlacesKit"]),
        .library(name: "PlacesGraph", targets: ["PlacesGraph"]),
        .library(name: "PlacesKitTesting", targets: ["PlacesKitTesting"]),
        .library(name: "PlacesGraphTesting", targets: ["PlacesGraphTesting"]),
        .library(name: "PlacesPostgres", targets: ["PlacesPostgres"]),
    ],
    traits: [
        .trait(
            name: "Postgres",
            description: "The product PlacesPostgres, which needs PostgreSQL's library libpq.")
    ],
    targets: [
        .target(
            name: "PlacesBase", path: "Sources/PlacesKit/Base",
            swiftSettings: library),
        .target(
            name: "PlacesGraph", dependencies: ["PlacesBase"], path: "Sources/PlacesKit/Graph",
            swiftSettings: library),
        .target(
            name: "PlacesPhotos", dependencies: ["PlacesBase"], path: "Sources/PlacesKit/Photos",
            swiftSettings: library),
        .target(
            name: "PlacesSamples", dependencies: ["PlacesPhotos"],
            path: "Sources/PlacesKit/Samples",
            swiftSettings: library),
        .target(
            name: "PlacesKit", dependencies: ["PlacesGraph", "PlacesPhotos", "PlacesSamples"],
            path: "Sources/PlacesKit/Places", swiftSettings: library),
        .target(
            name: "PlacesGraphTesting", dependencies: ["PlacesGraph"],
            path: "Sources/PlacesKitTesting/Graph", swiftSettings: library),
        .target(
            name: "PlacesKitTesting", dependencies: ["PlacesKit", "PlacesGraphTesting"],
            path: "Sources/PlacesKitTesting/Photos", swiftSettings: library),
        .systemLibrary(
            name: "CPostgres", pkgConfig: "libpq",
            providers: [.apt(["libpq-dev"]), .brew(["libpq"])]),
        // Without the trait it has nothing in it, and needs nothing.
        .target(
            name: "PlacesPostgres",
            dependencies: [
                "PlacesBase", "PlacesGraph",
                .target(name: "CPostgres", condition: .when(traits: ["Postgres"])),
            ],
            swiftSettings: library),
        // What a user relies on.
        .testTarget(
            name: "PlacesKitTests",
            dependencies: ["PlacesKit", "PlacesKitTesting"],
            sources: sources(of: "PlacesKitTests"), swiftSettings: settings),
        // What is inside; these tests alone use `@testable`.
        .testTarget(
            name: "PlacesKitInternalTests",
            dependencies: ["PlacesKit", "PlacesKitTesting", "PlacesKitTests"],
            sources: sources(of: "PlacesKitInternalTests"), swiftSettings: settings),
        // They need a server: `.ci/check-postgres` starts one.
        .testTarget(
            name: "PlacesPostgresTests",
            dependencies: [
                .target(name: "PlacesPostgres", condition: .when(traits: ["Postgres"])),
                .target(name: "PlacesGraphTesting", condition: .when(traits: ["Postgres"])),
            ],
            swiftSettings: settings),
    ],
    swiftLanguageModes: [.v6]
)
