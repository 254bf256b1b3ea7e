import PlacesBase

extension DocumentDirectory {
    /// Whether files may be written, as far as is known.
    var hasLock: Bool { (try? checkLock()) != nil }

    /// Refuses to write where somebody else may do so: there is no lock, or its file was removed or replaced, and of another
    /// file somebody else may have the lock.
    ///
    /// - Throws: `DocumentError.replaced`, or `DocumentError.fileSystem` where the files do not answer now.
    func checkLock() throws(DocumentError) {
        let file = path.appending(DocumentFile.lockName)
        func isInPlace() -> Bool {
            lock?.identity == nil || files.identity(of: file) == lock?.identity
        }
        if !isReadOnly {
            if isInPlace() { return }
            // Files that do not answer have no known identity either. They say why here, or answer again.
            do {
                if try files.exists(file), isInPlace() { return }
            } catch {
                throw .fileSystem(error)
            }
        }
        throw .replaced(path: path.description)
    }
}
