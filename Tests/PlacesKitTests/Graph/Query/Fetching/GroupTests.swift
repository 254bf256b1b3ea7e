import Foundation
import PlacesKit
import Testing

/// Groups, compared with dictionaries over the objects in random worlds.
@Suite struct GroupTests {
    static let paths: [any SpecimenPath] = [
        PathCase(\.flag), PathCase(\.maybeFlag), PathCase(\.integer), PathCase(\.maybeInteger),
        PathCase(\.small), PathCase(\.maybeSmall), PathCase(\.double), PathCase(\.maybeDouble),
        PathCase(\.maybeFloat), PathCase(\.big), PathCase(\.maybeBig), PathCase(\.text),
        PathCase(\.maybeText), PathCase(\.date), PathCase(\.maybeDate), PathCase(\.uuid),
        PathCase(\.maybeUUID), PathCase(\.maybeURL), PathCase(\.mood), PathCase(\.maybeMood),
        PathCase(\.traits.rawValue), PathCase(\.data), PathCase(\.maybeData),
        PathCase(\.tags.count), PathCase(\.children.count), PathCase(\.objectID),
        PathCase(\.shelf?.objectID), PathCase(\.origin?.objectID), PathCase(\.label?.text),
        PathCase(\.shelf?.name), PathCase(\.shelf?.height), PathCase(\.shelf?.room?.name),
        PathCase(\.shelf?.room?.objectID), PathCase(\.shelf?.room?.area),
        PathCase(\.shelf?.specimens.count), PathCase(\.parent?.parent?.maybeSmall),
        PathCase(\.shout), PathCase(\.doubled), PathCase(\.halved), PathCase(\.maybeHalved),
        PathCase(\.number),
    ]

    /// Calls `body` with a context and a snapshot, and the specimens of each.
    static func inWorlds(
        _ seeds: [UInt64] = [1, 2], _ body: (any GraphReader, [Specimen], String) throws -> Void
    ) throws {
        for seed in seeds {
            let world = try SpecimenWorld(seed: seed)
            try body(world.context, world.specimens, "Seed \(seed), context")
            let saved = world.store.snapshot().context()
            try body(
                world.store, Array(try saved.fetch(Specimen.self)), "Seed \(seed), store")
        }
    }

    @Test func `by every kind of key, with counts`() throws {
        func check<Path: SpecimenPath>(
            _ path: Path, _ reader: any GraphReader, _ all: [Specimen], _ note: String
        ) throws {
            let expected = path.groups(of: all)
            let groups = try reader.groups(GroupRequest(by: path.keyPath, .count))
            #expect(groups.map { naiveName($0.0) } == expected.map(\.name), "\(note) \(path)")
            #expect(groups.map { $0.1 } == expected.map(\.members.count), "\(note) \(path)")
            let values = try reader.distinctValues(of: path.keyPath)
            #expect(values.map { naiveName($0) } == expected.map(\.name), "\(note) \(path)")
        }
        try Self.inWorlds { reader, all, note in
            for path in Self.paths { try check(path, reader, all, note) }
        }
    }

    @Test func `distinct values of every kind, by some keys`() throws {
        func check<Key: SpecimenPath, Path: SpecimenPath>(
            _ key: Key, _ path: Path, _ reader: any GraphReader, _ all: [Specimen], _ note: String
        ) throws {
            let expected = key.groups(of: all).map { Set($0.members.compactMap(path.name)).count }
            let groups = try reader.groups(
                GroupRequest(by: key.keyPath, .countDistinct(path.keyPath)))
            #expect(groups.map { $0.1 } == expected, "\(note) \(key) \(path)")
        }
        let keys: [any SpecimenPath] = [
            PathCase(\.maybeFlag), PathCase(\.shelf?.name), PathCase(\.objectID), PathCase(\.shout),
        ]
        try Self.inWorlds([3]) { reader, all, note in
            for key in keys {
                for path in Self.paths { try check(key, path, reader, all, note) }
            }
            let groups = try reader.groups(
                GroupRequest(by: \Specimen.flag, .countDistinct(\.shelf)))
            for (flag, count) in groups {
                #expect(Set(all.filter { $0.flag == flag }.compactMap(\.shelf)).count == count)
            }
        }
    }

