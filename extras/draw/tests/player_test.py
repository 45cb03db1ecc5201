# SPDX-License-Identifier: MIT
"""The player in a browser: player_test.py GOSSIPFAB FOLDER, started by player_test.sh.

Pages load without a word on the console, step to the end, and there every node has all that it wants; playing passes no
round over; nodes, links and tokens can be picked, and a node's ROM words are those of `gossipfab show --rom`, or of a
wide fabric's files. Pages whose data have been tampered with must say so."""
import json
import pathlib
import re
import shutil
import subprocess
import sys
import time

from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

GOSSIPFAB, FOLDER = sys.argv[1], pathlib.Path(sys.argv[2]).resolve()
MOST_SECONDS_TO_OPEN = 8  # 16x16: four times what is promised, as other things may run beside it
MOST_BYTES = 2_000_000    # 16x16
PLAYED_ROUNDS = 60
DATA = re.compile(r'(<script type="application/json" id="data">\n)(.*?)(</script>)', re.S)


def start_browser():
    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium")
    for argument in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu",
                     "--window-size=1280,900"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    return webdriver.Chrome(service=Service(shutil.which("chromedriver")), options=options)


def write_page(name, *arguments):
    page = FOLDER / f"{name}.html"
    subprocess.run([GOSSIPFAB, "show", *arguments, "--html", page], check=True, stdout=subprocess.DEVNULL)
    return page


def check(what, condition):
    if not condition:
        sys.exit(f"player_test: {what}")


class Page:
    """A page that is open in the browser."""

    def __init__(self, browser, path, address=""):
        self.browser, self.name = browser, path.stem
        browser.get("about:blank")  # or else another address on the same page loads nothing
        browser.get(f"{path.as_uri()}{address}")
        self.check("says nothing on the console", not browser.get_log("browser"))
        self.scene = browser.find_element(By.ID, "scene")

    def check(self, what, condition):
        check(f"{self.name}: not true that it {what}", condition)

    def ask(self, expression):
        return self.browser.execute_script(f"return {expression}")

    def press(self, *keys):
        self.browser.find_element(By.TAG_NAME, "body").send_keys(*keys)
        self.draw()

    def draw(self):
        """Waits until what has changed is on the screen."""
        self.browser.execute_async_script(
            "const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(done))")

    def click(self, point):
        """At a point of the scene."""
        size = self.scene.size
        ActionChains(self.browser).move_to_element_with_offset(
            self.scene, round(point["x"] - size["width"] / 2), round(point["y"] - size["height"] / 2)).click().perform()
        self.draw()

    def fault(self):
        return self.browser.find_element(By.ID, "fault").text

    def panel(self):
        return self.browser.find_element(By.ID, "panel")

    def title(self):
        return self.panel().find_element(By.TAG_NAME, "h2").text


def check_end(page):
    """To the end by single steps: only then every node is full."""
    complete = "player.scene.stores.has.every((has, node) => has === player.replay.atEnd[node])"
    rounds = page.ask("player.replay.rounds")
    page.check("shows no fault", page.fault() == "")
    page.draw()
    page.check("begins before round 1", page.ask("player.round") == 0 and not page.ask(complete))
    page.press(Keys.ARROW_RIGHT * (rounds - 1))
    page.check("lacks something before the last round",
               page.ask("player.round") == rounds - 1 and not page.ask(complete))
    page.press(Keys.ARROW_RIGHT)
    page.check("is complete after the last round", page.ask("player.round") == rounds and page.ask(complete))
    page.check("drew the stores in single steps as at once", page.ask(
        "(() => { const { stores } = player.scene; const stepped = stores.pixels.data.slice(); stores.round = -1;"
        "stores.update(player.round); return stepped.every((value, i) => value === stores.pixels.data[i]) })()"))
    text = page.browser.find_element(By.ID, "round").text
    page.check("says which round it shows", text.startswith(f"Round {rounds} of {rounds}"))


