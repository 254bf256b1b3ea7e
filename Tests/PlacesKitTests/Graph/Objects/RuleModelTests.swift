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
    final class Twins: ManagedObject {
        @Attribute(.originalName("b")) var a = 1
        @Attribute var b = 1
    }
    final class Impossible: ManagedObject {
        @Relationship(minimumCount: 2) var other: Impossible?
    }

    @Test(arguments: [
        LongNumber.self, NegativeLength.self, TextRange.self, NegativeSerial.self,
        BadPattern.self, NumberPattern.self, ExternalText.self, Fleeting.self, FleetingKey.self,
        Twins.self, Impossible.self,
    ])
    func `what does not go together is refused as a model`(type: ManagedObject.Type) {
        let error = #expect(throws: SchemaError.self) { try GraphStore(model: [type]) }
        let words = error?.description.wholeMatch(of: /(\w+)\.\w+ .+\./)
        #expect(words?.1 == Substring(String(describing: type)))
    }
}
