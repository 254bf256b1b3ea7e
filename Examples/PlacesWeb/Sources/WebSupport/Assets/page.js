// Shows panes of lists, photos and maps, and keeps them current by one stream of events.
//
// What the server tells of a list is applied in place: rows that nothing happened to stay the nodes they are, with
// their focus and where the list is scrolled to.

import { Events } from "./events.js";
import { land } from "./world.js";

// MARK: - Making elements

/** Makes an element; texts become text, never markup. */
function make(tag, attributes = {}, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
        if (value === undefined || value === null || value === false) continue;
        if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
        else element.setAttribute(name, value === true ? "" : value);
    }
    element.append(...children.filter((child) => child !== undefined && child !== null));
    return element;
}

function makeSVG(tag, attributes = {}) {
    const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    return element;
}

const moves = !matchMedia("(prefers-reduced-motion: reduce)").matches;
const isWide = matchMedia("(min-width: 768px)");

// MARK: - The stream

/** What is followed, and how far each feed is known. */
const stream = {
    followers: new Map(),

    /** Follows just these feeds: names with who is told. */
    follow(followers) {
        this.apply();
        const same =
            followers.size === this.followers.size && [...followers].every(([name, to]) => this.followers.get(name) === to);
        this.followers = followers;
        if (!same || !connection.source) connection.open();
    },

    get address() {
        // What has come, and waits for a frame that a hidden page does not get, would be sent once more.
        this.apply();
        const query = [...this.followers].map(([name, to]) =>
            "feed=" + encodeURIComponent(to.position ? `${name} ${to.position}` : name));
        return "/events?" + query.join("&");
    },

    // Events are applied a frame at a time, however many come.
    waiting: [],
    queue(event) {
        if (this.waiting.push(event) === 1) requestAnimationFrame(() => this.apply());
    },
    apply() {
        const events = this.waiting;
        this.waiting = [];
        const byFeed = Map.groupBy(events, (event) => event.feed);
        for (const [feed, events] of byFeed) {
            if (feed === "undo") undo.show(events.at(-1));
            else if (feed === "notice") tell(events.at(-1).text);
            else this.followers.get(feed)?.apply(events);
        }
    },
};

const connection = new Events(() => stream.address, (event) => stream.queue(event));

// MARK: - Doing

/** What an answer says went wrong: as JSON, or as text to who may not come in. */
async function complaint(reply) {
    let text = await reply.text();
    try {
        const answer = JSON.parse(text);
        text = answer.failure ?? answer.error?.message;
    } catch {}
    return text || "That did not work. Try again.";
}

/** Asks the server to do something; says what went wrong. */
async function send(path, action = {}) {
    try {
        const reply = await fetch(path, {
            method: "POST",
            headers: { "Content-Type": "application/json" },
            body: JSON.stringify(action),
        });
        if (!reply.ok) return tell(await complaint(reply));
        return reply.headers.get("Content-Type")?.startsWith("application/json") ? await reply.json() : {};
    } catch {
        tell("The server does not answer. Is it still running?");
    }
}

const notice = make("p", { role: "alert", class: "notice", hidden: true });
function tell(text) {
    notice.textContent = text;
    notice.hidden = false;
    clearTimeout(notice.timer);
    notice.timer = setTimeout(() => (notice.hidden = true), 8_000);
}

function barButton(sign, word, path) {
    return make(
        "button", { type: "button", disabled: true, onclick: () => send(path) },
        make("span", { "aria-hidden": "true" }, sign), make("span", { class: "word" }, word));
}

const undo = {
    undoButton: barButton("↶", "Undo", "/undo"),
    redoButton: barButton("↷", "Redo", "/redo"),
    show(event) {
        for (const [button, word, name] of [[this.undoButton, "Undo", event.undo], [this.redoButton, "Redo", event.redo]]) {
            button.disabled = name === undefined;
            button.title = name === undefined ? word : `${word}: ${name}`;
        }
    },
};
addEventListener("keydown", (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "z" || event.target.matches("input")) return;
    event.preventDefault();
    send(event.shiftKey ? "/redo" : "/undo");
});

// MARK: - Lists

