import Dispatch

/// What `body` makes of each number below `count`, in the order of the numbers, which it gets on all cores.
///
/// It must be safe to call from several threads at a time.
func concurrentMap<Value>(_ count: Int, _ body: (Int) -> Value) -> [Value] {
    [Value](unsafeUninitializedCapacity: count) { values, initializedCount in
        withoutActuallyEscaping(body) { body in
            // Safe: all calls have ended when `concurrentPerform` returns, and each writes an element of its own.
            nonisolated(unsafe) let (body, base) = (body, values.baseAddress)
            DispatchQueue.concurrentPerform(iterations: count) { number in
                base.map { $0 + number }?.initialize(to: body(number))
            }
        }
        initializedCount = count
    }
}
