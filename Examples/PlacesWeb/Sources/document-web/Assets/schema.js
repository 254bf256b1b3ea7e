// A drawing of the entities, their relationships and the inverses of these.

import { arrange, counted, entityAddress, make, makeSVG, shape } from "./support.js";

const boxWidth = 190, lineHeight = 20, headHeight = 30, gapX = 90, gapY = 50;
/** How many attributes a box shows; the list below has all. */
const attributeLimit = 6;

export class SchemaView {
    constructor(page) {
        Object.assign(this, { page, title: "Schema" });
        this.heading = make("h1", { tabindex: -1 }, "Schema");
        this.count = make("span", { class: "count" });
        this.drawing = make("div", { class: "drawing", tabindex: 0, role: "group", "aria-label": "Drawing of the schema" });
        this.lists = make("div", { class: "entity-lists" });
        this.element = make("section", { class: "view schema-view", "aria-label": "Schema" },
            make("header", {}, this.heading, this.count), make("div", { class: "scroller" }, this.drawing, this.lists));
    }

    opened() { this.refresh(); }
    closed() {}
    focusFirst() { this.heading.focus({ preventScroll: true }); }

    refresh() {
        const { entities } = this.page.overview;
        if (this.shape === shape(entities)) return;
        this.shape = shape(entities);
        this.count.textContent = entities.length === 1 ? "1 entity" : `${entities.length} entities`;
        this.drawing.replaceChildren(draw(entities));
        arrange(this.lists, entities.map(describe));
    }
}

// MARK: - As text

function describe({ name, superentity, isAbstract, userInfo, columns, ownCount }) {
    const rows = columns.slice(0, ownCount).map(({ name, type, notes }) =>
        make("tr", {}, make("th", { scope: "row" }, name), make("td", {}, type), make("td", {}, notes.join(", "))));
    return make("section", {}, make("h2", {}, make("a", { href: entityAddress(name) }, name), superentity && ` : ${superentity}`, isAbstract && " (abstract)"),
        ...Object.entries(userInfo).sort().map(([key, value]) => make("p", {}, `${key}: ${value}`)),
        rows.length > 0 && make("table", {}, make("thead", {}, make("tr", {}, ["property", "type", "notes"].map((text) => make("th", { scope: "col" }, text)))), make("tbody", {}, rows)));
}

// MARK: - The drawing

/** What a box shows: relationships, which lines come from, then derived and other attributes. */
function linesOf({ columns, ownCount }) {
    const own = columns.slice(0, ownCount);
    const attributes = own.filter(({ destination }) => !destination).sort((a, b) => isDerived(b) - isDerived(a));
    const shown = [...own.filter(({ destination }) => destination), ...attributes.slice(0, attributeLimit)];
    return own.length > shown.length ? [...shown, { more: own.length - shown.length }] : shown;
}

const isDerived = ({ notes }) => Number(notes.some((note) => note.startsWith("derived")));

/** The relationships, each with its inverse once: the ends are entities and the lines of their boxes. */
function edges(entities) {
    const found = [], seen = new Set();
    const lineOf = (entity, name) => linesOf(entity).findIndex((line) => line.name === name);
    entities.forEach((entity, index) => linesOf(entity).forEach((column, line) => {
        if (!column.destination || seen.has(`${entity.name}.${column.name}`)) return;
        const other = entities.findIndex(({ name }) => name === column.destination);
        if (other < 0) return;
        // The inverse may be a superentity's.
        const back = entities[other].columns.findIndex(({ name }) => name === column.inverse);
        if (back >= 0) seen.add(`${column.destination}.${column.inverse}`);
        found.push({
            from: index, line, to: other, backLine: back >= 0 ? lineOf(entities[other], column.inverse) : -1,
            isMany: column.kind === "records", isBackMany: back >= 0 && entities[other].columns[back].kind === "records",
            hasInverse: back >= 0, text: `${entity.name}.${column.name}` + (back >= 0 ? ` ↔ ${column.destination}.${column.inverse}` : ` → ${column.destination}`),
        });
    }));
    return found;
}

/** Places in a grid, so that what belongs together is near: neighbours are exchanged while that helps. */
function places(entities, links) {
    const columns = Math.max(1, Math.ceil(Math.sqrt(entities.length)));
    const slots = entities.map((_, index) => index);
    const cost = () => links.reduce((sum, { from, to }) => {
        const a = slots[from], b = slots[to];
        return sum + Math.hypot((a % columns) - (b % columns), 1.2 * (Math.floor(a / columns) - Math.floor(b / columns)));
    }, 0);
    let best = cost();
    for (let round = 0, hasImproved = true; hasImproved && round < 20 && slots.length <= 60; round += 1) {
        hasImproved = false;
        for (let a = 0; a < slots.length; a += 1) {
            for (let b = a + 1; b < slots.length; b += 1) {
                [slots[a], slots[b]] = [slots[b], slots[a]];
                const now = cost();
                if (now < best - 1e-9) [best, hasImproved] = [now, true];
                else [slots[a], slots[b]] = [slots[b], slots[a]];
            }
        }
    }
    return slots.map((slot) => ({ column: slot % columns, row: Math.floor(slot / columns) }));
}

