"""Takes the pictures of the documentation from a real Open WebUI with a real browser; run.py's environment runs it.

    python3 tests/openwebui/run.py --screenshots

Needs Debian's chromium; playwright comes from PyPI into the same cache."""
import json
import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
os.environ["SCRIPTED_ID"] = "a-model"
import browser  # noqa: E402
import driver  # noqa: E402
import scenes  # noqa: E402
from servers import ADMIN, ROOT, Servers  # noqa: E402

IMAGES = ROOT / "docs" / "images"


def shoot(one, scene, chat):
    """One picture of a chat as its owner sees it."""
    page = one.page
    page.set_viewport_size({"width": 1180, "height": scene["height"]})
    one.open(chat)
    page.wait_for_selector("text=" + scene["answer"].split(".")[0])
    page.wait_for_function("() => [...document.images].every(image => image.complete)")
    one.sees("Python: done in")
    page.keyboard.press("Escape")
    if "hover" in scene:
        plot = page.frame_locator("iframe").first.locator(".nsewdrag").first
        plot.wait_for()
        page.wait_for_timeout(1500)  # the frame takes its height, and the chat scrolls to its end
        box = plot.bounding_box()
        page.mouse.move(box["x"] + box["width"] * 0.58, box["y"] + box["height"] * 0.5)
        page.mouse.move(box["x"] + box["width"] * 0.6, box["y"] + box["height"] * 0.5)
    page.wait_for_timeout(1500)
    page.screenshot(path=str(IMAGES / scene["file"]))


def main():
    if not browser.install_playwright():
        sys.exit("playwright cannot be installed")
    servers = Servers()
    try:
        script = servers.folder / "scenes.json"
        script.write_text("[]")
        os.environ["SCRIPTED_SCENES"] = str(script)
        servers.start_open_webui()
        admin = driver.Person(servers.url, *ADMIN)
        admin.connect(driver.connection("codebox", servers.start_codebox("codebox")))
        ann = admin.add_person("ann")
        sales = ann.attach("sales.csv", scenes.SALES, "text/csv")
        script.write_text(json.dumps(scenes.script(sales["id"])))
        one = browser.Browser(servers.url, ann.token)
        try:
            for scene in scenes.SCENES:
                chat, answer = ann.say(scene["text"], driver.tools("codebox"), [sales])
                message = ann.answer(chat, answer)
                if scene["answer"].split(".")[0] not in json.dumps(message):
                    raise RuntimeError(f"the turn failed: {json.dumps(message)[:2000]}")
                shoot(one, scene, chat)
        finally:
            one.end()
    finally:
        servers.end()


if __name__ == "__main__":
    main()
