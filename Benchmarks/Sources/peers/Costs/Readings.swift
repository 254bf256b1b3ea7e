import PlacesKit

/// What a meter shows, in an object of which nothing is derived.
final class Reading: ManagedObject {
    @Attribute var amount = 0
    @Attribute var place = 0
}

/// The same with an index.
final class IndexedReading: ManagedObject {
    @Attribute(.indexed) var amount = 0
}

/// The same with a value that a closure makes.
final class ConvertedReading: ManagedObject {
    @Attribute var amount = 0
    @Derived(from: \ConvertedReading.amount, by: { $0 * 3 }) var triple: Int
}

/// The same as one of the readings of a meter that sums them up.
final class SummedReading: ManagedObject {
    @Attribute var amount = 0
    @Relationship(inverse: \SummingMeter.readings) var meter: SummingMeter?
}

/// The sum of its readings.
final class SummingMeter: ManagedObject {
    @Relationship var readings: ObjectSet<SummedReading>
    @Derived(sum: \SummingMeter.readings, \SummedReading.amount) var total: Int
}

/// The same as one of the readings of a meter that knows their greatest.
final class PeakReading: ManagedObject {
    @Attribute var amount = 0
    @Relationship(inverse: \PeakMeter.readings) var meter: PeakMeter?
}

/// The greatest of its readings.
final class PeakMeter: ManagedObject {
    @Relationship var readings: ObjectSet<PeakReading>
    @Derived(max: \PeakMeter.readings, \PeakReading.amount) var peak: Int?
}

/// The same with a class that is asked before and after each save.
final class HookedReading: ManagedObject {
    @Attribute var amount = 0
    override func willSave() {}
    override func didSave() {}
    override func validate() throws {}
}

/// A class whose objects have an amount that is written.
protocol Metered: ManagedObject {
    var amount: Int { get set }
}

extension Reading: Metered {}
extension IndexedReading: Metered {}
extension ConvertedReading: Metered {}
extension SummedReading: Metered {}
extension PeakReading: Metered {}
extension HookedReading: Metered {}
