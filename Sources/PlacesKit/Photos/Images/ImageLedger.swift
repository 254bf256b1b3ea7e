/// The files of an image cache: by key, by photo, and in the order of their last use.
struct ImageLedger {
    private var files = ByteBudget<String, ImageFileName>(limit: .max)
    /// The stems of files by the part that identifies the photo.
    private var stems: [String: Set<String>] = [:]

    var usedBytes: Int { files.usedBytes }
    var pinnedBytes: Int { files.pinnedBytes }
    var count: Int { files.count }

    /// The names of all files.
    var names: [ImageFileName] { files.keys.compactMap { files.peek($0) } }

    /// The file that would be removed first to make room.
    var leastRecentlyUsed: ImageFileName? { files.leastRecentlyUsed.flatMap { files.peek($0) } }

    subscript(stem: String) -> ImageFileName? { files.peek(stem) }

    /// The files of a photo.
    ///
    /// - Complexity: O(k) for k files of the photo.
    func names(ofPhoto photoStem: String) -> [ImageFileName] {
        stems[photoStem, default: []].compactMap { files.peek($0) }
    }

    /// The pinned files of photos that have a later pinned one.
    ///
    /// - Complexity: O(n) for n photos.
    var surplus: [ImageFileName] {
        stems.values.filter { $0.count > 1 }.flatMap { stems in
            let pinned = stems.compactMap { files.peek($0) }.filter(\.isPinned)
            let last = pinned.max { $0.fetched < $1.fetched }
            return pinned.filter { $0 != last }
        }
    }

    /// Returns a file; this counts as its use.
    mutating func use(_ stem: String) -> ImageFileName? { files.use(stem) }

    /// Adds a file, in place of an older one with the same key.
    mutating func insert(_ file: ImageFileName) {
        files.insert(file, for: file.stem, size: file.size, isPinned: file.isPinned)
        stems[file.photoStem, default: []].insert(file.stem)
    }

    /// Removes a file, unless another one has its key by now.
    mutating func remove(_ file: ImageFileName) {
        guard files.peek(file.stem) == file else { return }
        files.remove(file.stem)
        stems[file.photoStem]?.remove(file.stem)
        if stems[file.photoStem]?.isEmpty == true { stems[file.photoStem] = nil }
    }
}