/** A list in sections whose rows are nodes that stay. */
class Rows {
    constructor(pane) {
        this.pane = pane;
        this.nodes = new Map();
        this.sections = new Map();
        /** The nodes that do not show yet what their rows say. */
        this.unfilled = new Set();
        /** The sections from the first to the last, each with its rows. */
        this.order = [];
        this.position = null;
        this.element = make("div", { class: "sections" });
        this.message = make("p", { class: "message", hidden: true });
        this.status = make("p", { class: "status", role: "status" });
        this.element.addEventListener("keydown", (event) => this.moveFocus(event));
    }

    /** Applies what happened, and lets what is seen glide to its place. */
    apply(events) {
        const before = this.visiblePlaces();
        for (const event of events) {
            if (event.position) this.position = event.position;
            if (event.sections) this.replace(event.sections);
            if (event.change) this.change(event.change);
            if (event.status) this.showStatus(event.status);
            if (event.position || event.status) {
                this.message.textContent = event.message ?? "";
                this.message.hidden = !event.message;
            }
        }
        for (const element of before.keys()) this.fill(this.nodes.get(element.dataset.id));
        this.settle();
        if (moves) this.glide(before);
        this.pane.rowsChanged?.();
    }

    /** Makes the list what a whole list says, keeping the nodes of what it knows already. */
    replace(sections) {
        const ids = new Set(sections.flatMap((section) => section.rows.map((row) => row.id)));
        for (const id of [...this.nodes.keys()]) if (!ids.has(id)) this.remove(id);
        this.arrange(sections);
        sections.forEach(({ rows }, index) => {
            const section = this.order[index];
            section.nodes = rows.map((row) => this.show(row));
            let next = section.list.firstElementChild;
            for (const node of section.nodes) {
                [node.section, node.isOut] = [section, false];
                if (node.element === next) next = next.nextElementSibling;
                else section.list.insertBefore(node.element, next);
            }
        });
    }

    change({ deletes, rows, sections, placements }) {
        const shrunk = new Set();
        const takeOut = (node) => {
            if (node?.section) shrunk.add(node.section);
            if (node) node.section = null;
        };
        for (const id of deletes) {
            takeOut(this.nodes.get(id));
            this.remove(id);
        }
        for (const row of rows) this.show(row);
        // What moves is taken out first, since places count without it.
        for (const { id } of placements) takeOut(this.nodes.get(id));
        for (const section of shrunk) section.nodes = section.nodes.filter((node) => node.section === section);
        if (sections) this.arrange(sections);
        for (const { id, section, item } of placements) {
            const node = this.nodes.get(id);
            [node.section, node.isOut] = [this.order[section], true];
            node.section.nodes.splice(item, 0, node);
            node.section.hasOut = true;
        }
    }

    /** Brings nodes to their places and shows what rows say: so many that a frame stays a frame, the rest in the next ones. */
    settle() {
        cancelAnimationFrame(this.frame);
        const focused = this.element.contains(document.activeElement) ? document.activeElement : null;
        let moves = 100, fills = 300;
        for (const section of this.order) {
            if (!section.hasOut || !moves) continue;
            section.hasOut = false;
            section.nodes.forEach((node, index) => {
                if (!node.isOut) return;
                if (!moves) return (section.hasOut = true);
                // What stands before it has its place already.
                if (index) section.nodes[index - 1].element.after(node.element);
                else section.list.prepend(node.element);
                node.isOut = false;
                moves -= 1;
            });
        }
        // Some browsers take the focus from what is moved.
        if (focused?.isConnected && document.activeElement !== focused) focused.focus({ preventScroll: true });
        for (const node of this.unfilled) {
            if (!fills--) break;
            this.fill(node);
        }
        if (!moves || this.unfilled.size) this.frame = requestAnimationFrame(() => this.settle());
    }

    /** Puts the sections into their order; those that are not named are gone. */
    arrange(sections) {
        const ids = new Set(sections.map((section) => section.id));
        for (const [id, section] of this.sections) {
            if (ids.has(id)) continue;
            section.element.remove();
            this.sections.delete(id);
        }
        this.order = sections.map(({ id, title }, index) => {
            let section = this.sections.get(id);
            if (!section) {
                const header = make("h2", {});
                const list = make("ul", { class: this.pane.kind === "grid" ? "grid" : "rows" });
                section = { element: make("section", {}, header, list), header, list, nodes: [] };
                this.sections.set(id, section);
            }
            if (section.header.textContent !== title) section.header.textContent = title;
            section.header.hidden = !title;
            const next = this.element.children[index] ?? null;
            if (next !== section.element) this.element.insertBefore(section.element, next);
            return section;
        });
    }

