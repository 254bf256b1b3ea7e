/// Pictures that are being fetched before they are wanted.
///
/// Cancelling it gives up only its own interest in them: what somebody else waits for goes on.
public final class ImagePrefetch: Sendable {
    private let task: Task<Void, Never>

    init(_ requests: [ImageRequest], priority: ImagePriority, loader: ImageLoader) {
        task = Task {
            await withTaskGroup { group in
                for request in requests {
                    // A failure shows when the picture is wanted.
                    group.addTask { _ = try? await loader.image(request, priority: priority) }
                }
            }
        }
    }

    deinit {
        task.cancel()
    }

    /// Stops fetching what nobody else waits for.
    public func cancel() {
        task.cancel()
    }

    /// Waits until all pictures have come, failed or been given up.
    public func finish() async {
        await task.value
    }
}
