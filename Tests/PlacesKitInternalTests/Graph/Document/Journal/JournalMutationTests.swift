import Foundation
import PlacesKit
import Testing

@testable import PlacesGraph
@testable import PlacesKitTests

/// Records that say what no document wrote.
@Suite struct JournalMutationTests {
    private static let rounds =
        ProcessInfo.processInfo.environment["PLACESKIT_JOURNALS"].flatMap(Int.init) ?? 2

    /// The lines of some commits.
    private func lines(seed: UInt64) throws -> [[UInt8]] {
        let model = try ObjectModel(JournalModel.types)
        let store = GraphStore(model: model, graph: Graph(layout: model.layout))
        let context = ManagedObjectContext(store)
        let recording = JournalRecording(store)
        var random = JournalEdits(seed: seed)
        for _ in 0..<14 {
            try random.change(context, times: 6)
            try context.save()
        }
        return Array(recording.lines().lines)
    }

    @Test(arguments: [
        #""insert":{"Reader":[{"id":0}]},"delete":{"Reader":[0]}"#,
        #""delete":{},"delete":{}"#, #""update":{},"insert":{}"#,
    ])
    func `a record whose keys are out of their order is refused`(keys: String) throws {
        let model = try ObjectModel(JournalModel.types)
        let line =
            #"{"commit":1,"date":"2026-11-21T09:41:00Z","synced":0,\#(keys),"crc":"00000000"}"#
        var replay = JournalReplay(Graph(layout: model.layout), checks: model.checks)
        let error = #expect(throws: JSONError.self) {
            try Array(line.utf8).withUnsafeBytes { try replay.apply($0, after: 0) }
        }
        #expect(error?.kind == .invalidValue(expected: "the keys in their order, each once"))
    }

    @Test(arguments: 0..<rounds)
    func `a record altered anywhere is an error with its location, or leaves a sound graph`(
        round: Int
    ) throws {
        let model = try ObjectModel(JournalModel.types)
        let lines = try lines(seed: UInt64(round))
        var random = DocumentRandom(seed: UInt64(round))
        var accepted = 0
        for attempt in 0..<60 {
            var replay = JournalReplay(Graph(layout: model.layout), checks: model.checks)
            var number = 0
            for line in lines {
                var altered = Array(line.dropLast())
                if Int.random(in: 0..<4, using: &random) == 0 { alter(&altered, &random) }
                do {
                    number = try altered.withUnsafeBytes { try replay.apply($0, after: number) }
                        .number
                    accepted += 1
                } catch {
                    #expect(error is JSONError, "\(error)")
                    break
                }
                let broken = replay.finish().brokenInvariants(allowingDeniedDeletes: false)
                guard broken.isEmpty else {
                    let text = String(decoding: altered, as: UTF8.self)
                    Issue.record("round \(round), attempt \(attempt): \(broken) after \(text)")
                    return
                }
                _ = try? ChangeRecord(line: altered)
            }
        }
        #expect(accepted > 0)
    }

    /// Changes some bytes, numbers mostly.
    private func alter(_ bytes: inout [UInt8], _ random: inout DocumentRandom) {
        let digits = bytes.indices.filter { (0x30...0x39).contains(bytes[$0]) }
        for _ in 0..<Int.random(in: 1...3, using: &random) {
            guard let position = bytes.indices.randomElement(using: &random) else { return }
            switch Int.random(in: 0..<6, using: &random) {
            case 0: bytes[position] = UInt8.random(in: 0...255, using: &random)
            case 1: bytes.remove(at: position)
            case 2:
                bytes.insert(contentsOf: bytes[position...].prefix(12), at: position)
            default:
                guard let digit = digits.randomElement(using: &random), digit < bytes.count else {
                    return
                }
                bytes[digit] = UInt8.random(in: 0x30...0x39, using: &random)
            }
        }
    }
}