    /** Notes what a row says, for the node that it has, or makes a new one. */
    show(row) {
        const known = this.nodes.get(row.id);
        if (known) {
            known.row = row;
            this.unfilled.add(known);
            return known;
        }
        const node = { row, shown: {}, section: null, isOut: true, element: make("li", { "data-id": row.id }) };
        this.pane.build(node);
        this.nodes.set(row.id, node);
        this.fill(node);
        return node;
    }

    fill(node) {
        if (!node) return;
        this.unfilled.delete(node);
        this.pane.fill(node, node.shown);
        node.shown = node.row;
    }

    remove(id) {
        const node = this.nodes.get(id);
        if (!node) return;
        node.element.remove();
        this.pane.seen?.unobserve(node.element);
        this.unfilled.delete(node);
        this.nodes.delete(id);
    }

    showStatus({ text, isBusy, isFailure }) {
        this.status.textContent = text;
        this.status.classList.toggle("busy", isBusy);
        this.status.classList.toggle("failure", isFailure);
    }

    /** All rows from the first to the last. */
    get ordered() { return this.order.flatMap(({ nodes }) => nodes); }

    /** The places of the rows that are seen. */
    visiblePlaces() {
        const places = new Map();
        const frame = this.pane.scroller.getBoundingClientRect();
        for (const { nodes } of this.order) {
            // The first row that ends below the upper edge.
            let [first, last] = [0, nodes.length];
            while (first < last) {
                const middle = (first + last) >> 1;
                if (nodes[middle].element.getBoundingClientRect().bottom > frame.top) last = middle;
                else first = middle + 1;
            }
            for (const { element } of nodes.slice(first, first + 200)) {
                const place = element.getBoundingClientRect();
                if (place.top >= frame.bottom) break;
                places.set(element, place);
            }
        }
        return places;
    }

    glide(before) {
        for (const [element, old] of before) {
            if (!element.isConnected) continue;
            const now = element.getBoundingClientRect();
            const [x, y] = [old.left - now.left, old.top - now.top];
            if (!x && !y) continue;
            element.animate(
                [{ transform: `translate(${x}px, ${y}px)` }, { transform: "none" }],
                { duration: 250, easing: "ease-out" });
        }
    }

    moveFocus(event) {
        const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
        const link = event.target.closest("li")?.querySelector("a");
        if (!step || !link) return;
        const links = [...this.element.querySelectorAll("li a")];
        links[links.indexOf(link) + step]?.focus();
        event.preventDefault();
    }
}

// MARK: - Panes

/** One screen. */
class Pane {
    constructor(facts) {
        this.kind = facts.kind;
        this.path = facts.path;
        this.facts = facts;
        this.rows = new Rows(this);
        this.title = make("h1", { tabindex: -1 }, facts.title);
        this.back = make("a", { class: "back", hidden: true, "aria-label": "Back" }, "‹");
        this.scroller = make("div", { class: "scroller" });
        // Pictures are asked for when their rows are about to be seen.
        this.seen = !facts.hasPictures ? null : new IntersectionObserver((entries) => {
            for (const { isIntersecting, target } of entries) {
                const node = this.rows.nodes.get(target.dataset.id);
                if (node) this.showPicture(node, isIntersecting);
            }
        }, { root: this.scroller, rootMargin: "100px" });
        this.element = make(
            "section", { class: `pane ${facts.kind}-pane`, "aria-label": facts.title },
            make("header", {}, this.back, this.title, ...this.commands(facts)),
            this.scopes(facts), this.search(facts), this.rows.status, this.scroller);
        this.fillScroller();
    }

    fillScroller() { this.scroller.append(this.rows.message, this.rows.element); }

    commands({ commands, path }) {
        return commands.map(({ action, title, question }) =>
            make("button", {
                type: "button",
                onclick: async () => {
                    if (question && !confirm(question)) return;
                    const answer = await send(path, { action });
                    if (answer?.path) go(answer.path);
                },
            }, title));
    }

    scopes({ scopes, path }) {
        if (scopes.length < 2) return null;
        return make("nav", { class: "scopes", "aria-label": "Lists" }, ...scopes.map((scope) =>
            make("a", { href: scope.path, "aria-current": scope.path === path ? "page" : null }, scope.title)));
    }

