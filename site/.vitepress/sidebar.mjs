// SPDX-License-Identifier: Apache-2.0
//
// The sidebar has the pages of docs/README.md, section "All pages", with its groups and in its order.
import { readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { pageAfterRewrites } from './pages.mjs'

const LINK = /\[([^\]]+)\]\(([^)#\s]+\.md)\)/g

export function sidebar(root) {
  const groups = []
  for (const block of read(root, 'docs/README.md').split('\n## All pages\n')[1].trim().split(/\n\n+/)) {
    if (/^(- |\d+\. )/.test(block)) {
      groups.at(-1).items.push(...block.split(/\n(?=- |\d+\. )/).map((item) => entry(root, item)))
    } else if (block.endsWith(':')) {
      groups.push({ text: block.replace(/[,:][^]*$/, ''), items: [] })
    }
  }
  groups.at(-1).items.push({ text: 'Change log', link: '/CHANGELOG.md' })
  requireAll(root, groups)
  return groups
}

/** The first link of an item is the entry; the others are below it. */
function entry(root, item) {
  const [first, ...others] = [...item.matchAll(LINK)].map(([, text, path]) => ({
    text: text.replace(/\s+/g, ' ').replace(/^./, (letter) => letter.toUpperCase()),
    link: link(path),
  }))
  const below = first.link === '/docs/decisions/index.md' ? decisions(root) : others
  return below.length === 0 ? first : { ...first, items: below, collapsed: true }
}

function decisions(root) {
  return markdownFiles(root, 'docs/decisions')
    .filter((file) => !file.endsWith('README.md'))
    .map((file) => ({ text: /^# (.+)$/m.exec(read(root, file))[1].replaceAll('`', ''), link: `/${file}` }))
}

function link(path) {
  return `/${pageAfterRewrites(posix.join('docs', path))}`
}

function requireAll(root, groups) {
  const known = new Set(groups.flatMap((group) => group.items).flatMap((item) => [item, ...(item.items ?? [])])
    .map((item) => item.link))
  const missing = ['docs', 'docs/observing', 'docs/decisions']
    .flatMap((folder) => markdownFiles(root, folder))
    .filter((file) => file !== 'docs/README.md' && !known.has(`/${pageAfterRewrites(file)}`))
  if (missing.length > 0) {
    throw new Error(`docs/README.md, section "All pages", has no link to ${missing.join(', ')}`)
  }
}

function markdownFiles(root, folder) {
  return readdirSync(join(root, folder)).filter((name) => name.endsWith('.md')).sort()
    .map((name) => `${folder}/${name}`)
}

function read(root, file) {
  return readFileSync(join(root, file), 'utf8')
}
