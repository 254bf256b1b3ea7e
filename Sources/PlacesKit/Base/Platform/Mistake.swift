/// Ends the program over a mistake in its text, which nothing could be returned or thrown for.
///
/// NB: A `precondition` ends it without its sentence in a release build.
package func mistake(_ sentence: String, file: StaticString = #fileID, line: UInt = #line) -> Never
{
    fatalError(sentence, file: file, line: line)
}