    search({ isSearchable, title }) {
        if (!isSearchable) return null;
        return make("input", {
            type: "search", placeholder: "Search", "aria-label": `Search in ${title}`, maxlength: 60, autocomplete: "off",
            oninput: (event) => {
                this.searchText = event.target.value;
                this.rows.position = null;
                page.follow();
            },
        });
    }

    /** The feed of what is shown, and searched for. */
    get feed() { return this.searchText ? `${this.path}?${encodeURIComponent(this.searchText)}` : this.path; }

    get position() { return this.rows.position; }
    apply(events) { this.rows.apply(events); }

    /** Makes what a row is made of. */
    build(node) {
        node.picture = this.facts.hasPictures ? make("img", { alt: "", decoding: "async" }) : null;
        node.title = make("span", { class: "title" });
        node.subtitle = make("span", { class: "subtitle" });
        node.link = make("a", {}, node.picture, make("span", { class: "text" }, node.title, node.subtitle));
        node.element.append(node.link);
        if (this.facts.hasStars) {
            node.star = starButton(() => send(this.path, { action: "favorite", row: node.row.id, isFavorite: !node.row.isFavorite }));
            node.element.append(node.star);
        }
        node.trash = make("button", {
            type: "button", class: "trash", hidden: true,
            onclick: () => send(this.path, { action: "delete", row: node.row.id }),
        }, "×");
        node.element.append(node.trash);
        this.seen?.observe(node.element);
    }

    /** Shows in a row what it says now, and touches nothing that is as it was. */
    fill(node, before) {
        const { row } = node;
        if (row.title !== before.title) node.title.textContent = row.title;
        if (row.subtitle !== before.subtitle) node.subtitle.textContent = row.subtitle ?? "";
        if (row.path !== before.path) {
            node.link.href = row.path;
            this.mark(node);
        }
        if (row.state !== before.state) node.element.dataset.state = row.state ?? "";
        if (node.picture) this.showPicture(node, node.isSeen);
        if (row.title === before.title && row.isFavorite === before.isFavorite && row.isDeletable === before.isDeletable) return;
        if (node.star) showStar(node.star, row.isFavorite, row.title);
        node.trash.hidden = !row.isDeletable;
        node.trash.setAttribute("aria-label", `Delete ${row.title}`);
    }

    showPicture(node, isSeen) {
        node.isSeen = isSeen;
        // The picture of an album is here once it is ready, and looks else as it did.
        const { picture, state } = node.row;
        if (!isSeen || !picture || (state && state !== "ready") || node.picture.getAttribute("src") === picture) return;
        node.picture.src = picture;
    }

    /** Marks the row that leads to what is shown beside. */
    mark({ row, link }) {
        const isCurrent = row.path && `${location.pathname}/`.startsWith(`${row.path}/`);
        if (isCurrent) link.setAttribute("aria-current", "true");
        else if (link.hasAttribute("aria-current")) link.removeAttribute("aria-current");
    }
}

function starButton(onclick) { return make("button", { type: "button", class: "star", onclick }); }

function showStar(button, isFavorite, title) {
    button.textContent = isFavorite ? "★" : "☆";
    button.setAttribute("aria-pressed", Boolean(isFavorite));
    button.setAttribute("aria-label", `Favorite ${title}`);
}

/** What is shown while a document is being opened. */
class OpeningPane extends Pane {
    apply(events) {
        if (events.some(({ isOpen }) => isOpen)) go(location.pathname, { replace: true, isAgain: true });
        else this.rows.apply(events);
    }
}

// MARK: - Fingers

/** Where a pointer is on an element. */
function pointOn(element, event) {
    const frame = element.getBoundingClientRect();
    return [event.clientX - frame.left, event.clientY - frame.top];
}

