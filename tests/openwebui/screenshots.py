"""Takes the pictures of the documentation from a real Open WebUI with a real browser; run.py's environment runs it.

    python3 tests/openwebui/run.py --screenshots

Needs Debian's chromium; playwright comes from PyPI into the same cache."""
import json
import os
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import driver  # noqa: E402
import scenes  # noqa: E402
from servers import ADMIN, ROOT, Servers  # noqa: E402

IMAGES = ROOT / "docs" / "images"
QUESTION = "How did revenue develop? Please draw it by month."


def shoot(url, token, chat):
    """One picture of a chat as its owner sees it."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1180, "height": 880}, device_scale_factor=1)
        page.goto(url)
        page.evaluate("token => { localStorage.token = token; }", token)
        page.goto(f"{url}/c/{chat}")
        page.wait_for_selector("text=Revenue grew", timeout=60_000)
        page.wait_for_function("() => [...document.images].every(image => image.complete)")
        for name in ("Okay, Let's Go!", "Close"):
            button = page.get_by_role("button", name=name)
            if button.count() and button.first.is_visible():
                button.first.click()
        page.keyboard.press("Escape")
        page.wait_for_timeout(1500)
        page.screenshot(path=str(IMAGES / "chat.png"))
        browser.close()


def main():
    subprocess.run([Path(sys.prefix) / "bin" / "uv", "pip", "install", "-q", "--python", sys.executable, "playwright"],
                   check=True)
    servers = Servers()
    try:
        script = servers.folder / "scenes.json"
        script.write_text("[]")
        os.environ["SCRIPTED_SCENES"] = str(script)
        servers.start_open_webui()
        admin = driver.Person(servers.url, *ADMIN)
        admin.connect(driver.connection("box", servers.start_codebox("codebox")))
        ann = admin.add_person("ann")
        sales = ann.attach("sales.csv", scenes.SALES, "text/csv")
        script.write_text(json.dumps([scenes.revenue(sales["id"])]))
        chat, answer = ann.say(QUESTION, ["server:mcp:box"], [sales])
        message = ann.answer(chat, answer)
        if "Revenue grew" not in json.dumps(message):
            raise RuntimeError(f"the turn failed: {json.dumps(message)[:2000]}")
        IMAGES.mkdir(parents=True, exist_ok=True)
        shoot(servers.url, ann.token, chat)
    finally:
        servers.end()


if __name__ == "__main__":
    main()
