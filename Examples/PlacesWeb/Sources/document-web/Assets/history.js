// The commits that the files keep, and what each changed.

import { arrange, ask, counted, localTime, make, recordAddress, size } from "./support.js";

export class HistoryView {
    constructor(page, number) {
        Object.assign(this, { page, number, nodes: new Map(), title: "History" });
        this.heading = make("h1", { tabindex: -1 }, "History");
        this.count = make("span", { class: "count", role: "status" });
        this.message = make("p", { class: "message", hidden: true });
        this.list = make("div", { class: "commits" });
        this.element = make("section", { class: "view history-view", "aria-label": "History" },
            make("header", {}, this.heading, this.count), make("div", { class: "scroller" }, this.message, this.list));
    }

    opened() { return this.load(); }
    refresh() { return this.load(); }
    closed() {}
    focusFirst() { this.heading.focus({ preventScroll: true }); }

    async load() {
        try {
            const { commits, omitted } = await ask("/data/history");
            arrange(this.list, commits.map((commit, index) => this.row(commit, index < commits.length - 1 || omitted > 0)));
            this.count.textContent = counted(commits.length + omitted, "commit") + " kept" + (omitted ? `, the latest ${commits.length.toLocaleString("en")} shown` : "");
            this.message.textContent = "The files keep no commits.";
            this.message.hidden = commits.length > 0;
            if (this.number) this.open(this.nodes.get(this.number));
            this.number = undefined;
        } catch (error) {
            this.message.textContent = error.message;
            this.message.hidden = false;
        }
    }

    row(commit, hasFormer) {
        const known = this.nodes.get(commit.number);
        if (known) return known;
        const { number, date, author, inserted, updated, deleted } = commit;
        const counts = [[inserted, "+", "inserted"], [updated, "~", "updated"], [deleted, "−", "deleted"]].filter(([count]) => count)
            .map(([count, sign, word]) => make("span", { class: word, title: `${count} ${word}`, "aria-label": `${count} ${word}` }, `${sign}${count.toLocaleString("en")}`));
        const body = make("div", { class: "difference" });
        const row = make("details", { id: `commit-${number}` },
            make("summary", {}, make("strong", {}, `Commit ${number}`), make("time", { datetime: date }, localTime(date)), author && make("span", { class: "author" }, author), counts), body);
        row.addEventListener("toggle", () => {
            if (!row.open || body.firstChild) return;
            if (hasFormer) this.show(number, body);
            else body.append(make("p", {}, "The files keep nothing from before this commit, so what it changed is not known."));
        });
        this.nodes.set(number, row);
        return row;
    }

    open(row) {
        if (!row) return;
        row.open = true;
        row.scrollIntoView({ block: "start" });
    }

    async show(number, body) {
        body.append(make("p", { class: "status busy" }, "Reading…"));
        try {
            const difference = await ask(`/data/history/${number}`);
            const [inserted, updated, deleted] = difference.counts;
            body.replaceChildren(
                ...group("Inserted", difference.inserted, inserted), ...group("Changed", difference.updated, updated),
                ...group("Deleted", difference.deleted, deleted, false));
            if (!body.firstChild) body.append(make("p", {}, "It changed nothing that the files keep."));
        } catch (error) {
            body.replaceChildren(make("p", { class: "failure" }, error.message));
        }
    }
}

function group(title, records, count, isThere = true) {
    if (!count) return [];
    const rows = records.map(({ id, title, changes }) => make("li", {},
        isThere ? make("a", { href: recordAddress(id) }, title || id) : make("span", {}, title || id), make("small", {}, id),
        changes && make("dl", {}, changes.flatMap((change) => [make("dt", {}, change.name), make("dd", {}, describe(change))]))));
    if (count > records.length) rows.push(make("li", {}, `and ${(count - records.length).toLocaleString("en")} more`));
    return [make("h2", {}, `${title} (${count.toLocaleString("en")})`), make("ul", {}, rows)];
}

function describe({ old, new: after, inserted, removed }) {
    if (!old) {
        const signed = [...removed.map((id) => ["−", "del", id]), ...inserted.map((id) => ["+", "ins", id])];
        return signed.length ? signed.flatMap(([sign, tag, id]) => [make(tag, {}, sign, make("a", { href: recordAddress(id) }, id)), " "]) : ["in another order"];
    }
    return [make("del", {}, value(old)), " → ", make("ins", {}, value(after))];
}

function value(cell) {
    if (cell.record) return make("a", { href: recordAddress(cell.record) }, cell.record);
    if (cell.count !== undefined) return size(cell.count);
    if (cell.text === undefined) return "no value";
    return /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(cell.text) ? localTime(cell.text) : cell.text + (cell.isCut ? "…" : "");
}
