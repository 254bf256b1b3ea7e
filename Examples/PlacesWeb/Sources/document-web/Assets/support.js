// What all parts of the page share: making elements, asking the server, showing values.

/** Makes an element; texts become text, never markup. */
export function make(tag, attributes = {}, ...children) {
    return fill(document.createElement(tag), attributes, children);
}

export function makeSVG(tag, attributes = {}, ...children) {
    return fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

function fill(element, attributes, children) {
    for (const [name, value] of Object.entries(attributes)) {
        if (value === undefined || value === null || value === false) continue;
        if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
        else element.setAttribute(name, value === true ? "" : value);
    }
    element.append(...children.flat().filter((child) => child !== undefined && child !== null && child !== false));
    return element;
}

/** Makes the children of an element what they are to be; those that stay are not touched. */
export function arrange(parent, children) {
    const focused = parent.contains(document.activeElement) ? document.activeElement : null;
    const staying = new Set(children);
    for (const child of [...parent.children]) if (!staying.has(child)) child.remove();
    children.forEach((child, index) => {
        if (parent.children[index] !== child) parent.insertBefore(child, parent.children[index] ?? null);
    });
    // Some browsers take the focus from what is moved.
    if (focused?.isConnected && document.activeElement !== focused) focused.focus({ preventScroll: true });
}

// MARK: - Asking

/** What tells this page from others of the same browser. */
export const pageName = Math.random().toString(36).slice(2);

/** What the server did not answer, and why: in words, and for a condition with a column. */
export class Complaint extends Error {
    constructor(text, column) {
        super(text);
        this.column = column;
    }
}

/** The value of JSON; who may not come in is told why as text. */
function parsed(text) {
    try {
        return JSON.parse(text);
    } catch {
        return { failure: text };
    }
}

/** Asks the server for data. */
export async function ask(path, parameters = {}, signal = undefined) {
    let reply, text;
    try {
        reply = await fetch(address(path, { ...parameters, page: pageName }), { signal, headers: { Accept: "application/json" } });
        text = await reply.text();
    } catch (error) {
        if (error.name === "AbortError") throw error;
        throw new Complaint("The server does not answer. Is it still running?");
    }
    const answer = parsed(text);
    if (!reply.ok) throw new Complaint(answer.failure || answer.error?.message || "That did not work. Try again.", answer.column);
    return answer;
}

/** An address with what stands behind the question mark. */
export function address(path, parameters) {
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(parameters)) if (value) query.set(name, value);
    // The server takes a plus for what it is, and not for a space.
    return query.size ? `${path}?${String(query).replaceAll("+", "%20")}` : path;
}

export const recordAddress = (id) => `/records/${id.split("/").map(encodeURIComponent).join("/")}`;
export const entityAddress = (name, parameters = {}) => address(`/entities/${encodeURIComponent(name)}`, parameters);

/** What there is to know of entities but for their counts, which change more often. */
export const shape = (entities) => JSON.stringify(entities.map(({ count, ...shape }) => shape));

// MARK: - Showing values

export const counted = (count, noun) => `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;

export function size(bytes) {
    if (bytes < 1000) return counted(bytes, "byte");
    const units = ["kB", "MB", "GB"];
    const power = Math.min(Math.floor(Math.log10(bytes) / 3), 3);
    return `${(bytes / 1000 ** power).toFixed(1)} ${units[power - 1]}`;
}

/** An instant by the clock of who looks. */
export function localTime(text) {
    // Browsers take a date out of any text.
    if (!/^\d{4}-\d\d-/.test(text)) return text;
    const date = new Date(text);
    const two = (number) => String(number).padStart(2, "0");
    return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
}

/** How long something took, from microseconds. */
export const duration = (time) => (time < 1000 ? `${Math.ceil(time)} µs` : `${(time / 1000).toFixed(2)} ms`);

/** What is shown of a value; `isWhole` where there is room for all of it. */
export function showValue(cell, column, id, isWhole = false) {
    if (column.kind === "bytes") return showBytes(cell, column, id, isWhole);
    if (cell.record) return [make("a", { href: recordAddress(cell.record) }, cell.text ? cell.text + (cell.isCut ? "…" : "") : cell.record)];
    if (column.kind === "records") {
        const link = make("a", { href: entityAddress(column.destination, { of: `${id}/${column.name}` }) }, cell.count?.toLocaleString("en") ?? "0");
        link.setAttribute("aria-label", `${column.name} of ${id}: ${cell.count ?? 0}`);
        return [link];
    }
    if (cell.text === undefined) return [make("span", { class: "nothing", "aria-label": "no value" }, isWhole ? "no value" : "")];
    if (column.kind === "date") return [make("time", { datetime: cell.text }, localTime(cell.text))];
    if (column.kind === "boolean") return [cell.text === "true" ? "yes" : "no"];
    if (!isWhole) return [cell.text + (cell.isCut ? "…" : "")];
    const whole = make(cell.text.includes("\n") || cell.text.length > 200 ? "pre" : "span", { class: "whole" }, cell.text);
    if (!cell.isCut) return [whole];
    return [whole, make("p", {}, "That is only the beginning. ", make("a", { href: cell.bytes }, "Download the whole text"))];
}

function showBytes(cell, column, id, isWhole) {
    if (cell.bytes === undefined) return [make("span", { class: "nothing", "aria-label": "no value" }, isWhole ? "no value" : "")];
    const text = size(cell.count);
    if (!cell.isPicture) return [make("a", { href: cell.bytes, download: true, title: "Download" }, text)];
    const picture = make("img", { src: cell.bytes, alt: "", loading: "lazy", decoding: "async" });
    return [make("a", { href: cell.bytes, target: "_blank", class: "picture", "aria-label": `${column.name} of ${id}` }, picture), make("span", { class: "size" }, text)];
}
