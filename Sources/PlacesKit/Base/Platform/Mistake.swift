/// Ends the program because of a programming mistake, where it cannot return or throw an error.
///
/// NB: In a release build, `precondition` ends the program without its message.
package func mistake(_ sentence: String, file: StaticString = #fileID, line: UInt = #line) -> Never
{
    fatalError(sentence, file: file, line: line)
}
