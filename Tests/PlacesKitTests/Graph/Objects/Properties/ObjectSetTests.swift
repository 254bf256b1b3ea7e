import PlacesKit
import Testing

@Suite struct ObjectSetTests {
    let context: ManagedObjectContext
    let land: Land
    let towns: [Town]

    init() throws {
        let context = try TownModel.context()
        self.context = context
        land = context.land("Atlantis")
        towns = (0..<4).map { number in
            let town = Town(context: context)
            town.name = "\(number)"
            return town
        }
        for town in towns { land.towns.insert(town) }
    }

    @Test func `members come in the order in which they were added`() {
        #expect(land.towns.map(\.name) == ["0", "1", "2", "3"])
        land.towns.remove(towns[1])
        land.towns.insert(towns[1])
        #expect(land.towns.map(\.name) == ["0", "2", "3", "1"])
        #expect(land.towns.count == 4 && !land.towns.isEmpty)
    }

    @Test func `adding a member again says that it is there already`() {
        #expect(!land.towns.insert(towns[0]))
        #expect(land.towns.remove(towns[0]))
        #expect(!land.towns.remove(towns[0]))
        #expect(!land.towns.contains(towns[0]))
        #expect(land.towns.insert(towns[0]))
        #expect(land.towns.contains(towns[0]))
    }

    @Test func `a set is a view and not a copy`() {
        let set = land.towns
        towns[2].land = nil
        #expect(set.map(\.name) == ["0", "1", "3"])
    }

    @Test func `removing each member while iterating does not crash`() {
        for town in land.towns { land.towns.remove(town) }
        #expect(context.brokenInvariants == [])
    }

    @Test func `removing members ahead while iterating ends or goes on sensibly`() {
        var seen: [String] = []
        for town in land.towns {
            seen.append(town.name)
            #expect(land.towns.contains(town))
            land.towns.removeAll()
        }
        #expect(seen == ["0"])
    }

    @Test func `adding members while iterating comes to an end`() {
        var rounds = 0
        for _ in land.towns {
            rounds += 1
            guard rounds < 100 else { break }
            land.towns.insert(Town(context: context))
        }
        #expect(rounds == 4)
        #expect(land.towns.count == 8)
    }

    @Test func `deleting each member while iterating does not crash`() {
        for town in land.towns { context.delete(town) }
        #expect(context.brokenInvariants == [])
    }

    @Test func `members are changed by what maps them`() {
        let names = land.towns.map { town in
            land.towns.remove(town)
            return town.name
        }
        #expect(names == ["0", "1", "2", "3"])
        #expect(land.towns.isEmpty)
    }

    @Test func `deleting members of a many-to-many relationship while iterating does not crash`() {
        let club = Club("Chess", in: context)
        for number in 0..<5 { club.members.insert(context.citizen("\(number)")) }
        for member in club.members { club.members.remove(member) }
        for member in club.members {
            context.delete(member)
            club.members.insert(context.citizen("new"))
        }
        #expect(context.brokenInvariants == [])
    }

    // MARK: - Positions

    /// A club of four, named by the order in which they came.
    private func club() -> (club: Club, citizens: [Citizen]) {
        let club = Club("Chess", in: context)
        let citizens = (0..<4).map { context.citizen("\($0)") }
        for citizen in citizens { club.members.insert(citizen) }
        return (club, citizens)
    }

    @Test func `a loop over the indices removes some of the members`() {
        let (club, _) = club()
        for index in club.members.indices {
            let member = club.members[index]
            if member.name < "3" { club.members.remove(member) }
        }
        #expect(club.members.map(\.name) == ["3"])
        for index in land.towns.indices { context.delete(land.towns[index]) }
        #expect(land.towns.isEmpty && context.brokenInvariants == [])
    }

