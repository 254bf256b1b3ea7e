import Foundation
import PlacesKit
import Testing

@Suite struct NestedContextTests {
    @Test func `a chain of two thousand child contexts ends within a small stack`() throws {
        let store = try TownModel.store()
        let hasEnded = DispatchSemaphore(value: 0)
        nonisolated(unsafe) var names: [String] = []
        let thread = Thread {
            do {
                var context = ManagedObjectContext(store)
                for _ in 0..<2_000 { context = ManagedObjectContext(parent: context) }
                let citizen = context.citizen("Deep")
                names.append(citizen.name)
            }
            hasEnded.signal()
        }
        thread.stackSize = 512 << 10
        thread.start()
        hasEnded.wait()
        #expect(names == ["Deep"])
    }

    @Test func `a parent in a chain lives on where somebody has one of its objects`() throws {
        let root = ManagedObjectContext(try TownModel.store())
        var context = root
        var middle: Citizen?
        for level in 0..<20 {
            context = ManagedObjectContext(parent: context)
            if level == 9 { middle = context.citizen("Middle") }
        }
        context = root
        let citizen = try #require(middle)
        citizen.age = 7
        try citizen.context?.save()
        #expect(citizen.context?.parent?.parent != nil && citizen.age == 7)
        #expect(root.brokenInvariants == [])
    }
}
