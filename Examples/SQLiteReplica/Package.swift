// swift-tools-version: 6.2

import Foundation
import PackageDescription

// A package of its own, so that only who wants it needs SQLite's header (libsqlite3-dev).
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
    name: "SQLiteReplica",
    platforms: [.macOS(.v15)],
    products: [.executable(name: "sqlite-replica", targets: ["sqlite-replica"])],
    dependencies: [.package(name: "PlacesKit", path: "../..")],
    targets: [
        .systemLibrary(
            name: "CSQLite", pkgConfig: "sqlite3",
            providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
        .executableTarget(
            name: "sqlite-replica",
            dependencies: ["CSQLite", .product(name: "PlacesGraph", package: "PlacesKit")],
            swiftSettings: settings),
    ],
    swiftLanguageModes: [.v6]
)
