/// What SQLite's two contestants, the C API and GRDB, have in common.
enum Schema {
    /// The tables, with the indexes that a foreign key and unique attributes call for.
    static let tables = """
        CREATE TABLE place (
            id INTEGER PRIMARY KEY,
            name TEXT NOT NULL UNIQUE,
            country TEXT NOT NULL
        );
        CREATE TABLE photo (
            id INTEGER PRIMARY KEY,
            uniqueID TEXT NOT NULL UNIQUE,
            title TEXT NOT NULL,
            subtitle TEXT NOT NULL,
            url TEXT NOT NULL,
            views INTEGER NOT NULL,
            rating INTEGER NOT NULL,
            latitude REAL NOT NULL,
            longitude REAL NOT NULL,
            isFavorite INTEGER NOT NULL,
            dateUploaded REAL NOT NULL,
            lastViewed REAL,
            photographer TEXT NOT NULL,
            placeID INTEGER REFERENCES place (id)
        );
        CREATE INDEX photoOfPlace ON photo (placeID);
        """

    /// The places with the most distinct photographers: parameter 1 is how many.
    ///
    /// Left to itself SQLite groups by way of the index, which takes it twice as long.
    static let topPlaces = """
        SELECT place.name, ranking.photographers
        FROM (
            SELECT placeID, COUNT(DISTINCT photographer) AS photographers
            FROM photo NOT INDEXED GROUP BY placeID
        ) AS ranking
        JOIN place ON place.id = ranking.placeID
        ORDER BY ranking.photographers DESC, place.name
        LIMIT ?
        """

    /// The least text that is greater than all text with a prefix, in SQLite's binary order.
    static func end(ofPrefix prefix: String) -> String {
        prefix + "\u{10FFFF}"
    }
}
