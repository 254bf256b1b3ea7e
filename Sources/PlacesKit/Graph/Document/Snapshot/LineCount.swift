import PlacesBase

/// The lines and columns of a file up to some position, so that each byte is looked at once.
struct LineCount {
    private var location = TextLocation()
    private var position = 0

    /// An error of what begins at a position, which is not before the last one, as one of the whole.
    mutating func shifted(
        _ error: JSONError, by offset: Int, in bytes: UnsafeRawBufferPointer
    ) -> JSONError {
        while position < offset {
            location.pass(bytes[position])
            position += 1
        }
        let found = location.offset(by: TextLocation(line: error.line, column: error.column))
        return JSONError(
            kind: error.kind, line: found.line, column: found.column,
            byteOffset: error.byteOffset + offset)
    }
}
