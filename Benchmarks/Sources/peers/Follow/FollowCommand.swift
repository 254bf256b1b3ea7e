import ArgumentParser
import Foundation
import PlacesKit
import Synchronization

/// Measures how long after a save the live list of another process tells of it.
struct FollowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "follow",
        abstract: "Saves in one process, and waits for the live list of another one.",
        discussion: """
            The time goes from before the save, which hands its line to the system, to when the list has told. Nobody \
            waits for the disk.
            """)

    @Option(help: "How many photos the document has.")
    var photos = 100_000

    @Option(help: "How many saves count, after some that warm up.")
    var saves = 300

    @OptionGroup var output: JSONOutput

    func validate() throws {
        guard photos > 0, saves > 0 else {
            throw ValidationError("There are photos, and saves, from 1.")
        }
    }

    @MainActor
    func run() async throws {
        let temporary = try TemporaryFolder()
        defer { temporary.remove() }
        let url = temporary.url.appending(path: "Photos")
        try await FollowedDocument.make(at: url, photos: photos)
        let reader = try await FollowedDocument.open(at: url, isReadOnly: true)
        let list = try FetchedResultsController(
            FetchRequest<Photo>(
                predicate: #Predicate { $0.isFavorite }, sortBy: [SortDescriptor(\.title)]),
            in: reader.viewContext)
        var changes = list.changes.makeAsyncIterator()
        let writer = Process()
        writer.executableURL = URL(filePath: CommandLine.arguments[0])
        writer.arguments = [
            FollowedWriterCommand.configuration.commandName ?? "", url.path(percentEncoded: false),
        ]
        let input = Pipe()
        writer.standardInput = input
        try writer.run()
        var delays: [Double] = []
        while delays.count < saves + 20 {
            try input.fileHandleForWriting.write(contentsOf: Data("\n".utf8))
            let count = list.objects.count
            while list.objects.count == count { _ = await changes.next() }
            // The newest one is named by the time at which it was about to be saved.
            let begun = list.objects.compactMap { UInt64($0.title) }.max() ?? 0
            delays.append(Double(DispatchTime.now().uptimeNanoseconds - begun) / 1e6)
        }
        try input.fileHandleForWriting.close()
        writer.waitUntilExit()
        let sorted = delays.dropFirst(20).sorted()
        let (median, late) = (sorted[sorted.count / 2], sorted[sorted.count * 99 / 100])
        print(
            String(
                format:
                    "%d photos, %d saves: the other list tells after %.2f ms, 99 %% within %.2f ms",
                photos, saves, median, late))
        try output.write([
            Measurement(
                workload: "follow", objects: photos, unit: "ms/save",
                median: ["placeskit": median, "placeskit-99": late])
        ])
        try await reader.close()
    }
}

/// Makes a photo a favorite, and saves, for each byte of its input.
struct FollowedWriterCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "follow-writer", abstract: "Writes what `follow` reads.", shouldDisplay: false)

    @Argument var path: String

    func run() async throws {
        let document = try await FollowedDocument.open(at: URL(filePath: path), isReadOnly: false)
        let photos = try document.viewContext.fetch(Photo.self)
        var number = 0
        while let data = try FileHandle.standardInput.read(upToCount: 1), !data.isEmpty {
            let photo = photos[number]
            photo.isFavorite = true
            photo.title = String(DispatchTime.now().uptimeNanoseconds)
            try await document.save(durability: .system)
            number += 1
        }
        try await document.close()
    }
}

/// The document that one process writes and another one follows.
enum FollowedDocument {
    nonisolated(nonsending) static func open(
        at url: URL, isReadOnly: Bool
    ) async throws -> ManagedDocument {
        var options = ManagedDocument.Options()
        options.autosave = nil
        options.isReadOnly = isReadOnly
        options.followsWriter = true
        return try await ManagedDocument.open(
            at: url, model: [Photo.self, Place.self], options: options)
    }

    static func make(at url: URL, photos: Int) async throws {
        let document = try await open(at: url, isReadOnly: false)
        for number in 0..<photos {
            let photo = Photo(context: document.viewContext)
            photo.uniqueID = "\(number)"
            photo.title = "The photo of number \(number)"
        }
        try await document.save()
        try await document.close()
    }
}
