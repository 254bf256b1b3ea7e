import Foundation
import PlacesKit
import Testing

/// Rules and options that do not go together with their attributes.
@Suite struct RuleModelTests {
    final class LongNumber: ManagedObject { @Attribute(.length(1...2)) var number = 1 }
    final class NegativeLength: ManagedObject { @Attribute(.length(..<0)) var name = "" }
    final class TextRange: ManagedObject { @Attribute(.range(1...2)) var name = "" }
    final class NegativeSerial: ManagedObject {
        @Attribute(.range((-1)...2)) var serial: UInt64 = 1
    }
    final class BadPattern: ManagedObject { @Attribute(.matches("[a")) var name = "" }
    final class NumberPattern: ManagedObject { @Attribute(.matches("a")) var number = 1 }
    final class ExternalText: ManagedObject { @Attribute(.externalStorage) var text = "" }
    final class Fleeting: ManagedObject { @Attribute(.transient) var name: String }
    final class FleetingKey: ManagedObject { @Attribute(.transient, .unique) var name: String? }
    final class FleetingPair: ManagedObject {
        @Attribute var number = 0
        @Attribute(.transient) var mark = 0
        override class var constraints: [EntityConstraint] {
            [.unique(\FleetingPair.number, \FleetingPair.mark)]
        }
    }
    final class FleetingSource: ManagedObject {
        @Attribute var number = 0
        @Attribute(.transient) var mark: Int?
        @Derived(from: \FleetingSource.mark, by: { ($0 ?? 0) * 2 }) var double: Int
        override class var constraints: [EntityConstraint] {
            [.unique(\FleetingSource.number, \FleetingSource.double)]
        }
    }
    final class FleetingDouble: ManagedObject {
        @Attribute(.transient) var mark = 0
        @Derived(from: \FleetingDouble.mark, .unique, by: { $0 * 2 }) var double: Int
    }
    final class NilMark: ManagedObject {
        @Attribute var number = 0
        @Attribute(.transient) var mark: Int?
        override class var constraints: [EntityConstraint] {
            [.unique(\NilMark.number, \NilMark.mark)]
        }
    }
    final class Twins: ManagedObject {
        @Attribute(.originalName("b")) var a = 1
        @Attribute var b = 1
    }
    final class Impossible: ManagedObject {
        @Relationship(minimumCount: 2) var other: Impossible?
    }
    final class SeveralOfOne: ManagedObject {
        @Relationship(minimumCount: 2, maximumCount: 5) var other: SeveralOfOne?
    }
    final class NegativeMaximum: ManagedObject {
        @Relationship(maximumCount: -1) var other: NegativeMaximum?
    }
    final class NegativeMinimum: ManagedObject {
        @Relationship(minimumCount: -1, inverse: \NegativeMinimum.parent)
        var children: ObjectSet<NegativeMinimum>
        @Relationship var parent: NegativeMinimum?
    }
    struct Flags: OptionSet, CaseIterable, AttributeValue {
        let rawValue: Int
        static let allCases = [Flags(rawValue: 1), Flags(rawValue: 2)]
    }
    final class UnlistedDefault: ManagedObject { @Attribute var flags: Flags = [] }
    final class FleetingDefault: ManagedObject { @Attribute(.transient) var flags: Flags = [] }

    @Test(arguments: [
        LongNumber.self, NegativeLength.self, TextRange.self, NegativeSerial.self,
        BadPattern.self, NumberPattern.self, ExternalText.self, Fleeting.self, FleetingKey.self,
        FleetingPair.self, FleetingSource.self, FleetingDouble.self, Twins.self, Impossible.self,
        SeveralOfOne.self, NegativeMaximum.self, NegativeMinimum.self, UnlistedDefault.self,
    ])
    func `what does not go together is refused as a model`(type: ManagedObject.Type) {
        let error = #expect(throws: SchemaError.self) { try GraphStore(model: [type]) }
        let words = error?.description.wholeMatch(of: /(\w+)\.\w+ .+\./)
        #expect(words?.1 == Substring(String(describing: type)))
    }

    @Test(
        arguments: [
            (Impossible.self, "from 0 to 1."), (SeveralOfOne.self, "from 0 to 1."),
            (NegativeMaximum.self, "from 0 on, or leave it out."),
            (NegativeMinimum.self, "from 0 on, or leave it out."),
        ] as [(ManagedObject.Type, String)])
    func `a count that can never be is refused with those that can`(
        type: ManagedObject.Type, advice: String
    ) {
        let error = #expect(throws: SchemaError.self) { try GraphStore(model: [type]) }
        #expect(error?.description.hasSuffix(advice) == true)
    }

    @Test func `a default that its type does not list is one of a transient attribute`() throws {
        let context = ManagedObjectContext(try GraphStore(model: [FleetingDefault.self]))
        let object = FleetingDefault(context: context)
        try context.save()
        #expect(object.flags == [])
    }

    @Test func `a transient attribute that files leave nil may be unique with others`() throws {
        let context = ManagedObjectContext(try GraphStore(model: [NilMark.self]))
        for mark in [1, 2, nil, nil] { NilMark(context: context).mark = mark }
        try context.save()
        #expect(try context.count(FetchRequest<NilMark>()) == 4)
    }

    @Test func `the error names the transient attribute from which a unique one follows`() {
        let error = #expect(throws: SchemaError.self) {
            try GraphStore(model: [FleetingDouble.self])
        }
        #expect(
            error?.description.contains("FleetingDouble.double must be unique") == true
                && error?.description.contains("follows from FleetingDouble.mark") == true)
    }
}