def check_play(page, opened):
    """Sixty rounds at the highest speed, none of them passed over."""
    page.check(f"opens within {MOST_SECONDS_TO_OPEN} s", opened < MOST_SECONDS_TO_OPEN)
    page.browser.execute_script("player.setSpeed(6)")
    started = time.monotonic()
    page.press(" ")
    while page.ask("player.round") < PLAYED_ROUNDS:
        time.sleep(0.05)
        page.check(f"plays {PLAYED_ROUNDS} rounds within a minute", time.monotonic() < started + 60)
    seconds = time.monotonic() - started
    page.press(" ")
    drawn = page.ask("player.drawn")
    page.check(f"drew every round that it played: {drawn}", drawn == list(range(drawn[-1] + 1)))
    page.check("stops when it is told to", not page.ask("player.playing"))
    print(f"{page.name}: opened in {opened:.2f} s, {PLAYED_ROUNDS} rounds in {seconds:.2f} s")


def check_picks(page):
    page.press(Keys.HOME, Keys.ARROW_RIGHT * 4)
    page.click(page.ask("player.scene.at(5)"))
    page.check("picks a node", page.title() == "Node 5")
    held = page.ask("player.replay.holding(5, 4)")
    page.check("says how much the node has", f"{held} of 16 tokens after round 4" in page.panel().text)
    said = f"Node 5 has {held} of 16 tokens"
    page.check("says so to who points at it", page.scene.get_attribute("title") == said)
    page.check("says so aloud", page.ask("document.getElementById('said').textContent") == f"Round 4 of 10. {said}.")
    shown = {tuple(cell.text for cell in row.find_elements(By.TAG_NAME, "td")[1:3])
             for row in page.panel().find_elements(By.CSS_SELECTOR, "tr.now")}
    rom = subprocess.check_output([GOSSIPFAB, "show", "-t", "mesh:4x4", "--rom", "5"], text=True)
    lines = [line.split() for line in rom.splitlines()[2:]]
    page.check("shows the node's ROM words", shown == {(line[0], line[1]) for line in lines if line[2] == "4"})
    page.browser.execute_script("document.getElementById('store').onclick({offsetX: 5, offsetY: 5})")
    page.draw()
    page.check("picks a token in a store", page.title() == "Token 0")
    page.click(page.ask("player.scene.discs[0]"))
    page.check("picks a token on a link", page.title() == f"Token {page.ask('player.scene.discs[0].word.block')}")
    page.check("knows the whole tree of a token",
               page.ask("new Set(player.tree.map(({ arc }) => player.graph.to(arc))).size") == 15)
    page.press("l")
    page.check("picks a link", page.title() == "Link 0" and "10 in all 10 rounds" in page.panel().text)
    page.browser.execute_script("document.getElementById('panel').style.height = '180px'")
    page.press(Keys.END)
    page.check("has the round's row in view", page.ask(
        "(() => { const a = document.getElementById('panel').getBoundingClientRect();"
        "const b = document.querySelector('#panel tr.now').getBoundingClientRect();"
        "return document.getElementById('panel').scrollTop > 0 && b.top >= a.top && b.bottom <= a.bottom + 1 })()"))
    page.browser.execute_script("document.getElementById('panel').style.height = ''")
    page.panel().find_element(By.CSS_SELECTOR, "a").send_keys(Keys.ENTER)
    page.draw()
    page.check("is picked in by keys", page.title() == "Node 0")
    page.press("u", "d", Keys.ESCAPE)
    page.check("shows the use of links", page.ask("player.showUse && player.picked.kind === 'none'"))
    page.check("says nothing on the console after all that", not page.browser.get_log("browser"))


def write_fabric(name, *arguments):
    subprocess.run([GOSSIPFAB, "generate", *arguments, "-o", FOLDER / name], check=True, stdout=subprocess.DEVNULL)
    return FOLDER / name / "player.html"


