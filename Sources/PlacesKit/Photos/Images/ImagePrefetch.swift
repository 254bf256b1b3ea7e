/// A fetch of pictures before they are requested.
///
/// If it is cancelled, pictures that somebody else waits for are still fetched.
public final class ImagePrefetch: Sendable {
    private let task: Task<Void, Never>

    init(_ requests: [ImageRequest], priority: ImagePriority, loader: ImageLoader) {
        task = Task {
            await withTaskGroup(of: Void.self) { group in
                for (index, request) in requests.enumerated() {
                    // Tasks that begin at the same time join the queue in any order. So there are
                    // no more of them than can be fetched at a time.
                    if index >= loader.options.transfersPerHost { await group.next() }
                    // If this fails, the request for the picture will report it.
                    group.addTask { _ = try? await loader.image(request, priority: priority) }
                }
            }
        }
    }

    deinit {
        task.cancel()
    }

    /// Stops fetching the pictures that nobody else waits for.
    public func cancel() {
        task.cancel()
    }

    /// Waits until all pictures were fetched, failed or were cancelled.
    public func finish() async {
        await task.value
    }
}
