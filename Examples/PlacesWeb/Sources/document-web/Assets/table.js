// A table of an entity's records: as many rows as are seen are here, and more come as one scrolls.

import { Completion } from "./completion.js";
import { WorldMap } from "./map.js";
import { address, arrange, ask, counted, duration, entityAddress, make, recordAddress, showValue } from "./support.js";

/** How wide columns are, by what they hold. */
const widths = { text: 220, number: 120, date: 180, boolean: 90, json: 220, bytes: 130, record: 190, records: 110 };
/** Browsers do not scroll further than some millions of pixels. */
const rowLimit = 400_000;
/** Rows that are fetched beyond those that are seen, on both sides. */
const margin = 25;

export class TableView {
    constructor(page, name, parameters) {
        Object.assign(this, { page, name, offset: 0, total: 0, nodes: new Map(), order: [], current: 0 });
        this.query = {
            entity: name, where: parameters.get("where") ?? "", sort: parameters.get("sort") ?? "",
            descending: parameters.get("descending") ?? "", of: parameters.get("of") ?? "",
        };
        this.hasMap = parameters.has("map");
        // What a person knows records by comes first, then what they look like.
        const rank = ({ name, kind }) => (name === this.entity.title ? 0 : kind === "bytes" ? 1 : 2);
        this.columns = this.entity.columns.map((column, index) => ({ ...column, index })).sort((a, b) => rank(a) - rank(b));
        this.rowHeight = this.columns.some(({ kind }) => kind === "bytes") ? 52 : 36;
        this.build();
    }

    get entity() { return this.page.overview.entities.find(({ name }) => name === this.name); }
    get title() { return this.name; }

    // MARK: - Making

    build() {
        const [entity, number, relationship] = this.query.of.split("/");
        this.heading = make("h1", { tabindex: -1 }, this.name);
        this.count = make("span", { class: "count", role: "status" });
        this.input = make("input", {
            type: "text", class: "filter", spellcheck: "false", autocomplete: "off", autocapitalize: "off", maxlength: 2000,
            placeholder: this.example, "aria-label": `Condition for ${this.name}`, "aria-describedby": "mistake",
            oninput: () => { this.completion.update(); this.later(); },
            onkeydown: (event) => { if (event.key === "Enter") { this.completion.close(); this.filter(); } },
            onscroll: () => this.showMistake(this.complaint),
        });
        this.input.value = this.query.where;
        this.completion = new Completion(this.input, this.name, () => this.page.overview.entities);
        this.caret = make("span", { class: "caret", "aria-hidden": "true" }, "^");
        this.mistakeText = make("span");
        this.mistake = make("p", { class: "mistake", id: "mistake", role: "alert", hidden: true }, this.caret, this.mistakeText);
        this.explainButton = make("button", { type: "button", "aria-expanded": "false", onclick: () => this.toggleExplanation() }, "Explain");
        this.mapButton = this.entity.coordinates &&
            make("button", { type: "button", "aria-pressed": String(this.hasMap), onclick: () => this.toggleMap() }, "Map");
        this.links = ["csv", "json"].map((format) => make("a", { class: "button", download: true, "data-format": format }, format.toUpperCase()));
        this.explanation = make("section", { class: "explanation", "aria-label": "How the query is run", hidden: true });
        this.map = make("div", { class: "map", hidden: true });
        this.buildTable();
        this.message = make("p", { class: "message", hidden: true });
        this.scroller = make("div", {
            class: "scroller table-scroller", tabindex: -1, onscroll: () => this.scrolled(), onkeydown: (event) => this.key(event),
        }, this.table, this.message);
        this.element = make("section", { class: "view table-view", "aria-label": this.name },
            make("header", {}, this.heading, this.count, this.mapButton, this.explainButton,
                make("span", { class: "exports", role: "group", "aria-label": "Export what is shown" }, this.links)),
            entity && make("p", { class: "owner" }, `only ${relationship} of `, make("a", { href: recordAddress(`${entity}/${number}`) }, `${entity}/${number}`),
                " ", make("a", { href: entityAddress(this.name) }, "show all")),
            make("div", { class: "field" }, this.input, this.completion.list, this.mistake),
            this.explanation, this.map, this.scroller);
        this.element.style.setProperty("--row", `${this.rowHeight}px`);
        new ResizeObserver(() => this.scrolled()).observe(this.scroller);
    }

