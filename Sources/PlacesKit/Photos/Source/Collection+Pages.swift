extension Collection {
    /// The elements of a page, and how many pages there are; a page behind the last one is empty.
    package func page(_ number: Int, of length: Int) -> (elements: SubSequence, pageCount: Int) {
        let pageCount = count / length + (count % length == 0 ? 0 : 1)
        guard number <= pageCount else { return (suffix(0), pageCount) }
        return (dropFirst((number - 1) * length).prefix(length), pageCount)
    }
}
