"""Figures of the real libraries, installed from the package index by the call itself, in a real browser whose every request
is seen: a page in the chat reaches nothing but the hosts that OWUI_EMBED_HOSTS lists."""
import functools
import json
import re
import shutil
import subprocess
import tarfile
import tempfile
import unittest
import urllib.parse
from pathlib import Path

import driver
import install
import test_browser

# What a map of folium loads: its scripts and styles, and the tiles of OpenStreetMap.
MAP_HOSTS = "cdn.jsdelivr.net,code.jquery.com,cdnjs.cloudflare.com,netdna.bootstrapcdn.com,tile.openstreetmap.org"
DOT = bytes.fromhex("47494638396101000100800000ff0000ffffff21f90400000000002c00000000010001000002024401003b")
OUTSIDE = re.compile(r"^https?://(?!127\.0\.0\.1[:/])")
STAGE = None


def setUpModule():
    global STAGE
    STAGE = test_browser.Stage()
    STAGE.listed = STAGE.servers.start_codebox("listed", OWUI_EMBED_HOSTS=MAP_HOSTS)
    STAGE.admin.connect(driver.connection("box", STAGE.url), driver.connection("listed", STAGE.listed))


@functools.cache
def package(name_and_version):
    """The folder of a package of npm, which is what cdn.jsdelivr.net/npm serves."""
    if not shutil.which("npm"):
        raise unittest.SkipTest("skipped: npm is not installed, which stands in for the CDN")
    folder = install.ROOT / ".cache" / "npm" / re.sub(r"[^\w.-]", "_", name_and_version)
    if not (folder / "package").is_dir():
        with tempfile.TemporaryDirectory() as fetched:
            made = subprocess.run(["npm", "pack", "--silent", name_and_version], cwd=fetched, capture_output=True, text=True,
                                  timeout=300, check=False)
            if made.returncode:
                return None
            folder.mkdir(parents=True, exist_ok=True)
            with tarfile.open(next(Path(fetched).glob("*.tgz"))) as archive:
                archive.extractall(folder, filter="data")
    return folder / "package"


def content(url):
    """What the CDN would answer; nothing where the package index has no such file."""
    address = urllib.parse.urlsplit(url)
    if address.hostname == "tile.openstreetmap.org":
        return DOT
    found = re.fullmatch(r"/npm/((?:@[^/]+/)?[^/]+)/(.+)", address.path)
    if address.hostname == "code.jquery.com":
        version = re.search(r"(\d+\.\d+\.\d+)", address.path).group(1)
        found = re.fullmatch(r"(.+?) (.+)", f"jquery@{version} dist/jquery.min.js")
    folder = package(found.group(1)) if found else None
    file = folder / found.group(2) if folder else None
    return file.read_bytes() if file and file.is_file() else b""


class OfRealLibraries(unittest.TestCase):
    def show(self, code, *libraries, tools=None):
        """Runs the program in a chat and opens it; the frame of its page and every outside host that it asked for."""
        page = STAGE.browser.page
        hosts = set()

        def answer(route):
            hosts.add(urllib.parse.urlsplit(route.request.url).hostname)
            return route.fulfill(body=content(route.request.url))

        # Open WebUI's own go their way without us: one that had to ask here would wait as long as a chat is waited for.
        page.route(OUTSIDE, answer)
        self.addCleanup(page.unroute, OUTSIDE)
        said = "CALL run_python " + json.dumps({"code": code, "libraries": list(libraries)})
        chat, answer_id = STAGE.finish(said, tools or driver.tools("box"))
        self.said = STAGE.ann.message(chat, answer_id)["content"]
        return page.frame_locator("iframe").first, hosts

    def test_plotly_brings_all_it_needs(self):
        frame, hosts = self.show("import plotly.express as px\nfigure = px.bar(x=['a', 'b'], y=[1, 2], title='Sales')\nfigure",
                                 "plotly")
        frame.locator(".bars .point").nth(1).wait_for()
        self.assertEqual(hosts, set())
        self.assertIn("figure-1-sales.html", self.said)
        self.assertNotIn("[note]", self.said)

    def test_bokeh_brings_all_it_needs(self):
        frame, hosts = self.show("from bokeh.plotting import figure, show\nplot = figure(title='Line', width=400, height=300)\n"
                                 "plot.line([1, 2, 3], [1, 4, 9])\nshow(plot)", "bokeh")
        frame.locator("canvas").first.wait_for()
        self.assertEqual(hosts, set())
        self.assertNotIn("[note]", self.said)

    ALTAIR = ("import altair as alt, pandas as pd\nchart = alt.Chart(pd.DataFrame({'a': ['x', 'y'], 'b': [1, 2]}))"
              ".mark_bar().encode(x='a', y='b')\nchart")

    def test_altair_brings_all_it_needs_with_vl_convert(self):
        frame, hosts = self.show(self.ALTAIR, "altair", "vl-convert-python")
        frame.locator(".vega-embed canvas, .vega-embed svg").first.wait_for()
        self.assertEqual(hosts, set())
        self.assertNotIn("[note]", self.said)

    def test_altair_alone_says_what_it_lacks_and_reaches_nothing(self):
        _, hosts = self.show(self.ALTAIR, "altair")
        self.assertEqual(hosts, set())
        self.assertIn("vl-convert-python", self.said)
        self.assertRegex(self.said, r"\[note\] figure-1\.html is not whole in the chat, .*cdn\.jsdelivr\.net.*OWUI_EMBED_HOSTS")

    MAP = ("import folium\nmap = folium.Map(location=[48.2, 16.4], zoom_start=12)\n"
           "folium.CircleMarker([48.2, 16.4], radius=30, tooltip='here').add_to(map)\nmap")

    def test_a_map_of_folium_names_the_hosts_that_it_needs_and_reaches_none_of_them(self):
        _, hosts = self.show(self.MAP, "folium")
        self.assertEqual(hosts, set())
        note = re.search(r"\[note\] .*OWUI_EMBED_HOSTS", self.said).group(0)
        for host in MAP_HOSTS.split(","):
            self.assertIn(host, note)

    def test_a_map_of_folium_stands_in_the_chat_where_its_hosts_are_listed(self):
        frame, hosts = self.show(self.MAP, "folium", tools=driver.tools("listed"))
        frame.locator("path.leaflet-interactive").first.wait_for()
        frame.locator("img.leaflet-tile").first.wait_for(state="attached")
        self.assertLessEqual(hosts, set(MAP_HOSTS.split(",")))
        self.assertIn("tile.openstreetmap.org", hosts)
        self.assertNotIn("[note]", self.said)

    def test_a_data_frame_as_the_last_line_is_a_table(self):
        frame, hosts = self.show("import pandas as pd\npd.DataFrame({'month': ['May', 'June'], 'sales': [10, 20]})")
        self.assertEqual(frame.locator("th").all_inner_texts()[1:3], ["month", "sales"])
        self.assertEqual(frame.locator("td").all_inner_texts(), ["May", "10", "June", "20"])
        self.assertIn("month  sales", self.said)
        self.assertEqual(hosts, set())