    /** A condition that this entity could have. */
    get example() {
        const named = (kind) => this.columns.find((column) => column.kind === kind)?.name;
        const text = this.entity.title ?? named("text");
        return `A condition${text ? `, as ${text} CONTAINS[cd] 'a'` : ""}`;
    }

    buildTable() {
        this.headers = new Map();
        const cells = this.columns.map((column) => {
            const { name, kind, notes, type, isSortable } = column;
            const label = isSortable ? make("button", { type: "button", onclick: () => this.sortBy(column) }, name, make("span", { class: "direction", "aria-hidden": "true" })) : make("span", {}, name);
            const isDerived = notes.some((note) => note.startsWith("derived"));
            const header = make("th", { scope: "col", class: `of-${kind}${isDerived ? " derived" : ""}`, title: [type, ...notes].join(", ") }, label);
            this.headers.set(name, header);
            return header;
        });
        this.before = make("tbody", { class: "spacer", "aria-hidden": "true" }, make("tr", {}, make("td", { colspan: this.columns.length + 1 })));
        this.after = this.before.cloneNode(true);
        this.body = make("tbody", { onclick: (event) => this.click(event), onfocusin: (event) => this.focused(event) });
        const isNarrow = innerWidth < 768;
        this.room = [isNarrow ? 70 : 90, ...this.columns.map(({ name, kind }) => Math.max(isNarrow ? Math.min(150, widths[kind]) : widths[kind], 8 * name.length + 40))];
        /** The longest number of each column that was shown. */
        this.digits = this.room.map(() => 0);
        this.columnElements = this.room.map(() => make("col"));
        this.table = make("table", { "aria-label": `Records of ${this.name}` },
            make("colgroup", {}, this.columnElements),
            make("thead", {}, make("tr", { "aria-rowindex": 1 }, make("th", { scope: "col", class: "of-number" }, "record"), cells)),
            this.before, this.body, this.after);
        this.giveRoom();
    }

    /** Makes columns wide enough for all of each number: a part of one would be read as another number. */
    giveRoom() {
        const widths = this.room.map((width, index) => `max(${width}px, ${this.digits[index] + 1}ch + 16px)`);
        widths.forEach((width, index) => (this.columnElements[index].style.width = width));
        this.table.style.width = `max(100%, ${widths.join(" + ")})`;
    }

    /** Notes how long the numbers of rows are. */
    measure(rows) {
        const before = this.digits.join();
        for (const { id, cells } of rows) {
            this.digits[0] = Math.max(this.digits[0], id.split("/")[1].length);
            this.columns.forEach(({ kind, index }, place) => {
                if (kind === "number") this.digits[place + 1] = Math.max(this.digits[place + 1], cells[index].text?.length ?? 0);
            });
        }
        if (this.digits.join() !== before) this.giveRoom();
    }

    // MARK: - Asking

    opened() {
        this.showSort();
        if (this.hasMap) this.toggleMap(true);
        return this.load({ isNew: true });
    }

    closed() {
        this.controller?.abort();
        clearTimeout(this.timer);
    }

    /** Shows what is there now; what stays is not touched. */
    async refresh() {
        await this.load({ isRefresh: true });
        if (!this.explanation.hidden) this.explain();
        if (!this.map.hidden) this.loadMap();
    }

    get first() { return Math.max(0, Math.floor(this.scroller.scrollTop / this.rowHeight)); }
    get seenCount() { return Math.ceil((this.scroller.clientHeight || 600) / this.rowHeight) + 1; }

