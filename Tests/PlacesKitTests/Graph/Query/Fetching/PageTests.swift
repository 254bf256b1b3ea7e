import Foundation
import PlacesKit
import Testing

@Suite struct PageTests {
    @Test func `pages of every size hold all objects in order`() throws {
        let context = try SpecimenWorld(seed: 1).context
        let request = FetchRequest<Specimen>(sortBy: [SortDescriptor(\.text)])
        let expected = try context.identifiers(of: request)
        for size in [1, 7, expected.count - 1, expected.count, expected.count + 1, .max, 0, -3] {
            let pages = try context.pages(of: size, for: request)
            let sizes = pages.map(\.count)
            #expect(sizes.count == pages.underestimatedCount)
            #expect(sizes.dropLast().allSatisfy { $0 == max(1, size) })
            #expect(pages.flatMap { $0.map(\.objectID) } == expected)
            #expect(pages.objectCount == expected.count)
        }
    }

    @Test func `pages stay as they were while the context changes`() throws {
        let context = try TownModel.context()
        for number in 0..<10 { context.land("Land \(number)").number = number }
        let request = FetchRequest<Land>(sortBy: [SortDescriptor(\.number)])
        var names: [String] = []
        for page in try context.pages(of: 3, for: request) {
            names += page.map(\.name)
            // Each page is followed by a change of all that comes.
            for land in try context.fetch(request) { land.name += "!" }
            if let land = try context.first(request) { context.delete(land) }
        }
        #expect(names == (0..<10).map { "Land \($0)" })
        #expect(try context.count(Land.self) == 6)
    }

    @Test func `an object of a page is found in the context`() throws {
        let context = try TownModel.context()
        let land = context.land("Land")
        let page = try #require(
            try context.pages(of: 1, for: FetchRequest<Land>()).first { _ in true })
        #expect(page[0] !== land)
        #expect(try context.existingObject(Land.self, with: page[0].objectID) === land)
    }

    @Test func `nothing has no pages`() throws {
        let pages = try TownModel.context().pages(of: 5, for: FetchRequest<Land>())
        #expect(Array(pages).isEmpty && pages.underestimatedCount == 0)
    }

    @Test func `pages that are waited for are the same`() async throws {
        let context = try SpecimenWorld(seed: 1).context
        let request = FetchRequest<Specimen>(sortBy: [SortDescriptor(\.text)])
        let expected = try context.identifiers(of: request)
        var (found, sizes): ([ObjectID], [Int]) = ([], [])
        let pages = context.asyncPages(of: 7, for: request)
        for object in try context.fetch(Specimen.self).prefix(3) { context.delete(object) }
        for try await page in pages {
            found += page.map(\.objectID)
            sizes.append(page.count)
        }
        #expect(found == expected)
        #expect(sizes.dropLast().allSatisfy { $0 == 7 } && sizes.reduce(0, +) == expected.count)
    }

    @Test func `waiting for a page ends when the task is cancelled`() async throws {
        let pages = try SpecimenWorld(seed: 1).context.asyncPages(
            of: 2, for: FetchRequest<Specimen>())
        let task = Task {
            var count = 0
            for try await _ in pages {
                count += 1
                withUnsafeCurrentTask { $0?.cancel() }
            }
            return count
        }
        await #expect(throws: CancellationError.self) { try await task.value }
    }
}
