import Foundation
import PlacesKit
import Synchronization

/// A shared log that breaks one promise.
final class PlantedLog: SharedLog {
    /// The promise that it breaks.
    enum Fault: CaseIterable {
        case addsAfterAnyNumber, checksLongBeforeItAdds, refusesTheEndAfterARefusal
        case addsHalf, addsWhatIsNewOfARefusedBatch, addsTwice, saysItAddedWhatItRefused
        case claimsTwice, claimsTwiceAtTheSameTime, claimsForEachConnection, claimsFromZero
        case leavesAGap, reorders, changesBytes, rewritesNumbers, losesACommit, losesTheLastOfMany
        case readsFromTheNumberOn, skipsTheNext, repeatsTheLast, failsBeyondTheEnd
        case seesNoOthers, mixesDocuments, addsNothingAnywhere, refusesNothing
        case keepsNoBase, keepsEarlierBases, keepsBasesOfNothing, keepsHalfABase, losesPartsOfBases
        case keepsBasesOfTheCancelled, checksBasesLongBeforeItKeeps
        case givesAnyBase, forgetsNothing, forgetsTheBasesCommit, forgetsWhatIsYoung
        case hidesWhatWasForgotten
        case asksForValuesAgain, asksForValuesOfEachCommit, asksForNoValues
        case addsWithoutItsValues, addsWithoutForgottenValues, mixesValues
        case losesValuesOfBases, forgetsValuesOfBases, forgetsValuesOfCommits
        case forgetsValuesOfOtherDocuments
    }

    /// What is stored for a document.
    final class Storage: Sendable {
        fileprivate let commits = Mutex<[SharedCommit]>([])
        fileprivate let ranges = Mutex(0)
        fileprivate let forgotten = Mutex(0)
        fileprivate let base = Mutex<(number: Int, content: [Data], values: [SharedValue])?>(nil)
        fileprivate let values: Values

        init(_ values: Values = Values()) { self.values = values }
    }

    /// The bytes of values by their digests.
    final class Values: Sendable {
        private let bytes = Mutex<[String: Data]>([:])

        fileprivate subscript(digest: String) -> Data? { bytes.withLock { $0[digest] } }

        fileprivate var digests: Set<String> { bytes.withLock { Set($0.keys) } }

        fileprivate func add(_ bytes: Data, of digest: String) {
            self.bytes.withLock { $0[digest] = bytes }
        }

        fileprivate func removeAll(but digests: Set<String>) {
            bytes.withLock { $0 = $0.filter { digests.contains($0.key) } }
        }
    }

    /// What all documents have in common that should have nothing.
    private let storage: Storage
    private let fault: Fault?
    private let ownRanges = Mutex(0)
    private let ownCommits = Mutex<Set<SharedCommit>>([])
    private let hasRefused = Mutex(false)

    init(_ storage: Storage, _ fault: Fault?) { (self.storage, self.fault) = (storage, fault) }

    func claimRange() async throws -> Int {
        switch fault {
        case .claimsTwice: return storage.ranges.next() / 2 + 1
        case .claimsFromZero: return storage.ranges.next() - 1
        case .claimsForEachConnection: return ownRanges.next()
        case .claimsTwiceAtTheSameTime:
            let claimed = storage.ranges.withLock(\.self)
            await others()
            storage.ranges.withLock { $0 = claimed + 1 }
            return claimed + 1
        default: return storage.ranges.next()
        }
    }

    func append(_ commits: [SharedCommit], after number: Int) async throws -> Bool {
        let isAddedFirst =
            fault == .addsWithoutItsValues ? try await add(commits, after: number) : nil
        let values = commits.flatMap(\.values)
        try await take(values)
        // Some that were there may have been forgotten while others came.
        if fault != .addsWithoutForgottenValues { try await take(values) }
        if let isAddedFirst { return isAddedFirst }
        return try await add(commits, after: number)
    }

    private func take(_ values: [SharedValue]) async throws {
        let known = storage.values.digests
        for value in values where fault != .asksForNoValues {
            let isKnown =
                fault == .asksForValuesOfEachCommit
                ? known.contains(value.digest) : storage.values[value.digest] != nil
            guard !isKnown || fault == .asksForValuesAgain else { continue }
            let bytes = try await value.bytes()
            storage.values.add(bytes, of: value.digest)
        }
    }

    @Sendable private func bytes(of digest: String) async throws -> Data {
        let key = fault == .mixesValues ? storage.values.digests.min() ?? digest : digest
        guard let bytes = storage.values[key] else { throw CocoaError(.fileNoSuchFile) }
        return bytes
    }

