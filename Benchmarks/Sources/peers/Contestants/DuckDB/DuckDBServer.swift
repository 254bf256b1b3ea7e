import Foundation

/// A process that runs queries with DuckDB's Python package.
final class DuckDBServer {
    /// What one query gave in all its runs.
    struct Reply: Decodable {
        /// The rows of a query that gives a text and a number, or a number alone.
        let rows: [[Value]]
        /// How long running the query and fetching the rows took, within the process.
        let seconds: Double
    }

    /// A value of a row, or a parameter.
    enum Value: Codable {
        case number(Int)
        case text(String)

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            do {
                self = .number(try container.decode(Int.self))
            } catch DecodingError.typeMismatch {
                self = .text(try container.decode(String.self))
            }
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch self {
            case .number(let number): try container.encode(number)
            case .text(let text): try container.encode(text)
            }
        }
    }

    private struct Request: Encodable {
        let query: String
        let parameters: [[Value]]
    }

    private let folder: TemporaryFolder
    private let process: Process
    private let input = Pipe()
    private let output = Pipe()
    /// What came after the line that was read last.
    private var rest = Data()

    /// Starts the process, and waits until it has the photos and places of the world.
    init(_ world: World) throws {
        folder = try TemporaryFolder()
        let (places, photos) = (
            folder.url.appending(path: "places.csv"), folder.url.appending(path: "photos.csv")
        )
        try Data(world.placeLines.utf8).write(to: places)
        try Data(world.photoLines.utf8).write(to: photos)
        process = Self.python([
            "-c", String(decoding: PackageResources.duckdb_server_py, as: UTF8.self),
            places.path(percentEncoded: false), photos.path(percentEncoded: false),
        ])
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        _ = try readReply()
    }

    deinit {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
        folder.remove()
    }

    /// Whether this machine has DuckDB's Python package.
    static var isInstalled: Bool {
        let process = python(["-c", "import duckdb"])
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }

    private static func python(_ arguments: [String]) -> Process {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["python3"] + arguments
        return process
    }

    /// Runs a query once for each of some lists of parameters.
    func run(_ query: String, with parameters: [[Value]]) throws -> Reply {
        var line = try JSONEncoder().encode(Request(query: query, parameters: parameters))
        line.append(UInt8(ascii: "\n"))
        try input.fileHandleForWriting.write(contentsOf: line)
        return try readReply()
    }

    private func readReply() throws -> Reply {
        while true {
            if let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                defer { rest = Data(rest[(end + 1)...]) }
                return try JSONDecoder().decode(Reply.self, from: Data(rest[..<end]))
            }
            let data = output.fileHandleForReading.availableData
            guard !data.isEmpty else { throw Failure() }
            rest.append(data)
        }
    }

    /// The process ended, and said why on its standard error.
    struct Failure: Error, CustomStringConvertible {
        var description: String { "the process that runs DuckDB ended; what it said is above" }
    }
}

extension World {
    /// The places as lines of comma-separated values.
    fileprivate var placeLines: String {
        places.enumerated()
            .map { number, place in
                "\(number + 1),\(place.name.quoted),\(place.country.quoted)\n"
            }
            .joined()
    }

    /// The photos as lines of comma-separated values.
    fileprivate var photoLines: String {
        photos.enumerated()
            .map { number, photo in
                let texts = [photo.uniqueID, photo.title, photo.subtitle, photo.url].map(\.quoted)
                let lastViewed = photo.lastViewed.map { "\($0.timeIntervalSinceReferenceDate)" }
                return """
                    \(number + 1),\(texts.joined(separator: ",")),\(photo.views),\(photo.rating),\
                    \(photo.latitude),\(photo.longitude),\(photo.isFavorite),\
                    \(photo.dateUploaded.timeIntervalSinceReferenceDate),\(lastViewed ?? ""),\
                    \(photo.photographer.quoted),\(photo.place + 1)

                    """
            }
            .joined()
    }
}

extension String {
    /// The text between quotation marks; none of the world's texts has any.
    fileprivate var quoted: String { "\"\(self)\"" }
}
