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
