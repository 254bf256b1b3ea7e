import Foundation
import PlacesGraph

/// Makes commits at random in a document, follows it into SQLite meanwhile, and compares both.
///
/// Kill it whenever you like, and start it again: no commit is missing then, and none comes twice.

final class Picture: ManagedObject {
    @Attribute(.unique) var name: String
    @Attribute var views = 0
    @Attribute var taken: Date?
    @Relationship(inverse: \Album.pictures) var album: Album?
}

final class Album: ManagedObject {
    @Attribute var title = ""
    @Relationship(deleteRule: .cascade) var pictures: ObjectSet<Picture>
}

/// A commit of a few changes.
func change(_ context: ManagedObjectContext, _ number: Int) throws {
    let albums = Array(try context.fetch(Album.self))
    let album = albums.randomElement() ?? Album(context: context)
    // Text of any kind, also with a zero in it.
    album.title = "Album\0\(number)"
    let picture = Picture(context: context)
    (picture.name, picture.taken, picture.album) = ("\(number)", Date(), album)
    for other in album.pictures.prefix(3) { other.views += 1 }
    if albums.count > 20 { context.delete(album) }
    if Int.random(in: 0..<4) == 0 { Album(context: context).title = "New" }
}

/// How many rows of the tables are not as the objects are.
func differences(_ context: ManagedObjectContext, _ replica: Replica) throws -> Int {
    let pictures = Set(
        try context.fetch(Picture.self).map { picture -> [Value] in
            [
                .integer(picture.objectID.number), .text(picture.name),
                .integer(Int64(picture.views)),
                picture.album.map { .integer($0.objectID.number) } ?? .null,
            ]
        })
    let albums = Set(
        try context.fetch(Album.self).map { album -> [Value] in
            [.integer(album.objectID.number), .text(album.title)]
        })
    let rows = Set(try replica.database.run("SELECT id, name, views, album FROM Picture"))
    let titles = Set(try replica.database.run("SELECT id, title FROM Album"))
    // Commits have consecutive numbers from the first one that the tables have.
    let gaps = try replica.database.run(
        "SELECT MAX(number) - MIN(number) + 1 - COUNT(*) FROM commits")
    guard gaps == [[.integer(0)]] else { return -1 }
    return pictures.symmetricDifference(rows).count + albums.symmetricDifference(titles).count
}

/// Makes so many commits, and follows them; whether the tables are then as the objects are.
@MainActor
func replicate(_ path: String, into database: String, commits count: Int) async throws -> Bool {
    var options = ManagedDocument.Options()
    // So small that the files soon do not reach back to the first commit.
    options.journalLimit = .init(ratio: 1, minimum: 1 << 14)
    let document = try await ManagedDocument.open(
        at: URL(filePath: path, directoryHint: .isDirectory),
        model: [Picture.self, Album.self], options: options)
    let replica = try Replica(at: database, of: document.store.schema)
    let before = try replica.lastCommit() ?? 0

    let following = Task { try await replica.follow(document) }
    for _ in 0..<count {
        try change(document.viewContext, document.store.commitNumber + 1)
        try await document.save()
    }
    try await document.close()
    // The feed ends with the document, when all is handed out.
    try await following.value

    let differing = try differences(document.viewContext, replica)
    let last = try replica.lastCommit() ?? 0
    let span = "commits \(before) to \(last) of \(document.store.commitNumber)"
    print("\(span)\(replica.isCopied ? ", copied first" : ""): \(differing) rows differ")
    return differing == 0 && last == document.store.commitNumber
}

guard CommandLine.arguments.count == 4, let count = Int(CommandLine.arguments[3]), count >= 0 else {
    let usage = "usage: sqlite-replica DOCUMENT DATABASE NUMBER-OF-COMMITS\n"
    try? FileHandle.standardError.write(contentsOf: Data(usage.utf8))
    exit(64)
}
do {
    let isSame = try await replicate(
        CommandLine.arguments[1], into: CommandLine.arguments[2], commits: count)
    exit(isSame ? 0 : 1)
} catch {
    // As a document of other classes, or a database that cannot be opened. What names in the files say is no command for the
    // terminal.
    let reason = String(
        "\(error)".unicodeScalars.filter {
            $0 == "\n" || $0.properties.generalCategory != .control
        })
    try? FileHandle.standardError.write(contentsOf: Data("sqlite-replica: \(reason)\n".utf8))
    exit(1)
}
