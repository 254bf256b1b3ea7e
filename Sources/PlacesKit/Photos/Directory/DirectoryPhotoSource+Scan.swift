import PlacesBase

extension DirectoryPhotoSource {
    /// What a scan of the folder found.
    public struct Scan: Sendable, Hashable, CustomStringConvertible {
        /// A file that was left out.
        public struct SkippedFile: Sendable, Hashable {
            /// The file's path within the folder; bytes other than UTF-8 are written as in `\xFF`.
            public var path: String
            /// Why the file was left out, in the same words for all files with this reason.
            public var reason: String

            package init(path: String, reason: String) {
                (self.path, self.reason) = (path, reason)
            }
        }

        /// How many photos there are.
        public var photoCount: Int
        /// The files that are not photos, should be according to their names, or cannot be read.
        public var skipped: [SkippedFile]

        /// How many photos there are, and how many files were left out for each reason.
        ///
        /// For each reason it names one of the files.
        public var description: String {
            let photos = photoCount == 0 ? "No photos" : photoCount.counted("photo")
            guard !skipped.isEmpty else { return photos + "." }
            let reasons = Dictionary(grouping: skipped, by: \.reason).sorted { one, other in
                (other.value.count, one.key) < (one.value.count, other.key)
            }
            let sentences = reasons.map { reason, files in
                let example = files.count == 1 ? "" : "such as "
                let statement = reason.hasSuffix(".") ? String(reason.dropLast()) : reason
                return "\(statement) (\(files.count.counted("file")), "
                    + "\(example)“\(files[0].path)”)."
            }
            return "\(photos); \(skipped.count.counted("file")) left out. "
                + sentences.joined(separator: " ")
        }
    }
}
