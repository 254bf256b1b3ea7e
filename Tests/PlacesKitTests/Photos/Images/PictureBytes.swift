import Foundation

extension Data {
    /// Bytes that pass for a picture, with a text that tells it from others.
    static func picture(_ text: String) -> Data { Data(jpeg + text.utf8) }

    /// So many bytes that pass for a picture, 3 or more.
    static func picture(of count: Int, repeating byte: UInt8 = 1) -> Data {
        Data(jpeg) + Data(repeating: byte, count: count - jpeg.count)
    }

    private static let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF]
}
