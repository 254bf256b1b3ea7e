import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

/// Optional composite attributes, of which an object has all required parts or none.
@Suite struct HalfCompositeTests {
    private struct Address: CompositeAttribute {
        var street = ""
        var zip: String?

        static let parts: [CompositePart<Address>] = [
            .part("street", \.street), .part("zip", \.zip),
        ]
    }

    private struct Contact: CompositeAttribute {
        var phone: String?
        var mail: String?

        static let parts: [CompositePart<Contact>] = [
            .part("phone", \.phone), .part("mail", \.mail),
        ]
    }

    private final class Pin: ManagedObject {
        @Attribute(.unique) var name = ""
        @Attribute var note = ""
        @Composite var spot: Coordinate?
        @Composite var address: Address?
        @Composite var contact = Contact()
        @Composite var spare: Contact?
    }

    private let store: GraphStore
    private let own: ManagedObjectContext
    private let other: ManagedObjectContext

    init() throws {
        store = try GraphStore(model: [Pin.self])
        own = ManagedObjectContext(store)
        other = ManagedObjectContext(store)
        let pin = try own.findOrInsert(Pin.self, \.name, "a")
        pin.spot = Coordinate(latitude: 1, longitude: 2)
        try own.save(shownTo: other)
    }

    private func pin(_ context: ManagedObjectContext) throws -> Pin {
        try #require(try context.find(Pin.self, \.name, "a"))
    }

    private func spot() throws -> Coordinate? {
        try store.snapshot().context().find(Pin.self, \.name, "a")?.spot
    }

    @Test(arguments: [MergePolicy.mergeByPropertyObjectTrump, .mergeByPropertyStoreTrump])
    func
        `a merge by properties of a part that one wrote and a whole that another took away is no half`(
            policy: MergePolicy
        ) throws
    {
        own.mergePolicy = policy
        let isOwn = policy == .mergeByPropertyObjectTrump
        try pin(own).spot?.latitude = 5
        try pin(other).spot = nil
        try other.save()
        try own.save()
        let written = Coordinate(latitude: 5, longitude: 2)
        #expect(try spot() == (isOwn ? written : nil))
        #expect(try pin(own).spot == spot())

        other.refreshAllObjects()
        try pin(other).spot = Coordinate(latitude: 1, longitude: 2)
        try other.save(shownTo: own)
        try pin(own).spot = nil
        try pin(other).spot?.latitude = 5
        try other.save()
        try own.save()
        #expect(try spot() == (isOwn ? nil : written))
        #expect(try pin(own).spot == spot())
    }

    @Test func `parts that two wrote of a composite that stays are settled one by one`() throws {
        own.mergePolicy = .mergeByPropertyObjectTrump
        try pin(own).spot?.latitude = 5
        try pin(other).spot?.longitude = 6
        try other.save()
        try own.save()
        #expect(try spot() == Coordinate(latitude: 5, longitude: 6))
    }

    @Test func `an undo leaves a composite as it is of which others wrote a part`() throws {
        own.isUndoEnabled = true
        try pin(own).spot = nil
        try own.save(shownTo: other)
        try pin(own).spot = Coordinate(latitude: 3, longitude: 4)
        try pin(own).note = "here"
        try own.save(shownTo: other)
        try pin(other).spot?.longitude = 6
        try other.save()
        own.refreshAllObjects()
        own.undo()
        #expect(try pin(own).spot == Coordinate(latitude: 3, longitude: 6))
        #expect(try pin(own).note == "")
        try own.save()
        own.redo()
        #expect(try pin(own).spot == Coordinate(latitude: 3, longitude: 6))
        #expect(try pin(own).note == "here")
        try own.save()
    }

    private func write(_ phone: String?, _ mail: String?, _ context: ManagedObjectContext) throws {
        let contact = Contact(phone: phone, mail: mail)
        try pin(context).contact = contact
        try pin(context).spare = contact
    }

    @Test(arguments: [MergePolicy.mergeByPropertyObjectTrump, .mergeByPropertyStoreTrump])
    func `a merge by properties keeps what one alone wrote of a composite whose parts are optional`(
        policy: MergePolicy
    ) throws {
        own.mergePolicy = policy
        try write("1", nil, own)
        try own.save(shownTo: other)
        let isOwn = policy == .mergeByPropertyObjectTrump
        let (emptying, filling) = isOwn ? (own, other) : (other, own)
        try write(nil, nil, emptying)
        try write("2", "m", filling)
        try other.save()
        try own.save()
        let saved = try #require(try store.snapshot().context().find(Pin.self, \.name, "a"))
        #expect(saved.contact == Contact(mail: "m"))
        #expect(saved.spare == Contact(mail: "m"))
        #expect(try pin(own).contact == saved.contact)
        #expect(try pin(own).spare == saved.spare)
    }

    @Test func `half a value that merges left of no conflict is refused by the save`() throws {
        own.mergePolicy = .mergeByPropertyObjectTrump
        try pin(other).address = Address(street: "Elm")
        try other.save(shownTo: own)
        try pin(own).address?.zip = "1"
        try pin(other).address = nil
        try other.save()
        let error = #expect(throws: ContextError.self) { try own.save() }
        guard case .invalid(let failures)? = error else { throw Unexpected(error) }
        #expect(failures.map(\.property) == ["address.street"])
        #expect(failures.map(\.reason) == [.missingValue])
        #expect(try pin(own).validationFailures().map(\.property) == ["address.street"])
        try pin(own).address = nil
        try own.save()
        #expect(try store.snapshot().context().find(Pin.self, \.name, "a")?.address == nil)
    }
}
