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
                "Graph/Document/DocumentModel.swift",
                "Graph/Document/DocumentRandom.swift",
                "Graph/Document/SnapshotComparing.swift",
                "Graph/Document/SnapshotUnitTests.swift",
                "Graph/Objects/AutomaticMergeTests.swift",
                "Graph/Objects/ConcurrencyTests.swift",
                "Graph/Objects/PerformTests.swift",
                "Graph/Objects/QueueModel.swift",
                "Graph/Objects/RowReuseTests.swift",
                "Graph/Objects/SaveConflictTests.swift",
                "Graph/Objects/SnapshotTests.swift",
                "Graph/Objects/StoreTransactionTests.swift",
                "Graph/Objects/TownModel.swift",
                "Graph/Query/Specimen.swift",
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
