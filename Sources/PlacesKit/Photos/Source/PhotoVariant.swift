public import Foundation

/// One size of a photo, to be fetched from the source that returned it.
public struct PhotoVariant: Sendable, Codable, Hashable {
    /// The source's own name of the size.
    public var name: String
    private var address: LazyURL
    /// The longest edge in pixels, measured or nominal; nil if the source does not tell.
    public var longestEdge: Int?
    /// The width in pixels, if the source tells.
    public var width: Int?
    /// The height in pixels, if the source tells.
    public var height: Int?
    /// Whether the picture is cropped to a square.
    public var isCropped: Bool

    /// Creates a variant; without a longest edge it has that of its width and height.
    public init(
        name: String, url: URL, longestEdge: Int? = nil, width: Int? = nil, height: Int? = nil,
        isCropped: Bool = false
    ) {
        self.init(
            name: name, address: LazyURL(url), longestEdge: longestEdge, width: width,
            height: height, isCropped: isCropped)
    }

    /// Creates a variant whose address becomes a URL when it is asked for.
    init(
        name: String, address: LazyURL, longestEdge: Int? = nil, width: Int? = nil,
        height: Int? = nil, isCropped: Bool = false
    ) {
        self.name = name
        self.address = address
        self.width = width
        self.height = height
        self.longestEdge = longestEdge ?? width.map { max($0, height ?? $0) } ?? height
        self.isCropped = isCropped
    }

    /// The address where the source finds the bytes.
    public var url: URL {
        get { address.url }
        set { address = LazyURL(newValue) }
    }

    private enum CodingKeys: String, CodingKey {
        case name, address = "url", longestEdge, width, height, isCropped
    }
}
