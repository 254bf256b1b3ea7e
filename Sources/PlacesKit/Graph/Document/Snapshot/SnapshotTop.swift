import PlacesBase

/// What stands in a snapshot above the next numbers and the objects.
struct SnapshotTop {
    /// The entities, without their defaults and inverses checked.
    var entities: [EntityDescription]
    /// Which version of the model they are.
    var modelVersion = 1

    /// Enters a snapshot and reads it down to its entities; if so wanted, the version of the format has to come first.
    init(
        from file: inout (some SnapshotInput & ~Copyable), needsVersion: Bool = true
    ) throws {
        var isVersionRead = !needsVersion
        var modelVersion = 1
        try file.beginOrderedObject()
        while let key = try file.nextKey(in: SnapshotKeys.header) {
            switch key {
            case .version:
                _ = try file.readFormatVersion(upTo: SnapshotKeys.version)
                isVersionRead = true
            case .modelVersion where isVersionRead: modelVersion = try file.readModelVersion()
            case .entities where isVersionRead:
                entities = try [EntityDescription].read(from: &file)
                self.modelVersion = modelVersion
                return
            default: throw file.unorderedKeys
            }
        }
        throw file.missingObjects
    }
}

extension SnapshotInput where Self: ~Copyable {
    /// The error for a key at the top of a snapshot that comes too early, or once more.
    var unorderedKeys: JSONError {
        expected(#"the keys "placeskit", "entities" and "objects", in this order"#)
    }

    /// The error for a snapshot that ends above its objects.
    var missingObjects: JSONError {
        expected(#"a snapshot with the key "objects""#)
    }

    /// Reads which version of a format a file has.
    mutating func readFormatVersion(upTo supported: Int64) throws -> Int64 {
        let version = try readInt64()
        guard version > 0 else {
            throw expected("the number of a format from 1 on")
        }
        guard version <= supported else {
            throw SnapshotError.newerFormat(found: Int(version), supported: Int(supported))
        }
        return version
    }

    /// Reads which version of the model a file was written with.
    mutating func readModelVersion() throws -> Int {
        let version = try readInt64()
        guard (1...Int64(Int32.max)).contains(version) else {
            throw expected("the number of a version from 1 on")
        }
        return Int(version)
    }
}
