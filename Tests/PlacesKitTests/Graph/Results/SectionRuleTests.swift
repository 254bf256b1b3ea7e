import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

/// Sections that a rule makes of the values of properties.
@Suite struct SectionRuleTests {
    private typealias Photo = ResultsModel.Photo
    private let world: ResultsFixture

    init() throws { world = try ResultsFixture() }

    private func watch(
        by rule: SectionRule<Photo>,
        sortBy sort: [SortDescriptor<Photo>] = [SortDescriptor(\.title)]
    ) throws -> ControllerLog {
        world.context.processPendingChanges()
        return ControllerLog(
            try FetchedResultsController(
                FetchRequest(sortBy: sort), sectionBy: rule, in: world.context))
    }

    @Test func `sections have titles and an order of their own`() throws {
        let rule = SectionRule<Photo>(\.views) { views in
            views < 10
        } title: { isNew in
            isNew ? "New" : "Popular"
        } order: { isNew in
            isNew ? 1 : 0
        }
        let arch = world.photo("Arch", views: 3)
        world.photo("Bay", views: 30)
        let log = try watch(by: rule)
        #expect(log.titles == "Popular: Bay, New: Arch")
        #expect(log.results.sections[0].key == SectionKey(false))
        arch.views = 11
        world.context.processPendingChanges()
        #expect(log.titles == "Popular: Arch Bay")
        #expect(log.takeEvents() == [["delete section 1 New", "move 1/0 to 0/0"]])
    }

    @Test func `a photo that changes costs nothing but itself`() throws {
        let calls = Calls()
        let rule = SectionRule<Photo>(\.views) { views in
            calls.count += 1
            return views / 10
        }
        let photos = (0..<500).map { world.photo("\($0)", views: $0) }
        let log = try watch(by: rule)
        calls.count = 0
        photos[7].views = 42
        world.context.processPendingChanges()
        #expect(log.takeEvents().count == 1)
        #expect(calls.count < 20)
    }

    @Test func `sections that are always there come first, in their order`() throws {
        let rule = SectionRule<Photo>(\.title, always: ["Z", "B", "Z"]) { String($0.prefix(1)) }
        let log = try watch(by: rule)
        #expect(log.titles == "Z: , B: ")
        #expect(log.results.snapshot.identifiers.count == 0)
        let bay = world.photo("Bay")
        let arch = world.photo("Arch")
        world.context.processPendingChanges()
        #expect(log.titles == "Z: , B: Bay, A: Arch")
        #expect(log.takeEvents() == [["insert section 2 A", "insert 1/0", "insert 2/0"]])
        #expect(log.results.position(of: arch) == ItemPosition(section: 2, item: 0))
        #expect(log.results.object(at: ItemPosition(section: 0, item: 0)) == nil)
        world.context.delete(bay)
        world.context.processPendingChanges()
        #expect(log.titles == "Z: , B: , A: Arch")
        #expect(log.takeEvents() == [["delete 1/0"]])
        try log.results.setRequest(log.results.request, sectionBy: nil)
        #expect(log.titles == "Arch")
        #expect(log.mismatches == [])
    }

    @Test func `letters are sections in the order of a language`() throws {
        for title in ["Öland", "apple", "9 lives", "", "Zoo", "Éclair"] { world.photo(title) }
        let swedish = LocalizedIndex(locale: Locale(identifier: "sv_SE"))
        let log = try watch(by: .firstLetters(of: \.title, in: swedish))
        #expect(log.titles == "A: apple, E: Éclair, Z: Zoo, Ö: Öland, #:  9 lives")
        let english = LocalizedIndex(locale: Locale(identifier: "en_GB"))
        try log.results.setRequest(
            log.results.request, sectionBy: .firstLetters(of: \.title, in: english))
        #expect(log.titles == "A: apple, E: Éclair, O: Öland, Z: Zoo, #:  9 lives")
        try log.results.setRequest(
            log.results.request,
            sectionBy: .firstLetters(of: \.title, in: english, keepsEmpty: true))
        #expect(log.results.snapshot.sections.map(\.name) == english.titles)
        #expect(log.results.sectionIndexTitles == english.titles)
        #expect(log.mismatches == [])
    }

    @Test func `an order may be of values of several types, or of what cannot be compared`() throws
    {
        let values: [any AttributeValue] = [
            Double.nan, 3, "three", UUID(), Data([1]), Date.distantPast, Decimal(3), Int?.none,
            true,
            UInt64.max, -1.5,
        ]
        let photos = (0..<values.count * 2).map { world.photo("\($0)", views: $0) }
        let rule = SectionRule<Photo>(\.views) {
            $0
        } order: {
            values[$0 % values.count]
        }
        let log = try watch(by: rule)
        for photo in photos {
            photo.views = (photo.views + 5) % photos.count
            world.context.processPendingChanges()
            let fresh = try watch(by: rule)
            #expect(log.results.snapshot == fresh.results.snapshot)
        }
        #expect(log.mismatches == [])
    }

    @Test func `a list has the sections of a rule, and keeps them in a search`() throws {
        for title in ["Bay", "Arch", "Bridge"] { world.photo(title) }
        let list = try ListController<Photo>(searching: [\.title], in: world.context)
        let index = LocalizedIndex(locale: Locale(identifier: "en"))
        try list.show(
            FetchRequest(sortBy: [SortDescriptor(\.title)]),
            sectionBy: .firstLetters(of: \.title, in: index))
        #expect(list.sections.map(\.title) == ["A", "B"])
        try list.search("br")
        #expect(list.sections.map(\.title) == ["B"])
        #expect(list.sections.map { $0.rows.map(\.title) } == [["Bridge"]])
    }

    /// How often a closure was called, on one thread.
    private final class Calls: @unchecked Sendable {
        var count = 0
    }
}
