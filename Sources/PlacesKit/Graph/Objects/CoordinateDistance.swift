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
            coordinate.appendingSendable(\Value.[distanceFrom: center]),
            order: order == .forward ? .reverse : .forward)
    }
}

extension CompositeValue where Whole == Coordinate {
    /// How far the coordinate lies from a point, if there is one.
    fileprivate subscript(distanceFrom center: Coordinate) -> CoordinateDistance? {
        whole.map { CoordinateDistance(point: $0, center: center) }
    }
}

/// How far a coordinate lies from a point: the further, the less.
struct CoordinateDistance: Comparable, Sendable {
    let point: Coordinate
    let center: Coordinate

    private var kilometers: Double { center.kilometers(to: point) }

    static func == (left: CoordinateDistance, right: CoordinateDistance) -> Bool {
        left.kilometers == right.kilometers
    }

    static func < (left: CoordinateDistance, right: CoordinateDistance) -> Bool {
        right.kilometers < left.kilometers
    }
}

extension CoordinateDistance: OrderedValue {
    var unwrapped: Any { point }
    var comparator: (any DatumComparator)? { nil }
    var isInverted: Bool { true }
}

extension SortKey {
    /// The key of a descriptor by the distance of a coordinate; `nil` for others.
    init?<Object>(
        distance resolved: ResolvedKeyPath, _ keyPath: PartialKeyPath<Object>,
        _ descriptor: SortDescriptor<Object>
    ) {
        let operands = resolved.operands
        guard operands.count == 2,
            let distance = Prototypes.example(of: keyPath) as? CoordinateDistance
        else { return nil }
        self.init(
            operand: .distance(operands[0], operands[1], from: distance.center),
            isAscending: descriptor.order == .reverse)
    }
}