    @Test func `a loop over the indices ends when members are removed ahead of it`() {
        let (club, _) = club()
        var seen: [String] = []
        for index in club.members.indices {
            seen.append(club.members[index].name)
            club.members.removeAll()
        }
        for index in land.towns.indices {
            seen.append(land.towns[index].name)
            land.towns.removeAll()
        }
        #expect(seen == ["0", "1", "0", "1"])
    }

    @Test func `a loop over the indices ends when members are added, or come back`() {
        let (club, _) = club()
        var rounds = 0
        for index in club.members.indices {
            guard rounds < 100 else { break }
            let member = club.members[index]
            club.members.remove(member)
            club.members.insert(member)
            rounds += 1
        }
        #expect(rounds == 4 && club.members.map(\.name) == ["0", "1", "2", "3"])
        for _ in land.towns.indices {
            guard rounds < 100 else { break }
            land.towns.insert(Town(context: context))
            rounds += 1
        }
        #expect(rounds == 8 && land.towns.count == 8)
    }

    @Test func `the position of a member that was removed leads to that object`() {
        let (club, citizens) = club()
        let (first, end) = (club.members.startIndex, club.members.endIndex)
        club.members.removeAll()
        #expect(club.members[first] === citizens[0] && first < end)
        #expect(club.members.index(after: first) == end && end == club.members.endIndex)
        // What linked the members links others now.
        let other = Club("Go", in: context)
        for citizen in citizens.reversed() { other.members.insert(citizen) }
        #expect(club.members[first] === citizens[0])
        #expect(club.members.index(after: first) == end)
        context.delete(citizens[0])
        #expect(club.members[first].isDeleted)
    }

    @Test func `behind a position of a set of another store comes the end`() throws {
        let elsewhere = try TownModel.context()
        let large = elsewhere.land("Large")
        for _ in 0..<9_000 { large.towns.insert(Town(context: elsewhere)) }
        let index = large.towns.index(large.towns.startIndex, offsetBy: 8_999)
        #expect(land.towns.index(after: index) == land.towns.endIndex)
    }

    // MARK: - Copies

    @Test func `iterating over a copy changes every member`() {
        for town in Array(land.towns) { land.towns.remove(town) }
        #expect(land.towns.isEmpty)
        #expect(towns.allSatisfy { $0.land == nil })
    }

    @Test func `assigning a set makes its members those of the relationship`() {
        let other = context.land("Lemuria")
        other.towns.insert(Town(context: context))
        other.towns = land.towns
        #expect(other.towns.map(\.name) == ["0", "1", "2", "3"])
        #expect(land.towns.isEmpty)
        other.towns = other.towns
        #expect(other.towns.count == 4)
    }

    @Test func `a collection's algorithms work on a set`() {
        #expect(land.towns.startIndex != land.towns.endIndex)
        #expect(land.towns.first === towns[0])
        #expect(land.towns.contains { $0.name == "3" })
        #expect(land.towns.filter { $0.name > "1" } == [towns[2], towns[3]])
        #expect(land.towns.dropFirst(2).map(\.name) == ["2", "3"])
        #expect(land.towns.sorted { $0.name > $1.name }.map(\.name) == ["3", "2", "1", "0"])
        #expect(Array(context.land("Empty").towns).isEmpty)
        var index = land.towns.startIndex
        land.towns.formIndex(&index, offsetBy: 2)
        #expect(land.towns[index] === towns[2])
        #expect(land.towns.distance(from: index, to: land.towns.endIndex) == 2)
    }

    @Test func `an object of another context is no member, and is refused`() throws {
        let other = ManagedObjectContext(context.store)
        let stranger = Town(context: other)
        #expect(!land.towns.contains(stranger))
        #expect(!land.towns.remove(stranger))
        #expect(!land.towns.insert(stranger))
        #expect(
            throws: ContextError.objectFromAnotherContext(
                land.objectID, property: "towns", stranger.objectID)
        ) { try context.save() }
        context.rollback()
        #expect(!context.hasChanges)
    }
}
