import Foundation

/// A database of photos on disk, one of which changes in a transaction of its own.
struct SavedDatabase {
    private let connection: SQLiteConnection
    private let count: Int

    init(at folder: URL, photos count: Int) throws {
        self.count = count
        connection = try SQLiteConnection(
            path: folder.appending(path: "photos.sqlite").path(percentEncoded: false))
        try connection.execute(
            """
            PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
            CREATE TABLE photo (id INTEGER PRIMARY KEY, uniqueID TEXT UNIQUE, title TEXT);
            BEGIN
            """)
        let insert = try connection.statement(
            "INSERT INTO photo (uniqueID, title) VALUES (?, ?)")
        for number in 0..<count {
            insert.bind("\(number)", at: 1)
            insert.bind("The photo of number \(number)", at: 2)
            try insert.run()
        }
        try connection.execute("COMMIT")
    }

    /// The time of one transaction in microseconds.
    func median(of saves: Int) throws -> Double {
        let update = try connection.statement("UPDATE photo SET title = ? WHERE id = ?")
        var times: [Duration] = []
        let clock = ContinuousClock()
        for number in 0..<saves + 50 {
            update.bind("Another title, of number \(number)", at: 1)
            update.bind(number * max(1, count / 500) % count + 1, at: 2)
            let start = clock.now
            try update.run()
            if number >= 50 { times.append(clock.now - start) }
        }
        return times.median
    }
}
