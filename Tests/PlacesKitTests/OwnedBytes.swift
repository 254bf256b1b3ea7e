import Foundation

extension Data {
    /// Bytes of an owner who runs code when they are freed, as those of files that are mapped.
    init(_ bytes: [UInt8], whenFreed run: @escaping @Sendable () -> Void) {
        let memory = UnsafeMutableRawPointer.allocate(byteCount: bytes.count, alignment: 8)
        memory.copyMemory(from: bytes, byteCount: bytes.count)
        self.init(
            bytesNoCopy: memory, count: bytes.count,
            deallocator: .custom { memory, _ in
                run()
                memory.deallocate()
            })
    }
}
