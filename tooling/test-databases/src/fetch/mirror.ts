/** @module Mirrors of Debian, as the machine's own apt knows them. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** One file of apt's sources. */
export interface SourcesFile {
  readonly name: string
  readonly text: string
}

/** The files of apt's sources of this machine; none where it has no apt. */
export function readSources(directory = '/etc/apt'): readonly SourcesFile[] {
  const parts = join(directory, 'sources.list.d')
  const paths = [
    ...(existsSync(parts) ? readdirSync(parts).map((name) => join(parts, name)) : []),
    join(directory, 'sources.list'),
  ]
  return paths
    .filter((path) => /\.(list|sources)$/.test(path) && existsSync(path))
    .map((path) => ({ name: path, text: readFileSync(path, 'utf8') }))
}

/**
 * The URI of the mirror that has Debian's suites; undefined where no file names one. Mirrors of security updates have
 * no newer suite.
 *
 * ```
 * Types: deb                            deb [signed-by=…] http://deb.debian.org/debian bookworm main
 * URIs: http://deb.debian.org/debian
 * Suites: bookworm bookworm-updates
 * Components: main
 * ```
 */
export function mirrorOf(files: readonly SourcesFile[]): string | undefined {
  return files
    .flatMap(({ name, text }) => (name.endsWith('.list') ? linesOf(text) : stanzasOf(text)))
    .find(
      ({ suites, components }) =>
        components.includes('main') && suites.some((suite) => !/[-/]/.test(suite)),
    )?.uri
}

interface Entry {
  readonly uri: string
  readonly suites: readonly string[]
  readonly components: readonly string[]
}

function linesOf(text: string): readonly Entry[] {
  return text.split('\n').flatMap((line) => {
    const [, uri, suite, components] =
      /^deb\s+(?:\[[^\]]*\]\s+)?(\S+)\s+(\S+)\s+(.*)$/.exec(line.trim()) ?? []
    if (uri === undefined || suite === undefined || components === undefined) return []
    return [{ uri, suites: [suite], components: wordsOf(components) }]
  })
}

function stanzasOf(text: string): readonly Entry[] {
  const lines = text.split('\n').filter((line) => !line.startsWith('#'))
  return lines
    .join('\n')
    .split(/\n\s*\n/)
    .flatMap((stanza) => {
      const field = (name: string): readonly string[] =>
        wordsOf(new RegExp(`^${name}:((?:.*\n[ \t])*.*)`, 'im').exec(stanza)?.[1] ?? '')
      const [uri] = field('URIs')
      if (uri === undefined || !field('Types').includes('deb')) return []
      return [{ uri, suites: field('Suites'), components: field('Components') }]
    })
}

function wordsOf(text: string): readonly string[] {
  return text.split(/\s+/).filter((word) => word !== '')
}
