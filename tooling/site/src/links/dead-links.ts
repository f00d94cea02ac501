import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { join, posix } from 'node:path'

/**
 * Every link and every picture of a site that leads nowhere, and everything that a page loads from another origin.
 *
 * @param folder of a built site whose addresses begin at its root.
 * @returns `guide.html: ./auth.html#rolls`
 */
export function deadLinks(folder: string): readonly string[] {
  const ids = new Map<string, ReadonlySet<string>>()
  const idsOf = (file: string): ReadonlySet<string> => {
    const known = ids.get(file) ?? idsIn(readFileSync(join(folder, file), 'utf8'))
    ids.set(file, known)
    return known
  }
  const pages = globSync('**/*.html', { cwd: folder }).map((path) => path.replaceAll('\\', '/'))
  return pages.toSorted().flatMap((page) => {
    const html = readFileSync(join(folder, page), 'utf8')
    const links = [...html.matchAll(/<a\b[^>]*?\shref="([^"]*)"/g)].map(([, href = '']) =>
      unescaped(href),
    )
    const loaded = [
      ...html.matchAll(/<(?:script|img|link|source|iframe)\b[^>]*?\s(?:src|href)="([^"]*)"/g),
    ]
    return [
      ...links.filter((link) => !leadsSomewhere(page, link, folder, idsOf)),
      ...loaded
        .map(([, address = '']) => unescaped(address))
        .filter((address) => isElsewhere(address) || !isFile(folder, page, address)),
    ].map((link) => `${page}: ${link}`)
  })
}

function leadsSomewhere(
  page: string,
  link: string,
  folder: string,
  idsOf: (file: string) => ReadonlySet<string>,
): boolean {
  if (isElsewhere(link)) return true
  const [path = '', hash] = link.split('#')
  const file = path === '' ? page : fileOf(folder, resolved(page, path))
  if (file === undefined) return false
  if (hash === undefined || hash === '') return true
  return file.endsWith('.html') && idsOf(file).has(decodeURIComponent(hash))
}

/** Another origin, mail and data. */
function isElsewhere(address: string): boolean {
  return /^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(address)
}

function isFile(folder: string, page: string, address: string): boolean {
  return fileOf(folder, resolved(page, address.split(/[?#]/)[0] ?? '')) !== undefined
}

function resolved(page: string, path: string): string {
  const decoded = decodeURIComponent(path)
  return decoded.startsWith('/') ? decoded.slice(1) : posix.join(posix.dirname(page), decoded)
}

/** `guide`, `guide.html` and `guide/` are one page. */
function fileOf(folder: string, path: string): string | undefined {
  const candidates = [path, `${path}.html`, posix.join(path, 'index.html')]
  return candidates.find(
    (each) => existsSync(join(folder, each)) && statSync(join(folder, each)).isFile(),
  )
}

function idsIn(html: string): ReadonlySet<string> {
  return new Set([...html.matchAll(/\sid="([^"]*)"/g)].map(([, id = '']) => unescaped(id)))
}

function unescaped(text: string): string {
  return text.replaceAll('&amp;', '&').replaceAll('&quot;', '"').replaceAll('&#39;', "'")
}
