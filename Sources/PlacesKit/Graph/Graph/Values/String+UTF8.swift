import Foundation

extension String {
    /// Whether the text is, byte for byte, some UTF-8.
    func isEqual(to utf8: UnsafeRawBufferPointer) -> Bool {
        self.utf8.withContiguousStorageIfAvailable { own in
            guard own.count == utf8.count, let own = own.baseAddress, let other = utf8.baseAddress
            else { return false }
            return memcmp(own, other, utf8.count) == 0
        } ?? false
    }

    /// Whether the text is canonically equivalent to one of valid UTF-8; fastest where their bytes are the same.
    func isCanonicallyEqual(to utf8: UnsafeRawBufferPointer) -> Bool {
        isEqual(to: utf8) || self == String(decoding: utf8, as: UTF8.self)
    }
}
