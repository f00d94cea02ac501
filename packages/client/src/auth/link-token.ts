/** @module The token of a link in a mail, in the `#` part of the page's address. */

/** The parts of `window` that contain an address. */
export interface AddressBar {
  readonly location: { readonly hash: string; readonly pathname: string; readonly search: string }
  readonly history: {
    readonly state: unknown
    replaceState(state: unknown, unused: string, url: string): void
  }
}

/**
 * Reads the token from the address of a page that a mail links to (`auth.urls.reset`, `auth.urls.verify`,
 * `auth.urls.invite`), and removes it from the address bar and the history. The rest of the `#` part stays.
 *
 * @returns undefined where there is none, and where a page is rendered on a server.
 */
export function takeLinkToken(bar: AddressBar | undefined = globalThis.window): string | undefined {
  if (bar === undefined) return undefined
  const { hash, pathname, search } = bar.location
  const found = /(^#|[?&])token=([^&]*)(&?)/.exec(hash)
  if (found === null) return undefined
  const [whole, before, token = '', after] = found
  const left = after === '' ? '' : before
  const rest = hash.slice(0, found.index) + left + hash.slice(found.index + whole.length)
  bar.history.replaceState(bar.history.state, '', pathname + search + (rest === '#' ? '' : rest))
  return decoded(token)
}

/** A link that was cut or changed has no token. */
function decoded(token: string): string | undefined {
  try {
    return decodeURIComponent(token) || undefined
  } catch {
    return undefined
  }
}
