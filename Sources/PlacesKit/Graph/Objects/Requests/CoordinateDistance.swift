public import Foundation
public import PlacesBase

extension SortDescriptor where Compared: ManagedObject {
    /// Sorts by the distance from a point: nearest first, and what lies nowhere last.
    ///
    /// ```swift
    /// SortDescriptor(\Pin.coordinate, distanceFrom: paris)
    /// ```
    ///
    /// With a spatial index and a limit, a request reads only what lies near; see <doc:Maps>.
    public init<Value: CompositeValue>(
        _ coordinate: any KeyPath<Compared, Value> & Sendable, distanceFrom center: Coordinate,
        order: SortOrder = .forward
    ) where Value.Whole == Coordinate {
        // NB: A chain that breaks gives `nil`, whatever is appended to it, and Foundation has `nil` before all
        // else. So distances compare the other way round, and the descriptor is turned round.
        self.init(
            coordinate.appendingSendable(
                \Value.[
                    distanceFrom: DistanceOrigin(
                        base: BaseKeyPath(keyPath: coordinate), center: center)]),
            order: order == .forward ? .reverse : .forward)
    }
}

extension CompositeValue where Whole == Coordinate {
    /// How far the coordinate lies from a point, if there is one.
    fileprivate subscript(distanceFrom origin: DistanceOrigin) -> CoordinateDistance? {
        whole.map { CoordinateDistance(point: $0, origin: origin) }
    }
}

/// From where distances are measured, and to what.
struct DistanceOrigin: Hashable, Sendable {
    let base: BaseKeyPath
    let center: Coordinate
}

/// How far a coordinate lies from a point: the further, the less.
struct CoordinateDistance: Comparable, Sendable {
    fileprivate let point: Coordinate
    fileprivate let origin: DistanceOrigin

    private var kilometers: Double { origin.center.kilometers(to: point) }

    static func == (left: CoordinateDistance, right: CoordinateDistance) -> Bool {
        left.kilometers == right.kilometers
    }

    static func < (left: CoordinateDistance, right: CoordinateDistance) -> Bool {
        right.kilometers < left.kilometers
    }
}

extension CoordinateDistance: OrderedValue {
    func sortKey(_ model: ObjectModel) -> SortKey? {
        guard let operands = model.resolve(origin.base.keyPath)?.operands, operands.count == 2
        else { return nil }
        return SortKey(
            operand: .distance(operands[0], operands[1], from: origin.center), isAscending: false)
    }
}
