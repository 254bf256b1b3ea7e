extension JSONReader {
    /// Passes the next value, whatever its type, and checks all of it, without recursion.
    package mutating func skipValue() throws(JSONError) {
        var openObjects: [Bool] = []
        repeat {
            switch try peekKind() {
            case .object:
                try beginObject()
                openObjects.append(true)
            case .array:
                try beginArray()
                openObjects.append(false)
            case .string: try checkUTF8(try scanString())
            case .number: _ = try scanNumber()
            case .boolean: _ = try readBool()
            case .null: try readNull()
            }
            try leaveFinishedContainers(&openObjects)
        } while !openObjects.isEmpty
    }

    /// Moves to the next value inside the open containers; closes those that have none left.
    private mutating func leaveFinishedContainers(_ openObjects: inout [Bool]) throws(JSONError) {
        while let isObject = openObjects.last {
            guard try !(isObject ? skipToValueOfNextKey() : nextElement()) else { return }
            openObjects.removeLast()
        }
    }

    private mutating func skipToValueOfNextKey() throws(JSONError) -> Bool {
        guard try advanceToKey() else { return false }
        try checkUTF8(try scanString())
        try expectColon()
        return true
    }
}
