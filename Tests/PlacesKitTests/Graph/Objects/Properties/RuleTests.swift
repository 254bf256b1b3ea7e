import Foundation
import PlacesKit
import Testing

/// Rules of attributes, counts of relationships, and objects that refuse to be saved.
@Suite struct RuleTests {
    enum Refusal: Error { case unpaid }

    final class Order: ManagedObject {
        @Attribute(.unique, .length(2...4)) var code = "AB"
        @Attribute(.length(...3)) var note: String?
        @Attribute(.range(0...5)) var stars = 3
        @Attribute(.range(0..<0.1)) var share: Float = 0
        @Attribute(.range(0.1...)) var price = Decimal(1)
        @Attribute(.range(...Date(timeIntervalSinceReferenceDate: 0))) var day: Date?
        @Attribute(.range(1...)) var serial: UInt64 = 1
        @Attribute(.matches("[a-zß]+"), .length(...5)) var name = "a"
        @Attribute(.length(1..<3)) var bytes = Data([1])
        @Attribute var isPaid = true
        @Relationship(minimumCount: 1, inverse: \Customer.orders) var customer: Customer?
        @Relationship(minimumCount: 1, maximumCount: 2, inverse: \Tag.orders)
        var tags: ObjectSet<Tag>

        override func validate() throws {
            if !isPaid { throw Refusal.unpaid }
            if stars == 4 { _ = try? context?.save() }
            if stars == 5 { context?.rollback() }
            if stars == 1 { note = "odd" }
            if stars == 2, !validationFailures().isEmpty { _ = try context?.validate() }
        }
    }
    final class Customer: ManagedObject {
        @Attribute var name = ""
        @Relationship(maximumCount: 2) var orders: ObjectSet<Order>
    }
    final class Tag: ManagedObject {
        @Relationship var orders: ObjectSet<Order>
    }

    let context: ManagedObjectContext
    let order: Order
    let customer: Customer

    init() throws {
        context = ManagedObjectContext(
            try GraphStore(model: [Order.self, Customer.self, Tag.self]))
        customer = Customer(context: context)
        order = Order(context: context)
        order.customer = customer
        order.tags.insert(Tag(context: context))
    }

