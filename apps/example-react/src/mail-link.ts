import { takeLinkToken } from '@engine/client/auth'

/** What a link in a mail leads to; its address is in `server/notes-config.ts`. */
export interface MailLink {
  readonly page: 'reset' | 'verify'
  readonly token: string
}

/** Read once, when the page is opened, and gone from the address bar before anything else happens. */
export function takeMailLink(): MailLink | undefined {
  const [, page] = /^#\/(reset|verify)(?=\?|$)/.exec(location.hash) ?? []
  const token = takeLinkToken()
  if (page === undefined) return undefined
  history.replaceState(history.state, '', location.pathname + location.search)
  return token === undefined ? undefined : { page: page as MailLink['page'], token }
}
