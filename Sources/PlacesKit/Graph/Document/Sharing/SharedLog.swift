/// Keeps the commits of a document that many processes write, in one order that all of them see.
///
/// The log is what others run and trust: a database, or a folder on a server. It knows nothing of
/// objects. It numbers commits from one on without gaps, and never changes or forgets one that it has.
///
/// Any method may throw: the document goes on without the log, and tries again. A method that threw may
/// have had its effect.
public protocol SharedLog: Sendable {
    /// Gives out a number from one on that it has never given out before, and never will again.
    func claimRange() async throws -> Int

    /// Adds commits after the last one, all of them or none.
    ///
    /// It does not throw where another process was faster, and adds no commits at all where there are none to add.
    ///
    /// - Parameters:
    ///   - commits: The commits, whose numbers follow `number` without gaps.
    ///   - number: The number of the commit that has to be the last one, zero for none.
    /// - Returns: Whether they were added; false if there are others after that commit, or it is not there.
    /// - Throws: What kept the log from answering.
    func append(_ commits: [SharedCommit], after number: Int) async throws -> Bool

    /// The commits after one, in their order and without gaps; not necessarily all of them.
    ///
    /// It has all that was added by then, by whomever.
    ///
    /// - Parameter number: The number of the commit, zero for none.
    /// - Returns: Commits; empty if there are none after it, as after one that is not there.
    /// - Throws: What kept the log from answering.
    func commits(after number: Int) async throws -> [SharedCommit]

    /// Tells that there may be new commits, from the call on; ends when nothing will tell of them any more.
    ///
    /// Telling too often does no harm. A document that is not told finds new commits when it has some of its own,
    /// or when you ask it to ``DocumentSharing/synchronize()``.
    func arrivals() -> AsyncStream<Void>
}