    /** Fetches the rows around those that are seen. */
    async load({ isNew = false, isRefresh = false } = {}) {
        this.controller?.abort();
        const controller = (this.controller = new AbortController());
        const first = isNew ? 0 : this.first;
        const offset = Math.max(0, first - margin);
        const parameters = { ...this.query, offset: String(offset), limit: String(Math.min(200, this.seenCount + 2 * margin)) };
        // The row at the top stays there, whatever came before it.
        const anchor = isRefresh && first > 0 ? this.order[first - this.offset] : undefined;
        if (anchor) Object.assign(parameters, { anchor, place: String(first) });
        this.busy(true);
        try {
            const table = await ask("/data/rows", parameters, controller.signal);
            if (controller.signal.aborted) return;
            if (isNew) this.scroller.scrollTop = 0;
            this.apply(table, { shift: anchor ? table.offset - offset : 0, isRefresh });
            this.showMistake(null);
        } catch (error) {
            if (error.name !== "AbortError" && !controller.signal.aborted) this.showMistake(error);
        } finally {
            if (this.controller === controller) {
                this.controller = null;
                this.busy(false);
                this.scrolled();
            }
        }
    }

    /** Says that an answer is waited for, if it does not come at once. */
    busy(isBusy) {
        clearTimeout(this.busyTimer);
        if (isBusy) this.busyTimer = setTimeout(() => this.element.classList.add("busy"), 300);
        else this.element.classList.remove("busy");
    }

    /** Fetches other rows when those that are here do not fill what is seen. */
    scrolled() {
        if (this.controller || this.complaint || !this.element.isConnected) return;
        const first = this.first;
        const last = Math.min(this.shownTotal, first + this.seenCount);
        if (first >= this.offset && last <= this.offset + this.order.length) return;
        if (first >= this.shownTotal) return;
        this.load();
    }

    get shownTotal() { return Math.min(this.total, rowLimit); }

    // MARK: - Showing

    apply({ total, offset, rows }, { shift, isRefresh }) {
        Object.assign(this, { total, offset });
        const ids = new Set(rows.map(({ id }) => id));
        for (const id of this.nodes.keys()) if (!ids.has(id)) this.nodes.delete(id);
        this.order = rows.map(({ id }) => id);
        this.measure(rows);
        const elements = rows.map((row, index) => {
            const node = this.nodes.get(row.id) ?? this.makeRow(row.id, isRefresh);
            this.fill(node, row, isRefresh);
            node.element.setAttribute("aria-rowindex", offset + index + 2);
            return node.element;
        });
        const hasFocus = this.body.contains(document.activeElement);
        arrange(this.body, elements);
        // Whose row has been scrolled away goes on from there by keys.
        if (hasFocus && !this.body.contains(document.activeElement)) this.scroller.focus({ preventScroll: true });
        this.stopAtOne();
        this.spread(this.before, Math.min(offset, rowLimit));
        this.spread(this.after, Math.max(0, this.shownTotal - offset - rows.length));
        if (shift) this.scroller.scrollTop += shift * this.rowHeight;
        this.table.setAttribute("aria-rowcount", total + 1);
        this.count.textContent = counted(total, "record") + (total > rowLimit ? `; the first ${rowLimit.toLocaleString("en")} are shown` : "");
        this.message.textContent = this.query.where || this.query.of ? "No record satisfies the condition." : `There are no records of ${this.name} yet.`;
        this.message.hidden = total > 0;
        for (const link of this.links) link.href = address(`/export/${link.dataset.format}`, this.query);
        if (this.wanted !== undefined) this.focusRow(this.wanted);
    }

    spread(body, count) {
        body.hidden = !count;
        body.firstChild.style.height = `${count * this.rowHeight}px`;
    }

