import PlacesBase

extension Condition {
    /// Whether a latitude and a longitude lead to a point of an area.
    ///
    /// A latitude and a longitude at the end of a chain are asked there, together, so that an index of both may serve.
    static func located(in area: CoordinateArea, _ latitude: [Slot], _ longitude: [Slot])
        -> Condition
    {
        let (height, width) = (
            Operand.attribute(latitude.suffix(1)), Operand.attribute(longitude.suffix(1))
        )
        func between(_ operand: Operand, _ least: Double, _ greatest: Double) -> [Condition] {
            [
                .comparison(operand, .greaterOrEqual, .constant(.double(least))),
                .comparison(operand, .lessOrEqual, .constant(.double(greatest))),
            ]
        }
        let boxes = area.boxes
        guard let first = boxes.first else { return .constant(false) }
        var parts = between(height, first.southwest.latitude, first.northeast.latitude)
        parts.append(
            .some(
                boxes.map {
                    .every(between(width, $0.southwest.longitude, $0.northeast.longitude))
                }))
        if case .circle(let center, let kilometers) = area {
            parts.append(
                .comparison(
                    .distance(height, width, from: center), .lessOrEqual,
                    .constant(.double(kilometers))))
        }
        return Condition.every(parts).related(over: latitude.dropLast())
    }
}

extension Coordinate {
    /// How many kilometres two values in degrees lead away from the point; infinitely many where they are no point of the
    /// Earth.
    func kilometers(latitude: Datum, longitude: Datum) -> Datum {
        guard case .double(let latitude) = latitude, case .double(let longitude) = longitude else {
            return .double(.infinity)
        }
        return .double(kilometers(to: Coordinate(latitude: latitude, longitude: longitude)))
    }

    /// How many kilometres lie between this point and another; infinitely many where one is no point of the Earth.
    func kilometers(to point: Coordinate) -> Double {
        isValid && point.isValid ? distance(to: point) : .infinity
    }
}
