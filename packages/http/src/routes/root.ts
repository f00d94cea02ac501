/** @module `GET /`: what answers at this address, for a person with a browser and for programs. */
import { createHash } from 'node:crypto'
import { Hono } from 'hono'
import type { Answer } from '../response/answer.ts'
import type { RouteHandler } from '../route-handler.ts'
import { refuseOtherMethods } from './refuse-other-methods.ts'

export interface RootOptions {
  /** Of the program; undefined where it is not to be known, as in production. */
  readonly version: string | undefined
  /** Links to the pages of administrators. */
  readonly hasAdmin: boolean
}

interface Link {
  readonly href: string
  readonly text: string
}

const name = 'Engine'
const documentation = 'https://github.com/engine/engine#readme'

/** Answers a page to clients that accept one, otherwise JSON. Addresses are relative to the root. */
export function rootRoutes({ version, hasAdmin }: RootOptions, handle: RouteHandler): Hono {
  const links: Readonly<Record<string, Link>> = {
    ...(hasAdmin ? { admin: { href: '/admin', text: "The administrator's pages" } } : {}),
    openapi: { href: '/openapi.json', text: 'The routes of this server (OpenAPI)' },
    health: { href: '/health/ready', text: 'Health' },
    documentation: { href: documentation, text: 'Documentation' },
  }
  const addresses = Object.entries(links).map(([key, { href }]) => [key, href] as const)
  const json = JSON.stringify({ name, version, ...Object.fromEntries(addresses) })
  const html = page(version, Object.values(links))
  const show = handle(({ request }): Answer => {
    const isPage = acceptsPage(request.headers.get('accept'))
    const headers = { Vary: 'Accept', ...(isPage ? pageHeaders : {}) }
    return { status: 200, body: isPage ? html : json, headers }
  })
  const routes = new Hono()
  routes.get('/', (context) => show(context))
  refuseOtherMethods(routes, ['/'], handle)
  return routes
}

/** Browsers list `text/html`; other clients send `application/json`, or any type at all. */
function acceptsPage(accept: string | null): boolean {
  const types = (accept ?? '').toLowerCase().split(',')
  return types.some((type) => /^\s*text\/html\s*(;(?!\s*q=0(\.0*)?\s*$)|$)/.test(type))
}

const style = `
:root { color-scheme: light dark; font: 16px/1.6 system-ui, sans-serif }
body { max-width: 36rem; margin: 15vh auto; padding: 0 1.5rem }
h1 { font-size: 1.5rem; margin: 0 }
p { margin: 0.25rem 0 1.5rem; opacity: 0.75 }
li { margin: 0.25rem 0 }
ul { list-style: none; padding: 0 }
`

/** The page has no script, loads nothing, and stands in no frame. */
const pageHeaders: Readonly<Record<string, string>> = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': [
    "default-src 'none'",
    `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'X-Frame-Options': 'DENY',
}

function page(version: string | undefined, links: readonly Link[]): string {
  const title = version === undefined ? name : `${name} ${version}`
  const items = links.map(({ href, text }) => `<li><a href="${href}">${text}</a></li>`)
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${name}</title>
<style>${style}</style>
<h1>${title}</h1>
<p>SQL over HTTP, under permissions. It works: <code>POST /data</code> takes statements.</p>
<ul>
${items.join('\n')}
</ul>
</html>
`
}