    @Test func `sums and averages`() throws {
        try Self.inWorlds { reader, all, note in
            let expected = PathCase(\.shelf?.name).groups(of: all).map(\.members)
            let whole = try reader.groups(
                GroupRequest(
                    by: \Specimen.shelf?.name, .sum(\.integer), .sum(\.maybeSmall), .sum(\.big),
                    .sum(\.tags.count), .sum(\.doubled), .sum(\Specimen.shelf?.height)))
            try #require(whole.count == expected.count)
            for (group, members) in zip(whole, expected) {
                #expect(group.1 == clampedSum(members.map(\.integer)), "\(note)")
                #expect(group.2 == clampedSum(members.compactMap(\.maybeSmall)), "\(note)")
                #expect(group.3 == clampedSum(members.map(\.big)), "\(note)")
                #expect(group.4 == members.reduce(0) { $0 + $1.tags.count }, "\(note)")
                #expect(group.5 == clampedSum(members.map(\.doubled)), "\(note)")
                #expect(group.6 == clampedSum(members.compactMap { $0.shelf?.height }), "\(note)")
            }
            let averages = try reader.groups(
                GroupRequest(
                    by: \Specimen.shelf?.name, .average(\.small), .average(\.maybeInteger)))
            for (group, members) in zip(averages, expected) {
                let small = members.reduce(0) { $0 + Int($1.small) }
                #expect(group.1 == Double(small) / Double(members.count), "\(note)")
                let integers = members.compactMap(\.maybeInteger)
                let sum = integers.reduce(Int128(0)) { $0 + Int128($1) }
                #expect(
                    group.2 == (integers.isEmpty ? nil : Double(sum) / Double(integers.count)),
                    "\(note)")
            }
        }
    }

    private func clampedSum<Number: BinaryInteger>(_ numbers: [Number]) -> Int {
        Int(clamping: numbers.reduce(Int128(0)) { $0 + Int128($1) })
    }

    private func least(_ texts: [String?]) -> String? {
        naiveName(naiveFirst(texts, before: naiveOrder))
    }

    private func least(_ numbers: [Double?]) -> String? {
        naiveName(naiveFirst(numbers, before: naiveOrder))
    }

    private func greatest(_ texts: [String?]) -> String? {
        naiveName(naiveFirst(texts) { naiveOrder($1, $0) })
    }

    private func greatest(_ numbers: [Double?]) -> String? {
        naiveName(naiveFirst(numbers) { naiveOrder($1, $0) })
    }

    @Test func `the least and the greatest`() throws {
        try Self.inWorlds { reader, all, note in
            let expected = PathCase(\.maybeFlag).groups(of: all).map(\.members)
            let texts = try reader.groups(
                GroupRequest(
                    by: \Specimen.maybeFlag, .min(\.text), .max(\.maybeText),
                    .max(\Specimen.shelf?.name),
                    .max(\.shout)))
            try #require(texts.count == expected.count)
            for (group, members) in zip(texts, expected) {
                #expect(naiveName(group.1) == least(members.map(\.text)), "\(note)")
                #expect(naiveName(group.2) == greatest(members.map(\.maybeText)), "\(note)")
                #expect(naiveName(group.3) == greatest(members.map { $0.shelf?.name }), "\(note)")
                #expect(group.4 == members.map(\.shout).max(), "\(note)")
            }
            let numbers = try reader.groups(
                GroupRequest(
                    by: \Specimen.maybeFlag, .min(\.maybeDouble), .max(\.maybeDouble),
                    .min(\.maybeDate), .min(\.flag), .max(\.big)))
            for (group, members) in zip(numbers, expected) {
                let doubles = members.map(\.maybeDouble)
                #expect(naiveName(group.1) == least(doubles), "\(note)")
                #expect(naiveName(group.2) == greatest(doubles), "\(note)")
                #expect(group.3 == members.compactMap(\.maybeDate).min(), "\(note)")
                #expect(group.4 == !members.contains { !$0.flag }, "\(note)")
                #expect(group.5 == members.map(\.big).max(), "\(note)")
            }
            let computed = try reader.groups(
                GroupRequest(
                    by: \Specimen.maybeFlag, .min(\.halved), .max(\.halved), .max(\.maybeHalved)))
            for (group, members) in zip(computed, expected) {
                let doubles = members.map { Optional($0.halved) }
                let optionals = members.map(\.maybeHalved)
                #expect(naiveName(group.1) == least(doubles), "\(note)")
                #expect(naiveName(group.2) == greatest(doubles), "\(note)")
                #expect(naiveName(group.3) == greatest(optionals), "\(note)")
            }
            let others = try reader.groups(
                GroupRequest(
                    by: \Specimen.maybeFlag, .min(\.maybeMood), .max(\.mood), .max(\.maybeUUID)))
            for (group, members) in zip(others, expected) {
                #expect(group.1 == members.compactMap(\.maybeMood).min(), "\(note)")
                #expect(group.2 == members.map(\.mood).max(), "\(note)")
                #expect(group.3 == members.compactMap(\.maybeUUID).max(), "\(note)")
            }
        }
    }

    @Test func `computed values that are not numbers are one value`() throws {
        let context = ManagedObjectContext(
            try GraphStore(model: [Specimen.self, Shelf.self, Room.self, Tag.self, Label.self]))
        for value in [Double.nan, 2, -Double.nan, 4, 2] {
            Specimen(context: context).double = value
        }
        #expect(
            try context.distinctValues(of: \Specimen.halved).map(naiveName) == [
                "nan", "1.0", "2.0",
            ])
        let groups = try context.groups(GroupRequest(by: \Specimen.halved, .count))
        #expect(groups.map { $0.1 } == [2, 2, 1])
        let total = try #require(
            try context.aggregate(
                FetchRequest<Specimen>(), .countDistinct(\.halved), .min(\.halved), .max(\.halved)))
        #expect(total.0 == 3 && total.1 == 1 && total.2.isNaN)
    }

    @Test func `a broken chain that is unwrapped by force is in the group of its value`() throws {
        let context = ManagedObjectContext(
            try GraphStore(model: [Specimen.self, Shelf.self, Room.self, Tag.self, Label.self]))
        let (plain, named) = (Shelf(context: context), Shelf(context: context))
        named.name = "named"
        for shelf in [plain, nil, named, nil, plain] { Specimen(context: context).shelf = shelf }
        #expect(try context.distinctValues(of: \Specimen.shelf!.name) == ["", "named"])
        #expect(try context.distinctValues(of: \Specimen.shelf?.name) == ["", nil, "named"])
        let request = GroupRequest(by: \Specimen.shelf!.name, .count)
        let live = try LiveGroups(request, in: context)
        func check(_ expected: KeyValuePairs<String, Int>) throws {
            for groups in [try context.groups(request), live.groups] {
                #expect(groups.map { $0.0 } == expected.map(\.key))
                #expect(groups.map { $0.1 } == expected.map(\.value))
            }
        }
        try check(["": 4, "named": 1])
        let both = try context.groups(
            GroupRequest(by: .keys(\Specimen.shelf!.name, \.flag), .count))
        #expect(both.map { $0.1 } == [4, 1])
        named.name = ""
        context.processPendingChanges()
        try check(["": 5])
        plain.name = "plain"
        context.processPendingChanges()
        try check(["plain": 2, "": 3])
        #expect(live.notKept.isEmpty)
    }

    @Test func `decimals are summed up and compared`() throws {
        let context = try SpecimenWorld(seed: 5, saved: 40).context
        for (number, text) in ["2.5", "-1", "0.1", "0.2"].enumerated() {
            let specimen = Specimen(context: context)
            specimen.text = "decimal"
            specimen.decimal = Decimal(string: text) ?? 0
            specimen.maybeDecimal = number == 1 ? nil : specimen.decimal
        }
        let request = FetchRequest(predicate: #Predicate<Specimen> { $0.text == "decimal" })
        let (sum, others, average, least, greatest) = try #require(
            try context.aggregate(
                request, .sum(\.decimal), .sum(\.maybeDecimal), .average(\.maybeDecimal),
                .min(\.decimal), .max(\.maybeDecimal)))
        #expect(sum == Decimal(string: "1.8") && others == Decimal(string: "2.8"))
        #expect(average.map { abs($0 - 2.8 / 3) < 1e-9 } == true)
        #expect(least == -1 && greatest == Decimal(string: "2.5"))
    }

    @Test func `conditions, orders and windows of groups`() throws {
        try Self.inWorlds { reader, all, note in
            let expected = PathCase(\.shelf?.name).groups(of: all)
                .map { (name: $0.name, count: $0.members.count) }
            let request = GroupRequest(by: \Specimen.shelf?.name, .count)
            let many = request.having { _, count in count > 20 }.having { name, _ in name != nil }
            let found = try reader.groups(many).map { naiveName($0.0) }
            #expect(
                found == expected.filter { $0.count > 20 && $0.name != nil }.map(\.name), "\(note)")
            var ranking = request.sorted(.reverse) { _, count in count }.sorted { name, _ in name }
            let ranked = expected.sorted {
                if $0.count != $1.count { return $0.count > $1.count }
                guard let left = $0.name else { return true }
                return $1.name.map { left < $0 } ?? false
            }
            for (limit, offset) in [(nil, 0), (0, 0), (1, 0), (3, 2), (99, 1), (-1, 0), (.max, 3)] {
                ranking.limit = limit
                ranking.offset = offset
                let window = ranked.dropFirst(offset).prefix(max(0, limit ?? .max))
                let counts = try reader.groups(ranking).map { $0.1 }
                #expect(
                    counts == window.map(\.count), "\(note), \(limit as Any), \(offset)")
            }
        }
    }

    @Test func `of some objects only, in their window`() throws {
        try Self.inWorlds { reader, all, note in
            let objects = FetchRequest<Specimen>(
                predicate: #Predicate { $0.flag }, sortBy: [SortDescriptor(\.text)], limit: 30,
                offset: 3)
            let some = all.filter(\.flag).sorted(using: SortDescriptor(\Specimen.text))
                .dropFirst(3).prefix(30)
            let expected = PathCase(\.maybeSmall).groups(of: Array(some))
            let groups = try reader.groups(
                GroupRequest(of: objects, by: \.maybeSmall, .countDistinct(\.text)))
            #expect(groups.map { naiveName($0.0) } == expected.map(\.name), "\(note)")
            #expect(
                groups.map { $0.1 } == expected.map { Set($0.members.map(\.text)).count }, "\(note)"
            )
        }
    }

    @Test func `nothing has no groups`() throws {
        let context = try SpecimenWorld(seed: 1, saved: 40).context
        let nothing = FetchRequest<Specimen>(predicate: #Predicate { _ in false })
        #expect(
            try context.groups(GroupRequest(of: nothing, by: \.text, .count, .sum(\.double)))
                .isEmpty)
        #expect(try context.aggregate(nothing, .count, .max(\.text)) == nil)
        #expect(try context.distinctValues(of: \.shelf?.name, for: nothing).isEmpty)
        #expect(throws: ContextError.unknownClass("Town")) {
            try context.groups(GroupRequest(by: \Town.name, .count))
        }
    }

    @Test(arguments: [1, 3, 400])
    func `texts that share no storage are grouped by what they say`(copies: Int) throws {
        let context = try TownModel.context()
        var expected: [String: Int] = [:]
        for number in 0..<3_000 {
            let town = Town(context: context)
            let name = "A town whose name is long, of number \(number / copies)"
            // Every second one is written with a combining accent, where there is a second one.
            let accent = number % 2 == 0 ? "\u{e9}" : "e\u{301}"
            town.name = String(decoding: Array((name + accent).utf8), as: UTF8.self)
            expected[town.name, default: 0] += 1
        }
        let groups = try context.groups(
            GroupRequest(by: \Town.name, .count, .countDistinct(\.name)))
        #expect(groups.count == expected.count)
        for (name, count, distinct) in groups {
            #expect(count == expected[name] && distinct == 1, "\(name)")
        }
    }
}

