/// Keeps the commits of a document that many processes write, in one order that all of them see.
///
/// The log is what others run and trust: a database, or a folder on a server. It knows nothing of
/// objects. It numbers commits from one on without gaps, and never changes one that it has. It forgets the first ones
/// when it gets a base to begin from, and only then.
///
/// Commits and bases refer to values by their digests. The log keeps the bytes of each digest once, as long as a commit or
/// the base refers to it, and hands them out by it.
///
/// Any method may throw: the document goes on without the log, and tries again. A method that threw may
/// have had its effect.
public protocol SharedLog: Sendable {
    /// Gives out a number from one on that it has never given out before, and never will again.
    ///
    /// Numbers grow: each is greater than those that anybody had before it was asked for.
    ///
    /// - Throws: What kept the log from answering.
    func claimRange() async throws -> Int

    /// Adds commits after the last one, all of them or none.
    ///
    /// It does not throw where another process was faster, and adds no commits at all where there are none to add. Of the
    /// values it asks for the bytes that it does not have, and has all of them before anybody sees the commits.
    ///
    /// - Parameters:
    ///   - commits: The commits, whose numbers follow `number` without gaps.
    ///   - number: The number of the commit that has to be the last one, zero for none.
    /// - Returns: Whether they were added; false if there are others after that commit, or it is not there.
    /// - Throws: What kept the log from answering, or what a value throws.
    func append(_ commits: [SharedCommit], after number: Int) async throws -> Bool

    /// The commits after one, in their order and without gaps; not necessarily all of them.
    ///
    /// It has all that was added by then, by whomever. If the next commit was forgotten, it begins with the first one
    /// that was not. The last commit is never forgotten, so a document that finds none after the one before it takes the
    /// log for another one, or for one that has lost commits.
    ///
    /// - Parameter number: The number of the commit, zero for none.
    /// - Returns: Commits; empty if there are none after it, as after one that is not there.
    /// - Throws: What kept the log from answering.
    func commits(after number: Int) async throws -> [SharedCommit]

    /// Tells that there may be new commits, from the call on; ends when nothing will tell of them any more.
    ///
    /// Each element is the number of a commit that the log has, `nil` where it is not known which; a document does not ask
    /// for what it has. Telling too often does no harm. A document that is not told finds new commits when it has some of
    /// its own, or when you ask it to ``DocumentSharing/synchronize()``.
    func arrivals() -> AsyncStream<Int?>

    /// The base that was kept last, if it is of a later commit than one.
    ///
    /// - Parameter number: The number of the commit, zero for none.
    /// - Returns: The base; nil if there is none.
    /// - Throws: What kept the log from answering; so do the parts of the base, and its values.
    func base(after number: Int) async throws -> SharedBase?

    /// Keeps a base in place of the one before, and forgets commits that came before the base's.
    ///
    /// It forgets those that it has had for `age` or longer, by its own clock, and no commit after one that it does not
    /// forget. The base's commit and those after it stay. It does nothing where it has a base of the same commit or
    /// a later one, or does not have the commit.
    ///
    /// - Parameters:
    ///   - base: The base; it is kept whole, with its values, or not at all.
    ///   - age: How long commits stay in any case.
    /// - Throws: What kept the log from answering, or what the parts or the values of the base throw.
    func keep(_ base: SharedBase, forgettingAfter age: Duration) async throws
}
