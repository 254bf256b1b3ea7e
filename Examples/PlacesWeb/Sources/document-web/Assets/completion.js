// Completes names of properties in a condition, also behind dots across relationships.

import { make } from "./support.js";

const words = ["AND", "OR", "NOT", "BEGINSWITH", "BEGINSWITH[cd]", "CONTAINS", "CONTAINS[cd]", "ENDSWITH", "LIKE", "MATCHES", "TEXT", "IN", "BETWEEN", "ANY", "ALL", "NONE", "nil", "YES", "NO", "now()"];
/** Words of the language, before which a property of that name has a sign. */
const reserved = new Set(["and", "or", "not", "any", "all", "some", "none", "between", "in", "contains", "beginswith", "endswith", "like", "matches", "text", "truepredicate", "falsepredicate", "subquery", "nil", "null", "yes", "no", "true", "false", "self", "first", "last", "size"]);
/** What a name is that needs no backticks, as in the library. */
const plain = /^[\p{XID_Start}_][\p{XID_Continue}_]*$/u;
/** Texts, key paths, whose last name may lack its second backtick, and all other characters. */
const parts = /'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|(?:`[^`]*(?:`|$)|[\p{L}_#@][\p{L}\p{N}_#@]*)(?:\.(?:`[^`]*(?:`|$)|[\p{L}\p{N}_#@]*))*|[^]/gu;
/** Texts that have ended. */
const texts = /'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"/g;
/** Dots outside backticks. */
const dots = /\.(?=(?:[^`]*`[^`]*`)*[^`]*$)/;

/** A name without the signs that a query writes around it. */
const bare = (name) => name.replace(/^#|`/g, "");

/** A name as a query writes it; those of composites have a dot. */
const written = (name) => name.split(".").map((step) =>
    reserved.has(step.toLowerCase()) ? `#${step}` : plain.test(step) ? step : `\`${step}\``).join(".");

/** What may stand where the cursor is: where the word begins, and the suggestions. */
export function suggestions(text, cursor, entityName, entities) {
    const before = text.slice(0, cursor);
    // Inside quotation marks nothing is suggested.
    if (/['"]/.test(before.replace(texts, ""))) return null;
    const part = before.match(parts)?.at(-1) ?? "";
    const path = /^[`\p{L}_#@]/u.test(part) ? part : "";
    if (/[\p{N}$%]$/u.test(before.slice(0, before.length - path.length))) return null;
    const isOpen = path.split("`").length % 2 === 0;
    const steps = (isOpen ? `${path}\`` : path).split(dots);
    const last = steps.pop();
    const typed = bare(last);
    let entity = entities.find(({ name }) => name === entityName);
    let isMany = false;
    for (const step of steps) {
        const column = entity?.columns.find(({ name }) => name === bare(step));
        if (!column?.destination) return null;
        isMany ||= column.kind === "records";
        entity = entities.find(({ name }) => name === column.destination);
    }
    if (!entity || (!typed && !steps.length)) return null;
    const begins = (name) => name.toLowerCase().startsWith(typed.toLowerCase()) && name !== typed;
    const found = entity.columns.filter(({ name }) => begins(name)).map(({ name, type }) => ({ text: written(name), note: type }));
    if (isMany) found.push(...["@count", "@min", "@max", "@sum", "@avg"].filter(begins).map((text) => ({ text, note: "" })));
    if (!steps.length && !last.startsWith("`")) found.push(...words.filter((word) => begins(word)).map((text) => ({ text, note: "" })));
    return found.length ? { start: cursor - last.length + (isOpen ? 1 : 0), found: found.slice(0, 12) } : null;
}

/** A list of suggestions under a text field. */
export class Completion {
    constructor(input, entityName, entities) {
        Object.assign(this, { input, entityName, entities, chosen: -1, offered: null });
        this.list = make("ul", { role: "listbox", id: "suggestions", class: "suggestions", "aria-label": "Suggestions", hidden: true });
        for (const [name, value] of Object.entries({ role: "combobox", "aria-autocomplete": "list", "aria-controls": "suggestions", "aria-expanded": "false" })) input.setAttribute(name, value);
        // Before what the field itself does with a key.
        input.addEventListener("keydown", (event) => this.key(event), { capture: true });
        input.addEventListener("blur", () => this.close());
    }

    update() {
        this.offered = suggestions(this.input.value, this.input.selectionStart, this.entityName, this.entities());
        if (!this.offered) return this.close();
        this.list.replaceChildren(...this.offered.found.map(({ text, note }, index) =>
            make("li", { role: "option", id: `suggestion-${index}`, onmousedown: (event) => { event.preventDefault(); this.take(index); } },
                make("span", {}, text), make("span", { class: "note" }, note))));
        this.list.hidden = false;
        this.input.setAttribute("aria-expanded", "true");
        this.choose(-1);
    }

    close() {
        this.list.hidden = true;
        this.offered = null;
        this.input.setAttribute("aria-expanded", "false");
        this.input.removeAttribute("aria-activedescendant");
    }

    choose(index) {
        this.chosen = index;
        [...this.list.children].forEach((option, at) => option.setAttribute("aria-selected", at === index));
        if (index < 0) this.input.removeAttribute("aria-activedescendant");
        else this.input.setAttribute("aria-activedescendant", `suggestion-${index}`);
        this.list.children[index]?.scrollIntoView({ block: "nearest" });
    }

    take(index) {
        const { start, found } = this.offered;
        const { value, selectionStart } = this.input;
        this.input.setRangeText(found[index].text, start, selectionStart, "end");
        this.close();
        if (value !== this.input.value) this.input.dispatchEvent(new Event("input"));
        this.close();
    }

    key(event) {
        if (!this.offered) return;
        const count = this.offered.found.length;
        const action = {
            ArrowDown: () => this.choose((this.chosen + 1) % count),
            ArrowUp: () => this.choose((this.chosen + count) % (count + 1) - (this.chosen < 0 ? 1 : 0)),
            Escape: () => this.close(),
            Tab: () => this.take(Math.max(0, this.chosen)),
            Enter: this.chosen >= 0 ? () => this.take(this.chosen) : null,
        }[event.key];
        if (!action || event.shiftKey || event.ctrlKey) return;
        event.preventDefault();
        event.stopImmediatePropagation();
        action();
    }
}