    makeRow(id, isNew) {
        const node = { shown: [] };
        node.link = make("a", { href: recordAddress(id), tabindex: -1, "aria-label": id }, id.split("/")[1]);
        node.cells = this.columns.map(({ kind }) => make("td", { class: `of-${kind}` }));
        node.element = make("tr", { "data-id": id, class: isNew ? "new" : null }, make("th", { scope: "row", class: "of-number" }, node.link), node.cells);
        this.nodes.set(id, node);
        return node;
    }

    fill(node, row, isRefresh) {
        this.columns.forEach((column, index) => {
            const cell = row.cells[column.index];
            const text = JSON.stringify(cell);
            if (node.shown[index] === text) return;
            const element = node.cells[index];
            element.replaceChildren(...showValue(cell, column, row.id));
            if (cell.text) element.title = cell.text + (cell.isCut ? "…" : "");
            else element.removeAttribute("title");
            if (isRefresh && node.shown[index] !== undefined) flash(element);
            node.shown[index] = text;
        });
    }

    showSort() {
        for (const [name, header] of this.headers) {
            const isSorted = name === this.query.sort;
            if (isSorted) header.setAttribute("aria-sort", this.query.descending ? "descending" : "ascending");
            else header.removeAttribute("aria-sort");
            const direction = header.querySelector(".direction");
            if (direction) direction.textContent = isSorted ? (this.query.descending ? " ▼" : " ▲") : "";
        }
    }

    /** Shows what is wrong with the condition, under the place where it is. */
    showMistake(complaint) {
        this.complaint = complaint;
        this.mistake.hidden = !complaint;
        this.input.toggleAttribute("aria-invalid", Boolean(complaint));
        if (!complaint) return;
        const { column, message } = complaint;
        this.mistakeText.textContent = message + (column ? ` (column ${column})` : "");
        this.caret.hidden = !column;
        if (!column) return;
        const style = getComputedStyle(this.input);
        const pen = document.createElement("canvas").getContext("2d");
        pen.font = style.font;
        const characters = [...new Intl.Segmenter().segment(this.input.value)].map(({ segment }) => segment);
        const left = pen.measureText(characters.slice(0, column - 1).join("")).width + parseFloat(style.paddingLeft) + 1 - this.input.scrollLeft;
        this.caret.style.marginLeft = `${Math.max(0, Math.min(left, this.input.clientWidth - 16))}px`;
    }

    // MARK: - Choosing

    /** Applies the condition when typing rests. */
    later() {
        clearTimeout(this.timer);
        this.timer = setTimeout(() => this.filter(), 250);
    }

    filter() {
        clearTimeout(this.timer);
        if (this.query.where === this.input.value && !this.complaint) return;
        this.query.where = this.input.value;
        this.changed();
    }

    sortBy({ name }) {
        const { sort, descending } = this.query;
        if (sort !== name) Object.assign(this.query, { sort: name, descending: "" });
        else if (!descending) this.query.descending = "true";
        else Object.assign(this.query, { sort: "", descending: "" });
        this.showSort();
        this.changed();
    }

    async changed() {
        const { entity, ...parameters } = this.query;
        history.replaceState(null, "", entityAddress(entity, { ...parameters, map: this.hasMap && "1" }));
        await this.load({ isNew: true });
        if (!this.explanation.hidden) this.explain();
        if (!this.map.hidden) this.loadMap();
    }

    click(event) {
        if (event.target.closest("a") || String(getSelection())) return;
        this.page.go(recordAddress(event.target.closest("tr").dataset.id));
    }

    // MARK: - Keys

    focused(event) {
        const index = this.order.indexOf(event.target.closest("tr")?.dataset.id);
        if (index < 0) return;
        this.current = this.offset + index;
        this.stopAtOne();
    }

    /** Lets the tab key stop at one row alone: where the focus was last, or else the first that is seen; arrows go on from there. */
    stopAtOne() {
        const { order, offset } = this;
        const stop = order[this.current - offset] ?? order[this.first - offset] ?? order[0];
        for (const [id, { link }] of this.nodes) link.tabIndex = id === stop ? 0 : -1;
    }

