package import Hummingbird
import NIOCore

/// What a request comes with: also its connection, so that one that is stuck can be ended.
package struct WebContext: RequestContext {
    package var coreContext: CoreRequestContextStorage
    let channel: any Channel

    package init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        channel = source.channel
    }
}