    private func add(_ commits: [SharedCommit], after number: Int) async throws -> Bool {
        if fault == .checksLongBeforeItAdds {
            guard storage.commits.withLock(\.count) == number else { return false }
            await others()
            storage.commits.withLock { $0 += commits }
            return true
        }
        let isAdded = storage.commits.withLock { stored in
            var isLast = stored.count == number
            switch fault {
            case .addsAfterAnyNumber: isLast = true
            case .refusesTheEndAfterARefusal: isLast = isLast && !hasRefused.withLock(\.self)
            case .addsWhatIsNewOfARefusedBatch where !isLast && number < stored.count:
                stored += commits.filter { $0.number > stored.count }
            case .addsNothingAnywhere where commits.isEmpty: return false
            case .refusesNothing where commits.isEmpty: return true
            case .saysItAddedWhatItRefused where !isLast: return true
            default: break
            }
            guard isLast else { return false }
            switch fault {
            case .addsHalf where commits.count > 1: stored += commits.prefix(commits.count / 2)
            case .addsTwice: stored += commits + commits
            case .losesACommit: stored += commits.filter { $0.number != 4 }
            case .losesTheLastOfMany: stored += commits.prefix(1_000)
            default: stored += commits
            }
            return true
        }
        if isAdded { ownCommits.withLock { $0.formUnion(commits) } }
        if !isAdded { hasRefused.withLock { $0 = true } }
        return isAdded
    }

    func commits(after number: Int) async throws -> [SharedCommit] {
        let stored = storage.commits.withLock(\.self)
        let forgotten = storage.forgotten.withLock(\.self)
        if fault == .hidesWhatWasForgotten, number < forgotten { return [] }
        let following = stored.dropFirst(max(number, forgotten)).map { $0.fetching(bytes) }
        switch fault {
        case .leavesAGap: return following.filter { $0.number != 3 }
        case .reorders: return following.count == 2 ? following.reversed() : following
        case .changesBytes: return following.map { $0.number == 3 ? $0.rewritten(as: 3) : $0 }
        case .rewritesNumbers: return following.map { $0.number == 3 ? $0.rewritten(as: 4) : $0 }
        case .readsFromTheNumberOn: return Array(stored.dropFirst(max(0, number - 1)))
        case .skipsTheNext: return Array(following.dropFirst(number == 0 ? 0 : 1))
        case .repeatsTheLast: return following.isEmpty ? stored.suffix(1) : following
        case .failsBeyondTheEnd where number > stored.count: throw CocoaError(.fileReadUnknown)
        case .seesNoOthers: return following.filter { ownCommits.withLock(\.self).contains($0) }
        default: return following
        }
    }

    func base(after number: Int) async throws -> SharedBase? {
        guard let base = storage.base.withLock(\.self),
            base.number > number || fault == .givesAnyBase
        else { return nil }
        return SharedBase(
            number: base.number,
            parts: AsyncThrowingStream { parts in
                for part in base.content.prefix(fault == .losesPartsOfBases ? 3 : .max) {
                    parts.yield(part)
                }
                parts.finish()
            },
            values: fault == .losesValuesOfBases ? [] : base.values.map { $0.fetching(bytes) })
    }

    func keep(_ base: SharedBase, forgettingAfter age: Duration) async throws {
        guard fault != .keepsNoBase else { return }
        let earlier = storage.base.withLock(\.?.number) ?? 0
        var content: [Data] = []
        do {
            for try await part in base.parts { content.append(part) }
        } catch {
            guard fault == .keepsHalfABase else { throw error }
        }
        if fault != .keepsBasesOfTheCancelled { try Task.checkCancellation() }
        var former = storage.base.withLock(\.?.number) ?? 0
        if fault == .checksBasesLongBeforeItKeeps { former = earlier }
        guard base.number > former || fault == .keepsEarlierBases,
            base.number <= storage.commits.withLock(\.count) || fault == .keepsBasesOfNothing
        else { return }
        try await take(base.values)
        storage.base.withLock { [content] in $0 = (base.number, content, base.values) }
        guard age == .zero || fault == .forgetsWhatIsYoung, fault != .forgetsNothing else { return }
        let count = fault == .forgetsTheBasesCommit ? base.number : base.number - 1
        storage.forgotten.withLock { $0 = max($0, count) }
        var used = storage.commits.withLock { $0.dropFirst(count).flatMap(\.values) }
        if fault == .forgetsValuesOfCommits { used = [] }
        if fault != .forgetsValuesOfBases { used += base.values }
        storage.values.removeAll(but: Set(used.map(\.digest)))
    }

    func arrivals() -> AsyncStream<Int?> { AsyncStream { $0.finish() } }

    /// Lets others have their turn between two steps that belong together.
    private func others() async {
        for _ in 0..<50 { await Task.yield() }
    }
}

extension Mutex<Int> {
    /// Counts on.
    fileprivate func next() -> Int {
        withLock { number in
            number += 1
            return number
        }
    }
}

extension SharedCommit {
    /// Another commit of the same opening's.
    fileprivate func rewritten(as number: Int) -> SharedCommit {
        SharedCommit(opening: 1, sequence: Int64(number), number: number, change: "{}")
    }
}