/** Tells what the mouse and fingers do on an element: one pans, two zoom around the middle between them. */
function gestures(element, { down, pan, zoom, up }) {
    const pointers = new Map();
    element.addEventListener("pointerdown", (event) => {
        element.setPointerCapture(event.pointerId);
        pointers.set(event.pointerId, pointOn(element, event));
        down?.(event, pointers.size);
    });
    element.addEventListener("pointermove", (event) => {
        const old = pointers.get(event.pointerId);
        if (!old) return;
        const now = pointOn(element, event);
        pointers.set(event.pointerId, now);
        const other = [...pointers].find(([id]) => id !== event.pointerId)?.[1];
        if (!other) return pan(now[0] - old[0], now[1] - old[1], event);
        const distance = (a) => Math.hypot(a[0] - other[0], a[1] - other[1]) || 1;
        pan((now[0] - old[0]) / 2, (now[1] - old[1]) / 2, event);
        zoom(distance(now) / distance(old), [(now[0] + other[0]) / 2, (now[1] + other[1]) / 2]);
    });
    for (const name of ["pointerup", "pointercancel"]) element.addEventListener(name, (event) => {
        if (pointers.delete(event.pointerId) && !pointers.size) up?.(event);
    });
}

// MARK: - Photos

/** How a photo lies on a screen: at first as much of it as possible without unused space. */
class Framing {
    constructor(width, height) { Object.assign(this, { width, height, screenWidth: 0, screenHeight: 0, zoom: 1, x: width / 2, y: height / 2 }); }

    get filling() { return Math.max(this.screenWidth / this.width, this.screenHeight / this.height); }
    get fitting() { return Math.min(this.screenWidth / this.width, this.screenHeight / this.height); }

    resize(width, height) {
        const wasFilling = !this.screenWidth || this.zoom === this.filling;
        [this.screenWidth, this.screenHeight] = [width, height];
        this.setZoom(wasFilling ? this.filling : this.zoom);
    }

    /** Zooms within limits; the photo stays where it is at a point of the screen. */
    setZoom(zoom, x = this.screenWidth / 2, y = this.screenHeight / 2) {
        zoom = Math.min(Math.max(zoom, this.fitting), Math.max(1, 4 * this.filling));
        // By factors one comes near it only; from there it fills a screen that turns.
        if (Math.abs(zoom / this.filling - 1) < 1e-9) zoom = this.filling;
        const shift = 1 / this.zoom - 1 / zoom;
        this.x += (x - this.screenWidth / 2) * shift;
        this.y += (y - this.screenHeight / 2) * shift;
        this.zoom = zoom;
        this.pan(0, 0);
    }

    pan(x, y) {
        const kept = (center, length, side) =>
            length >= side ? side / 2 : Math.min(Math.max(center, length / 2), side - length / 2);
        this.x = kept(this.x - x / this.zoom, this.screenWidth / this.zoom, this.width);
        this.y = kept(this.y - y / this.zoom, this.screenHeight / this.zoom, this.height);
    }

    get transform() {
        const left = this.screenWidth / 2 - this.x * this.zoom, top = this.screenHeight / 2 - this.y * this.zoom;
        return `translate(${left}px, ${top}px) scale(${this.zoom})`;
    }
}

class PhotoPane extends Pane {
    fillScroller() {
        const { photo, title } = this.facts;
        this.image = make("img", { alt: title, src: photo.picture, draggable: "false" });
        this.stage = make("div", { class: "stage", tabindex: 0, role: "img", "aria-label": `${title}. Plus and minus zoom, shift and arrows pan.` }, this.image);
        this.star = starButton(() => send(this.path, { action: "favorite", isFavorite: !this.row?.isFavorite }));
        this.previous = make("button", { type: "button", "aria-label": "Previous photo", onclick: () => this.step(-1) }, "‹");
        this.next = make("button", { type: "button", "aria-label": "Next photo", onclick: () => this.step(1) }, "›");
        this.element.querySelector("header").append(this.previous, this.next, this.star);
        const facts = make("dl", {}, ...photo.lines.flatMap(([label, text]) =>
            [make("dt", {}, label || "About"), make("dd", {}, text)]));
        if (photo.page) facts.append(make("dt", {}, "Page"), make("dd", {}, make("a", { href: photo.page, rel: "noreferrer noopener", target: "_blank" }, photo.page)));
        this.scroller.append(this.rows.message, this.stage, facts);
        this.image.addEventListener("load", () => this.frame());
        this.image.addEventListener("error", () => this.rows.showStatus({ text: "The picture could not be loaded.", isFailure: true }));
        new ResizeObserver(() => this.frame()).observe(this.stage);
        this.listen();
        send(this.path, { action: "view" });
    }

    build() {}
    fill(node) {
        this.row = node.row;
        showStar(this.star, node.row.isFavorite, node.row.title);
    }

