// Shows a document: its entities, their records, the schema and the history, and stays current by one stream.
//
// The stream tells that the document was read again. What is shown is asked for anew then, and the difference is
// applied in place: rows that nothing happened to stay the nodes they are, with their focus and where they are
// scrolled to.

import { Events } from "./events.js";
import { HistoryView } from "./history.js";
import { RecordView } from "./record.js";
import { SchemaView } from "./schema.js";
import { arrange, ask, counted, entityAddress, localTime, make, pageName, shape } from "./support.js";
import { TableView } from "./table.js";

// MARK: - The first page

class OverviewView {
    constructor(page) {
        Object.assign(this, { page, title: page.overview.name });
        this.heading = make("h1", { tabindex: -1 }, page.overview.name);
        this.facts = make("dl", {});
        this.findings = make("ul", { class: "findings" });
        this.list = make("ul", { class: "entities" });
        this.nodes = new Map();
        this.element = make("section", { class: "view overview-view", "aria-label": "Overview" },
            make("header", {}, this.heading), make("div", { class: "scroller" }, this.facts, this.findings, make("h2", {}, "Entities"), this.list));
    }

    opened() { this.refresh(); }
    closed() {}
    focusFirst() { this.heading.focus({ preventScroll: true }); }

    refresh() {
        const { format, commit, date, author, findings, entities } = this.page.overview;
        const objects = entities.filter(({ superentity }) => !superentity).reduce((sum, { count }) => sum + count, 0);
        const facts = [["Records", objects.toLocaleString("en")], ["Last commit", `${commit}, ${localTime(date)}`], ["Author", author], ["Format", format]];
        this.facts.replaceChildren(...facts.filter(([, text]) => text).flatMap(([name, text]) => [make("dt", {}, name), make("dd", {}, text)]));
        this.findings.replaceChildren(...findings.map((finding) => make("li", {}, finding)));
        arrange(this.list, entities.map((entity) => entityLink(this.nodes, entity, null, (entity) => {
            const { columns, superentity, isAbstract } = entity;
            return [superentity && `a kind of ${superentity}`, isAbstract && "abstract", columns.slice(0, 8).map(({ name }) => name).join(", ") + (columns.length > 8 ? ", …" : "")].filter(Boolean).join("; ");
        })));
    }
}

/** A link to an entity's table, whose node stays. */
function entityLink(nodes, entity, current, describe) {
    let node = nodes.get(entity.name);
    if (!node) {
        node = { count: make("span", { class: "badge" }), subtitle: make("span", { class: "subtitle" }) };
        node.link = make("a", { href: entityAddress(entity.name) }, make("span", { class: "text" }, make("span", { class: "title" }, entity.name), describe && node.subtitle), node.count);
        node.element = make("li", {}, node.link);
        nodes.set(entity.name, node);
    }
    node.count.textContent = entity.count.toLocaleString("en");
    node.count.setAttribute("aria-label", counted(entity.count, "record"));
    if (describe) node.subtitle.textContent = describe(entity);
    if (current === entity.name) node.link.setAttribute("aria-current", "page");
    else node.link.removeAttribute("aria-current");
    return node.element;
}

class MissingView {
    constructor() {
        this.title = "Not found";
        this.heading = make("h1", { tabindex: -1 }, "Not found");
        this.element = make("section", { class: "view" }, make("header", {}, this.heading),
            make("p", { class: "message" }, "There is nothing here. ", make("a", { href: "/" }, "See what is in the document.")));
    }
    opened() {}
    closed() {}
    refresh() {}
    focusFirst() { this.heading.focus({ preventScroll: true }); }
}

// MARK: - The page

