import Foundation
import PlacesKit
import PlacesKitTesting

/// A list of photos as a controller keeps it, and as plain arrays do.
struct MachineList {
    typealias Photo = MachineModel.Photo
    typealias Object = NaiveGraph.Object

    /// What a section has in common, compared as values are.
    enum Key: Hashable {
        case none, notANumber
        case datum(Datum)
        case object(ObjectID)

        init(_ datum: Datum) {
            switch datum {
            case .null: self = .none
            case .unsigned(let bits):
                // The bits of a number, of which a naive graph makes zeros of two signs.
                let value = Double(bitPattern: bits)
                self = value.isNaN ? .notANumber : .datum(.double(value + 0))
            default: self = .datum(datum)
            }
        }
    }

    var name: String
    var request: FetchRequest<Photo>
    var sections:
        (FetchRequest<Photo>, ManagedObjectContext) throws -> FetchedResultsController<Photo> = {
            try FetchedResultsController($0, in: $1)
        }
    var contains: (Object, NaiveGraph, Date) -> Bool = { _, _, _ in true }
    /// Whether a photo comes before another; those of which neither does are in the order of their numbers.
    var precedes: (Object, Object) -> Bool = { _, _ in false }
    var key: ((Object, NaiveGraph) -> Key)?

    /// The members of each section as they should be.
    func members(_ graph: NaiveGraph, _ now: Date) -> [[ObjectID]] {
        var found: [(id: ObjectID, object: Object)] = []
        for id in graph.living("Photo") {
            guard let object = graph.objects[id], contains(object, graph, now) else { continue }
            // Behind all that it does not come before.
            let index = found.lastIndex { !precedes(object, $0.object) }
            found.insert((id, object), at: index.map { $0 + 1 } ?? 0)
        }
        let offset = min(request.offset, found.count)
        found.removeFirst(offset)
        if let limit = request.limit { found = Array(found.prefix(limit)) }
        guard let key else { return [found.map(\.id)] }
        var (keys, members): ([Key], [[ObjectID]]) = ([], [])
        for (id, object) in found {
            let key = key(object, graph)
            if let index = keys.firstIndex(of: key) {
                members[index].append(id)
            } else {
                keys.append(key)
                members.append([id])
            }
        }
        return members
    }
}

extension NaiveGraph.Object {
    fileprivate func text(_ name: String) -> String {
        if case .string(let text) = attributes[name] { text } else { "" }
    }

    fileprivate var views: Int64 {
        if case .integer(let views) = attributes["views"] { views } else { 0 }
    }

    fileprivate var taken: Date? {
        if case .date(let date) = attributes["taken"] { date } else { nil }
    }

    fileprivate func key(_ name: String) -> MachineList.Key {
        MachineList.Key(attributes[name] ?? .null)
    }
}

extension MachineList {
    private static let byTitle = [SortDescriptor(\Photo.title)]

    private static func precedesByTitle(_ left: Object, _ right: Object) -> Bool {
        left.text("title") < right.text("title")
    }

    /// Lists of every kind: compiled, computed and timed conditions and orders, a window, and sections of
    /// every type.
    static var all: [MachineList] { conditions + timed + orders + sectioned }

