// The one stream of events of a page.

/**
 * Hears what the server tells, as long as the page is seen, and connects again when the stream broke.
 *
 * A page that nobody sees waits; what it missed comes when it is seen again.
 */
export class Events {
    source = null;
    delay = 500;

    /** `address` tells where to connect, each time anew; `receive` is handed each event. */
    constructor(address, receive) {
        Object.assign(this, { address, receive });
        document.addEventListener("visibilitychange", () => (document.hidden ? this.close() : this.open()));
        addEventListener("pagehide", () => this.close());
        addEventListener("pageshow", () => this.source || this.open());
    }

    open() {
        this.close();
        if (document.hidden) return;
        const source = new EventSource(this.address());
        source.onmessage = (message) => this.receive(JSON.parse(message.data));
        source.onopen = () => {
            this.delay = 500;
            document.body.classList.remove("offline");
        };
        source.onerror = () => {
            document.body.classList.add("offline");
            this.close();
            // Later and later, up to ten seconds.
            this.timer = setTimeout(() => this.open(), this.delay);
            this.delay = Math.min(this.delay * 2, 10_000);
        };
        this.source = source;
    }

    close() {
        clearTimeout(this.timer);
        this.source?.close();
        this.source = null;
    }
}