    frame() {
        const { naturalWidth: width, naturalHeight: height } = this.image;
        const { clientWidth, clientHeight } = this.stage;
        if (!width || !clientWidth) return;
        this.framing ??= new Framing(width, height);
        this.framing.resize(clientWidth, clientHeight);
        this.draw();
    }

    draw() {
        this.image.style.width = `${this.framing.width}px`;
        this.image.style.transform = this.framing.transform;
    }

    zoom(factor, x, y) {
        if (!this.framing) return;
        this.framing.setZoom(this.framing.zoom * factor, x, y);
        this.draw();
    }

    pan(x, y) {
        this.framing?.pan(x, y);
        if (this.framing) this.draw();
    }

    listen() {
        const stage = this.stage;
        stage.addEventListener("wheel", (event) => {
            event.preventDefault();
            this.zoom(Math.exp(-event.deltaY / 300), ...pointOn(stage, event));
        }, { passive: false });
        stage.addEventListener("dblclick", (event) => {
            if (!this.framing) return;
            const isClose = this.framing.zoom > this.framing.filling * 1.01;
            this.zoom(isClose ? this.framing.filling / this.framing.zoom : 2, ...pointOn(stage, event));
        });
        gestures(stage, { pan: (x, y) => this.pan(x, y), zoom: (factor, at) => this.zoom(factor, ...at) });
        this.element.addEventListener("keydown", (event) => this.key(event));
    }

    key(event) {
        const step = 60;
        const keys = event.shiftKey
            ? { ArrowLeft: () => this.pan(step, 0), ArrowRight: () => this.pan(-step, 0), ArrowUp: () => this.pan(0, step), ArrowDown: () => this.pan(0, -step), "+": () => this.zoom(1.25) }
            : { ArrowLeft: () => this.step(-1), ArrowRight: () => this.step(1), "+": () => this.zoom(1.25), "=": () => this.zoom(1.25), "-": () => this.zoom(0.8), 0: () => this.zoom(this.framing.filling / this.framing.zoom), f: () => this.star.click() };
        const action = keys[event.key];
        if (!action || event.ctrlKey || event.metaKey) return;
        event.preventDefault();
        action();
    }

    /** The photo before or behind this one in the list that it came from. */
    neighbor(step) {
        const rows = page.panes.at(-2)?.rows.ordered ?? [];
        return rows[rows.findIndex(({ row }) => row.path === this.path) + step]?.row.path;
    }

    step(step) {
        const path = this.neighbor(step);
        if (path) go(path, { replace: true, focus: step < 0 ? "previous" : "next" });
    }
}

// MARK: - The map

class MapPane extends Pane {
    fillScroller() {
        this.view = { longitude: 0, latitude: 20, width: 360 };
        const { region } = this.facts;
        if (region) this.view = { longitude: region.center.longitude, latitude: region.center.latitude, width: region.longitudeDelta };
        this.svg = makeSVG("svg", { class: "world", role: "application", tabindex: 0, "aria-label": "Map. Arrows move it, plus and minus zoom, Enter drops a pin in the middle." });
        const lines = [];
        for (let x = -180; x <= 180; x += 30) lines.push(`M${x} -90V90`);
        for (let y = -60; y <= 60; y += 30) lines.push(`M-180 ${y}H180`);
        this.svg.append(
            makeSVG("rect", { class: "sea", x: -180, y: -90, width: 360, height: 180 }),
            makeSVG("path", { class: "land", d: land, transform: "scale(0.1)" }),
            makeSVG("path", { class: "graticule", d: lines.join("") }));
        this.pins = makeSVG("g");
        this.cross = makeSVG("path", { class: "cross", d: "M-8 0H8M0 -8V8" });
        this.svg.append(this.pins, this.cross);
        this.scroller.append(
            this.svg, make("p", { class: "hint" }, "Double-click the map to drop a pin; drag a pin to move it."),
            this.rows.message, this.rows.element);
        new ResizeObserver(() => this.draw()).observe(this.svg);
        this.listen();
    }

    build(node) {
        super.build(node);
        node.pin = makeSVG("g", { class: "pin" });
        node.pin.append(makeSVG("path", { d: "M0 0C-3 -8 -9 -10 -9 -17A9 9 0 1 1 9 -17C9 -10 3 -8 0 0Z" }), makeSVG("circle", { cy: -17, r: 3.5 }));
        node.pin.dataset.id = node.row.id;
        this.pins.append(node.pin);
    }