    private static var conditions: [MachineList] {
        [
            MachineList(
                name: "few views", request: FetchRequest(predicate: #Predicate { $0.views < 2 }),
                contains: { object, _, _ in object.views < 2 }),
            MachineList(
                name: "computed",
                request: FetchRequest(predicate: #Predicate { $0.initial == "a" }, sortBy: byTitle),
                contains: { object, _, _ in object.text("title").hasPrefix("a") },
                precedes: precedesByTitle),
            MachineList(
                name: "in a full album",
                request: FetchRequest(
                    predicate: #Predicate { ($0.album?.photoCount ?? 0) > 1 }),
                contains: { object, graph, _ in
                    object.toOne["album"].map { graph.related($0, "photos").count > 1 } ?? false
                }),
        ]
    }

    private static var timed: [MachineList] {
        [
            MachineList(
                name: "taken lately",
                request: FetchRequest { now in
                    let (limit, past) = (now - 5, Date.distantPast)
                    return #Predicate { ($0.taken ?? past) > limit }
                },
                contains: { object, _, now in object.taken.map { $0 > now - 5 } ?? false }),
            MachineList(
                name: "computed, and taken in a moment",
                request: FetchRequest { now in
                    let (limit, past) = (now + 3, Date.distantPast)
                    return #Predicate {
                        $0.initial == "b" && ($0.taken ?? past) >= now && ($0.taken ?? past) < limit
                    }
                },
                contains: { object, _, now in
                    object.text("title").hasPrefix("b")
                        && object.taken.map { $0 >= now && $0 < now + 3 } ?? false
                }),
        ]
    }

    private static var orders: [MachineList] {
        [
            MachineList(
                name: "window",
                request: FetchRequest(
                    sortBy: [SortDescriptor(\.views, order: .reverse), SortDescriptor(\.title)],
                    limit: 4, offset: 1),
                precedes: { left, right in
                    left.views == right.views
                        ? precedesByTitle(left, right) : left.views > right.views
                }),
            MachineList(
                name: "computed order",
                request: FetchRequest(sortBy: [SortDescriptor(\.initial, order: .reverse)]),
                precedes: { left, right in
                    left.text("title").prefix(1) > right.text("title").prefix(1)
                }),
        ]
    }

    private static var sectioned: [MachineList] {
        let request = FetchRequest(sortBy: byTitle)
        func list(
            _ name: String,
            _ key: @escaping (Object, NaiveGraph) -> Key,
            sections:
                @escaping (FetchRequest<Photo>, ManagedObjectContext) throws ->
                FetchedResultsController<Photo>
        ) -> MachineList {
            MachineList(
                name: "by \(name)", request: request, sections: sections,
                precedes: precedesByTitle, key: key)
        }
        func attribute(_ name: String) -> (Object, NaiveGraph) -> Key {
            { object, _ in object.key(name) }
        }
        return [
            list("thumbnail", attribute("thumbnail")) {
                try FetchedResultsController($0, sectionBy: \.thumbnail, in: $1)
            },
            list("weight", attribute("weight")) {
                try FetchedResultsController($0, sectionBy: \.weight, in: $1)
            },
            list("taken", attribute("taken")) {
                try FetchedResultsController($0, sectionBy: \.taken, in: $1)
            },
            list("country", attribute("country")) {
                try FetchedResultsController($0, sectionBy: \.country, in: $1)
            },
            list("initial", { object, _ in Key(.string(String(object.text("title").prefix(1)))) }) {
                try FetchedResultsController($0, sectionBy: \.initial, in: $1)
            },
            list(
                "name of album",
                { object, graph in
                    // A name that was never given reads as an empty one.
                    let album = object.toOne["album"].flatMap { graph.objects[$0] }
                    return album.map { .datum(.string($0.text("name"))) } ?? .none
                }
            ) {
                try FetchedResultsController($0, sectionBy: \.album?.name, in: $1)
            },
            list("album", { object, _ in object.toOne["album"].map(Key.object) ?? .none }) {
                try FetchedResultsController($0, sectionBy: \.album, in: $1)
            },
        ]
    }
}

/// A controller, and the list that its changes make.
final class WatchedMachineList {
    private let list: MachineList
    private let results: FetchedResultsController<MachineList.Photo>
    private var recorder: ResultsRecorder<ObjectID>
    private var finding: String?
    /// How often the list was told of a change since it rested last.
    private var toldCount = 0

    init(_ list: MachineList, in context: ManagedObjectContext) throws {
        self.list = list
        results = try list.sections(list.request, context)
        recorder = ResultsRecorder(results.snapshot)
        results.onChange = { [weak self] in self?.take($0) }
    }

    /// Lets the list stay as it is, or go on, of which it hears as of one change; returns which it was.
    func rest() -> String {
        toldCount = 0
        results.isPaused.toggle()
        if toldCount > 1 {
            finding = finding ?? "\(list.name): \(toldCount) changes were told at once"
        }
        return "\(list.name) \(results.isPaused ? "rests" : "goes on")"
    }

    private func take(_ change: ResultsChange<ObjectID>) {
        toldCount += 1
        if results.isPaused {
            finding = finding ?? "\(list.name): something is told while it rests"
        }
        do {
            try recorder.replay(change)
        } catch {
            finding = finding ?? "\(list.name): \(error)"
        }
        if change.isEmpty || change.before.applying(change.difference) != change.after {
            finding = finding ?? "\(list.name): the difference does not lead to what it says"
        }
    }

    /// What is wrong with the list if a graph and a time were told last.
    func finding(_ graph: NaiveGraph, _ now: Date) -> String? {
        if let finding { return finding }
        guard !results.isPaused else { return nil }
        let expected = list.members(graph, now)
        let replayed = recorder.sections.map(\.items)
        guard replayed == expected else {
            return "\(list.name): \(replayed) is told, expected \(expected)"
        }
        guard results.objects.map(\.objectID) == expected.flatMap(\.self) else {
            return "\(list.name): objects are not those of the snapshot"
        }
        return results.snapshot.brokenInvariant.map { "\(list.name): \($0)" }
    }
}