    key(event) {
        if (event.target.closest("thead")) return;
        const page = this.seenCount - 3;
        const target = {
            ArrowDown: this.current + 1, ArrowUp: this.current - 1, PageDown: this.current + page, PageUp: this.current - page,
            Home: 0, End: this.shownTotal - 1,
        }[event.key];
        if (target === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
        event.preventDefault();
        this.focusRow(Math.max(0, Math.min(this.shownTotal - 1, target)));
    }

    /** Moves the focus to the row at a position, which may have to be fetched. */
    focusRow(index) {
        const top = index * this.rowHeight, height = this.scroller.clientHeight - this.table.tHead.offsetHeight - this.rowHeight;
        if (top < this.scroller.scrollTop) this.scroller.scrollTop = top;
        else if (top > this.scroller.scrollTop + height) this.scroller.scrollTop = top - height;
        const node = this.nodes.get(this.order[index - this.offset]);
        this.wanted = node ? undefined : index;
        node?.link.focus({ preventScroll: true });
        if (!node) this.scrolled();
    }

    focusFirst() { this.heading.focus({ preventScroll: true }); }

    // MARK: - Beside the table

    toggleExplanation() {
        this.explanation.hidden = !this.explanation.hidden;
        this.explainButton.setAttribute("aria-expanded", !this.explanation.hidden);
        if (!this.explanation.hidden) this.explain();
    }

    async explain() {
        try {
            const found = await ask("/data/explain", this.query);
            this.explanation.replaceChildren(
                make("p", {}, make("code", {}, found.query)),
                make("p", {}, `${counted(found.rows, "record")} in ${duration(found.duration)}, prepared in ${duration(found.preparation)}`),
                stepTree(found.steps));
        } catch (error) {
            this.explanation.replaceChildren(make("p", { class: "failure" }, error.message));
        }
    }

    toggleMap(isShown = this.map.hidden) {
        this.hasMap = isShown;
        this.map.hidden = !isShown;
        this.mapButton.setAttribute("aria-pressed", isShown);
        if (!isShown) return;
        this.world ??= new WorldMap();
        this.mapNote ??= make("p", { class: "hint" });
        this.map.replaceChildren(this.world.element, this.mapNote);
        this.loadMap();
    }

    async loadMap() {
        try {
            const { marks, looked, total } = await ask("/data/places", this.query);
            this.world.show(marks);
            this.mapNote.textContent = `${counted(marks.length, "record")} with coordinates`
                + (looked < total ? ` among the first ${looked.toLocaleString("en")} of ${total.toLocaleString("en")}` : "");
        } catch (error) {
            this.mapNote.textContent = error.message;
        }
    }
}

/** Lights up what has changed for a moment. */
export function flash(element) {
    element.classList.remove("changed");
    // Begins the animation anew.
    void element.offsetWidth;
    element.classList.add("changed");
}

/** Steps as a tree, each above those that it needs. */
function stepTree(steps) {
    const root = make("ul", { class: "steps" });
    const lists = [root];
    for (const { depth, text, rows, expected, microseconds, note } of steps) {
        const facts = [];
        if (rows !== undefined) facts.push(counted(rows, "row"));
        if (expected !== undefined) facts.push(`${expected.toLocaleString("en")} expected`);
        if (microseconds !== undefined) facts.push(duration(microseconds));
        else if (expected !== undefined) facts.push("not run");
        if (note) facts.push(note);
        const item = make("li", {}, make("code", {}, text), facts.length > 0 && make("span", { class: "facts" }, ` → ${facts.join(", ")}`));
        lists.length = Math.min(lists.length, depth + 1);
        lists.at(-1).append(item);
        const inner = make("ul");
        item.append(inner);
        lists.push(inner);
    }
    for (const list of root.querySelectorAll("ul:empty")) list.remove();
    return root;
}
