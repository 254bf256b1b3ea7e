import Foundation
import PlacesKit
import Testing

@testable import PlacesGraph

/// An integer that says that it is text.
private struct FalseText: AttributeValue {
    typealias Stored = Int64
    static var attributeType: AttributeType { .string }
    var number: Int64 = 0
    init() {}
    init(stored: Int64, isValid: Bool) { number = stored }
    var stored: Int64? { number }
    var datum: Datum { .string("\(number)") }
}

/// Text that says that it is a truth value.
private struct FalseTruth: AttributeValue {
    typealias Stored = String
    static var attributeType: AttributeType { .boolean }
    var text = ""
    init() {}
    init(stored: String, isValid: Bool) { text = stored }
    var stored: String? { text }
    var datum: Datum { .boolean(true) }
}

/// An element of a column that nobody knows, as large as four numbers.
private struct WideElement: ColumnElement {
    var numbers: [Int64] = [1, 2, 3, 4]
    var more: (Int64, Int64, Int64) { (1, 2, 3) }
    static var unset: WideElement { WideElement() }
}

private struct WideValue: AttributeValue {
    typealias Stored = WideElement
    static var attributeType: AttributeType { .int64 }
    var element = WideElement()
    init() {}
    init(stored: WideElement, isValid: Bool) { element = stored }
    var stored: WideElement? { element }
    var datum: Datum { .integer(1) }
}

/// What is stored as the row of an object.
private struct FalseReference: AttributeValue {
    typealias Stored = Int32
    static var attributeType: AttributeType { .int32 }
    init() {}
    init(stored: Int32, isValid: Bool) {}
    var stored: Int32? { 7 }
    var datum: Datum { .integer(7) }
}

/// A type whose values are those of another type.
private struct FalseValues: AttributeValue {
    typealias Stored = Int64
    static var attributeType: AttributeType { .int64 }
    static var allowedValues: [Datum]? { [.string("a long text that no integer has room for")] }
    init() {}
    init(stored: Int64, isValid: Bool) {}
    var stored: Int64? { 7 }
    var datum: Datum { .integer(7) }
}

private enum NoValues: Int, CaseIterable, AttributeValue {
    case one = 1
    static var allCases: [NoValues] { [] }
}

/// An integer whose datum is text.
private struct FalseDatum: AttributeValue {
    typealias Stored = Int64
    static var attributeType: AttributeType { .int64 }
    init() {}
    init(stored: Int64, isValid: Bool) {}
    var stored: Int64? { 7 }
    var datum: Datum { .string("seven") }
}

private struct FalseRaw: RawRepresentable, AttributeValue {
    var rawValue: FalseText
}

private struct FalseJSON: CodableAttribute {
    static var attributeType: AttributeType { .data }
    var text = ""
}

/// A type of one's own whose parts go together.
private struct Celsius: AttributeValue {
    typealias Stored = Double
    static var attributeType: AttributeType { .double }
    var degrees = 0.0
    init(_ degrees: Double) { self.degrees = degrees }
    init(stored: Double, isValid: Bool) { degrees = stored }
    var stored: Double? { degrees }
    var datum: Datum { .double(degrees) }
}

private enum Foreign {
    final class Text: ManagedObject { @Attribute var value = FalseText() }
    final class NoDefault: ManagedObject { @Attribute var value: FalseText }
    final class OptionalText: ManagedObject { @Attribute var value: FalseText? }
    final class UniqueText: ManagedObject { @Attribute(.unique) var value: FalseText? }
    final class Truth: ManagedObject { @Attribute(.indexed) var value = FalseTruth() }
    final class Element: ManagedObject { @Attribute var value = WideValue() }
    final class OptionalElement: ManagedObject { @Attribute var value: WideValue? }
    final class Reference: ManagedObject { @Attribute var value = FalseReference() }
    final class Values: ManagedObject { @Attribute var value = FalseValues() }
    final class Empty: ManagedObject { @Attribute var value = NoValues.one }
    final class Default: ManagedObject { @Attribute var value = FalseDatum() }
    final class Raw: ManagedObject { @Attribute var value: FalseRaw? }
    final class JSON: ManagedObject { @Attribute var value = FalseJSON() }
    final class Combined: ManagedObject {
        @Attribute var value: FalseText?
        @Attribute var number = 0
        override class var constraints: [EntityConstraint] {
            [.unique(\Combined.value, \Combined.number)]
        }
    }
    final class Owner: ManagedObject {
        @Relationship(inverse: \Member.owner) var members: ObjectSet<Member>
        @Derived(max: \Owner.members, \Member.wide) var value: WideValue?
    }
    final class Member: ManagedObject {
        @Attribute var number = 0
        @Relationship var owner: Owner?
        @Attribute var wide: WideValue?
    }
    final class Sound: ManagedObject {
        @Attribute(.indexed) var value = Celsius(20)
        @Attribute var other: Celsius?
    }
}

/// Types of attributes that say of themselves what is not so.
@Suite struct ForeignTypeTests {
    @Test(
        arguments: [
            Foreign.Text.self, Foreign.NoDefault.self, Foreign.OptionalText.self,
            Foreign.UniqueText.self, Foreign.Truth.self, Foreign.Element.self,
            Foreign.OptionalElement.self, Foreign.Reference.self, Foreign.Values.self,
            Foreign.Empty.self, Foreign.Default.self, Foreign.Raw.self, Foreign.JSON.self,
            Foreign.Combined.self,
        ] as [ManagedObject.Type])
    func `a type that is stored as it does not say is refused with the attribute's name`(
        type: ManagedObject.Type
    ) throws {
        for _ in 0..<2 {
            #expect {
                try GraphStore(model: [type])
            } throws: { error in
                guard
                    case .invalidProperty(let entity, "value", let problem)? = error as? SchemaError
                else { return false }
                return entity == type.entityName && !problem.isEmpty
            }
        }
    }

    @Test func `a derived attribute of such a type is refused`() throws {
        #expect {
            try GraphStore(model: [Foreign.Owner.self, Foreign.Member.self])
        } throws: { error in
            guard case .invalidProperty(_, let property, let problem)? = error as? SchemaError
            else {
                return false
            }
            return ["value", "wide"].contains(property) && problem.contains("WideElement")
        }
    }

    @Test func `what is wrong and what to do is said`() throws {
        #expect {
            try GraphStore(model: [Foreign.Text.self])
        } throws: { error in
            "\(error)".hasPrefix(
                "Text.value is of the type FalseText, which is stored as Int64 and ")
        }
    }

    @Test func `a type of one's own whose parts go together is an attribute like others`() throws {
        let context = ManagedObjectContext(try GraphStore(model: [Foreign.Sound.self]))
        let sound = Foreign.Sound(context: context)
        #expect(sound.value == Celsius(20))
        sound.other = Celsius(-3)
        #expect(sound.other == Celsius(-3))
        #expect(
            try context.count(FetchRequest<Foreign.Sound>(where: "value > 19 AND other < 0")) == 1)
        #expect(try context.values(of: \Foreign.Sound.other) == [Celsius(-3)])
    }
}
