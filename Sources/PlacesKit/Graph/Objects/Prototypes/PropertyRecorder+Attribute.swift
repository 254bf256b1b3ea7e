extension PropertyRecorder {
    /// Notes an attribute with its default and options, and what is wrong with them.
    func record<Value: AttributeValue>(
        _ initial: Value?, _ makeDefault: AttributeDefault?, options: [AttributeOption]
    ) {
        let slot = properties.count
        var attribute = AttributeDescription(
            name: "", type: Value.attributeType, isOptional: Value.isOptional,
            defaultValue: initial?.datum, allowedValues: Value.allowedValues)
        if attribute.type == .json { attribute.elementType = Value.elementType }
        attribute.order = OwnOrder(of: Value.self)
        if let problem = problem(of: Value.self, attribute) {
            problems[slot] = problem
            properties.append(.attribute(attribute))
            return
        }
        defaults[slot] = makeDefault
        if let check = ValueCheck(of: Value.self) {
            checks[slot] = check
            findFallback(of: Value.self, initial, check, &attribute)
        }
        for option in options { apply(option, to: &attribute) }
        if attribute.isUnique || attribute.isIndexed, attribute.type == .json {
            problems[slot] = """
                cannot be unique or indexed: equal values of \(Value.self) may be written \
                differently. Make an attribute unique that tells the value.
                """
        }
        if attribute.isUnique || attribute.isIndexed, attribute.usesExternalStorage {
            problems[slot] = """
                has external storage, so it cannot be unique or indexed: its bytes are in files. Make \
                an attribute of their digest unique or indexed.
                """
        }
        if attribute.isTransient, attribute.isUnique || attribute.defaultValue == nil {
            problems[slot] = """
                is transient: objects that are read from a file have its default. Give it one, or \
                make it optional, and not unique.
                """
        }
        if let value = initial?.datum, value != .null, !attribute.isTransient,
            attribute.allowedValues?.contains(value) == false
        {
            problems[slot] = """
                has a default that is not among its type's allCases, so no new object could be saved. \
                Let allCases have every value, or leave CaseIterable out.
                """
        }
        if attribute.preservesValueOnDeletion, attribute.usesExternalStorage {
            problems[slot] = """
                has external storage, so the history does not keep its value: the file goes with the \
                object. Leave one of both out.
                """
        }
        properties.append(.attribute(attribute))
    }

    private func apply(_ option: AttributeOption, to attribute: inout AttributeDescription) {
        switch option.kind {
        case .unique(let policy):
            attribute.isUnique = true
            attribute.clashPolicy = policy
        case .indexed: attribute.isIndexed = true
        case .searchable:
            attribute.isSearchable = true
            if attribute.type != .string {
                problems[properties.count] =
                    "is searchable, which is for text. Leave it out, or let the type be String."
            }
        case .transient: attribute.isTransient = true
        case .preserveValueOnDeletion: attribute.preservesValueOnDeletion = true
        case .userInfo(let key, let value): attribute.userInfo[key] = value
        case .externalStorage:
            attribute.usesExternalStorage = true
            if attribute.type != .data {
                problems[properties.count] =
                    "has external storage, which is for Data. Leave it out."
            }
        case .originalName(let name): attribute.originalName = name
        case .rule(let rule, let order):
            if let rule = rule.fitted(to: attribute.type) {
                attribute.rules.append(rule)
                if let order, order == attribute.order { attribute.ruleOrders[rule] = order }
            } else {
                problems[properties.count] = """
                    has a rule that is not for its type, or that nothing can satisfy: it must \
                    \(rule). Give bounds of the attribute's type, or a pattern that is a regular \
                    expression.
                    """
            }
        }
    }

    /// Remembers what an attribute reads as that was never given a value.
    private func findFallback<Value: AttributeValue>(
        of type: Value.Type, _ initial: Value?, _ check: ValueCheck,
        _ attribute: inout AttributeDescription
    ) {
        if let initial {
            FallbackValues.remember(initial)
            if check.canonical(initial.datum) == nil, initial.datum != .null {
                problems[properties.count] = """
                    has a default that cannot be read back: let \(type) encode and decode it.
                    """
            }
        } else if !attribute.isOptional {
            // What an empty value may look like.
            let blanks: [Datum] =
                attribute.type == .json
                ? ["[]", "{}"].map(Datum.string) : [attribute.blank]
            guard let value = blanks.lazy.compactMap(Value.value(of:)).first else {
                problems[properties.count] = """
                    needs a default: it reads as that until it is given a value. Write = … after \
                    its type, or make it optional.
                    """
                return
            }
            FallbackValues.remember(value)
            if case .string(let text) = value.datum, attribute.type == .json {
                attribute.blankJSON = text
            }
        }
    }
}
