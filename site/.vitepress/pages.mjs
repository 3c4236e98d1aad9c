// SPDX-License-Identifier: Apache-2.0
//
// Where pages are in the site, where their links go, and what their code blocks are.
import { existsSync, statSync } from 'node:fs'
import { join, posix, relative } from 'node:path'

/** The README of a folder is the folder's index. */
export function pageAfterRewrites(file) {
  return file.replace(/(^|\/)README\.md$/, '$1index.md')
}

/** Leads links to pages within the site, and links to other files of the repository to the forge. */
export function siteLinks(markdown, { root, pages, forge, commit }) {
  markdown.core.ruler.push('site_links', ({ tokens, env }) => {
    const page = relative(pages, env.realPath ?? env.path)
    for (const token of tokens.flatMap((block) => block.children ?? [])) {
      const href = token.type === 'link_open' ? token.attrGet('href') : '#'
      if (!/^(#|[a-z]+:)/.test(href)) {
        token.attrSet('href', target(page, href))
      }
    }
  })

  function target(page, href) {
    const [path, hash] = href.split('#')
    const file = posix.join(posix.dirname(page), decodeURIComponent(path))
    if (!existsSync(join(root, file))) {
      throw new Error(`${page} links to ${href}, which is not there`)
    }
    if (file.endsWith('.md') && existsSync(join(pages, file))) {
      return `/${pageAfterRewrites(file)}${hash === undefined ? '' : `#${hash}`}`
    }
    const kind = statSync(join(root, file)).isDirectory() ? 'tree' : 'blob'
    return `${forge}/${kind}/${commit}/${file.replace(/\/$/, '')}`
  }
}

const COMMAND = /^((\.\/)?(coterie|mvnw) |mpirun |srun |java |javac |jcmd |jdb |tar |export |time |[A-Z_]+=\S* )/

/**
 * Code blocks of the pages name no language if they are commands: a block that begins with a prompt is a session, and
 * one that begins with a command is a script, unless an explanation stands beside it.
 */
export function commandLanguage(markdown) {
  markdown.core.ruler.push('command_language', ({ tokens }) => {
    for (const token of tokens) {
      if (token.type === 'fence' && token.info.trim() === '') {
        if (token.content.startsWith('$ ')) {
          token.info = 'console'
        } else if (COMMAND.test(token.content) && !/\S {3,}\S/.test(token.content)) {
          token.info = 'shell'
        }
      }
    }
  })
}