    /// Expects that a change is refused for one reason, and its opposite saved.
    private func expect<Value>(
        _ keyPath: ReferenceWritableKeyPath<Order, Value>, _ wrong: Value, then right: Value,
        _ text: String, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        order[keyPath: keyPath] = wrong
        let failures = context.failures()
        #expect(failures.count == 1, sourceLocation: sourceLocation)
        #expect(failures.first?.object == order.objectID, sourceLocation: sourceLocation)
        #expect(
            failures.first?.description == "\(order.objectID).\(text)",
            sourceLocation: sourceLocation)
        // Not by the values: what is not a number does not equal itself.
        #expect(
            order.validationFailures().map(\.description) == failures.map(\.description),
            sourceLocation: sourceLocation)
        #expect(context.hasChanges, sourceLocation: sourceLocation)
        order[keyPath: keyPath] = right
        #expect(order.validationFailures().isEmpty, sourceLocation: sourceLocation)
        try context.save()
    }

    @Test func `text and bytes have a length`() throws {
        try expect(
            \.code, "A", then: "👩‍👩‍👧B",
            #"code is "A", and must have a length of 2 to 4: change it."#)
        try expect(
            \.code, "ABCDE", then: "ABCD",
            #"code is "ABCDE", and must have a length of 2 to 4: change it."#)
        try expect(
            \.note, "abcd", then: nil,
            #"note is "abcd", and must have a length of at most 3: change it."#)
        try expect(
            \.bytes, Data(), then: Data([1, 2]),
            "bytes is 0 bytes, and must have a length of 1 to 2: change it.")
    }

    @Test func `numbers and dates lie in a range`() throws {
        try expect(\.stars, -1, then: 0, "stars is -1, and must be from 0 to 5: change it.")
        try expect(
            \.stars, .max, then: 3, "stars is \(Int.max), and must be from 0 to 5: change it.")
        try expect(
            \.share, 0.1, then: Float(0.1).nextDown,
            "share is \(Double(Float(0.1))), and must be at least 0.0 and less than "
                + "\(Double(Float(0.1))): change it.")
        try expect(
            \.share, .nan, then: 0,
            "share is nan, and must be at least 0.0 and less than "
                + "\(Double(Float(0.1))): change it.")
        try expect(
            \.price, Decimal(9) / 100, then: Decimal(1) / 10,
            "price is 0.09, and must be at least 0.1: change it.")
        try expect(\.serial, 0, then: .max, "serial is 0, and must be at least 1: change it.")
        try expect(
            \.day, Date(timeIntervalSinceReferenceDate: 1),
            then: Date(timeIntervalSinceReferenceDate: 0),
            "day is 2001-01-01T00:00:01Z, and must be at most 2001-01-01T00:00:00Z: change it.")
        try expect(
            \.day, Date(timeIntervalSinceReferenceDate: 0.5), then: nil,
            "day is 2001-01-01T00:00:00.500Z, and must be at most 2001-01-01T00:00:00Z: change it.")
    }

    @Test func `the whole text matches a pattern`() throws {
        let text = "and must match the regular expression [a-zß]+: change it."
        try expect(\.name, "", then: "straß", #"name is "", \#(text)"#)
        try expect(\.name, "ab1", then: "ab", #"name is "ab1", \#(text)"#)
    }

    @Test func `a long text is shortened in the error`() throws {
        order.name = String(repeating: "x", count: 1_000)
        let text = try #require(context.failures().first?.description)
        #expect(text.count < 250 && text.contains("xxx…"))
    }

    @Test func `every broken rule is listed, nothing is saved, and all is saved once mended`()
        throws
    {
        order.name = "123456"
        order.stars = 9
        order.isPaid = false
        order.customer = nil
        order.tags.removeAll()
        let failures = context.failures()
        #expect(
            failures.map(\.property) == ["stars", "name", "name", "customer", "tags", ""])
        #expect(failures.last?.reason == .refused(ThrownError(Refusal.unpaid)))
        #expect(failures.last?.description == "\(order.objectID) is not valid: unpaid")
        #expect(context.store.commitNumber == 0 && context.insertedObjects.contains(order))
        order.name = "abc"
        order.stars = 2
        order.isPaid = true
        order.customer = customer
        order.tags.insert(Tag(context: context))
        try context.save()
        #expect(context.store.commitNumber == 1 && !context.hasChanges)
    }

    @Test func `setting a value that breaks a rule is allowed until the save`() throws {
        try context.save()
        order.stars = 100
        #expect(order.stars == 100)
        #expect(throws: ContextError.self) { try context.validate() }
        order.stars = 1
        #expect(throws: Never.self) { try context.validate() }
        context.rollback()
        #expect(order.stars == 3)
    }

    @Test func `only objects that changed are checked, and those wholly`() async throws {
        let model: [ManagedObject.Type] = [Order.self, Customer.self, Tag.self]
        let text = try await HandwrittenDocument.text(of: model) { context in
            let order = Order(context: context)
            order.customer = Customer(context: context)
            order.tags.insert(Tag(context: context))
        }
        // What an earlier version of the model let pass.
        #expect(text.contains("\"stars\":3"))
        let passed = text.replacing("\"stars\":3", with: "\"stars\":77")
        let document = try await HandwrittenDocument(of: model, passed).open()
        let other = document.viewContext
        let customer = try #require(try other.fetch(Customer.self).first)
        customer.name = "changed"
        try other.save()
        let order = try #require(try other.fetch(Order.self).first)
        order.name = "b"
        #expect(other.failures().map(\.property) == ["stars"])
        order.stars = 3
        try other.save()
        try await document.close()
    }

    @Test func `counts are checked on both sides of a relationship`() throws {
        try context.save()
        let second = Order(context: context)
        second.code = "CD"
        #expect(
            context.failures().map(\.reason) == [
                .tooFew(count: 0, minimum: 1), .tooFew(count: 0, minimum: 1),
            ])
        second.customer = customer
        for _ in 0..<3 { second.tags.insert(Tag(context: context)) }
        #expect(
            context.failures().map(\.description) == [
                "\(second.objectID).tags leads to 3 objects, and must lead to at most 2: take some out."
            ])
        second.tags.remove(try #require(second.tags.first))
        try context.save()
        for code in ["EF", "GH"] {
            let order = Order(context: context)
            order.code = code
            order.customer = customer
            order.tags.insert(Tag(context: context))
        }
        #expect(context.failures().map(\.object) == [customer.objectID])
        #expect(context.failures().map(\.reason) == [.tooMany(count: 4, maximum: 2)])
        context.rollback()
        // Deleting what a relationship needs concerns its owner.
        context.delete(customer)
        #expect(Set(context.failures().map(\.object)).count == 2)
        for order in try context.fetch(Order.self).map(\.self) { context.delete(order) }
        try context.save()
    }

    @Test func `an object that is deleted is not asked`() throws {
        order.isPaid = false
        let gone = Order(context: context)
        context.delete(gone)
        #expect(gone.validationFailures().isEmpty)
        context.delete(order)
        try context.save()
    }

    @Test func `validate cannot save or roll back, and what it changes is not part of the save`()
        throws
    {
        order.stars = 4
        try context.save()
        #expect(context.store.commitNumber == 1)
        order.stars = 1
        try context.save()
        #expect(order.note == "odd" && context.updatedObjects == [order])
        let other = ManagedObjectContext(context.store)
        #expect(try other.fetch(Order.self).first?.note == nil)
        order.stars = 2
        order.name = ""
        let failures = context.failures()
        #expect(failures.map(\.property) == ["name", ""])
        #expect(failures.last?.reason == .refused(ThrownError(ContextError.saveInsideHook)))
        order.name = "a"
        order.stars = 5
        try context.save()
        #expect(throws: ContextError.saveInsideHook) { try context.save() }
        context.rollback()
        order.stars = 2
        try context.save()
        #expect(context.brokenInvariants == [])
    }

    @Test func `objects without a handle are asked too, and no handle is made for each`() throws {
        try context.save()
        for number in 0..<300 {
            let order = Order(context: context)
            order.code = "\(number)".count < 2 ? "0\(number)" : "\(number)"
            order.customer = Customer(context: context)
            order.tags.insert(Tag(context: context))
            order.isPaid = number != 77
        }
        let failures = context.failures()
        #expect(failures.map(\.property) == [""])
        let id = try #require(failures.first).object
        let unpaid = try #require(try context.existingObject(with: id) as? Order)
        #expect(unpaid.code == "77")
        unpaid.isPaid = true
        try context.save()
    }

    // MARK: - Without an inverse

    final class Passport: ManagedObject {
        @Relationship(deleteRule: .deny, minimumCount: 1) var holder: Holder?
    }
    final class Holder: ManagedObject { @Attribute var name = "" }

    @Test func `a relationship without an inverse is checked, and denies nothing at the other end`()
        throws
    {
        let context = ManagedObjectContext(
            try GraphStore(model: [Passport.self, Holder.self]))
        let (passport, holder) = (Passport(context: context), Holder(context: context))
        passport.holder = holder
        try context.save()
        context.delete(passport)
        #expect(context.failures().map(\.reason) == [.deleteDenied])
        context.rollback()
        context.delete(holder)
        #expect(
            context.failures() == [
                ValidationFailure(
                    object: passport.objectID, property: "holder",
                    reason: .tooFew(count: 0, minimum: 1))
            ])
        passport.holder = Holder(context: context)
        try context.save()
        #expect(context.brokenInvariants == [])
    }

    // MARK: - Subclasses

    class Vehicle: ManagedObject {
        @Attribute var wheels = 4
        override func validate() throws {
            if wheels < 1 { throw Refusal.unpaid }
        }
    }
    final class Bicycle: Vehicle {
        @Attribute(.range(1...)) var gears = 3
        override func validate() throws {
            try super.validate()
            if wheels != 2 { throw Refusal.unpaid }
        }
    }

    @Test func `a subclass may refuse more than its superclass, inserted or changed`() throws {
        let context = ManagedObjectContext(
            try GraphStore(model: [Vehicle.self, Bicycle.self]))
        let (vehicle, bicycle) = (Vehicle(context: context), Bicycle(context: context))
        #expect(context.failures().map(\.object) == [bicycle.objectID])
        bicycle.wheels = 2
        try context.save()
        bicycle.wheels = 3
        bicycle.gears = 0
        vehicle.wheels = 3
        #expect(
            Set(context.failures().map(\.property)) == ["gears", ""])
        #expect(Set(context.failures().map(\.object)) == [bicycle.objectID])
        vehicle.wheels = 0
        #expect(Set(context.failures().map(\.object)) == [bicycle.objectID, vehicle.objectID])
    }
}
