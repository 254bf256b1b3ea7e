import ArgumentParser
import Foundation
import PlacesKit

/// Measures the reading of a reply, beside Foundation's decoder.
struct DecodeFlickr: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Decodes a reply of Flickr, beside JSONDecoder.",
        discussion: "The contestants take turns; the table shows medians and their ratio.")

    @Option(help: "How many photos the reply has.")
    var photos = 500

    @Option(help: "How many rounds count, after one that warms up.")
    var rounds = 9

    @Option(help: "A file to write the medians to, as JSON.")
    var json: String?

    func validate() throws {
        guard (1...100_000).contains(photos), rounds > 0 else {
            throw ValidationError("Photos are a number from 1 to 100000, rounds one from 1.")
        }
    }

    func run() async throws {
        let body = FlickrBody.make(photos: photos)
        var samples: [String: [Double]] = [:]
        for round in 0...rounds {
            var digests: Set<Int> = []
            for contestant in FlickrDecoder.allCases.shuffled() {
                let start = ContinuousClock.now
                digests.insert(try await contestant.decode(body))
                let time = (ContinuousClock.now - start) / .nanoseconds(1) / Double(photos)
                if round > 0 { samples[contestant.rawValue, default: []].append(time) }
            }
            guard digests.count == 1 else { throw Disagreement(digests: digests) }
        }
        let medians = samples.mapValues { $0.sorted()[$0.count / 2].rounded() }
        print("decode-flickr: \(photos) photos, \(body.count) bytes, medians of \(rounds) rounds")
        let fastest = medians[FlickrDecoder.placesKit.rawValue] ?? 1
        for (name, median) in medians.sorted(by: { $0.value < $1.value }) {
            print("  \(name): \(median) ns a photo, ×\((median / fastest * 100).rounded() / 100)")
        }
        if let json {
            let measurement = Measurement(objects: photos, median: medians)
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
            try encoder.encode([measurement]).write(to: URL(filePath: json))
        }
    }
}

/// The medians as they are written, in the form of those of `peers`.
private struct Measurement: Encodable {
    let workload = "decode-flickr"
    let objects: Int
    let unit = "ns/op"
    let median: [String: Double]

    private enum CodingKeys: CodingKey {
        case workload, objects, unit, median
    }
}

/// The contestants read different things, so that their times mean nothing.
private struct Disagreement: Error, CustomStringConvertible {
    let digests: Set<Int>

    var description: String {
        "decode-flickr: the contestants read different things (\(digests.sorted())); correct the one "
            + "that is off"
    }
}
