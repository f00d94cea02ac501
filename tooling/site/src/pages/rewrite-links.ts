/** @module Links between files of the repository become links between pages. */
import { posix } from 'node:path'

export interface LinkTargets {
  /** The page of each Markdown file, both from their roots: `docs/auth.md` → `auth.md`. */
  readonly pages: ReadonlyMap<string, string>
  /** Where files that are no pages are shown: `https://…/blob/main`. */
  readonly repository: string
}

const screenshots = 'docs/screenshots/'

/**
 * Rewrites the links of a text, those in blocks of code excepted.
 *
 * @param markdown text of the file
 * @param source its path in the repository
 * @param page the path of its page
 */
export function rewriteLinks(
  markdown: string,
  { source, page }: { readonly source: string; readonly page: string },
  targets: LinkTargets,
): string {
  return markdown
    .split(/(^```[\s\S]*?^```$)/m)
    .map((part, index) =>
      index % 2 === 1
        ? part
        : part.replaceAll(
            /\]\(([^)\s]+)\)/g,
            (_, link: string) => `](${linkOn(page, link, source, targets)})`,
          ),
    )
    .join('')
}

function linkOn(page: string, link: string, source: string, targets: LinkTargets): string {
  if (/^(?:[a-z]+:|#)/.test(link)) return link
  const [path = '', hash] = link.split('#')
  const found = targetOf(posix.join(posix.dirname(source), path), targets)
  const shown = /^https?:/.test(found) ? found : relativeLink(page, found)
  return hash === undefined ? shown : `${shown}#${hash}`
}

function targetOf(target: string, { pages, repository }: LinkTargets): string {
  const path = target.replace(/\/$/, '')
  if (path === 'README.md') return 'index.md'
  if (path.startsWith(screenshots)) return path.slice('docs/'.length)
  return (
    pages.get(path) ??
    pages.get(`${path}/README.md`) ??
    (path === 'docs/decisions' ? 'decisions/index.md' : `${repository}/${path}`)
  )
}

/** Vite takes a picture along when its path begins with a dot. */
function relativeLink(page: string, target: string): string {
  const path = posix.relative(posix.dirname(page), target)
  return path.startsWith('.') ? path : `./${path}`
}
