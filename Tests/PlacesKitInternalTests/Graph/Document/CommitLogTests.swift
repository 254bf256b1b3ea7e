import Foundation
import PlacesKit
import Synchronization
import Testing

@testable import PlacesGraph
@testable import PlacesKitTests

/// The commits that are not on disk yet.
@Suite struct CommitLogTests {
    final class Note: ManagedObject {
        @Attribute var bytes = Data()
    }

    @Test func `bytes that an entry had are freed by code that may ask the log and its store`()
        throws
    {
        let store = try GraphStore(model: [Note.self])
        let log = CommitLog(store.head, names: JournalNames(store.model.layout))
        _ = store.addListener(CommitListener { log.append(JournalEntry($0)) })
        let freed = Mutex<[Int]>([])
        let context = ManagedObjectContext(store)
        let note = Note(context: context)
        for number in 1...CommitLog.limit + 2 {
            #expect(freed.withLock(\.self) == [])
            let bytes = Array(repeating: UInt8(number), count: 64)
            note.bytes = Data(bytes) { [unowned store, unowned log] in
                freed.withLock { $0.append(min(log.latest, store.commitNumber)) }
            }
            try context.save()
        }
        // The last one sealed the second commit, which alone still had what the first one left.
        #expect(freed.withLock(\.self) == [CommitLog.limit + 2])
        for byte: UInt8 in 1...2 {
            note.bytes = Data([byte])
            try context.save()
        }
        log.noteWritten(store.head)
        #expect(freed.withLock(\.count) == CommitLog.limit + 2)
    }
}
