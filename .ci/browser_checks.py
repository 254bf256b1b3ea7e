"""What the checks of pages in real browsers share: a server, browsers, and what every page has to be.

Chromium and its driver come from Debian's packages, and are installed where they are missing.
"""

import http.client
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.parse

PACKAGES = ["chromium", "chromium-driver", "python3-selenium"]


def install():
    """Installs what is missing; without it nothing can be checked."""
    subprocess.run(["apt-get", "update", "-qq"], check=True)
    subprocess.run(["apt-get", "install", "-y", "-qq", *PACKAGES], check=True, stdout=subprocess.DEVNULL)
    os.execv(sys.argv[0], sys.argv)


try:
    from selenium import webdriver
    from selenium.common.exceptions import WebDriverException
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.by import By
    from selenium.webdriver.common.keys import Keys
except ImportError:
    install()
if not shutil.which("chromedriver") or not shutil.which("chromium"):
    install()

# Where pictures of the pages are kept, if anywhere.
pictures = None


def fail(text):
    raise AssertionError(text)


# MARK: - A server and browsers


class Server:
    """A program that serves pages, on documents that stay when it is started again."""

    def __init__(self, program, *arguments, **environment):
        self.program, self.arguments, self.port = program, arguments, 0
        self.environment = {**os.environ, **environment}
        self.start()

    def start(self):
        self.process = subprocess.Popen(
            [self.program, "--port", str(self.port), *self.arguments],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=self.environment)
        line = self.process.stdout.readline()
        match = re.match(r"Open (http://[^/]*:(\d+))/", line) or fail(f"the server said: {line}")
        self.address, self.port = match[1], int(match[2])

    def stop(self, how=signal.SIGTERM):
        self.process.send_signal(how)
        return self.process.wait(timeout=20)

    def ask(self, method, path, body=None, **headers):
        """What the server answers to a request that no browser would make."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        connection.request(method, path, body, {"Host": f"127.0.0.1:{self.port}", **headers})
        reply = connection.getresponse()
        return reply.status, reply.read(), reply.headers

    def post(self, path, **action):
        """Does what a page would do, and returns what came of it."""
        status, body, _ = self.ask(
            "POST", path, json.dumps(action), Origin=self.address, **{"Content-Type": "application/json"})
        assert status in (200, 204), (status, body)
        return json.loads(body or "{}")

    def stream(self, *feeds, receives=None):
        """A connection that asks for events, and reads as little as it likes."""
        connection = socket.socket()
        if receives:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receives)
        connection.settimeout(20)
        connection.connect(("127.0.0.1", self.port))
        query = "&".join(f"feed={urllib.parse.quote(feed)}" for feed in feeds)
        connection.sendall(f"GET /events?{query} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\n\r\n".encode())
        return connection

    def memory(self):
        """How many bytes the server holds."""
        with open(f"/proc/{self.process.pid}/status") as status:
            return 1024 * int(re.search(r"VmRSS:\s+(\d+)", status.read())[1])


class Browser:
    """A headless browser of its own, with its own cookies."""

    def __init__(self, server, width=1100, height=760, dark=False):
        options = webdriver.ChromeOptions()
        for argument in ["--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"]:
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        service = webdriver.chrome.service.Service("/usr/bin/chromedriver")
        self.driver, self.server = webdriver.Chrome(options=options, service=service), server
        self.resize(width, height)
        if dark:
            self.driver.execute_cdp_cmd(
                "Emulation.setEmulatedMedia",
                {"features": [{"name": "prefers-color-scheme", "value": "dark"}]})

    def resize(self, width, height):
        self.driver.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride",
            {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 768})

    def touches(self):
        self.driver.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": True, "maxTouchPoints": 2})

    def before(self, script):
        """Runs a script in each page before its own."""
        self.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": script})

    def open(self, path):
        self.driver.get(self.server.address + path)

    def run(self, script, *arguments):
        return self.driver.execute_script("return " + script, *arguments)

    def all(self, selector):
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def one(self, selector):
        """The first element that is there, as soon as it is."""
        self.until(f"{selector} is there", lambda: self.all(selector))
        return self.all(selector)[0]

    def texts(self, selector):
        return self.run("[...document.querySelectorAll(arguments[0])].map((e) => e.textContent)", selector)

    def until(self, what, condition, seconds=20):
        """Waits for something to become true, and fails if it does not."""
        end = time.monotonic() + seconds
        while True:
            problem = ""
            try:
                if condition():
                    return
            except (WebDriverException, IndexError) as error:
                # What is looked at may not be there yet, or go between two looks.
                problem = str(error).split("\n")[0]
            if time.monotonic() > end:
                fail(f"never: {what} {problem}\n{self.run('document.body.innerText')[:800]}")
            time.sleep(0.02)

    def picture(self, name):
        if pictures:
            self.driver.save_screenshot(os.path.join(pictures, f"{name}.png"))

    def complaints(self):
        return [entry["message"] for entry in self.driver.get_log("browser") if entry["level"] == "SEVERE"]

    def close(self):
        self.driver.quit()


# MARK: - Checks


checks = []


def check(function):
    checks.append(function)
    return function


def run_checks(server, browser):
    """Runs all checks in their order; ends the program with 1 at the first that fails."""
    try:
        for function in checks:
            start = time.monotonic()
            function(server, browser)
            print(f"{time.monotonic() - start:6.1f} s  {function.__name__.replace('_', ' ')}", flush=True)
        complaints = [text for text in browser.complaints() if not re.search(r"ERR_|status of 4\d\d", text)]
        assert not complaints, complaints
    except (AssertionError, WebDriverException) as error:
        print(f"✘ {function.__name__.replace('_', ' ')}: {error}", file=sys.stderr)
        browser.picture("failure")
        sys.exit(1)


# MARK: - What every page has to be


# What has no name for who cannot see it.
NAMELESS = """[...document.querySelectorAll('a, button, input, img, [role=application]')].filter((e) =>
    e.checkVisibility() && !(e.textContent.trim() || e.getAttribute('aria-label') || e.title || e.alt === '' || e.alt))
    .map((e) => e.outerHTML.slice(0, 120))"""

# Texts that are hard to read, and their contrast.
CONTRAST = """(() => {
    const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
    const rgb = (color) => { canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = color; canvas.fillRect(0, 0, 1, 1); return canvas.getImageData(0, 0, 1, 1).data; };
    const light = (c) => [0.2126, 0.7152, 0.0722].reduce((sum, w, i) => { const v = c[i] / 255; return sum + w * (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4); }, 0);
    const ground = (e) => { for (; e; e = e.parentElement) { const c = rgb(getComputedStyle(e).backgroundColor); if (c[3]) return c; } return [255, 255, 255, 255]; };
    return [...document.querySelectorAll('a, button, h1, h2, p, span, dt, dd')].filter((e) =>
        e.checkVisibility() && !e.disabled && !e.closest(':disabled') && [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim())).map((e) => {
            const [a, b] = [light(rgb(getComputedStyle(e).color)), light(ground(e))].sort((a, b) => b - a);
            return [(a + 0.05) / (b + 0.05), e.textContent.slice(0, 30)];
        }).filter(([ratio]) => ratio < 4.5);
})()"""
