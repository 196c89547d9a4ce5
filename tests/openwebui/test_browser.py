"""What a person sees in the chat, in a real browser, over both kinds of connection."""
import json
import time
import unittest
import uuid

import browser
import driver
from servers import ADMIN, with_open_webui
from test_codebox import PICTURE, sandboxes_running, wait_until

STAGE = None


class Stage:
    """The servers, a person and the browser in which she is signed in; all scenes play on one."""

    def __init__(self):
        if browser.CHROMIUM is None:
            raise unittest.SkipTest("skipped: there is no chromium here")
        if not browser.install_playwright():
            raise unittest.SkipTest("skipped: playwright cannot be installed")
        self.servers = with_open_webui(unittest.addModuleCleanup)
        self.admin = driver.Person(self.servers.url, *ADMIN)
        self.ann = self.admin.add_person("ann")
        self.url = self.servers.start_codebox("codebox")
        self.admin.connect(driver.connection("box", self.url), driver.connection("openbox", self.url, "openapi"))
        self.browser = browser.Browser(self.servers.url, self.ann.token)
        unittest.addModuleCleanup(self.browser.end)

    def finish(self, said, tools):
        """Says something and opens the chat once all has come; chat and message."""
        chat, answer = self.ann.say(said, tools)
        self.ann.answer(chat, answer)
        # The events of a call's end may come a moment after its result.
        if not wait_until(lambda: '"done": true' in json.dumps(self.ann.message(chat, answer).get("statusHistory")), 30):
            raise AssertionError(f"the call did not end: {self.ann.message(chat, answer)}")
        self.browser.open(chat)
        return chat, answer


def setUpModule():
    global STAGE
    STAGE = Stage()


def program(*lines):
    return "CALL run_python " + json.dumps({"code": "\n".join(lines)})


class SignedIn(unittest.TestCase):
    def test_a_page_that_is_left_while_it_asks_who_she_is_does_not_sign_her_out(self):
        chat, answer = STAGE.ann.say("hello", [])
        STAGE.ann.answer(chat, answer)
        page = STAGE.browser.page
        page.route("**/api/v1/auths/", lambda route: None)
        with page.expect_request("**/api/v1/auths/"):
            page.goto(STAGE.servers.url)
        page.goto("about:blank")
        page.unroute("**/api/v1/auths/")
        STAGE.browser.open(chat)


class OverMcp(unittest.TestCase):
    tools = driver.tools("box")
    copies = 1  # of each picture: the one in the answer; those below the call carry no name

    @classmethod
    def setUpClass(cls):
        cls.servers, cls.ann, cls.browser = STAGE.servers, STAGE.ann, STAGE.browser

    def begin(self, said):
        """Says something and opens the chat at once; chat and message."""
        chat, answer = self.ann.say(said, self.tools)
        self.browser.open(chat)
        return chat, answer

    def finish(self, said):
        return STAGE.finish(said, self.tools)

    def test_the_status_line_changes_while_a_program_runs_and_says_why_it_failed(self):
        self.begin(program("import time", "time.sleep(8)", "{}['missing key']"))
        self.browser.sees("Python: running (")
        self.browser.sees("Python: failed after")
        self.browser.sees("KeyError: 'missing key'")

    def test_four_figures_stand_in_their_order(self):
        names = [f"figure-{n}.png" for n in (1, 2, 3, 10)]
        self.finish(program(PICTURE, *(f"open('output/{name}', 'wb').write(png())" for name in names)))
        self.assertEqual(self.browser.pictures(), names * self.copies)

    def test_a_pdf_is_a_chip_and_its_first_page_a_picture(self):
        chat, answer = self.finish(program(
            "import matplotlib.pyplot as plt", "figure, axes = plt.subplots()", "axes.plot([1, 2, 3], [1, 4, 9])",
            "axes.set_title('Growth')", "figure.savefig('output/report.pdf')"))
        self.assertIn("report.pdf", [one["name"] for one in self.ann.message(chat, answer)["files"]])
        drawn = self.browser.page.locator("img[alt='report-page-1.png']").first
        drawn.wait_for()
        self.assertEqual(max(drawn.evaluate("image => [image.naturalWidth, image.naturalHeight]")), 1000)
        colours = drawn.evaluate("""async image => {
            await image.decode();
            const canvas = new OffscreenCanvas(image.naturalWidth, image.naturalHeight).getContext("2d");
            canvas.drawImage(image, 0, 0);
            const bytes = canvas.getImageData(0, 0, image.naturalWidth, image.naturalHeight).data;
            return new Set(new Uint32Array(bytes.buffer)).size;
        }""")
        self.assertGreater(colours, 20)

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


class OverOpenApi(OverMcp):
    tools = driver.tools("openbox", "openapi")
    copies = 2  # also one below the answer

    def test_a_picture_that_the_model_does_not_repeat_is_shown_all_the_same(self):
        chat, answer = self.finish(program(PICTURE, "open('output/figure.png', 'wb').write(png())"))
        files = self.ann.message(chat, answer)["files"]
        self.assertEqual([(one["type"], one["name"]) for one in files], [("image", "figure.png")])
        self.browser.page.locator(f"img[src*='{files[0]['url']}']").first.wait_for()

    def test_the_model_reads_text_and_no_json(self):
        chat, answer = self.finish(program("print('first')", "print('second')"))
        said = self.ann.message(chat, answer)["content"]
        self.assertIn("TOOLSAID: first\nsecond\n[exit status 0", said)

    def test_a_call_that_is_refused_says_the_sentence(self):
        chat, answer = self.ann.say("CALL run_python {}", self.tools)
        self.ann.answer(chat, answer)
        self.assertIn("`code`", self.ann.message(chat, answer)["content"])
