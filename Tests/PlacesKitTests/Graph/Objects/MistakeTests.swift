import PlacesKit
import Testing

#if os(Linux) || os(macOS)
    /// What only a mistake in a program's text can bring about ends it with a sentence, in release builds too.
    @Suite struct MistakeTests {
        final class Known: ManagedObject {
            @Attribute var name = ""
        }
        final class Unknown: ManagedObject {
            @Attribute var name = ""
        }

        private static func context() -> ManagedObjectContext? {
            (try? GraphStore(model: [Known.self])).map { ManagedObjectContext($0) }
        }

        private func says(_ sentence: String, _ result: ExitTest.Result?) {
            let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
            #expect(text.contains(sentence), "\(text)")
        }

        @Test func `an object of a class that is not in the model`() async {
            let result = await #expect(
                processExitsWith: .failure, observing: [\.standardErrorContent]
            ) {
                if let context = Self.context() { _ = Unknown(context: context) }
            }
            says("Unknown", result)
        }

        @Test func `an object at a position that results do not have`() async {
            let result = await #expect(
                processExitsWith: .failure, observing: [\.standardErrorContent]
            ) {
                if let context = Self.context(),
                    let results = try? FetchedResultsController(FetchRequest<Known>(), in: context)
                {
                    _ = results.objects[3]
                }
            }
            says("Results of 0 objects have none at 3.", result)
        }

        @Test func `a member behind the last one of a set`() async {
            let result = await #expect(
                processExitsWith: .failure, observing: [\.standardErrorContent]
            ) {
                if let land = (try? TownModel.context())?.land("Empty") {
                    _ = land.towns[land.towns.endIndex]
                }
            }
            says("The object set has no member at this position.", result)
        }

        @Test func `a member at a position of another set`() async {
            let result = await #expect(
                processExitsWith: .failure, observing: [\.standardErrorContent]
            ) {
                if let context = try? TownModel.context() {
                    let lands = [context.land("One"), context.land("Two")]
                    for land in lands { land.towns.insert(Town(context: context)) }
                    _ = lands[1].towns[lands[0].towns.startIndex]
                }
            }
            says("The object set has no member at this position.", result)
        }

        @Test func `a member that is gone, and whose place in the store is that of another`() async
        {
            let result = await #expect(
                processExitsWith: .failure, observing: [\.standardErrorContent]
            ) {
                if let context = try? TownModel.context() {
                    context.keptObjectLimit = 0
                    let land = context.land("Old")
                    for _ in 0..<100 { land.towns.insert(Town(context: context)) }
                    let first = land.towns.startIndex
                    try? context.save()
                    _ = try? context.deleteAll(Town.self)
                    for name in ["A", "B", "C"] {
                        _ = context.land(name)
                        try? context.save()
                    }
                    for _ in 0..<100 { _ = Town(context: context) }
                    _ = land.towns[first]
                }
            }
            says("The object set has no member at this position.", result)
        }

        @Test func `an identifier, or a section, at a position that results do not have`() async {
            let item = await #expect(
                processExitsWith: .failure, observing: [\.standardErrorContent]
            ) {
                _ = ResultsSnapshot([1, 2]).identifiers[2]
            }
            says("Results of 2 items have none at 2.", item)
            let section = await #expect(
                processExitsWith: .failure, observing: [\.standardErrorContent]
            ) {
                _ = ResultsSnapshot([1, 2]).sections[1]
            }
            says("Results of 1 section have none at 1.", section)
        }
    }
#endif