    fill(node, before) {
        super.fill(node, before);
        this.placePin(node);
    }

    rowsChanged() {
        const known = this.rows.nodes;
        for (const pin of [...this.pins.children]) if (!known.has(pin.dataset.id)) pin.remove();
    }

    get scale() { return this.view.width / (this.svg.clientWidth || 1); }

    placePin(node) {
        const { longitude, latitude } = node.row;
        // A row may be at no point of the map.
        node.pin.toggleAttribute("hidden", latitude === undefined);
        if (latitude === undefined) return;
        node.pin.setAttribute("transform", `translate(${longitude} ${-latitude}) scale(${this.scale})`);
    }

    draw() {
        const { clientWidth, clientHeight } = this.svg;
        if (!clientWidth) return;
        const view = this.view;
        view.width = Math.min(360, Math.max(0.02, view.width));
        const height = (view.width * clientHeight) / clientWidth;
        view.longitude = Math.min(180 - view.width / 2, Math.max(-180 + view.width / 2, view.longitude));
        const reach = Math.max(0, 90 - height / 2);
        view.latitude = Math.min(reach, Math.max(-reach, view.latitude));
        this.svg.setAttribute("viewBox", `${view.longitude - view.width / 2} ${-view.latitude - height / 2} ${view.width} ${height}`);
        for (const node of this.rows.nodes.values()) this.placePin(node);
        this.cross.setAttribute("transform", `translate(${view.longitude} ${-view.latitude}) scale(${this.scale})`);
    }

    /** The degrees under a point of the map. */
    degrees([x, y]) {
        const { clientWidth, clientHeight } = this.svg;
        return {
            longitude: this.view.longitude + (x - clientWidth / 2) * this.scale,
            latitude: this.view.latitude - (y - clientHeight / 2) * this.scale,
        };
    }

    /** Draws the map, and remembers the part of it for the next time. */
    moved() {
        this.draw();
        clearTimeout(this.timer);
        this.timer = setTimeout(() => {
            const { longitude, latitude, width } = this.view;
            const region = { center: { longitude, latitude }, longitudeDelta: width, latitudeDelta: width * this.svg.clientHeight / this.svg.clientWidth };
            send(this.path, { action: "region", region });
        }, 400);
    }

    zoom(factor, at) {
        const { longitude, latitude } = at ?? this.view;
        const width = Math.min(360, Math.max(0.02, this.view.width * factor));
        const change = width / this.view.width;
        this.view = {
            width,
            longitude: longitude + (this.view.longitude - longitude) * change,
            latitude: latitude + (this.view.latitude - latitude) * change,
        };
        this.moved();
    }

    /** Moves a pin; one that cannot go there is where it was. */
    async move(node, place) {
        const answer = await send(this.path, { action: "move", row: node.row.id, ...place });
        if (!answer) this.placePin(node);
    }

    async drop({ longitude, latitude }) {
        if (Math.abs(latitude) > 90 || Math.abs(longitude) > 180) return;
        const answer = await send(this.path, { action: "drop", longitude, latitude });
        if (answer?.path) go(answer.path);
    }

    listen() {
        const svg = this.svg;
        const degrees = (event) => this.degrees(pointOn(svg, event));
        svg.addEventListener("wheel", (event) => {
            event.preventDefault();
            this.zoom(Math.exp(event.deltaY / 300), degrees(event));
        }, { passive: false });
        svg.addEventListener("dblclick", (event) => event.target.closest(".pin") || this.drop(degrees(event)));
        // What is held: a pin, or the map.
        let grip = null;
        gestures(svg, {
            down: (event, count) => {
                const pin = count === 1 && event.target.closest(".pin");
                // A second finger lets a pin go where it was.
                if (grip?.node) this.placePin(grip.node);
                grip = { at: pointOn(svg, event), node: pin && this.rows.nodes.get(pin.dataset.id), hasMoved: count > 1 };
            },
            pan: (x, y, event) => {
                const [left, top] = pointOn(svg, event);
                if (!grip.hasMoved && Math.hypot(left - grip.at[0], top - grip.at[1]) < 3) return;
                grip.hasMoved = true;
                if (grip.node) return this.placePin({ pin: grip.node.pin, row: degrees(event) });
                this.view.longitude -= x * this.scale;
                this.view.latitude += y * this.scale;
                this.draw();
            },
            zoom: (factor, at) => this.zoom(1 / factor, this.degrees(at)),
            up: (event) => {
                const { node, hasMoved } = grip;
                grip = null;
                if (event.type === "pointercancel") return node && this.placePin(node);
                if (!hasMoved) return node && go(node.row.path);
                if (!node) return this.moved();
                this.move(node, degrees(event));
            },
        });
        svg.addEventListener("keydown", (event) => {
            const step = this.view.width / 10;
            const action = {
                ArrowLeft: () => (this.view.longitude -= step), ArrowRight: () => (this.view.longitude += step),
                ArrowUp: () => (this.view.latitude += step), ArrowDown: () => (this.view.latitude -= step),
                "+": () => this.zoom(0.8), "=": () => this.zoom(0.8), "-": () => this.zoom(1.25),
                Enter: () => this.drop(this.view),
            }[event.key];
            if (!action || event.ctrlKey || event.metaKey) return;
            event.preventDefault();
            action();
            if (event.key.startsWith("Arrow")) this.moved();
        });
    }
}

