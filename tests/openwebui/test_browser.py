"""What a person sees in the chat, in a real browser."""
import json
import time
import unittest
import uuid

import browser
import driver
from servers import ADMIN, Servers, codebox_binary
from test_codebox import PICTURE, TOOLS, sandboxes_running, wait_until


def program(*lines):
    return "CALL run_python " + json.dumps({"code": "\n".join(lines)})


class InTheBrowser(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        if codebox_binary() is None:
            raise unittest.SkipTest("skipped: the server is not built; CODEBOX_BINARY may name it")
        if browser.CHROMIUM is None:
            raise unittest.SkipTest("skipped: there is no chromium here")
        if not browser.install_playwright():
            raise unittest.SkipTest("skipped: playwright cannot be installed")
        cls.servers = Servers()
        cls.addClassCleanup(cls.servers.end)
        cls.servers.start_open_webui()
        admin = driver.Person(cls.servers.url, *ADMIN)
        cls.ann = admin.add_person("ann")
        admin.connect(driver.connection("box", cls.servers.start_codebox("codebox")))
        cls.browser = browser.Browser(cls.servers.url, cls.ann.token)
        cls.addClassCleanup(cls.browser.end)

    def begin(self, said):
        """Says something and opens the chat at once; chat and message."""
        chat, answer = self.ann.say(said, TOOLS)
        self.browser.open(chat)
        return chat, answer

    def finish(self, said):
        chat, answer = self.ann.say(said, TOOLS)
        self.ann.answer(chat, answer)
        # The events of a call's end may come a moment after its result.
        self.assertTrue(wait_until(lambda: '"done": true' in json.dumps(self.ann.get("/api/v1/chats/" + chat).json()
                                   ["chat"]["history"]["messages"][answer].get("statusHistory")), 30))
        self.browser.open(chat)

    def test_the_status_line_changes_while_a_program_runs_and_says_why_it_failed(self):
        self.begin(program("import time", "time.sleep(8)", "{}['missing key']"))
        self.browser.sees("Python: running (")
        self.browser.sees("Python: failed after")
        self.browser.sees("KeyError: 'missing key'")

    def test_four_figures_stand_in_their_order(self):
        names = [f"figure-{n}.png" for n in (1, 2, 3, 10)]
        self.finish(program(PICTURE, *(f"open('output/{name}', 'wb').write(png())" for name in names)))
        self.assertEqual(self.browser.pictures(), names)

    def test_a_csv_is_a_chip_that_downloads_under_its_name(self):
        self.finish(program("open('output/sales by month.csv', 'w').write('a,b\\n1,2\\n')"))
        page = self.browser.page
        self.browser.sees("sales by month.csv")
        downloads = []
        page.on("download", lambda one: downloads.append(one))
        page.context.on("page", lambda other: other.on("download", lambda one: downloads.append(one)))
        page.get_by_role("button", name="sales by month.csv").first.click()
        page.get_by_role("dialog").get_by_text("sales by month.csv").first.click()
        for _ in range(100):
            if downloads:
                break
            page.wait_for_timeout(100)
        self.assertEqual([one.suggested_filename for one in downloads], ["sales by month.csv"])

    def test_a_page_of_a_program_answers_a_click_and_reaches_nothing_outside(self):
        html = ("<button onclick=\"this.textContent = 'was clicked'\">click me</button><p id=out>waiting</p>"
                "<script>fetch('" + self.servers.url + "/health', {mode: 'no-cors'})"
                ".then(() => out.textContent = 'escaped', () => out.textContent = 'sealed')</script>")
        self.finish(program(f"open('output/page.html', 'w').write({html!r} + ' ' * 200_000)"))
        frame = self.browser.page.frame_locator("iframe").first
        frame.get_by_text("click me").click()
        frame.get_by_text("was clicked").wait_for()
        frame.get_by_text("sealed").wait_for()

    def test_a_figure_of_plotly_answers_a_click(self):
        arguments = {"libraries": ["plotly"], "code": "import plotly.graph_objects as go\nfigure = go.Figure()\n"
                     "for name in ('north', 'south'):\n    figure.add_bar(name=name, x=['a'], y=[1])\nfigure.show()"}
        self.finish("CALL run_python " + json.dumps(arguments))
        frame = self.browser.page.frame_locator("iframe").first
        frame.locator(".bars .point").nth(1).wait_for()
        frame.locator(".legendtoggle").first.click()
        # A click on its legend hides the bars of that name.
        frame.locator(".bars .point").nth(1).wait_for(state="detached")

    def test_stop_ends_the_sandbox_within_a_second(self):
        marker = f"9{uuid.uuid4().int % 10**8:08d}"
        self.begin(program("import subprocess", f"subprocess.run(['sleep', '{marker}'])"))
        self.assertTrue(wait_until(lambda: sandboxes_running(marker), 60), "the program never started")
        self.browser.page.get_by_role("button", name="Stop").last.click()
        pressed = time.monotonic()
        self.assertTrue(wait_until(lambda: not sandboxes_running(marker), 15), "the sandbox outlived Stop")
        print(f"Stop took {time.monotonic() - pressed:.2f} s", flush=True)
        self.browser.sees("Python: stopped after")
