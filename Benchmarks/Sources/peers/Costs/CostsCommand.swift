import ArgumentParser
import Foundation
import Observation
import PlacesKit

/// Measures what a write takes when something follows or hears of it, beside one of which nobody hears.
struct CostsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "costs",
        abstract: "Tells what indexes, derived values, listeners and observers cost a write.",
        discussion: """
            Each object gets another value of one attribute. The table shows nanoseconds an object: of the write, of \
            processing the changes, of the save, and of all three.
            """)

    @Option(help: "How many objects are written.")
    var objects = 50_000

    @Option(help: "How many rounds count, after one that warms up.")
    var rounds = 5

    @OptionGroup var output: JSONOutput

    func validate() throws {
        guard objects > 0, rounds > 0 else {
            throw ValidationError("Objects and rounds are numbers from 1.")
        }
    }

    @MainActor
    func run() async throws {
        let cases = try Self.cases(objects)
        var samples = Array(repeating: [Cost](), count: cases.count)
        for round in 0...rounds {
            for (number, (_, trial)) in cases.enumerated() {
                let cost = try trial(round + 1)
                if round > 0 { samples[number].append(cost) }
            }
        }
        var lines = [["", "write", "process", "save", "all"]]
        var measurements: [Measurement] = []
        for ((name, _), costs) in zip(cases, samples) {
            func median(_ part: (Cost) -> Duration) -> Double {
                Harness.median(of: costs.map { part($0) / .nanoseconds(1) / Double(objects) })
            }
            let medians = [
                median(\.write), median(\.process), median(\.save),
                median { $0.write + $0.process + $0.save },
            ]
            lines.append([name] + medians.map { String(format: "%.1f", $0) })
            measurements.append(
                Measurement(
                    workload: "costs: \(name)", objects: objects, unit: "ns/object",
                    median: Dictionary(uniqueKeysWithValues: zip(lines[0].dropFirst(), medians))))
        }
        print("\(objects) objects, medians of \(rounds) rounds, ns an object\n")
        let width = lines.map { $0[0].count }.max() ?? 0
        for line in lines {
            let figures = line.dropFirst().map {
                String(repeating: " ", count: max(1, 9 - $0.count)) + $0
            }
            print(line[0].padding(toLength: width, withPad: " ", startingAt: 0) + figures.joined())
        }
        try output.write(measurements)
    }

    /// How long the parts of one round took.
    private struct Cost {
        var write = Duration.zero
        var process = Duration.zero
        var save = Duration.zero
    }

    /// Gives all objects values that a first one leads to, and tells how long that took.
    private typealias Trial = (_ first: Int) throws -> Cost

    // MARK: - Cases

    @MainActor
    private static func cases(_ count: Int) throws -> [(name: String, trial: Trial)] {
        func plain(
            isObservable: Bool = false,
            prepare: (ManagedObjectContext) throws -> Any? = { _ in nil },
            beforeEach: @escaping ([Reading]) -> Void = { _ in }
        ) throws -> Trial {
            try trial(
                count, Reading.self, isObservable: isObservable, prepare: prepare,
                beforeEach: beforeEach)
        }
        func owned<Owner: ManagedObject, Part: Metered>(
            _ part: Part.Type, _ keyPath: ReferenceWritableKeyPath<Part, Owner?>
        ) throws -> Trial {
            var owner: Owner?
            return try trial(
                count, part, others: [Owner.self],
                fill: { object, number in
                    // 100 parts each.
                    if number % 100 == 0 { owner = object.context.map(Owner.init(context:)) }
                    object[keyPath: keyPath] = owner
                })
        }
        return [
            ("nobody hears, nothing follows", try plain()),
            ("an index", try trial(count, IndexedReading.self)),
            ("a value that a closure makes", try trial(count, ConvertedReading.self)),
            ("a sum of 100", try owned(SummedReading.self, \.meter)),
            ("a maximum of 100", try owned(PeakReading.self, \.meter)),
            ("hooks that do nothing", try trial(count, HookedReading.self)),
            ("undo", try plain { $0.isUndoEnabled = true }),
            ("a closure that hears of changes", try plain { $0.onChange { _ in } }),
            (
                "a live list that is not affected",
                try plain {
                    try FetchedResultsController(
                        FetchRequest<Reading>(
                            predicate: #Predicate { $0.place == 1 },
                            sortBy: [SortDescriptor(\.place)]), in: $0)
                }
            ),
            (
                "a live list of all, by the value",
                try plain {
                    try FetchedResultsController(
                        FetchRequest<Reading>(sortBy: [SortDescriptor(\.amount)]), in: $0)
                }
            ),
            ("observable, on an actor", try plain(isObservable: true)),
            (
                "observed, one object",
                try plain(isObservable: true, beforeEach: { observe($0.prefix(1)) })
            ),
            (
                "observed, each object",
                try plain(isObservable: true, beforeEach: { observe($0[...]) })
            ),
        ]
    }

    private static func observe(_ readings: ArraySlice<Reading>) {
        for reading in readings {
            withObservationTracking {
                _ = reading.amount
            } onChange: {
            }
        }
    }

    @MainActor
    private static func trial<Object: Metered>(
        _ count: Int, _ type: Object.Type, others: [ManagedObject.Type] = [],
        isObservable: Bool = false,
        prepare: (ManagedObjectContext) throws -> Any? = { _ in nil },
        beforeEach: @escaping ([Object]) -> Void = { _ in },
        fill: (Object, Int) -> Void = { _, _ in }
    ) throws -> Trial {
        let store = try GraphStore(model: [type] + others)
        let context =
            isObservable
            ? ManagedObjectContext(store) : ManagedObjectContext(store, isolation: nil)
        let objects = (0..<count).map { number in
            let object = Object(context: context)
            fill(object, number)
            return object
        }
        try context.save()
        let listener = try prepare(context)
        return { value in
            beforeEach(objects)
            let clock = ContinuousClock()
            var cost = Cost()
            cost.write = clock.measure {
                var amount = value
                for object in objects {
                    amount = (amount &* 48_271) % 0x7FFF_FFFF
                    object.amount = amount
                }
            }
            cost.process = clock.measure { context.processPendingChanges() }
            cost.save = try clock.measure { try context.save() }
            withExtendedLifetime(listener) {}
            return cost
        }
    }
}