function draw(entities) {
    const links = edges(entities);
    const heritage = entities.flatMap((entity, from) => {
        const to = entities.findIndex(({ name }) => name === entity.superentity);
        return to < 0 ? [] : [{ from, to }];
    });
    const grid = places(entities, [...links, ...heritage]);
    const heights = entities.map((entity) => headHeight + linesOf(entity).length * lineHeight + 8);
    const rowHeights = [];
    grid.forEach(({ row }, index) => (rowHeights[row] = Math.max(rowHeights[row] ?? 0, heights[index])));
    const tops = rowHeights.map((_, row) => rowHeights.slice(0, row).reduce((sum, height) => sum + height + gapY, 20));
    const boxes = grid.map(({ column, row }, index) => ({ x: 40 + column * (boxWidth + gapX), y: tops[row], height: heights[index] }));
    const width = Math.max(...boxes.map(({ x }) => x)) + boxWidth + 60, height = Math.max(...boxes.map(({ y, height }) => y + height)) + 20;
    const lines = makeSVG("g", { class: "links" }, links.map((link) => drawLink(link, boxes)), heritage.map(({ from, to }) => drawHeritage(boxes[from], boxes[to])));
    return makeSVG("svg", { width, height, viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": `${counted(entities.length, "box").replace("boxs", "boxes")} with ${counted(links.length, "relationship")}; they are told in words below.` },
        lines, entities.map((entity, index) => drawBox(entity, boxes[index])));
}

function drawBox(entity, { x, y, height }) {
    const { name, isAbstract } = entity;
    const cut = (text, length) => (text.length > length ? `${text.slice(0, length - 1)}…` : text);
    const lines = linesOf(entity).map((column, line) => {
        const top = headHeight + line * lineHeight + 15;
        if (column.more) return makeSVG("g", { class: "more" }, makeSVG("text", { x: 10, y: top }, `and ${column.more} more`));
        const { name, type, destination, notes } = column;
        return makeSVG("g", { class: destination ? "relationship" : isDerived(column) ? "derived" : "attribute" },
            makeSVG("title", {}, [type, ...notes].join(", ")),
            makeSVG("text", { x: 10, y: top }, cut(name, 16)), makeSVG("text", { x: boxWidth - 10, y: top, class: "type", "text-anchor": "end" }, cut(type, 12)));
    });
    return makeSVG("g", { class: "box", transform: `translate(${x} ${y})` },
        makeSVG("rect", { width: boxWidth, height, rx: 8 }),
        makeSVG("a", { href: entityAddress(name) }, makeSVG("text", { x: 10, y: 20, class: isAbstract ? "name abstract" : "name" }, cut(name, 20))),
        makeSVG("path", { d: `M0 ${headHeight}H${boxWidth}` }), lines);
}

/** A line from the relationship's name to its inverse's, with a fork where there are many. */
function drawLink({ from, line, to, backLine, isMany, isBackMany, hasInverse, text }, boxes) {
    const y = (box, line) => box.y + (line < 0 ? 15 : headHeight + line * lineHeight + 10);
    const [a, b] = [boxes[from], boxes[to]];
    const [startY, endY] = [y(a, line), y(b, backLine)];
    // From the sides that look at each other; boxes above each other are joined on the right.
    const startSide = b.x < a.x ? -1 : 1, endSide = b.x > a.x ? -1 : b.x < a.x ? 1 : 1;
    const startX = startSide < 0 ? a.x : a.x + boxWidth, endX = endSide < 0 ? b.x : b.x + boxWidth;
    const bend = a.x === b.x ? 60 + Math.abs(startY - endY) / 12 : Math.max(50, Math.abs(endX - startX) / 2);
    const path = `M${startX} ${startY}C${startX + startSide * bend} ${startY} ${endX + endSide * bend} ${endY} ${endX} ${endY}`;
    return makeSVG("g", { class: hasInverse ? "link" : "link oneway" }, makeSVG("title", {}, text),
        makeSVG("path", { d: path }), makeSVG("path", { d: end(endX, endY, endSide, isMany) }),
        hasInverse && makeSVG("path", { d: end(startX, startY, startSide, isBackMany) }));
}

const end = (x, y, side, isMany) => isMany
    ? `M${x} ${y - 6}L${x + side * 11} ${y}L${x} ${y + 6}` : `M${x + side * 9} ${y - 5}V${y + 5}`;

/** A dashed line up to the superentity. */
function drawHeritage(box, parent) {
    const middle = (box) => box.x + boxWidth / 2;
    const isBelow = box.y > parent.y;
    const [y, parentY] = isBelow ? [box.y, parent.y + parent.height] : [box.y + box.height / 2, parent.y + parent.height / 2];
    return makeSVG("g", { class: "heritage" }, makeSVG("title", {}, "inherits"), makeSVG("path", { d: `M${middle(box)} ${y}L${middle(parent)} ${parentY}` }));
}