// MARK: - The page

const kinds = { list: Pane, grid: Pane, map: MapPane, photo: PhotoPane, opening: OpeningPane };

const page = {
    panes: [],
    tabs: make("nav", { class: "tabs", "aria-label": "Systems" }),
    main: make("main", {}),

    /** Shows a page: panes that it shares with the one before stay as they are. */
    show(facts, { focus } = {}) {
        const known = new Map(this.panes.map((pane) => [pane.path, pane]));
        this.panes = facts.panes.map((pane) => known.get(pane.path) ?? new kinds[pane.kind](pane));
        this.tabs.replaceChildren(...facts.tabs.map(({ title, path }) =>
            make("a", { href: path, "aria-current": path === facts.current ? "page" : null }, title)));
        const elements = this.panes.map(({ element }) => element);
        for (const element of [...this.main.children]) if (!elements.includes(element)) element.remove();
        elements.forEach((element, index) => {
            if (this.main.children[index] !== element) this.main.insertBefore(element, this.main.children[index] ?? null);
        });
        if (!elements.length) this.main.replaceChildren(make("p", { class: "message" }, "There is nothing here. Choose one of the tabs."));
        this.panes.forEach((pane, index) => {
            pane.back.hidden = index === 0;
            if (index) pane.back.href = this.panes[index - 1].path;
            for (const node of pane.rows.nodes.values()) if (node.link) pane.mark(node);
        });
        const last = this.panes.at(-1);
        document.title = last?.facts.title ?? "Not found";
        document.body.classList.toggle("readonly", facts.isReadOnly);
        this.follow();
        if (focus) (last?.[focus] ?? last?.title)?.focus({ preventScroll: true });
    },

    /** Follows what is seen: the last pane, and where there is room the one before. */
    follow() {
        const seen = this.panes.slice(isWide.matches ? -2 : -1);
        stream.follow(new Map(seen.map((pane) => [pane.feed, pane])));
    },
};

isWide.addEventListener("change", () => page.follow());

let visits = 0;

/** Goes to another address of this server. */
async function go(path, { replace = false, focus = "title", isBack = false, isAgain = false } = {}) {
    // To load a page again is no way elsewhere.
    const visit = isAgain ? visits : (visits += 1);
    try {
        const reply = await fetch(path, { headers: { Accept: "application/json" } });
        // Also an address where nothing is has a page, which says so.
        const facts = await reply.clone().json().catch(() => ({}));
        // Who has gone elsewhere meanwhile stays there.
        if (visit !== visits || (isAgain && path !== location.pathname)) return;
        if (!facts.panes) return tell(await complaint(reply));
        if (!isBack) history[replace ? "replaceState" : "pushState"](null, "", path);
        page.show(facts, { focus });
    } catch {
        tell("The server does not answer. Is it still running?");
    }
}

addEventListener("popstate", () => go(location.pathname, { isBack: true }));

document.addEventListener("click", (event) => {
    const link = event.target.closest("a[href]");
    if (!link || link.target || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    if (link.origin !== location.origin) return;
    event.preventDefault();
    go(link.pathname);
});

document.body.append(
    make("header", { class: "bar" }, page.tabs, make("span", { class: "undo" }, undo.undoButton, undo.redoButton)),
    page.main, notice);
page.show(JSON.parse(document.body.dataset.page));
