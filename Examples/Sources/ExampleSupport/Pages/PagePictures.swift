public import Foundation

/// Pictures that lie in a page, as many and as large as keep it handy.
public struct PagePictures {
    /// How many bytes a small picture has at most.
    private static let byteLimit = 150_000
    /// How many bytes all pictures of a page have at most.
    private static let pageByteLimit = 6_000_000

    private var byteCount = 0
    /// How many pictures were too large, or too many.
    public private(set) var omittedCount = 0
    /// How many pictures could not be loaded, or are nothing that browsers show.
    public private(set) var failedCount = 0

    /// Starts without pictures.
    public init() {}

    /// The address of a picture that is its own bytes; `nil` where it is left out, which is counted.
    public mutating func address(of picture: Data?) -> String? {
        guard let picture, let type = PictureType.ofPicture(beginning: picture) else {
            failedCount += 1
            return nil
        }
        guard picture.count <= Self.byteLimit, byteCount + picture.count <= Self.pageByteLimit
        else {
            omittedCount += 1
            return nil
        }
        byteCount += picture.count
        return "data:\(type);base64,\(picture.base64EncodedString())"
    }

    /// What the page should say of pictures that are not in it.
    public var note: String {
        [
            omittedCount == 0
                ? nil : "\(omittedCount.counted("picture")) left out to keep the page small",
            failedCount == 0 ? nil : "\(failedCount.counted("picture")) could not be loaded",
        ]
        .compactMap { $0.map { " · \($0)" } }.joined()
    }
}
