public import Foundation

/// What the objects of a group have in common.
///
/// ```swift
/// GroupRequest(by: .month(\Photo.dateUploaded, in: calendar), .count)
/// GroupRequest(by: .keys(\Photo.region, \.isFavorite, \.owner), .count)
/// GroupRequest(by: .keys(.value(\Photo.region), .day(\.lastViewed)), .count)
/// ```
public struct GroupKey<Object: AnyObject, Value: Hashable & Sendable>: Sendable {
    // NB: `Object` is not declared a managed object, as with aggregates.
    /// What is read for an object, one after the other.
    let parts: [GroupKeyPart]
    /// Groups rows of an entity.
    let groups: @Sendable (GraphReading, ContiguousArray<Row>, Int) -> RowGroups
    /// The keys of rows, each the first of a group.
    let values: @Sendable (GraphReading, ContiguousArray<Row>, Int) -> [Value]

    /// The value of a property: an attribute (also across to-one relationships), a number of members,
    /// an identifier, or any other property of the class.
    public static func value(_ keyPath: any KeyPath<Object, Value> & Sendable) -> GroupKey {
        GroupKey(
            parts: [GroupKeyPart(keyPath: keyPath)],
            groups: { $0.keyGrouping(of: $1, by: keyPath, of: $2) },
            values: { $0.values(of: keyPath, $1, of: $2) })
    }
}

/// One of the properties by which objects are grouped.
struct GroupKeyPart: Sendable {
    let keyPath: any AnyKeyPath & Sendable
    /// What makes buckets of dates, if anything does.
    var buckets: CalendarBuckets?
}

/// A date attribute, which may be optional.
public protocol AttributeDate: AttributeValue, Hashable, Sendable {}

extension Date: AttributeDate {}
extension Date?: AttributeDate {}

extension GroupKey where Value: AttributeDate {
    /// The hour of a date, told by the instant at which it begins.
    ///
    /// An hour that comes twice, when clocks are set back, is two.
    public static func hour(
        _ keyPath: any KeyPath<Object, Value> & Sendable, in calendar: Calendar = .current
    ) -> GroupKey {
        GroupKey(keyPath, in: CalendarBuckets(.hour, of: calendar))
    }

    /// The day of a date as a calendar shows it in its time zone, told by the instant at which it begins.
    ///
    /// ```swift
    /// for (day, count) in try context.groups(GroupRequest(by: .day(\Photo.dateUploaded), .count)) {
    ///     print(day.formatted(date: .long, time: .omitted), count)
    /// }
    /// ```
    /// No date is a key too. A date so far away that calendars do not know it (before 4300 BC, or some
    /// 300,000 years from now) is a key for itself.
    public static func day(
        _ keyPath: any KeyPath<Object, Value> & Sendable, in calendar: Calendar = .current
    ) -> GroupKey {
        GroupKey(keyPath, in: CalendarBuckets(.day, of: calendar))
    }

    /// The week of a date, told by the instant at which it begins; `calendar.firstWeekday` says on which
    /// day that is.
    public static func week(
        _ keyPath: any KeyPath<Object, Value> & Sendable, in calendar: Calendar = .current
    ) -> GroupKey {
        GroupKey(keyPath, in: CalendarBuckets(.week, of: calendar))
    }

    /// The month of a date, told by the instant at which it begins.
    public static func month(
        _ keyPath: any KeyPath<Object, Value> & Sendable, in calendar: Calendar = .current
    ) -> GroupKey {
        GroupKey(keyPath, in: CalendarBuckets(.month, of: calendar))
    }

    /// The year of a date, told by the instant at which it begins.
    public static func year(
        _ keyPath: any KeyPath<Object, Value> & Sendable, in calendar: Calendar = .current
    ) -> GroupKey {
        GroupKey(keyPath, in: CalendarBuckets(.year, of: calendar))
    }

    private init(_ keyPath: any KeyPath<Object, Value> & Sendable, in buckets: CalendarBuckets) {
        parts = [GroupKeyPart(keyPath: keyPath, buckets: buckets)]
        groups = { reading, rows, entity in
            var (buckets, numbers) = (buckets, WordNumbers())
            var groups = RowGroups(capacity: rows.count)
            for value in reading.values(of: keyPath, rows, of: entity) {
                let start = buckets.start(of: value.datum)
                if start == .null {
                    groups.appendNull()
                } else {
                    groups.append(numbers.number(of: start.orderedBits))
                }
            }
            return groups
        }
        values = { reading, rows, entity in
            var buckets = buckets
            return reading.values(of: keyPath, rows, of: entity).map {
                Value(buckets.start(of: $0.datum))
            }
        }
    }
}
