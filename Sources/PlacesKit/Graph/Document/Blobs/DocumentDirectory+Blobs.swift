import PlacesBase

extension DocumentDirectory {
    /// Removes the files of blobs to which no file of the document and nobody in this process refers.
    ///
    /// - Parameter references: The numbers of those to which the document's files refer.
    /// - Throws: `FileSystemError`, where the directory cannot be read or brought to disk.
    func removeBlobs(except references: Set<Int64>) throws {
        let unused = try blobs.numbers().filter { !references.contains($0) && !blobs.isUsed($0) }
        guard !unused.isEmpty else { return }
        // Files that refer to them must not come back after a power cut.
        try files.synchronizeDirectory(path)
        // One that cannot be removed keeps no other.
        for number in unused { try? blobs.remove(number) }
    }
}