def wide_word(word, manifest):
    """What a word says of each lane that does something: docs/reference/rom-format.md, "Wide programs"."""
    rest, lanes, banks = int(word, 16), range(manifest["lanes"]), range(manifest["banks"])
    lane_bits, bank_bits = (max(1, (len(these) - 1).bit_length()) for these in (lanes, banks))
    address_bits = manifest["cell_bits"]

    def take(width):
        nonlocal rest
        value, rest = rest & (1 << width) - 1, rest >> width
        return value

    reads = [take(address_bits) for _ in banks]
    said = {}
    for lane in lanes:
        sends, bank = take(1), take(bank_bits)
        if sends:
            said[lane] = f"bank {bank} address {reads[bank]}"
    if manifest["operator"]:
        stores = [take(len(lanes)) for _ in banks]
    else:
        stores = [stores << lane for stores, lane in ((take(1), take(lane_bits)) for _ in banks)]
    for bank, stored in zip(banks, stores):
        combined, old = (take(1), take(address_bits)) if manifest["operator"] else (0, 0)
        said.update({lane: f"bank {bank}" + f" with address {old}" * combined for lane in lanes if stored >> lane & 1})
    check(f"{rest} is left of {word}", rest == 0)
    return {f"lane {lane}": text for lane, text in said.items()}


def check_wide(page, folder, node):
    """In every round the word of the ROM file, and what it says."""
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    digits = len(str(manifest["nodes"] - 1))
    lines = (folder / f"rom/program_{manifest['program_of_node'][node]:0{digits}}.hex").read_text().splitlines()
    page.browser.execute_script(f"player.pick({{ kind: 'node', index: {node} }})")
    page.press(Keys.HOME)
    page.check("has words that differ", len(set(lines[:manifest["rounds"]])) > 1)
    for round_ in range(1, manifest["rounds"] + 1):
        page.press(Keys.ARROW_RIGHT)
        head, *ops = [[cell.text for cell in row.find_elements(By.TAG_NAME, "td")]
                      for row in page.panel().find_elements(By.CSS_SELECTOR, "tr.now")]
        page.check("shows the wide word", head == [str(round_), str(round_ - 1), lines[round_ - 1]])
        shown = {lane: op.split(", ")[1] for _, lane, op in ops if lane}
        page.check(f"says of {head[2]}: {shown}", shown == wide_word(head[2], manifest))


def check_ring(page, cycles):
    """A store is by address, all nodes write the same ones in a round, and the page says when."""
    page.press(Keys.HOME, Keys.ARROW_RIGHT * 3)
    ring = "player.replay.wave"
    page.check("has a store by distance", page.ask(
        f"player.graph.nodes().every(node => {ring}.written[3].every(cell => {ring}.cell(node, {ring}.block(node, cell)) === cell"
        f" && player.replay.amount(node, {ring}.block(node, cell), 3) > player.replay.amount(node, {ring}.block(node, cell), 2)))"))
    page.check("says the counter", "In it every node writes the same addresses: distance 3" in page.panel().text)
    page.check("says the cycle", page.browser.find_element(By.ID, "round").text.endswith(f"cycle {cycles[0]} of {cycles[1]}"))
    page.press("n")
    page.browser.execute_script("document.getElementById('store').onclick({offsetX: 5, offsetY: 5})")
    page.draw()
    page.check("picks a node's own token at distance 0", page.title() == "Token 0")


def drop_packet(data):
    round_ = data["schedules"][0]["rounds"][4]
    del round_[0:2]


def change_token(data):
    """Round 1: a node sends what it cannot have."""
    round_ = data["schedules"][0]["rounds"][0]
    round_[1] = (round_[1] + 7) % 16


def use_twice(data):
    round_ = data["schedules"][0]["rounds"][0]
    round_.extend(round_[0:2])


def count_twice(data):
    """A reduction's first message again, a round later: its contribution counts twice."""
    rounds = data["schedules"][0]["rounds"]
    rounds.insert(1, rounds[0][0:2])


def less_weight(data):
    weights = data["graph"]["weights"]
    data["graph"]["weights"] = [min(weight, 2) for weight in weights]


def turn_link(data):
    """The first packet's arc carries nothing."""
    data["graph"]["weights"][-1 - data["schedules"][0]["rounds"][0][0]] = 0


def pass_twice(data):
    """The first packet, two arcs and a word, passes its switch once more."""
    round_ = data["schedules"][0]["rounds"][0]
    round_.extend(round_[0:3])


def end_at_switch(data):
    round_ = data["schedules"][0]["rounds"][0]
    del round_[1]


def turn_ring(data):
    """A node's neighbour on its ring is another than the one that its tokens come from."""
    before = data["ring"]["from"]
    before[0], before[1] = before[1], before[0]


