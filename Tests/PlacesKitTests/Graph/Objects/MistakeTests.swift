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

        final class Member: ManagedObject {
            @Relationship(inverse: \Club.members) var clubs: ObjectSet<Member.Club>
            @Relationship(inverse: \Team.members) var teams: ObjectSet<Member.Team>

            final class Club: ManagedObject {
                @Relationship var members: ObjectSet<Member>
            }
            final class Team: ManagedObject {
                @Relationship var members: ObjectSet<Member>
            }
        }

        @Test func `a member at a position of a set of another class`() async {
            let result = await #expect(
                processExitsWith: .failure, observing: [\.standardErrorContent]
            ) {
                let model = [Member.self, Member.Club.self, Member.Team.self]
                if let context = (try? GraphStore(model: model)).map({ ManagedObjectContext($0) }) {
                    // The first of its class, as the club is, and with its members in the same place.
                    let (club, team) = (
                        Member.Club(context: context), Member.Team(context: context)
                    )
                    for _ in 0..<2 {
                        club.members.insert(Member(context: context))
                        team.members.insert(Member(context: context))
                    }
                    _ = team.members[club.members.startIndex]
                }
            }
            says("The object set has no member at this position.", result)
        }

        @Test func `the end follows a member that left, whoever has its link by now`() throws {
            let model = [Member.self, Member.Club.self, Member.Team.self]
            let context = ManagedObjectContext(try GraphStore(model: model))
            let club = Member.Club(context: context)
            let members = (0..<4).map { _ in Member(context: context) }
            club.members.insert(members[0])
            club.members.insert(members[1])
            let first = club.members.startIndex
            club.members.remove(members[0])
            club.members.insert(members[2])
            club.members.insert(members[3])
            #expect(club.members[first] === members[0])
            #expect(club.members.index(after: first) == club.members.endIndex)
            #expect(Array(club.members) == [members[1], members[2], members[3]])
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
