import Foundation
import PlacesKit
import Testing

/// Groups and values in hierarchies, of derived attributes and of ordered relationships.
@Suite struct ModelGroupTests {
    @Test func `a superclass' groups span its subclasses`() throws {
        let context = try AnimalModel.context()
        let animals = try context.addAnimals()
        let anna = AnimalModel.Person(context: context)
        anna.name = "Anna"
        for animal in animals.prefix(3) { animal.owner = anna }
        let owners = try context.groups(
            GroupRequest(by: \AnimalModel.Animal.owner?.name, .count, .max(\.weight)))
        #expect(owners.map { $0.0 } == ["Anna", nil])
        #expect(owners.map { $0.1 } == [3, 1])
        #expect(owners.map { $0.2 } == [30, nil])
        let dogs = try context.groups(
            GroupRequest(
                by: \AnimalModel.Dog.trick, .count, .sum(\.license), .countDistinct(\.owner)))
        #expect(dogs.map { $0.0 } == ["sit"])
        #expect(dogs.map { $0.1 } == [3] && dogs.map { $0.2 } == [0 + 1 + 3])
        #expect(dogs.map { $0.3 } == [1])
        #expect(try context.values(of: \AnimalModel.Puppy.name, \.weeks).map { $0.0 } == ["Tiny"])
        #expect(try context.store.count(AnimalModel.Dog.self) == 3)
        #expect(
            try context.identifiers(of: FetchRequest<AnimalModel.Animal>())
                == animals.map(\.objectID))
    }

    @Test func `random hierarchies are grouped as their objects are`() throws {
        for seed in UInt64(1)..<5 {
            var random = SplitMix64(seed: seed)
            let context = try AnimalModel.context()
            let persons = (0..<6).map { number in
                let person = AnimalModel.Person(context: context)
                person.name = "Person \(number % 4)"
                return person
            }
            for number in 0..<120 {
                let animal: AnimalModel.Animal =
                    switch random.below(3) {
                    case 0: AnimalModel.Dog(context: context)
                    case 1: AnimalModel.Puppy(weeks: random.below(5), in: context)
                    default: AnimalModel.Cat(context: context)
                    }
                animal.weight = random.maybe([1, 2, 3, 50])
                animal.owner = random.maybe(persons)
                (animal as? AnimalModel.Dog)?.license = number
                (animal as? AnimalModel.Dog)?.trick = random.pick(["sit", "roll"])
                if random.below(9) == 0 { context.delete(animal) }
                if number == 80 { try context.save() }
            }
            try check(AnimalModel.Animal.self, in: context, "Seed \(seed)")
            try check(AnimalModel.Dog.self, in: context, "Seed \(seed)")
            try check(AnimalModel.Puppy.self, in: context, "Seed \(seed)")
            let tricks = try context.groups(
                GroupRequest(by: \AnimalModel.Dog.trick, .sum(\.license), .countDistinct(\.owner)))
            let dogs = Dictionary(grouping: try context.fetch(AnimalModel.Dog.self), by: \.trick)
            #expect(tricks.count == dogs.count, "Seed \(seed)")
            for (trick, sum, owners) in tricks {
                let dogs = dogs[trick] ?? []
                #expect(sum == dogs.reduce(0) { $0 + $1.license }, "Seed \(seed)")
                #expect(owners == Set(dogs.compactMap(\.owner)).count, "Seed \(seed)")
            }
        }
    }

    private func check<Animal: AnimalModel.Animal>(
        _ type: Animal.Type, in context: ManagedObjectContext, _ note: String
    ) throws {
        let request = GroupRequest(
            of: FetchRequest<Animal>(), by: \.owner?.name, .count, .max(\.weight))
        let expected = Dictionary(grouping: try context.fetch(type)) { $0.owner?.name }
        let groups = try context.groups(request)
        #expect(groups.count == expected.count, "\(note) \(type)")
        for (name, count, weight) in groups {
            let animals = expected[name] ?? []
            #expect(count == animals.count, "\(note) \(type)")
            #expect(weight == animals.compactMap(\.weight).max(), "\(note) \(type)")
        }
    }

    final class Member: ManagedObject {
        @Attribute var score: Int?
        @Relationship var team: Team?
    }

    final class Team: ManagedObject {
        @Attribute var name = ""
        @Relationship(inverse: \Member.team) var members: ObjectSet<Member>
        @Derived(count: \Team.members) var size: Int
        @Derived(sum: \Team.members, \Member.score) var total: Int
        @Derived(max: \Team.members, \Member.score) var best: Int?
    }

    @Test func `derived attributes are keys and values`() throws {
        let context = ManagedObjectContext(try GraphStore(model: [Team.self, Member.self]))
        for (number, scores) in [[3, nil], [5, 1], [], [4, nil]].enumerated() {
            let team = Team(context: context)
            team.name = "Team \(number)"
            for score in scores {
                let member = Member(context: context)
                member.score = score
                member.team = team
            }
        }
        let sizes = try context.groups(
            GroupRequest(by: \Team.size, .count, .sum(\.total), .max(\.best))
                .sorted(.reverse) { size, _, _, _ in size })
        #expect(sizes.map { $0.0 } == [2, 0] && sizes.map { $0.1 } == [3, 1])
        #expect(sizes.map { $0.2 } == [13, 0] && sizes.map { $0.3 } == [5, nil])
        let members = try context.groups(
            GroupRequest(by: \Member.team?.best, .count, .sum(\.score)))
        #expect(members.map { $0.0 } == [3, 5, 4])
        #expect(members.map { $0.2 } == [3, 6, 4])
        #expect(try context.distinctValues(of: \Member.team?.total) == [3, 6, 4])
    }

    @Test func `members of ordered relationships are counted and grouped`() throws {
        let context = try OrderedModel.context()
        for number in 0..<5 {
            let album = OrderedModel.Album(context: context)
            album.title = "Album \(number)"
            for photo in 0..<number / 2 {
                let new = OrderedModel.Photo(context: context)
                new.number = photo
                album.photos.insert(new, at: 0)
            }
        }
        let counts = try context.groups(GroupRequest(by: \OrderedModel.Album.photos.count, .count))
        #expect(counts.map { $0.0 } == [0, 1, 2] && counts.map { $0.1 } == [2, 2, 1])
        let albums = try context.groups(
            GroupRequest(by: \OrderedModel.Photo.album?.title, .count, .max(\.number)))
        #expect(albums.map { $0.0 } == ["Album 2", "Album 3", "Album 4"])
        #expect(albums.map { $0.1 } == [1, 1, 2] && albums.map { $0.2 } == [0, 0, 1])
        #expect(try context.values(of: \OrderedModel.Photo.album?.photos.count) == [1, 1, 2, 2])
    }
}
