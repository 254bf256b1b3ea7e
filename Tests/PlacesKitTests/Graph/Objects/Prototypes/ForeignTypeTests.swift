import Foundation
import PlacesKit
import Testing

/// An element of a column that nobody knows, as large as four numbers.
private struct WideElement: ColumnElement {
    var numbers: [Int64] = [1, 2, 3, 4]
    var more: (Int64, Int64, Int64) { (1, 2, 3) }
    static var unset: WideElement { WideElement() }
}

private struct WideValue: AttributeValue {
    var element = WideElement()
    init() {}
    init(stored: WideElement) { element = stored }
    var stored: WideElement { element }
}

/// What is stored as the row of an object.
private struct FalseReference: AttributeValue {
    init() {}
    init(stored: Int32) {}
    var stored: Int32 { 7 }
}

private enum NoValues: Int, CaseIterable, AttributeValue {
    case one = 1
    static var allCases: [NoValues] { [] }
}

private struct WideRaw: RawRepresentable, AttributeValue {
    var rawValue: WideValue
}

/// A type of one's own that is stored as a number.
private struct Celsius: AttributeValue {
    var degrees = 0.0
    init(_ degrees: Double) { self.degrees = degrees }
    init?(stored: Double) {
        guard stored >= -273.15 else { return nil }
        degrees = stored
    }
    var stored: Double { degrees }
}

/// A type that is stored in another way each time, as what is sealed is.
private struct Sealed: AttributeValue {
    var text = ""
    init(_ text: String) { self.text = text }
    init?(stored: String) {
        guard let colon = stored.firstIndex(of: ":") else { return nil }
        text = String(stored[stored.index(after: colon)...])
    }
    var stored: String { "\(UInt64.random(in: 0 ... .max)):\(text)" }
}

/// A type of raw values that is stored as something else than they are.
private struct Level: RawRepresentable, AttributeValue {
    var rawValue: String
    init(rawValue: String) { self.rawValue = rawValue }
    init(stored: Int64) { rawValue = String(repeating: "+", count: Int(stored)) }
    var stored: Int64 { Int64(rawValue.count) }
}

/// Has a raw value that may be nil.
private struct MaybeRaw: RawRepresentable, AttributeValue {
    var rawValue: Int?
}

/// The same, stored as a number that stands for nil.
private struct MinusForNil: RawRepresentable, AttributeValue {
    var rawValue: Int?
    init(rawValue: Int?) { self.rawValue = rawValue }
    init(stored: Int64) { rawValue = stored < 0 ? nil : Int(stored) }
    var stored: Int64 { Int64(rawValue ?? -1) }
}

/// A type of raw values that are stored as one of the types that a schema tells apart.
private struct Day: RawRepresentable, AttributeValue {
    var rawValue: Date
}

private enum Foreign {
    final class Element: ManagedObject { @Attribute var value = WideValue() }
    final class NoDefault: ManagedObject { @Attribute var value: WideValue }
    final class OptionalElement: ManagedObject { @Attribute var value: WideValue? }
    final class UniqueElement: ManagedObject { @Attribute(.unique) var value: WideValue? }
    final class Reference: ManagedObject { @Attribute(.indexed) var value = FalseReference() }
    final class Empty: ManagedObject { @Attribute var value = NoValues.one }
    final class Raw: ManagedObject { @Attribute var value: WideRaw? }
    final class NilRaw: ManagedObject { @Attribute var value = MaybeRaw(rawValue: 1) }
    final class OptionalNilRaw: ManagedObject { @Attribute var value: MaybeRaw? }
    final class KeptNil: ManagedObject { @Attribute var value = MinusForNil(rawValue: nil) }
    final class Combined: ManagedObject {
        @Attribute var value: WideValue?
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
        @Attribute var level = Level(rawValue: "++")
        @Attribute var day: Day?
    }
    final class Login: ManagedObject { @Attribute var word = Sealed("") }
}

/// Types of attributes that say of themselves what is not so.
@Suite struct ForeignTypeTests {
    @Test(
        arguments: [
            Foreign.Element.self, Foreign.NoDefault.self, Foreign.OptionalElement.self,
            Foreign.UniqueElement.self, Foreign.Reference.self, Foreign.Empty.self,
            Foreign.Raw.self,
            Foreign.Combined.self, Foreign.NilRaw.self, Foreign.OptionalNilRaw.self,
        ] as [ManagedObject.Type])
    func `a type that is stored as no column holds it is refused with the attribute's name`(
        type: ManagedObject.Type
    ) throws {
        for _ in 0..<2 {
            #expect {
                try GraphStore(model: [type])
            } throws: { error in
                (error as? SchemaError)?.description.wholeMatch(of: /(\w+)\.value .+/)?.1
                    == Substring(String(describing: type))
            }
        }
    }

    @Test func `a raw value of nil is kept where the type says how it is stored`() throws {
        let context = ManagedObjectContext(try GraphStore(model: [Foreign.KeptNil.self]))
        let object = Foreign.KeptNil(context: context)
        #expect(object.value.rawValue == nil)
        object.value = MinusForNil(rawValue: 3)
        object.value = MinusForNil(rawValue: nil)
        try context.save()
        #expect(object.value.rawValue == nil)
    }

    @Test func `a derived attribute of such a type is refused`() throws {
        #expect {
            try GraphStore(model: [Foreign.Owner.self, Foreign.Member.self])
        } throws: { error in
            (error as? SchemaError)?.description
                .wholeMatch(of: /\w+\.(value|wide) .*WideElement.*/) != nil
        }
    }

    @Test func `what is wrong and what to do is said`() throws {
        #expect {
            try GraphStore(model: [Foreign.Element.self])
        } throws: { error in
            "\(error)".hasPrefix(
                "Element.value is of the type WideValue, whose Stored is WideElement, ")
        }
    }

    @Test func `a type of one's own that says how it is stored is an attribute like others`() throws
    {
        let context = ManagedObjectContext(try GraphStore(model: [Foreign.Sound.self]))
        let sound = Foreign.Sound(context: context)
        #expect(sound.value == Celsius(20))
        sound.other = Celsius(-3)
        #expect(sound.other == Celsius(-3))
        #expect(
            try context.count(FetchRequest<Foreign.Sound>(where: "value > 19 AND other < 0")) == 1)
        #expect(try context.values(of: \Foreign.Sound.other) == [Celsius(-3)])
        #expect(sound.level.rawValue == "++" && sound.day == nil)
        let types = context.store.model.schema.entities[0].attributes.map(\.type)
        #expect(types == [.double, .double, .int64, .date])
    }

    @Test func `values of a type that is stored in another way each time are asked of objects`()
        throws
    {
        let context = ManagedObjectContext(try GraphStore(model: [Foreign.Login.self]))
        Foreign.Login(context: context).word = Sealed("secret")
        #expect(try context.values(of: \Foreign.Login.word).map(\.text) == ["secret"])
        #expect(try context.fetch(Foreign.Login.self).map(\.word.text) == ["secret"])
    }
}
