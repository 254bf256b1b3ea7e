import Foundation

/// The name of a picture's file, which says all that a cache needs to know about the picture.
///
/// ```
/// album.12345.large-1024.m9x4k2p1.3f2k.1x7q….kept
/// source photo variant   fetched  size address kept or cached
/// ```
///
/// The first three parts are the key. The address from which the picture came is there as its hash;
/// older files lack it. Lower-case letters, digits and hyphens stay as they are;
/// every other byte becomes `_` and two hexadecimal digits. So no two keys share a name, not even
/// on a volume that ignores case. A long part is cut and ends with `~` and its hash. The numbers
/// are in base 36.
struct ImageFileName: Hashable, Sendable {
    /// The beginning that the names of all files with one key share.
    let stem: String
    /// When the picture was fetched, in milliseconds since 1970.
    let fetched: Int64
    let size: Int
    /// The hash of the address from which it came, if that is known.
    private(set) var address: String?
    let isPinned: Bool

    private static let longestPart = 60

    init(_ key: ImageKey, from url: URL? = nil, fetched: Date, size: Int, isPinned: Bool) {
        stem = Self.stem(key)
        let milliseconds = (fetched.timeIntervalSince1970 * 1_000).rounded(.down)
        self.fetched = Int64(exactly: max(0, milliseconds)) ?? 0
        self.size = size
        address = url.map { Self.hash($0.absoluteString) }
        self.isPinned = isPinned
    }

    /// Reads the name of a file; nil if it is not the name of a picture.
    init?(_ name: String) {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 6 || parts.count == 7 && !parts[5].isEmpty, !parts[0].isEmpty,
            let fetched = Int64(parts[3], radix: 36), let size = Int(parts[4], radix: 36),
            fetched >= 0, size >= 0, let end = parts.last, end == "kept" || end == "cached"
        else { return nil }
        stem = parts[0...2].joined(separator: ".")
        self.fetched = fetched
        self.size = size
        address = parts.count == 7 ? String(parts[5]) : nil
        isPinned = end == "kept"
        guard description == name else { return nil }
    }

    var fetchDate: Date { Date(timeIntervalSince1970: Double(fetched) / 1_000) }

    /// The name of the same file with the address from which it counts as fetched.
    func from(_ url: URL) -> ImageFileName {
        var name = self
        name.address = Self.hash(url.absoluteString)
        return name
    }

    /// Whether it may hold the picture at an address, and is not known to come from another one.
    func mayBe(from url: URL) -> Bool {
        address.map { $0 == Self.hash(url.absoluteString) } ?? true
    }

    static func stem(_ key: ImageKey) -> String {
        photoStem(source: key.source, photo: key.photo) + safe(key.variant)
    }

    /// The beginning that the names of all files of one photo share.
    static func photoStem(source: String, photo: String) -> String {
        "\(safe(source)).\(safe(photo))."
    }

    /// The part of the stem that identifies the photo.
    var photoStem: String {
        String(stem[...(stem.lastIndex(of: ".") ?? stem.startIndex)])
    }

    private static func safe(_ text: String) -> String {
        guard !text.isEmpty else { return "_" }
        var safe = ""
        var isLong = false
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                UInt8(ascii: "-"):
                safe.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                safe += byte < 16 ? "_0" : "_"
                safe += String(byte, radix: 16)
            }
            if safe.utf8.count > longestPart {
                isLong = true
                break
            }
        }
        return isLong ? safe.prefix(20) + "~" + hash(text) : safe
    }

    /// The 128-bit FNV-1a hash, which is the same in every run and process.
    private static func hash(_ text: String) -> String {
        var hash: UInt128 = 0x6C62_272E_07BB_0142_62B8_2175_6295_C58D
        for byte in text.utf8 {
            hash = (hash ^ UInt128(byte)) &* 0x0000_0000_0100_0000_0000_0000_0000_013B
        }
        return String(hash, radix: 36)
    }
}

extension ImageFileName: CustomStringConvertible {
    var description: String {
        let numbers = "\(String(fetched, radix: 36)).\(String(size, radix: 36))"
        let address = address.map { ".\($0)" } ?? ""
        return "\(stem).\(numbers)\(address).\(isPinned ? "kept" : "cached")"
    }
}
