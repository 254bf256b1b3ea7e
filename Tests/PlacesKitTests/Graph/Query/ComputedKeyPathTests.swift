import Foundation
import PlacesKit
import Testing

/// Key paths that work on every object work in requests, whatever they would do elsewhere.
@Suite struct ComputedKeyPathTests {
    final class Folder: ManagedObject {
        @Attribute var name = ""
        @Attribute var size = 1
        @Relationship(inverse: \Folder.children) var parent: Folder?
        @Relationship var children: ObjectSet<Folder>

        var depth: Int { (parent?.depth ?? -1) + 1 }
        var path: String { parent.map { $0.path + "/" + name } ?? name }
        var total: Int { children.reduce(size) { $0 + $1.total } }
        var root: Folder { parent?.root ?? self }
        // swift-format-ignore: NeverForceUnwrap
        var rootName: String { parent == nil ? name : parent!.rootName }
        var level: Int {
            var (level, folder) = (0, parent)
            while let next = folder { (level, folder) = (level + 1, next.parent) }
            return level
        }
        var ownNames: String {
            let sizes = (0..<20).map { _ in size }
            let names = Dictionary(
                uniqueKeysWithValues: children.map { ($0.objectID, $0.name) })
            return sizes.isEmpty ? name : names.values.sorted().joined(separator: " ")
        }
    }

    /// A folder in a folder in a folder.
    private func folders() throws -> ManagedObjectContext {
        let context = ManagedObjectContext(try GraphStore(model: [Folder.self]))
        var parent: Folder?
        for name in ["a", "b", "c"] {
            let folder = Folder(context: context)
            (folder.name, folder.parent) = (name, parent)
            parent = folder
        }
        try context.save()
        return context
    }

    @Test func `a property that follows its own relationship to the end is read on each object`()
        throws
    {
        let context = try folders()
        let depths: [any KeyPath<Folder, Int> & Sendable] = [\.depth, \.level]
        for depth in depths {
            let deepest = FetchRequest<Folder>(sortBy: [SortDescriptor(depth, order: .reverse)])
            #expect(try context.fetch(deepest).map(\.name) == ["c", "b", "a"])
            #expect(try context.values(of: depth).sorted() == [0, 1, 2])
            let groups = try context.groups(GroupRequest(by: depth, .count))
            #expect(groups.map { $0.1 } == [1, 1, 1])
            let controller = try FetchedResultsController(
                FetchRequest<Folder>(sortBy: [SortDescriptor(\.name)]), sectionBy: depth,
                in: context)
            #expect(controller.sections.map(\.name) == ["0", "1", "2"])
        }
    }

    @Test func `predicates ask each object for properties that follow their own relationship`()
        throws
    {
        let context = try folders()
        func names(_ predicate: Predicate<Folder>) throws -> [String] {
            try context.fetch(
                FetchRequest(predicate: predicate, sortBy: [SortDescriptor(\.name)])
            ).map(\.name)
        }
        #expect(try names(#Predicate { $0.depth > 0 }) == ["b", "c"])
        #expect(try names(#Predicate { $0.total == 2 }) == ["b"])
        #expect(try names(#Predicate { $0.path == "a/b" }) == ["b"])
        #expect(try names(#Predicate { $0.root.name == "a" && $0.level < 2 }) == ["a", "b"])
    }

    @Test func `texts may come from far along a relationship`() throws {
        let context = try folders()
        #expect(try context.values(of: \Folder.path).sorted() == ["a", "a/b", "a/b/c"])
        #expect(try context.values(of: \Folder.rootName) == ["a", "a", "a"])
        #expect(try context.values(of: \Folder.root.name) == ["a", "a", "a"])
        #expect(try context.values(of: \Folder.ownNames).sorted() == ["", "b", "c"])
    }

    final class Item: ManagedObject {
        @Attribute var number: Int?
        @Attribute var position = 0
        @Attribute var note: String?
        @Attribute var tags: [String] = []
        @Composite var place: Coordinate?
        @Relationship(inverse: \Box.items) var box: Box?

        // swift-format-ignore: NeverForceUnwrap
        var known: Int { number! }
        var firstTag: String { tags[0] }
        // swift-format-ignore: NeverForceUnwrap
        var spot: Coordinate { place! }
        var noteOrTag: String? { note ?? tags[0] }
    }

    final class Box: ManagedObject {
        @Attribute var size: Int?
        @Attribute var number = 0
        @Relationship var items: OrderedObjectSet<Item>

        var lastPosition: Int { items[2].position }
    }

    /// Three items with a value for everything but a note, in one box.
    private func items() throws -> ManagedObjectContext {
        let context = ManagedObjectContext(try GraphStore(model: [Item.self, Box.self]))
        let box = Box(context: context)
        box.size = 3
        for position in 0..<3 {
            let item = Item(context: context)
            (item.number, item.position) = (3 - position, position)
            (item.tags, item.box) = (["t\(position)"], box)
            item.place = Coordinate(latitude: Double(position), longitude: 0)
        }
        try context.save()
        return context
    }

    // swift-format-ignore: NeverForceUnwrap
    @Test func `an attribute may be unwrapped by force where every object has a value`() throws {
        let context = try items()
        let request = FetchRequest<Item>(sortBy: [SortDescriptor(\.number!)])
        #expect(try context.fetch(request).map(\.position) == [2, 1, 0])
        #expect(try context.values(of: \Item.number!, for: request) == [1, 2, 3])
        #expect(try context.values(of: \Item.box!.size!, for: request) == [3, 3, 3])
        #expect(try context.values(of: \Item.box?.size!, for: request) == [3, 3, 3])
        #expect(try context.values(of: \Item.place!.latitude, for: request) == [2, 1, 0])
        #expect(try context.values(of: \Item.known, for: request) == [1, 2, 3])
        #expect(try context.values(of: \Item.spot.latitude, for: request) == [2, 1, 0])
        #expect(try context.count(FetchRequest<Item>(predicate: #Predicate { $0.known > 1 })) == 2)
        let controller = try FetchedResultsController(request, sectionBy: \.number!, in: context)
        #expect(controller.sections.map(\.name) == ["1", "2", "3"])
    }

    // swift-format-ignore: NeverForceUnwrap
    @Test func `what stands in for a value is not overlooked where it is unwrapped by force`()
        throws
    {
        let context = try items()
        #expect(try context.values(of: \Item.noteOrTag!).sorted() == ["t0", "t1", "t2"])
    }

    @Test func `a computed property of a type that no attribute has is read on objects only`()
        throws
    {
        let context = try items()
        let request = FetchRequest<Item>(
            predicate: #Predicate { $0.firstTag != "t1" }, sortBy: [SortDescriptor(\.firstTag)])
        #expect(try context.fetch(request).map(\.position) == [0, 2])
        #expect(try context.values(of: \Item.tags[0]).sorted() == ["t0", "t1", "t2"])
    }

    @Test func `a computed property may read a member that every object has`() throws {
        let context = try items()
        #expect(try context.values(of: \Box.lastPosition) == [2])
    }
}
