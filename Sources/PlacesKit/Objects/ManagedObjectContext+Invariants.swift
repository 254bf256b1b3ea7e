extension ManagedObjectContext {
    /// What is wrong with the context's graph and handles, in words; nothing if all is sound.
    package var brokenInvariants: [String] {
        transaction.brokenInvariants + tables.flatMap(\.brokenInvariants)
    }
}

extension GraphSnapshot {
    /// What is wrong with the snapshot's graph, in words; nothing if all is sound.
    package var brokenInvariants: [String] {
        committed.graph.brokenInvariants(allowingDeniedDeletes: false)
    }
}
