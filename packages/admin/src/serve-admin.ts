import { readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A file, ready to be sent. */
export interface SiteFile {
  readonly body: Uint8Array
  readonly contentType: string
  /** Its name changes with its content: browsers may keep it for ever. */
  readonly isImmutable: boolean
}

/** Finds the files of the pages; `createGateway` of `@engine/http` accepts it as `adminSite`. */
export interface AdminSite {
  /**
   * @param path after `/admin`: `` or `/audit` for a page, `/assets/main-4f2a.js` for a file.
   * @param base the address of `/admin` itself as browsers see it: `/admin`, `/api/engine/admin`.
   * @returns undefined when there is no such file. Every path outside of `/assets` is the page.
   */
  readonly file: (path: string, base: string) => SiteFile | undefined
}

/** Options of `serveAdmin`. */
export interface ServeAdminOptions {
  /** The directory of a build; that of this package by default. */
  readonly directory?: string
}

const contentTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

/** The build of this package, from its sources and as it is published. */
const ownSite = fileURLToPath(new URL('../dist/site', import.meta.url))

/**
 * Reads the pages into memory.
 *
 * @returns undefined where they are not built: in a checkout, before `pnpm --filter @engine/admin build`.
 *
 * @example
 * const gateway = await createGateway(config, { adminSite: serveAdmin() })
 */
export function serveAdmin({ directory = ownSite }: ServeAdminOptions = {}): AdminSite | undefined {
  const page = readPage(directory)
  if (page === undefined) return undefined
  const assets = readAssets(join(directory, 'assets'))
  const encoder = new TextEncoder()
  const pages = new Map<string, SiteFile>()
  return {
    file: (path, base) => {
      if (path.startsWith('/assets/')) return assets.get(path.slice('/assets/'.length))
      const known = pages.get(base)
      if (known !== undefined) return known
      // Addresses within the page are relative to /admin; the page is served at every address below it.
      const text = page.replaceAll('"./', () => `"${attributeText(base)}/`)
      const file = {
        body: encoder.encode(text),
        contentType: 'text/html; charset=utf-8',
        isImmutable: false,
      }
      pages.set(base, file)
      return file
    },
  }
}

function readPage(directory: string): string | undefined {
  try {
    return readFileSync(join(directory, 'index.html'), 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

function readAssets(directory: string): ReadonlyMap<string, SiteFile> {
  return new Map(
    readdirSync(directory).map((name) => [
      name,
      {
        body: readFileSync(join(directory, name)),
        contentType: contentTypes[extname(name)] ?? 'application/octet-stream',
        isImmutable: true,
      },
    ]),
  )
}

function attributeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
}
