public import Foundation

/// One rendition of a photo at one size, to be fetched from the source that handed it out.
public struct PhotoVariant: Sendable, Codable, Hashable {
    /// The source's own name of the size.
    public var name: String
    /// The address of the bytes, which is known to be one.
    ///
    /// Of most variants nobody ever asks the URL, which costs far more to make than the text.
    private var address: String
    /// The longest edge in pixels, measured or nominal; nil if the source does not say.
    public var longestEdge: Int?
    /// The width in pixels, if the source says.
    public var width: Int?
    /// The height in pixels, if the source says.
    public var height: Int?
    /// Whether the picture is cut to a square.
    public var isCropped: Bool

    /// Creates a variant; without a longest edge of its own it has that of width and height.
    public init(
        name: String, url: URL, longestEdge: Int? = nil, width: Int? = nil, height: Int? = nil,
        isCropped: Bool = false
    ) {
        self.name = name
        address = url.absoluteString
        self.width = width
        self.height = height
        self.longestEdge = longestEdge ?? [width, height].compactMap { $0 }.max()
        self.isCropped = isCropped
    }

    /// Creates a variant at an address that `HTTPAddress` has accepted.
    init(
        name: String, address: HTTPAddress, longestEdge: Int? = nil, width: Int? = nil,
        height: Int? = nil, isCropped: Bool = false
    ) {
        self.name = name
        self.address = address.text
        self.width = width
        self.height = height
        self.longestEdge = longestEdge ?? max(width ?? 0, height ?? 0).nonZero
        self.isCropped = isCropped
    }

    /// Where the source finds the bytes.
    public var url: URL {
        get { URL(string: address) ?? URL(filePath: address) }
        set { address = newValue.absoluteString }
    }

    private enum CodingKeys: String, CodingKey {
        case name, address = "url", longestEdge, width, height, isCropped
    }

    /// Decodes a variant.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        name = try values.decode(String.self, forKey: .name)
        address = try values.decode(URL.self, forKey: .address).absoluteString
        longestEdge = try values.decodeIfPresent(Int.self, forKey: .longestEdge)
        width = try values.decodeIfPresent(Int.self, forKey: .width)
        height = try values.decodeIfPresent(Int.self, forKey: .height)
        isCropped = try values.decode(Bool.self, forKey: .isCropped)
    }
}

extension Int {
    fileprivate var nonZero: Int? { self == 0 ? nil : self }
}
