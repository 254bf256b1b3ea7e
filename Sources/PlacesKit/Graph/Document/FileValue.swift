import PlacesBase

/// A value that stands in files under a key, or in a list.
protocol FileValue {
    /// Whether it says what a reader takes where it is left out.
    var isBlank: Bool { get }
    static func read(from file: inout (some SnapshotInput & ~Copyable)) throws -> Self
    func write(to file: inout some SnapshotOutput)
}

extension FileValue {
    var isBlank: Bool { false }
}

extension String: FileValue {
    static func read(from file: inout (some SnapshotInput & ~Copyable)) throws -> String {
        try file.readString()
    }

    func write(to file: inout some SnapshotOutput) { file.write(self) }
}

extension Bool: FileValue {
    var isBlank: Bool { !self }

    static func read(from file: inout (some SnapshotInput & ~Copyable)) throws -> Bool {
        try file.readBool()
    }

    func write(to file: inout some SnapshotOutput) { file.write(self) }
}

/// How many there are of something.
extension Int: FileValue {
    var isBlank: Bool { self == 0 }

    static func read(from file: inout (some SnapshotInput & ~Copyable)) throws -> Int {
        Int(clamping: try file.readInt64())
    }

    func write(to file: inout some SnapshotOutput) { file.write(Int64(self)) }
}

extension Optional: FileValue where Wrapped: FileValue {
    var isBlank: Bool { self == nil }

    static func read(from file: inout (some SnapshotInput & ~Copyable)) throws -> Wrapped? {
        try Wrapped.read(from: &file)
    }

    func write(to file: inout some SnapshotOutput) { self?.write(to: &file) }
}

extension Array: FileValue where Element: FileValue {
    var isBlank: Bool { isEmpty }

    static func read(from file: inout (some SnapshotInput & ~Copyable)) throws -> [Element] {
        try file.readList { try Element.read(from: &$0) }
    }

    func write(to file: inout some SnapshotOutput) {
        file.beginArray()
        for element in self { element.write(to: &file) }
        file.endArray()
    }
}

/// A value that one of some words stands for.
protocol FileWord: FileValue, RawRepresentable<String> {
    /// What the words are, as an error names it.
    static var wordDescription: String { get }
}

extension FileWord {
    static func read(from file: inout (some SnapshotInput & ~Copyable)) throws -> Self {
        try file.readString(as: wordDescription) {
            Self(rawValue: String(decoding: $0, as: UTF8.self))
        }
    }

    func write(to file: inout some SnapshotOutput) { file.write(rawValue) }
}

extension SnapshotInput where Self: ~Copyable {
    /// Reads the elements of an array.
    mutating func readList<Element>(
        _ read: (inout Self) throws -> Element
    ) throws -> [Element] {
        var elements: [Element] = []
        try beginArray()
        while try nextElement() { elements.append(try read(&self)) }
        return elements
    }
}

// What is declared elsewhere conforms here, so that a program which is linked from a static archive has it.
extension EntityDescription: FileValue {}
extension PropertyDescription: FileValue {}
extension AttributeType: FileWord {}
extension DeleteRule: FileWord {}
extension DerivationDescription.Function: FileWord {}