/// Groups by several keys.
@Suite struct SeveralKeysTests {
    @Test(arguments: [UInt64](1...3))
    func `are the groups of all their values together`(seed: UInt64) throws {
        let world = try SpecimenWorld(seed: seed)
        let all = Array(try world.context.fetch(Specimen.self))
        var order: [[String?]] = []
        var members: [[String?]: [Specimen]] = [:]
        for specimen in all {
            let keys = [
                naiveName(specimen.shelf?.name), "\(specimen.flag)",
                naiveName(specimen.maybeInteger), specimen.shout, "\(specimen.tags.count)",
                naiveName(specimen.maybeDouble),
            ]
            if members[keys] == nil { order.append(keys) }
            members[keys, default: []].append(specimen)
        }
        let request = GroupRequest(
            by: .keys(
                \Specimen.shelf?.name, \.flag, \.maybeInteger, \.shout, \.tags.count, \.maybeDouble),
            .count, .identifiers)
        let groups = try world.context.groups(request)
        let names = groups.map { keys, _, _ in
            let values = keys.values
            return [
                naiveName(values.0), "\(values.1)", naiveName(values.2), values.3, "\(values.4)",
                naiveName(values.5),
            ]
        }
        #expect(names == order)
        #expect(groups.map(\.1) == order.map { members[$0]?.count })
        #expect(groups.map(\.2) == order.map { members[$0]?.map(\.objectID) })
        let limited = try world.context.groups(
            request.having { keys, _, _ in keys.values.1 }.limited(to: 2))
        #expect(limited.map(\.0) == groups.map(\.0).filter(\.values.1).prefix(2).map(\.self))
        let pairs = try world.context.groups(
            GroupRequest(by: .keys(\Specimen.flag, \.mood), .count))
        #expect(pairs.reduce(0) { $0 + $1.1 } == all.count)
    }