def write_late(data):
    """The last packet a round later: all is there in the end, but the nodes do not write the same."""
    rounds = data["schedules"][0]["rounds"]
    rounds.append([rounds[-1].pop(-2), rounds[-1].pop()])
    data["ring"]["cycles"].append(data["ring"]["cycles"][-1])


def check_mutants(browser, gossip, reduction, weighted, switched, ring):
    cases = [(gossip, drop_packet, "token"), (gossip, change_token, "does not have"), (gossip, use_twice, "used twice"),
             (reduction, count_twice, "counts twice"), (weighted, less_weight, "more than its weight"),
             (weighted, turn_link, "does not go that way"), (switched, pass_twice, ": link "),
             (switched, end_at_switch, "begins or ends at a switch"), (ring, turn_ring, "along its ring"),
             (ring, write_late, "does not write what node 0 writes")]
    for page, change, word in cases:
        text = page.read_text(encoding="utf-8")
        data = json.loads(DATA.search(text)[2])
        change(data)
        mutant = FOLDER / f"mutant_{change.__name__}.html"
        mutant.write_text(DATA.sub(lambda m: m[1] + json.dumps(data) + m[3], text), encoding="utf-8")
        shown = Page(browser, mutant).fault()
        check(f"mutant {change.__name__} is shown as '{shown}'", shown.startswith("Faulty: ") and word in shown)


# Of what is to be seen and used: out of the window, or over something else of its row.
OUTSIDE = """
const shown = [...document.querySelectorAll("header button, h1, #facts, footer button, #round, .speed, footer canvas")]
    .filter(e => e.getClientRects().length);
const wrong = shown.filter(e => { const r = e.getBoundingClientRect();
    return r.left < 0 || r.top < 0 || r.right > innerWidth + 0.5 || r.bottom > innerHeight + 0.5
        || e.scrollWidth > e.clientWidth + 1 && e.tagName !== "INPUT"; });
for (const a of shown) for (const b of shown) { const p = a.getBoundingClientRect(), q = b.getBoundingClientRect();
    if (a !== b && !a.contains(b) && !b.contains(a) && p.left < q.right - 1.5 && q.left < p.right - 1.5
        && p.top < q.bottom - 1.5 && q.top < p.bottom - 1.5) wrong.push(a); }
if (document.documentElement.scrollWidth > innerWidth) wrong.push(document.body);
return wrong.map(e => e.id || e.tagName);
"""


def check_windows(browser, path):
    """From a phone to a large screen, upright and lying: nothing is cut off, nothing lies on something else."""
    def outside(width, height):
        browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 900})
        page = Page(browser, path)
        page.draw()
        return browser.execute_script(OUTSIDE)

    for window in [(360, 640), (390, 844), (768, 1024), (844, 390), (1440, 900), (2560, 1440)]:
        wrong = outside(*window)
        check(f"{path.stem}: in a window of {window[0]}x{window[1]} these are cut off or covered: {wrong}", not wrong)
    mutant = FOLDER / "mutant_row.html"
    mutant.write_text(path.read_text(encoding="utf-8").replace("flex-wrap: wrap", "flex-wrap: nowrap"), encoding="utf-8")
    path = mutant
    check("a page that does not wrap passes", outside(360, 640))
    browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def write_plan(change):
    """A plan for two GPUs, changed, and what `verify` says of it, which also writes its page."""
    plan, schedule = FOLDER / "plan.json", FOLDER / "plan.gfs"
    run = lambda *words, **more: subprocess.run([GOSSIPFAB, *words], capture_output=True, text=True, **more)
    run("schedule", "-t", "path:2", "-c", "all-gather", "--link-mode", "full", "-o", schedule, check=True)
    run("convert", schedule, "--to", "mscclpp", "-o", plan, check=True)
    data = json.loads(plan.read_text())
    change(data["gpus"][0]["threadblocks"][0]["ops"])
    plan.write_text(json.dumps(data))
    page = FOLDER / "witness.html"
    page.unlink(missing_ok=True)
    done = run("verify", plan, "--html", page)
    check("a changed plan is good", done.returncode == 1)
    *steps, last = done.stderr.splitlines()
    return page, steps, last.split(": ", 3)[3]


