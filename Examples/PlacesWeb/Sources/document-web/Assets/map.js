// Shows where records are on a map of the world.

import { land } from "./world.js";
import { makeSVG, recordAddress } from "./support.js";

export class WorldMap {
    constructor() {
        this.view = { longitude: 0, latitude: 20, width: 360 };
        this.nodes = new Map();
        const lines = [];
        for (let x = -180; x <= 180; x += 30) lines.push(`M${x} -90V90`);
        for (let y = -60; y <= 60; y += 30) lines.push(`M-180 ${y}H180`);
        this.pins = makeSVG("g");
        this.element = makeSVG("svg", { class: "world", role: "application", tabindex: 0, "aria-label": "Map. Arrows move it, plus and minus zoom." },
            makeSVG("rect", { class: "sea", x: -180, y: -90, width: 360, height: 180 }),
            makeSVG("path", { class: "land", d: land, transform: "scale(0.1)" }),
            makeSVG("path", { class: "graticule", d: lines.join("") }), this.pins);
        new ResizeObserver(() => this.draw()).observe(this.element);
        this.listen();
    }

    /** Shows marks: those that stay keep their nodes. They are framed unless some are in sight anyway. */
    show(marks) {
        const ids = new Set(marks.map(({ id }) => id));
        for (const [id, { pin }] of this.nodes) {
            if (ids.has(id)) continue;
            pin.remove();
            this.nodes.delete(id);
        }
        const isInSight = this.nodes.size && marks.some((mark) => this.isInSight(mark));
        for (const mark of marks) {
            let node = this.nodes.get(mark.id);
            if (!node) {
                const title = makeSVG("title");
                const pin = makeSVG("a", { class: "pin", href: recordAddress(mark.id) }, title,
                    makeSVG("path", { d: "M0 0C-3 -8 -9 -10 -9 -17A9 9 0 1 1 9 -17C9 -10 3 -8 0 0Z" }), makeSVG("circle", { cy: -17, r: 3.5 }));
                node = { pin, title };
                this.nodes.set(mark.id, node);
                this.pins.append(pin);
            }
            node.mark = mark;
            node.title.textContent = mark.title ?? mark.id;
            node.pin.setAttribute("aria-label", mark.title ?? mark.id);
        }
        if (!isInSight) this.unframed = marks;
        this.draw();
    }

    get aspect() { return this.element.clientWidth / this.element.clientHeight; }

    isInSight({ longitude, latitude }) {
        const { view, aspect } = this;
        return Math.abs(longitude - view.longitude) < view.width / 2 && Math.abs(latitude - view.latitude) < view.width / aspect / 2;
    }

    frame(marks) {
        const range = (values) => [values.reduce((a, b) => Math.min(a, b)), values.reduce((a, b) => Math.max(a, b))];
        const [west, east] = range(marks.map(({ longitude }) => longitude));
        const [south, north] = range(marks.map(({ latitude }) => latitude));
        this.view = { longitude: (west + east) / 2, latitude: (south + north) / 2, width: Math.max(20, (east - west) * 1.3, (north - south) * 1.5 * this.aspect) };
    }

    get scale() { return this.view.width / (this.element.clientWidth || 1); }

    draw() {
        const { clientWidth, clientHeight } = this.element;
        if (!clientWidth) return;
        if (this.unframed?.length) this.frame(this.unframed);
        this.unframed = null;
        const view = this.view;
        view.width = Math.min(360, Math.max(0.02, view.width));
        const height = (view.width * clientHeight) / clientWidth;
        view.longitude = Math.min(180 - view.width / 2, Math.max(-180 + view.width / 2, view.longitude));
        const reach = Math.max(0, 90 - height / 2);
        view.latitude = Math.min(reach, Math.max(-reach, view.latitude));
        this.element.setAttribute("viewBox", `${view.longitude - view.width / 2} ${-view.latitude - height / 2} ${view.width} ${height}`);
        for (const { pin, mark } of this.nodes.values()) pin.setAttribute("transform", `translate(${mark.longitude} ${-mark.latitude}) scale(${this.scale})`);
    }

    zoom(factor, at = this.view) {
        const { longitude, latitude } = at;
        const width = Math.min(360, Math.max(0.02, this.view.width * factor));
        const change = width / this.view.width;
        this.view = { width, longitude: longitude + (this.view.longitude - longitude) * change, latitude: latitude + (this.view.latitude - latitude) * change };
        this.draw();
    }

    degrees(event) {
        const frame = this.element.getBoundingClientRect();
        const x = event.clientX - frame.left - frame.width / 2, y = event.clientY - frame.top - frame.height / 2;
        return { longitude: this.view.longitude + x * this.scale, latitude: this.view.latitude - y * this.scale };
    }

    listen() {
        const svg = this.element;
        let grip = null;
        svg.addEventListener("wheel", (event) => {
            event.preventDefault();
            this.zoom(Math.exp(event.deltaY / 300), this.degrees(event));
        }, { passive: false });
        svg.addEventListener("dblclick", (event) => this.zoom(0.5, this.degrees(event)));
        svg.addEventListener("pointerdown", (event) => {
            if (event.target.closest(".pin")) return;
            grip = this.degrees(event);
            svg.setPointerCapture(event.pointerId);
        });
        svg.addEventListener("pointermove", (event) => {
            if (!grip) return;
            const now = this.degrees(event);
            this.view.longitude -= now.longitude - grip.longitude;
            this.view.latitude -= now.latitude - grip.latitude;
            this.draw();
        });
        for (const name of ["pointerup", "pointercancel"]) svg.addEventListener(name, () => (grip = null));
        svg.addEventListener("keydown", (event) => {
            const step = this.view.width / 10;
            const action = {
                ArrowLeft: () => (this.view.longitude -= step), ArrowRight: () => (this.view.longitude += step),
                ArrowUp: () => (this.view.latitude += step), ArrowDown: () => (this.view.latitude -= step),
                "+": () => this.zoom(0.8), "=": () => this.zoom(0.8), "-": () => this.zoom(1.25),
            }[event.key];
            if (!action || event.ctrlKey || event.metaKey) return;
            event.preventDefault();
            action();
            this.draw();
        });
    }
}