const page = {
    overview: JSON.parse(document.body.dataset.overview),
    view: null,
    nodes: new Map(),
    main: make("main", {}),
    side: make("ul", { class: "entities" }),
    tabs: make("nav", { class: "tabs", "aria-label": "Parts" }),
    commit: make("span", { class: "commit", role: "status" }),
    failure: make("p", { class: "alarm", role: "alert", hidden: true }),

    /** Shows what is at the address. */
    show({ isFirst = false } = {}) {
        this.view?.closed();
        this.view = this.makeView();
        this.main.replaceChildren(this.view.element);
        this.showFrame();
        this.titleChanged();
        this.view.opened();
        if (!isFirst) this.view.focusFirst();
    },

    makeView() {
        let path;
        try {
            path = location.pathname.split("/").filter(Boolean).map(decodeURIComponent);
        } catch {
            return new MissingView();
        }
        const [part, name, number] = path;
        const isEntity = this.overview.entities.some((entity) => entity.name === name);
        if (!part) return new OverviewView(this);
        if (part === "schema" && path.length === 1) return new SchemaView(this);
        if (part === "history" && path.length <= 2) return new HistoryView(this, Number(name) || undefined);
        if (part === "entities" && path.length === 2 && isEntity) return new TableView(this, name, new URLSearchParams(location.search));
        if (part === "records" && path.length === 3 && isEntity) return new RecordView(this, `${name}/${number}`);
        return new MissingView();
    },

    /** Shows what stands around each view. */
    showFrame() {
        const [, part = "", name] = location.pathname.split("/");
        const tabs = [["/", "Entities", ["", "entities", "records"]], ["/schema", "Schema", ["schema"]], ["/history", "History", ["history"]]];
        if (!this.tabs.firstChild) this.tabs.append(...tabs.map(([path, title]) => make("a", { href: path }, title)));
        tabs.forEach(([, , parts], index) => {
            const link = this.tabs.children[index];
            if (parts.includes(part)) link.setAttribute("aria-current", "page");
            else link.removeAttribute("aria-current");
        });
        const current = ["entities", "records"].includes(part) ? decodeURIComponent(name ?? "") : null;
        arrange(this.side, this.overview.entities.map((entity) => entityLink(this.nodes, entity, current)));
        this.commit.textContent = `Commit ${this.overview.commit.toLocaleString("en")}`;
        this.commit.title = localTime(this.overview.date);
        document.body.classList.toggle("at-overview", !part);
    },

    titleChanged() {
        const { name } = this.overview;
        document.title = this.view.title === name ? name : `${this.view.title} · ${name}`;
    },

    go(path) {
        history.pushState(null, "", path);
        this.show();
    },

    /** Shows the document as it is now; the last of several calls counts. */
    async refresh(edition) {
        this.wanted = edition;
        if (this.isRefreshing) return;
        this.isRefreshing = true;
        try {
            while (this.wanted !== this.overview.edition) {
                const { wanted, overview: former } = this;
                this.overview = await ask("/data/overview");
                if (shape(this.overview.entities) === shape(former.entities)) {
                    this.showFrame();
                    await this.view.refresh();
                } else {
                    // Rows have other columns now.
                    this.show({ isFirst: true });
                }
                // What is there may be later than what was told.
                if (this.wanted === wanted) this.wanted = this.overview.edition;
            }
        } catch (error) {
            this.complain(error.message);
        }
        this.isRefreshing = false;
    },

    complain(text) {
        this.failure.textContent = text ?? "";
        this.failure.hidden = !text;
    },
};

// MARK: - The stream

new Events(() => `/events?page=${pageName}`, ({ edition, failure }) => {
    page.complain(failure && `${failure} What is shown is what was there before.`);
    if (edition !== page.overview.edition) page.refresh(edition);
});

addEventListener("popstate", () => page.show());
document.addEventListener("click", (event) => {
    const link = event.target.closest("a[href]");
    if (!link || link.hasAttribute("download") || link.getAttribute("target") || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    const url = new URL(link.getAttribute("href"), location);
    if (url.origin !== location.origin || /^\/(bytes|export)\//.test(url.pathname)) return;
    event.preventDefault();
    page.go(url.pathname + url.search);
});
addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.target.matches("input") || event.ctrlKey || event.metaKey || !page.view.input) return;
    event.preventDefault();
    page.view.input.focus();
});

document.body.append(
    make("header", { class: "bar" }, make("a", { href: "/", class: "home" }, page.overview.name), page.tabs, page.commit),
    page.failure, make("div", { class: "columns" }, make("nav", { class: "side", "aria-label": "Entities" }, page.side), page.main));
page.show({ isFirst: true });
