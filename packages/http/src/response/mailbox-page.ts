/** @module The page of `GET /auth/mailbox`: mails of development, newest first. It runs no script and loads nothing. */
import { hash } from 'node:crypto'
import type { OutboxMail } from '@engine/auth'

const style = `
:root { color-scheme: light dark; --line: #8884; --faint: #767676; }
@media (prefers-color-scheme: dark) { :root { --faint: #999; } }
body { max-width: 44rem; margin: 0 auto; padding: 2rem 1rem 4rem; font: 16px/1.5 system-ui, sans-serif; }
header { display: flex; align-items: baseline; justify-content: space-between; gap: 1rem; }
h1 { margin: 0; font-size: 1.4rem; }
p { color: var(--faint); }
article { margin-top: 1rem; padding: 1rem 1.25rem; border: 1px solid var(--line); border-radius: 10px; }
h2 { margin: 0; font-size: 1rem; }
small { color: var(--faint); }
pre { margin: .75rem 0 0; font: inherit; white-space: pre-wrap; overflow-wrap: anywhere; }
`

/** The Content-Security-Policy of the page. */
export const mailboxPolicy: string = [
  "default-src 'none'",
  `style-src 'sha256-${hash('sha256', style, 'base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

export function mailboxPage(mails: readonly OutboxMail[]): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>Mailbox</title>
<style>${style}</style>
</head>
<body>
<header><h1>Mailbox</h1><a href="">Reload</a></header>
<p>Mails that this engine would have sent. For development: no SMTP server is configured.</p>
<main>
${mails.length === 0 ? '<article>No mail yet.</article>' : mails.map(articleOf).join('\n')}
</main>
</body>
</html>
`
}

function articleOf({ to, subject, text, createdAt }: OutboxMail): string {
  return `<article>
<h2>${escaped(subject)}</h2>
<small>to ${escaped(to)}, <time datetime="${createdAt}">${createdAt.slice(0, 19).replace('T', ' ')} UTC</time></small>
<pre>${text.trimEnd().split('\n').map(lineOf).join('\n')}</pre>
</article>`
}

/** A line that is an address becomes a link. */
function lineOf(line: string): string {
  const shown = escaped(line)
  return /^https?:\/\/\S+$/.test(line) ? `<a href="${shown}">${shown}</a>` : shown
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? '')
}
