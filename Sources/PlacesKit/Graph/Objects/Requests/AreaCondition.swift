public import PlacesBase

extension CompoundPredicate {
    /// Holds for the objects that lie in an area of the map.
    ///
    /// ```swift
    /// let near = CompoundPredicate<Pin>.located(in: .circle(center: paris, kilometers: 5), \.coordinate)
    /// let pins = try context.fetch(FetchRequest(where: near && .init("isVisited == YES")))
    /// ```
    ///
    /// An object without a coordinate, or with one that is no point of the Earth, lies nowhere. With a spatial index only
    /// what lies in the area is read, and what lies at its edge; see ``EntityConstraint/spatialIndex(_:)``.
    public static func located<Value: CompositeValue>(
        in area: CoordinateArea, _ coordinate: any KeyPath<Object, Value> & Sendable
    ) -> CompoundPredicate where Value.Whole == Coordinate {
        CompoundPredicate(
            AreaCondition(
                area: area, keyPaths: [coordinate], point: { $0[keyPath: coordinate].whole }))
    }

    /// Holds for the objects that lie in an area of the map, which two attributes tell.
    public static func located<Value: AttributeValue>(
        in area: CoordinateArea, latitude: any KeyPath<Object, Value> & Sendable,
        longitude: any KeyPath<Object, Value> & Sendable
    ) -> CompoundPredicate where Value.Stored == Double {
        CompoundPredicate(
            AreaCondition(
                area: area, keyPaths: [latitude, longitude],
                point: { object in
                    guard let latitude = object[keyPath: latitude].storedIfAny,
                        let longitude = object[keyPath: longitude].storedIfAny
                    else { return nil }
                    return Coordinate(latitude: latitude, longitude: longitude)
                }))
    }
}

/// The condition that an object lies in an area.
struct AreaCondition<Object: ManagedObject>: Sendable {
    let area: CoordinateArea
    /// A coordinate, or a latitude and a longitude.
    let keyPaths: [any PartialKeyPath<Object> & Sendable]
    /// Where an object lies.
    let point: @Sendable (Object) -> Coordinate?

    /// Whether an object lies in the area.
    func holds(_ object: Object) -> Bool { point(object).map(area.contains) ?? false }

    /// The same for the rows of a model's tables.
    func condition(in model: ObjectModel) -> Condition {
        let slots = keyPaths.flatMap { keyPath -> [[Slot]] in
            model.resolve(keyPath)?.operands.compactMap {
                if case .attribute(let path) = $0 { path } else { nil }
            } ?? []
        }
        guard slots.count == 2, slots[0].dropLast() == slots[1].dropLast() else {
            return .opaque(OpaqueCondition(reason: "its coordinate is computed"))
        }
        return .located(in: area, slots[0], slots[1])
    }
}