    @Test func `the objects of a group come in the order of the request`() throws {
        try GroupTests.inWorlds { reader, all, note in
            let request = FetchRequest<Specimen>(
                predicate: #Predicate { $0.flag },
                sortBy: [SortDescriptor(\.maybeText, order: .reverse), SortDescriptor(\.small)])
            let sorted = try reader.identifiers(of: request)
            let groups = try reader.groups(
                GroupRequest(
                    of: request, by: \.shelf?.name, .identifiers, .identifiers(first: 2),
                    .identifiers(first: -1)))
            #expect(groups.reduce(0) { $0 + $1.1.count } == sorted.count, "\(note)")
            let names = Dictionary(
                uniqueKeysWithValues: all.map { ($0.objectID, naiveName($0.shelf?.name)) })
            for (name, members, first, none) in groups {
                let expected = sorted.filter { names[$0] == naiveName(name) }
                #expect(members == expected && first == Array(expected.prefix(2)), "\(note)")
                #expect(none.isEmpty, "\(note)")
            }
        }
    }

    @Test func `the objects of a group are found, but for those that are gone`() throws {
        let world = try SpecimenWorld(seed: 4)
        let context = world.context
        let group = try #require(
            try context.groups(GroupRequest(by: \Specimen.flag, .identifiers)).first)
        let members = context.objects(Specimen.self, with: group.1)
        #expect(members.count > 3 && members.allSatisfy { $0.flag == group.0 })
        context.delete(members[1])
        #expect(context.objects(Specimen.self, with: group.1) == [members[0]] + members[2...])
        #expect(context.objects(Shelf.self, with: group.1).isEmpty)
        #expect(try context.aggregate(FetchRequest<Specimen>(limit: 2), .identifiers)?.count == 2)
    }
}