def play_witness(browser, path):
    """The steps that the page says, one after the other; how many operations are marked at the end; the fault."""
    browser.get(path.as_uri())
    check("a witness' page says something on the console", not browser.get_log("browser"))
    body, said = browser.find_element(By.TAG_NAME, "body"), []
    while browser.execute_script("return at < steps.length"):
        check("the fault is shown before its steps", not browser.find_element(By.ID, "fault").is_displayed())
        body.send_keys(Keys.ARROW_RIGHT)
        said.append(browser.find_element(By.ID, "step").text)
    return said, len(browser.find_elements(By.CSS_SELECTOR, "li.bad, li.now, li.done, h2.host")), browser.find_element(
        By.ID, "fault").text


def check_witness(browser):
    """The page of a fault in a plan: a race, and a wait for ever. One with a step less is another."""
    def drop_wait(ops):
        del ops[[op["name"] for op in ops].index("wait")]

    def drop_signal(ops):
        del ops[[op["name"] for op in ops].index("signal")]
    for change in (drop_wait, drop_signal):
        path, steps, message = write_plan(change)
        said, marked, fault = play_witness(browser, path)
        check(f"a witness' page says {said}, {fault}, and marks {marked}", said == steps and fault == message and marked)
        path.write_text(path.read_text().replace(json.dumps(steps[0]) + ",", "", 1).replace(json.dumps(steps[0]), "", 1))
        check("a page with a step less passes", play_witness(browser, path)[0] != steps)


def main():
    gossip = write_page("gossip", "-t", "mesh:4x4")
    reduction = write_page("reduction", "-t", "mesh:3x3", "-c", "all-reduce")
    weighted = write_page("weighted", "-t", "path:2+weight=0-1:3", "--link-mode", "full", "-c", "broadcast",
                          "--blocks", "3")
    switched = write_page("switched", "-t", "graph:4:0-3,1-3,2-3+relay=3:switch+weight=0-3:2", "--link-mode", "full",
                          "-c", "all-reduce")
    large = write_page("large", "-t", "mesh:16x16")
    pages = [gossip, reduction, write_page("torus", "-t", "torus:3x3x3"), write_page("graph", "-t", "debruijn:4"),
             write_page("duplex", "-t", "torus:4x4", "--link-mode", "full"),
             write_page("scatter", "-t", "mesh:3x3+relay=4", "-c", "reduce-scatter"),
             write_page("exchange", "-t", "cycle:5+relay=2", "-c", "all-to-all"),
             weighted, switched, write_page("switches", "-t", "machine:h100x2", "--link-mode", "full"),
             write_page("oneway", "-t", "cycle:4+weight=0-1:1/0+weight=1-2:1/0", "-c", "reduce"),
             write_page("circuit", "-t", "cycle:12", "--link-mode", "full", "--routing", "circuit",
                        "--packet-tokens", "12", "--startup", "10")]
    wide = [write_fabric("wide", "-t", "torus:4x4", "--store", "wide"),
            write_fabric("combining", "-t", "mesh:3x3", "-c", "all-reduce", "--store", "wide", "--operator", "sum")]
    ring = write_fabric("ring", "mesh:4x4", "--store", "ring", "--link-mode", "full", "--link-bits", "2")
    pages += [ring, write_fabric("sums", "torus:3x3", "--store", "ring", "--link-mode", "full", "--link-bits", "32", "-c",
                                 "all-reduce", "--blocks", "70"),
              write_fabric("chords", "circulant:16,1,8", "--store", "ring", "--link-mode", "full", "--link-bits", "64")]
    check("the page of 16x16 is too large", large.stat().st_size < MOST_BYTES)
    browser = start_browser()
    try:
        for path in pages:
            check_end(Page(browser, path))
        check_ring(Page(browser, ring), (24, 123))
        check_picks(Page(browser, gossip, "#theme=dark"))
        check_windows(browser, reduction)
        for path in wide:
            check_wide(Page(browser, path), path.parent, 5)
        started = time.monotonic()
        page = Page(browser, large)
        page.draw()
        check_play(page, time.monotonic() - started)
        check_mutants(browser, gossip, reduction, weighted, switched, ring)
        check_witness(browser)
    finally:
        browser.quit()


main()
