/** @module Writes every page of the site into one folder, from which VitePress builds it. */
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { repositoryRoot } from '@engine/check-packages'
import { readSources, type SourcePage } from './read-sources.ts'
import { rewriteLinks } from './rewrite-links.ts'

/** A file that is made from code. */
export interface GeneratedPage {
  /** `reference/options.md` */
  readonly page: string
  readonly text: string
}

/** Replaces the content of a folder by all pages and pictures. */
export function writePages(folder: string, generated: readonly GeneratedPage[]): void {
  rmSync(folder, { recursive: true, force: true })
  copyPictures(folder)
  write(folder, 'index.md', readFileSync(new URL('home.md', import.meta.url), 'utf8'))
  const sources = readSources()
  for (const { page, text } of generated) write(folder, page, text)
  updatePages(folder, sources)
}

/** Writes the pages of files again, for a server that watches the folder. */
export function updatePages(folder: string, sources: readonly SourcePage[] = readSources()): void {
  const pages = new Map(sources.map(({ source, page }) => [source, page]))
  const targets = { pages, repository: repositoryAddress() }
  for (const each of sources) {
    const address = JSON.stringify(`${targets.repository}/${each.source}`)
    const head = `---\nsource: ${address}\n---\n\n`
    write(folder, each.page, head + rewriteLinks(each.text, each, targets))
  }
}

function copyPictures(folder: string): void {
  const pictures = join(repositoryRoot, 'docs', 'screenshots')
  cpSync(pictures, join(folder, 'screenshots'), { recursive: true })
  const mark = join(repositoryRoot, 'packages', 'admin', 'src', 'page', 'mark.svg')
  cpSync(mark, join(folder, 'public', 'mark.svg'))
}

function write(folder: string, page: string, text: string): void {
  const path = join(folder, page)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

/** Where files that are no pages are shown. */
export function repositoryAddress(): string {
  const manifest = join(repositoryRoot, 'packages', 'core', 'package.json')
  const { repository } = JSON.parse(readFileSync(manifest, 'utf8'))
  return `${String(repository.url)
    .replace(/^git\+/, '')
    .replace(/\.git$/, '')}/blob/main`
}
