import Foundation

/// A database in a file, all of whose rows are read.
struct StoredDatabase {
    let url: URL

    init(at folder: URL, _ world: World) throws {
        url = folder.appending(path: "photos.sqlite")
        let connection = try SQLiteConnection(path: url.path(percentEncoded: false))
        try connection.execute("PRAGMA page_size = 16384")
        try connection.execute(Schema.tables)
        try SQLiteContestant.insert(world, into: connection)
    }

    func connect() throws -> SQLiteConnection {
        try SQLiteConnection(path: url.path(percentEncoded: false))
    }

    /// The sum of some bytes of three texts of each photo.
    static func readTexts(_ connection: SQLiteConnection) throws -> Int {
        let photo = try connection.statement("SELECT title, subtitle, url FROM photo")
        var sum = 0
        while try photo.step() {
            for column in 0..<3 as Range<Int32> { sum &+= photo.utf8(column).lengthAndEnd }
        }
        return sum
    }

    /// Opens the database and reads every column of every row, text where it lies.
    func read() throws -> Checksum {
        let connection = try connect()
        let place = try connection.statement("SELECT id, name, country FROM place")
        var length = 0
        while try place.step() {
            length &+= place.integer(0) &+ place.utf8(1).count &+ place.utf8(2).count
        }
        let photo = try connection.statement("SELECT * FROM photo")
        var checksum = Checksum()
        while try photo.step() {
            for column in [1, 3, 4, 12] as [Int32] { length &+= photo.utf8(column).count }
            for column in [0, 6, 9, 13] as [Int32] { length &+= photo.integer(column) }
            for column in [8, 10, 11] as [Int32] {
                length &+= Int(truncatingIfNeeded: photo.double(column).bitPattern)
            }
            checksum.add(
                titleLength: photo.utf8(2).count, views: photo.integer(5),
                latitude: photo.double(7))
        }
        return withExtendedLifetime(length) { checksum }
    }
}
