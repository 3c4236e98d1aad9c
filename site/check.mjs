// SPDX-License-Identifier: Apache-2.0
//
// node check.mjs BROWSER FOLDER PICTURES: serves FOLDER at /coterie/ of a local port, and reads its version `next`.
import { createServer } from 'node:http'
import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { extname, join, normalize } from 'node:path'
import { chromium } from 'playwright-core'

const [browserPath, folder, pictures] = process.argv.slice(2)
const BASE = '/coterie/'
const WIDTHS = [1440, 390]
/** A word, and a page that a search for it has to find. */
const SEARCHES = { allReduce: 'docs/teams.html', deadlock: 'docs/observing/deadlocks.html' }
const PICTURES = {
  home: 'index.html',
  tutorial: 'docs/tutorial.html',
  teams: 'docs/teams.html#collectives',
  rosetta: 'docs/rosetta.html#put-and-get',
  performance: 'docs/performance.html',
  decision: 'docs/decisions/0004-one-kind-of-round.html',
}
const TYPES = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
}

const problems = []
const server = await serve()
const origin = `http://127.0.0.1:${server.address().port}`
const start = `${origin}${BASE}next/`
const browser = await chromium.launch({ executablePath: browserPath, args: ['--no-sandbox'] })
try {
  const pages = await crawl()
  checkLinks(pages)
  checkAllReached(pages)
  await withPage({}, checkSearch)
  await withPage({ colorScheme: 'light' }, checkDarkMode)
  await withPage({}, checkVersions)
  await takePictures()
  console.log(`${pages.size} pages, ${[...pages.values()].reduce((n, page) => n + page.links.length, 0)} links`)
} finally {
  await browser.close()
  server.close()
}
if (problems.length > 0) {
  console.error(problems.join('\n'))
  console.error(`site/check: ${problems.length} problems`)
  process.exitCode = 1
} else {
  console.log(`The site is as it should be; screenshots are in site/target/${pictures}`)
}

function serve() {
  const files = createServer((request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url, 'http://host').pathname))
    // Of the server's root; browsers ask for it on Javadoc's pages, which name no icon.
    if (path === '/favicon.ico') {
      response.writeHead(204).end()
      return
    }
    let file = join(folder, path.slice(BASE.length))
    const found = path.startsWith(BASE) && statSync(file, { throwIfNoEntry: false })
    if (found && found.isDirectory()) {
      file = join(file, 'index.html')
    }
    if (!found || !statSync(file, { throwIfNoEntry: false })) {
      response.writeHead(404).end()
      return
    }
    response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream' })
    response.end(readFileSync(file))
  })
  return new Promise((resolve) => files.listen(0, '127.0.0.1', () => resolve(files)))
}

/** Runs an action with a browser's page of which errors, failed requests and requests elsewhere are problems. */
async function withPage(options, action) {
  const context = await browser.newContext({ viewport: { width: WIDTHS[0], height: 900 }, ...options })
  const page = await context.newPage()
  const problem = (text) => problems.push(`${page.url()}: ${text}`)
  page.on('console', (message) => message.type() === 'error' && problem(`console: ${message.text()}`))
  page.on('pageerror', (error) => problem(`error: ${error.message}`))
  page.on('request', (request) => {
    if (!request.url().startsWith(origin) && !request.url().startsWith('data:')) {
      problem(`request to another host: ${request.url()}`)
    }
  })
  page.on('response', (response) => response.status() >= 400 && problem(`${response.status()}: ${response.url()}`))
  page.on('requestfailed', (request) => {
    // The browser aborts the prefetches of a page that it leaves.
    if (request.failure().errorText !== 'net::ERR_ABORTED') {
      problem(`${request.failure().errorText}: ${request.url()}`)
    }
  })
  try {
    await action(page, problem)
  } finally {
    await context.close()
  }
}

async function open(page, url) {
  await page.goto(url)
  await page.waitForFunction(() => document.querySelector('#app')?.__vue_app__ !== undefined)
}

/** Reads all pages that links lead to, from the first one on: what they link to, their ids, and what is too wide. */
async function crawl() {
  const pages = new Map()
  await withPage({}, async (page, problem) => {
    const queue = [start]
    while (queue.length > 0) {
      const url = queue.shift()
      if (pages.has(url)) {
        continue
      }
      await open(page, url)
      const { links, ids } = await page.evaluate(() => ({
        links: [...document.querySelectorAll('a[href]')].map((link) => link.href),
        ids: [...document.querySelectorAll('[id]')].map((element) => element.id),
      }))
      pages.set(url, { links, ids: new Set(ids) })
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 900 })
        for (const text of await page.evaluate(tooWide)) {
          problem(`too wide at ${width}: ${text}`)
        }
      }
      queue.push(...links.map(withoutHash).filter((each) => isPage(each) && exists(each)))
    }
  })
  return pages
}

