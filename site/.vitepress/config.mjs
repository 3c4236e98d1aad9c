// SPDX-License-Identifier: Apache-2.0
//
// The configuration of VitePress. site/build sets the environment, and copies this folder to site/target/work, where
// the packages and, in a folder named pages, copies of the pages are.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { commandLanguage, pageAfterRewrites, siteLinks } from './pages.mjs'
import { sidebar } from './sidebar.mjs'

const root = process.env.SITE_ROOT
const pages = join(process.cwd(), 'pages')
const version = process.env.SITE_VERSION
const hasApi = process.env.SITE_API !== ''

const forge = /<scm[^>]*>[^]*?<url>([^<]+)<\/url>/.exec(readFileSync(join(root, 'pom.xml'), 'utf8'))[1]
const commit = version === 'next' ? 'HEAD' : `v${version}`

export default {
  title: 'Coterie',
  description: 'A PGAS runtime for the JVM',
  lang: 'en',
  titleTemplate: ':title – Coterie',
  // No icon: browsers would ask the server for one.
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  srcDir: 'pages',
  rewrites: pageAfterRewrites,
  transformPageData: (page) => (page.relativePath === 'index.md' ? { titleTemplate: ':title' } : {}),
  markdown: {
    // What forges do not do to Markdown: attributes in braces, emoji for :words:, links for words with a dot.
    attrs: { disable: true },
    anchor: { slugify: anchor },
    languageAlias: { cuda: 'cpp', fortran: 'fortran-free-form', gradle: 'groovy' },
    config(markdown) {
      markdown.disable('emoji')
      markdown.linkify.set({ fuzzyLink: false, fuzzyEmail: false })
      // Pages become templates of Vue, where braces would be an expression; those of code are not read.
      const text = markdown.renderer.rules.text
      markdown.renderer.rules.text = (...token) => text(...token).replaceAll('{{', '&#123;&#123;')
      siteLinks(markdown, { root, pages, forge, commit })
      commandLanguage(markdown)
    },
  },
  themeConfig: {
    nav: [
      { text: 'Documents', link: '/docs/' },
      ...(hasApi ? [{ text: 'Javadoc', link: '/api/index.html', target: '_self' }] : []),
      { component: 'VersionMenu' },
    ],
    version,
    sidebar: sidebar(root),
    outline: [2, 3],
    search: { provider: 'local' },
    socialLinks: [{ icon: 'github', link: forge, ariaLabel: 'Sources' }],
    editLink: { pattern: `${forge}/blob/${commit}/:path`, text: 'Source of this page' },
  },
}

/** The anchor of a heading, as forges make it; LinksTest has the same rule. */
function anchor(heading) {
  return heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')
}
