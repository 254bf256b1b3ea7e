// swift-tools-version: 6.2

import PackageDescription

/// The tests of what happens on several threads at a time, and what they need, to be built with the thread
/// sanitizer: all tests take four times as long to build, and most of them run on one thread.
let package = Package(
    name: "Threads",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "PlacesKit", path: "../..")],
    targets: [
        .testTarget(
            name: "PlacesKitTests",
            dependencies: [
                .product(name: "PlacesKit", package: "PlacesKit"),
                .product(name: "PlacesKitTesting", package: "PlacesKit"),
            ],
            path: "Tests/PlacesKitTests",
            sources: [
                "Document/DocumentModel.swift",
                "Document/DocumentRandom.swift",
                "Document/SnapshotComparing.swift",
                "Document/SnapshotUnitTests.swift",
                "Objects/AutomaticMergeTests.swift",
                "Objects/ConcurrencyTests.swift",
                "Objects/PerformTests.swift",
                "Objects/QueueModel.swift",
                "Objects/RowReuseTests.swift",
                "Objects/SaveConflictTests.swift",
                "Objects/SnapshotTests.swift",
                "Objects/StoreTransactionTests.swift",
                "Objects/TownModel.swift",
                "Query/Specimen.swift",
                "SeededGenerator.swift",
                "Waiting.swift",
            ],
            swiftSettings: [
                .enableUpcomingFeature("ExistentialAny"),
                .enableUpcomingFeature("InternalImportsByDefault"),
                .enableUpcomingFeature("MemberImportVisibility"),
            ])
    ],
    swiftLanguageModes: [.v6]
)