function withoutHash(url) {
  return url.replace(/#.*/, '').replace(/\/index\.html$/, '/')
}

/** Javadoc's pages have a tool of their own, doclint, and are not read. */
function isPage(url) {
  return url.startsWith(start) && !url.startsWith(`${start}api/`)
}

/** Runs in the browser: what reaches over the right edge, unless it lies in a part that scrolls or is not visible. */
function tooWide() {
  const width = document.documentElement.clientWidth
  const isClipped = (element) => {
    for (let at = element.parentElement; at !== null && at !== document.body; at = at.parentElement) {
      if (getComputedStyle(at).overflowX !== 'visible') {
        return true
      }
    }
    return false
  }
  const found = [...document.querySelectorAll('#app *')]
    .filter((element) => element.getBoundingClientRect().right > width + 1)
    .filter((element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
    .filter((element) => !element.closest('.VPSidebar, .VPLocalNav') && !isClipped(element))
    .map((element) => `${element.tagName} ${element.className} "${element.textContent.trim().slice(0, 60)}"`)
  const scrolls = document.documentElement.scrollWidth > width
  return scrolls && found.length === 0 ? ['the page scrolls'] : found.slice(0, 3)
}

function checkLinks(pages) {
  for (const [url, { links }] of pages) {
    for (const link of new Set(links.filter((each) => each.startsWith(origin)))) {
      const [target, hash] = [withoutHash(link), decodeURIComponent(new URL(link).hash.slice(1))]
      if (!exists(target)) {
        problems.push(`${url} links to ${link}, which is not there`)
      } else if (isPage(target) && hash !== '' && !pages.get(target).ids.has(hash)) {
        problems.push(`${url} links to ${link}, and the page has no such anchor`)
      }
    }
  }
}

function exists(url) {
  const file = join(folder, decodeURIComponent(new URL(url).pathname).slice(BASE.length))
  return statSync(file, { throwIfNoEntry: false }) !== undefined
}

function checkAllReached(pages) {
  const root = join(folder, 'next')
  for (const file of readdirSync(root, { recursive: true })) {
    const url = withoutHash(`${start}${file}`)
    if (file.endsWith('.html') && file !== '404.html' && isPage(url) && !pages.has(url)) {
      problems.push(`no link leads to ${file}`)
    }
  }
}

async function checkSearch(page, problem) {
  for (const [word, expected] of Object.entries(SEARCHES)) {
    await open(page, start)
    await page.click('.VPNavBarSearch button')
    await page.fill('.VPLocalSearchBox input', word)
    await page.waitForSelector('.VPLocalSearchBox .result', { timeout: 20_000 })
      .catch(() => problem(`a search for ${word} finds nothing`))
    const results = await page.$$eval('.VPLocalSearchBox a.result', (links) => links.map((link) => link.href))
    if (!results.some((url) => withoutHash(url) === start + expected)) {
      problem(`a search for ${word} finds ${results.join(', ')}, and not ${expected}`)
    }
  }
}

async function checkDarkMode(page, problem) {
  await open(page, start)
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
  const light = await ground()
  await page.click('.VPNavBarAppearance .VPSwitchAppearance')
  await page.waitForFunction(() => document.documentElement.classList.contains('dark'))
  if ((await ground()) === light) {
    problem(`the dark page has the ground of the light one, ${light}`)
  }
}

async function checkVersions(page, problem) {
  await page.goto(`${origin}${BASE}`)
  await page.waitForURL(`${origin}${BASE}0.0.1/`)
  await page.waitForSelector('.VPNavBar .versions option[value=next]', { state: 'attached' })
  const sources = await page.getAttribute('a[href*="/LICENSE"]', 'href')
  if (!sources.endsWith('/blob/v0.0.1/LICENSE')) {
    problem(`a release links to ${sources}, and not to its tag`)
  }
  await page.selectOption('.VPNavBar .versions select', 'next')
  await page.waitForURL(start)
  if (statSync(join(folder, 'next/api'), { throwIfNoEntry: false })) {
    await page.click('.VPNavBar a:has-text("Javadoc")')
    await page.waitForURL(`${start}api/index.html`)
    await page.waitForLoadState('networkidle')
  }
}

async function takePictures() {
  mkdirSync(pictures)
  for (const colorScheme of ['light', 'dark']) {
    for (const width of WIDTHS) {
      await withPage({ colorScheme, viewport: { width, height: width > 1000 ? 1000 : 1400 } }, async (page) => {
        for (const [name, path] of Object.entries(PICTURES)) {
          await open(page, start + path)
          await page.evaluate(() => document.fonts.ready)
          await page.screenshot({ path: `${pictures}/${name}-${width}-${colorScheme}.png` })
        }
      })
    }
  }
}
