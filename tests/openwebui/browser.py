"""A real browser on a real Open WebUI, for what only a person's eyes would see. Needs Debian's chromium; playwright comes
from PyPI into Open WebUI's environment."""
import json
import shutil
import subprocess
import sys
from pathlib import Path

CHROMIUM = next((path for path in map(shutil.which, ("chromium", "chromium-browser")) if path), None)


def install_playwright():
    """Whether playwright is there, or could be installed."""
    try:
        import playwright  # noqa: F401
        return True
    except ImportError:
        uv = Path(sys.prefix) / "bin" / "uv"
        return subprocess.run([uv, "pip", "install", "-q", "--python", sys.executable, "playwright"]).returncode == 0


class Browser:
    """One browser in which one person is signed in."""

    def __init__(self, url, token):
        from playwright.sync_api import sync_playwright

        self.url = url
        self.playwright = sync_playwright().start()
        # Frames that are sealed off stay in the page's process: else their first requests are over before anybody sees them.
        arguments = ["--no-sandbox", "--disable-features=IsolateSandboxedIframes"]
        self.browser = self.playwright.chromium.launch(executable_path=CHROMIUM, args=arguments)
        self.page = self.browser.new_page(viewport={"width": 1180, "height": 880}, accept_downloads=True)
        self.page.set_default_timeout(60_000)
        self.said = []
        self.page.on("console", lambda message: self.said.append(message.text))
        self.page.on("requestfailed", lambda request: self.said.append(f"{request.url}: {request.failure}"))
        # Before every page's own scripts: Open WebUI throws its token away where a page is left while it still asks whose the
        # token is, which takes seconds on a busy machine, and would greet the next page with its form to sign in.
        self.page.add_init_script("if (self === top && location.origin === %s) localStorage.token = %s"
                                  % (json.dumps(url), json.dumps(token)))

    def end(self):
        self.browser.close()
        self.playwright.stop()

    def open(self, chat):
        """A chat that is there already."""
        try:
            # What else the page loads is no matter of whether the chat stands there.
            self.page.goto(f"{self.url}/c/{chat}", wait_until="commit")
            self.page.wait_for_selector("#chat-input")
        except Exception as missing:
            shown = self.page.inner_text("body")
            raise AssertionError(f"{self.page.url} shows no chat, but {shown!r}; it said {self.said[-10:]}") from missing
        self.dismiss()

    def dismiss(self):
        """Closes what greets a new person."""
        for name in ("Okay, Let's Go!", "Close"):
            button = self.page.get_by_role("button", name=name)
            if button.count() and button.first.is_visible():
                button.first.click()

    def sees(self, text):
        """Waits until the text stands on the page."""
        self.page.get_by_text(text).last.wait_for(state="visible")

    def pictures(self):
        """The alternative texts of the answer's pictures, in the order in which they stand, once all are loaded."""
        self.page.wait_for_function(
            "() => { const all = [...document.querySelectorAll('img[alt^=figure]')];"
            " return all.length > 0 && all.every(image => image.complete && image.naturalWidth > 0); }")
        return self.page.eval_on_selector_all("img[alt^=figure]", "all => all.map(image => image.alt)")
