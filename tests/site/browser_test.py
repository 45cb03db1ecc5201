#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""browser_test.py SITE SHOTS [PAGE ..]: the site in Chromium, opened as files, no server. The search finds; no page is
wider than its window, from 390 to 2560 pixels; texts stand out from what is behind them (4.5 to 1, or 3 to 1 where they
are large), light and dark; what can be pressed has a name, and is reached by the tab key, in the order in which it is
read. Pages are all, or those named; screenshots of some go to the folder SHOTS. A page that is made wrong in each of
these ways is refused."""
import pathlib
import shutil
import sys

from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

WIDTHS = (390, 768, 1440, 2560)
SCHEMES = ("light", "dark")
SHOWN = ("index", "docs/guide/advise", "docs/reference/rom-format", "docs/reference/features", "docs/guide/player",
         "docs/theory/startup-cost", "api/solvers-solver", "search", "404", "player", "player-16x16", "player-hypercube")  # by screenshots
FAULTS = """
const faults = [], seen = e => e.getClientRects().length && getComputedStyle(e).visibility === "visible";
const name = e => e.tagName.toLowerCase() + " '" + e.textContent.trim().replace(/\\s+/g, " ").slice(0, 30) + "'";
// The theme cuts off what is too wide: what stands out beyond the window, and in nothing that can be scrolled.
const scrolls = e => e && e !== document.body && (["auto", "scroll"].includes(getComputedStyle(e).overflowX)
  && e.getBoundingClientRect().right <= innerWidth + 1 || scrolls(e.parentElement));
const wide = [...document.body.querySelectorAll("*")].find(e => seen(e) && e.getBoundingClientRect().right > innerWidth + 1
  && e.getBoundingClientRect().left < innerWidth && !scrolls(e));
if (wide) faults.push(`wider than its window: ${name(wide)}`);
const parse = text => { const n = text.match(/[\\d.]+/g).map(Number); return n.length < 4 ? [...n, 1] : n; };
function behind(e) {
  for (; e; e = e.parentElement) {
    const colour = parse(getComputedStyle(e).backgroundColor);
    if (getComputedStyle(e).backgroundImage !== "none") return null;
    if (colour[3] > 0.99) return colour;
  }
  return [255, 255, 255, 1];
}
const light = c => { const [r, g, b] = c.map(v => (v /= 255) <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
                     return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
const told = new Set();
const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
for (let node; (node = walk.nextNode());) {
  const e = node.parentElement, style = getComputedStyle(e), back = behind(e);
  if (!node.data.trim() || !seen(e) || !back || Number(style.opacity) === 0 || e.closest("script,style,svg")) continue;
  const a = light(parse(style.color)), b = light(back), ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  const size = parseFloat(style.fontSize), large = size >= 24 || size >= 18.66 && Number(style.fontWeight) >= 700;
  const key = style.color + back;
  if (ratio < (large ? 3 : 4.5) && !told.has(key)) {
    told.add(key);
    faults.push(`contrast ${ratio.toFixed(2)} of ${name(e)}, ${style.color} on ${back.slice(0, 3)}`);
  }
}
for (const e of document.querySelectorAll("a[href], button, input, select, textarea, iframe")) {
  const said = e.textContent.trim() || e.ariaLabel || e.title || e.querySelector("img[alt]")?.alt || e.labels?.[0]?.textContent;
  if (seen(e) && e.type !== "hidden" && !said) faults.push(`no name: ${e.outerHTML.slice(0, 60)}`);
  if (seen(e) && e.tabIndex > 0) faults.push(`out of order for the tab key: ${e.outerHTML.slice(0, 60)}`);
  if (seen(e) && e.tabIndex < 0) faults.push(`not reached by the tab key: ${e.outerHTML.slice(0, 60)}`);
}
if (parse(getComputedStyle(document.body).backgroundColor)[3] === 0) faults.push("no style: its sheets were not found");
for (const e of document.images) if (!e.complete || !e.naturalWidth) faults.push(`picture not there: ${e.src}`);
for (const e of document.querySelectorAll("img:not([alt])")) faults.push(`no alt: ${e.outerHTML.slice(0, 60)}`);
return faults;
"""
MUTANTS = {"wider than its window": '<div style="width:5000px">wide</div>',
           "contrast 1.": '<p style="color:#eee;background:#fff">pale</p>',
           "no name": '<button></button>',
           "not reached": '<a href="x.html" tabindex="-1">away</a>',
           "out of order": '<a href="x.html" tabindex="5">first</a>',
           "no alt": '<img src="x.png">',
           "picture not there": '<img src="x.png" alt="none">',
           "no style": '<style>body { background: transparent !important }</style>'}


def open_browser(shots):
    options = webdriver.ChromeOptions()
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", f"--user-data-dir={shots}/profile"):
        options.add_argument(argument)
    options.binary_location = shutil.which("chromium")
    return webdriver.Chrome(service=Service(shutil.which("chromedriver")), options=options)


def set_width(browser, width):
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                            {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 800})


def set_scheme(browser, scheme):
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia",
                            {"features": [{"name": "prefers-color-scheme", "value": scheme}]})


def check_search(browser, site):
    browser.get((site / "index.html").as_uri())
    box = browser.find_element(By.CSS_SELECTOR, "#rtd-search-form input")
    box.send_keys("translates torus" + Keys.ENTER)
    WebDriverWait(browser, 20).until(lambda b: b.find_elements(By.CSS_SELECTOR, "#mkdocs-search-results article a"))
    links = browser.find_elements(By.CSS_SELECTOR, "#mkdocs-search-results article a")
    leads = [link.get_attribute("href") for link in links]
    assert any("glossary" in lead for lead in leads), leads
    browser.get(leads[0])
    assert "translates" in browser.page_source.lower()
    browser.get((site / "search.html").as_uri() + "?q=nosuchword")
    WebDriverWait(browser, 20).until(lambda b: "0 places" in b.find_element(By.ID, "mkdocs-search-results").text)


def main():
    site, shots = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
    shutil.rmtree(shots, ignore_errors=True)
    shots.mkdir(parents=True)
    pages = [site / page for page in sys.argv[3:]] or sorted(site.rglob("*.html"))
    browser = open_browser(shots)
    faults = set()
    try:
        set_width(browser, 1280)
        check_search(browser, site)
        for width, scheme in ((width, scheme) for width in WIDTHS for scheme in SCHEMES):
            set_width(browser, width)
            set_scheme(browser, scheme)
            for page in pages:
                name = str(page.relative_to(site))
                browser.get(page.as_uri())
                faults |= {f"{name}, {width} pixels, {scheme}: {fault}" for fault in browser.execute_script(FAULTS)}
                if name[:-5] in SHOWN:
                    browser.save_screenshot(str(shots / f"{name[:-5].replace('/', '-')}-{width}-{scheme}.png"))
        set_scheme(browser, "light")
        for fault, wrong in MUTANTS.items():
            browser.get((site / "index.html").as_uri())
            browser.execute_script("document.body.insertAdjacentHTML('afterbegin', arguments[0])", wrong)
            found = browser.execute_script(FAULTS)
            if not any(fault in one for one in found):
                faults.add(f"the mutant {wrong} is taken for good")
    finally:
        browser.quit()
    print("\n".join(sorted(faults)) or f"site: {len(pages)} pages at {len(WIDTHS)} widths, light and dark, search from a file")
    return 1 if faults else 0


sys.exit(main())
