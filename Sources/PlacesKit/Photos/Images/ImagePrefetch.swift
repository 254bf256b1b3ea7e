/// A fetch of pictures before they are requested.
///
/// If it is cancelled, pictures that somebody else waits for are still fetched.
public final class ImagePrefetch: Sendable {
    private let task: Task<Void, Never>

    init(_ requests: [ImageRequest], priority: ImagePriority, loader: ImageLoader) {
        task = Task {
            await withTaskGroup { group in
                for request in requests {
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
