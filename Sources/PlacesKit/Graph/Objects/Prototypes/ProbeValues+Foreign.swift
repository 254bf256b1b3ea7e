import Foundation

extension AttributeDescription {
    /// The values that prototypes hold in the attribute: of a type of one's own, which need not be ready for stranger ones,
    /// only the ordinary.
    func probes(isForeign: Bool) -> [Datum] {
        if type == .json { return [defaultValue ?? blank] }
        let values = allowedValues ?? ProbeValues.all[type] ?? []
        return isForeign ? Array(values.prefix(isOptional ? 4 : 5)) : values
    }

    /// The values that prototypes hold in the attribute once its type, one of one's own, was asked: those that it gives
    /// back as they are.
    ///
    /// Many such types refuse or change what others have. Those that take the ordinary values are asked about no more.
    func probes(_ check: ValueCheck) -> [Datum] {
        var found: [Datum] = []
        func ask(about values: [Datum]) {
            for case let value? in values.map(check.canonical)
            where check.canonical(value)?.isJust(value) == true
                && !found.contains(where: value.isJust)
            { found.append(value) }
        }
        let ordinary = probes(isForeign: true)
        ask(about: ordinary)
        if found.elementsEqual(ordinary, by: { $0.isJust($1) }) { return found }
        if let defaultValue { ask(about: [defaultValue]) }
        ask(about: [blank])
        ask(about: (ProbeValues.all[type] ?? []).filter(\.isModest))
        ask(about: ProbeValues.likely(of: type))
        return found
    }
}

extension ProbeValues {
    /// What types of one's own may have that refuse or change most of what others have.
    fileprivate static func likely(of type: AttributeType) -> [Datum] {
        switch type {
        case .int8, .int16, .int32, .int64, .uint8, .uint16, .uint32:
            ([5, 7, 12, 24, 31, 45, 75, 90, 150, 180, 200, 300, 360, 404, 500, 1_999, 2_024]
                as [Int64])
                .map(Datum.integer)
        case .uint64: [5, 7, 12, 24, 31, 90, 180, 360, 404, 2_024].map(Datum.unsigned)
        case .float, .double:
            [12.5, 31, 45, 72, 200.25, 270, 300, 359.5, 500, 1_013.25].map(Datum.double)
        case .decimal: [5, 12, 19, 50, 200, 300, 500].map(Datum.decimal)
        case .string, .url:
            [
                "#1A2B3C", "#D4E5F6", "1a2b3c", "d4e5f6", "2024-02-29", "1999-12-31", "12:34:56",
                "01:02:03", "12:34", "01:02", "EUR", "USD", "EUR 12.30", "USD 4.50", "de", "en",
                "en_GB", "de-CH", "+4930901820", "+12025550123", "192.0.2.1", "10.0.0.1", "1.2.3",
                "2.0.10", "1/2", "3/4", "10x20", "1,2", "3,4",
            ].map(Datum.string)
        // The lengths of digests.
        case .data:
            [16, 20, 32, 64].flatMap { count in
                [0xa5, 0x5a].map { .data(Data(repeating: $0, count: count)) }
            }
        case .boolean, .date, .uuid, .json: []
        }
    }
}

extension Datum {
    /// Whether the value is of no greater magnitude than the ordinary ones, so that a type may compute with it.
    fileprivate var isModest: Bool {
        switch self {
        case .integer(let value): value.magnitude <= Int64.max.magnitude / 3
        case .unsigned(let value): value < .max
        case .double(let value): value.magnitude <= 0x1p100
        case .decimal(let value):
            !value.isNaN && value.magnitude <= Decimal(sign: .plus, exponent: 30, significand: 1)
        case .date(let value): value.timeIntervalSinceReferenceDate.magnitude <= 1e11
        case .null, .boolean, .string, .uuid, .data: true
        }
    }
}
