import Foundation
import PlacesBase
import Synchronization

extension ImageDiskCache {
    /// Notes the addresses that pinned pictures count as those of, in files that name none.
    ///
    /// - Throws: `ImageCacheError`.
    func noteAddresses(_ addresses: [ImageKey: URL]) async throws(ImageCacheError) {
        try await changing { [self] () throws(ImageCacheError) in
            for (key, url) in addresses {
                guard let old = file(for: key), old.isPinned, old.address == nil else { continue }
                let new = old.from(url)
                try Self.rethrow { () throws(FileSystemError) in
                    try files.rename(
                        folder.appending(old.description), to: folder.appending(new.description))
                }
                ledger.withLock { $0.insert(new) }
            }
        }
    }
}
