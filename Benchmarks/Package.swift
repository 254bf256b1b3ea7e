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
    name: "Benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "PlacesKit", path: "..", traits: ["Postgres"]),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    ],
    targets: [
        .target(name: "PlainModel", swiftSettings: settings),
        .target(name: "CAllocation"),
        .systemLibrary(
            name: "CLibpq", pkgConfig: "libpq",
            providers: [.apt(["libpq-dev"]), .brew(["libpq"])]),
        .executableTarget(
            name: "peers",
            dependencies: [
                "PlainModel",
                "CAllocation",
                "CLibpq",
                .product(name: "PlacesKit", package: "PlacesKit"),
                .product(name: "PlacesPostgres", package: "PlacesKit"),
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            resources: [.embedInCode("Contestants/DuckDB/duckdb-server.py")],
            swiftSettings: settings),
        .executableTarget(
            name: "photos",
            dependencies: [
                .product(name: "PlacesKit", package: "PlacesKit"),
                .product(name: "PlacesKitTesting", package: "PlacesKit"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: settings),
    ],
    swiftLanguageModes: [.v6]
)
