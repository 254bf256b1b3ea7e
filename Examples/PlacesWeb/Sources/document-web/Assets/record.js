// A record with all its properties, whole.

import { WorldMap } from "./map.js";
import { arrange, ask, entityAddress, make, recordAddress, showValue } from "./support.js";
import { flash } from "./table.js";

export class RecordView {
    constructor(page, id) {
        Object.assign(this, { page, id, nodes: new Map() });
        this.heading = make("h1", { tabindex: -1 }, id);
        this.message = make("p", { class: "message", hidden: true, role: "status" });
        this.list = make("dl", { class: "properties" });
        this.map = make("div", { class: "map", hidden: true });
        const name = id.split("/")[0];
        this.element = make("section", { class: "view record-view", "aria-label": id },
            make("header", {}, make("a", { class: "back", href: entityAddress(name), "aria-label": `All of ${name}` }, "‹"), this.heading,
                make("span", { class: "count" }, id)),
            make("div", { class: "scroller" }, this.message, this.list, this.map));
    }

    get title() { return this.name ?? this.id; }

    opened() { return this.load(); }
    refresh() { return this.load(true); }
    closed() {}
    focusFirst() { this.heading.focus({ preventScroll: true }); }

    async load(isRefresh = false) {
        try {
            this.apply(await ask(`/data/record/${this.id.split("/").map(encodeURIComponent).join("/")}`), isRefresh);
            this.message.hidden = true;
        } catch (error) {
            // What was shown before stays readable.
            this.message.textContent = isRefresh && error.message.startsWith("There is no") ? "The record was deleted. This is what it was." : error.message;
            this.message.hidden = false;
        }
    }

    apply({ title, properties, place }, isRefresh) {
        this.name = title;
        this.heading.textContent = title || this.id;
        this.page.titleChanged();
        for (const property of properties) this.show(property, isRefresh);
        // Pictures come first.
        properties.sort((a, b) => Number(Boolean(b.cell.isPicture)) - Number(Boolean(a.cell.isPicture)));
        arrange(this.list, properties.flatMap(({ column }) => this.nodes.get(column.name).elements));
        this.map.hidden = !place;
        if (!place) return;
        this.world ??= new WorldMap();
        if (!this.map.firstChild) this.map.append(this.world.element);
        this.world.show([{ id: this.id, title: title ?? this.id, ...place }]);
    }

    show({ column, cell, members, failure }, isRefresh) {
        const text = JSON.stringify([cell, members, failure]);
        const known = this.nodes.get(column.name);
        if (known?.text === text) return;
        const value = known?.elements[1] ?? make("dd", { class: `of-${column.kind}` });
        value.replaceChildren(...(failure ? [make("span", { class: "failure" }, failure)] : showValue(cell, column, this.id, true)));
        if (members?.length) {
            value.append(make("ul", { class: "members" }, members.map(({ id, title }) => make("li", {}, make("a", { href: recordAddress(id) }, title || id))),
                members.length < cell.count && make("li", {}, `and ${(cell.count - members.length).toLocaleString("en")} more`)));
        }
        if (known) {
            known.text = text;
            if (isRefresh) flash(value);
            return;
        }
        const notes = [column.type, ...column.notes].join(", ");
        this.nodes.set(column.name, { text, elements: [make("dt", {}, column.name, make("small", {}, notes)), value] });
    }
}
