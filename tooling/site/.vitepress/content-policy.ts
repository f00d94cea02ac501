import { createHash } from 'node:crypto'

/** Adds a Content-Security-Policy to a page: nothing of another origin, and no script but those that the build wrote. */
export function withContentPolicy(html: string): string {
  const inline = html.matchAll(/<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/g)
  const hashes = [...inline].map(([, script = '']) => `'sha256-${digest(script)}'`)
  const policy = [
    "default-src 'none'",
    ['script-src', "'self'", ...new Set(hashes)].join(' '),
    // The colours of code are attributes.
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')
  return html.replace(
    '<meta charset="utf-8">',
    `$&\n    <meta http-equiv="Content-Security-Policy" content="${policy}">`,
  )
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64')
}
