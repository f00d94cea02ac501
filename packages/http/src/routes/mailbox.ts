/** @module `GET /auth/mailbox`: the mails of development, for browsers of this machine. */
import type { Auth } from '@engine/auth'
import { GatewayError } from '@engine/core'
import { invalidConfiguration, isLoopback, type Settings } from '@engine/core/server'
import { Hono } from 'hono'
import { mailboxPage, mailboxPolicy } from '../response/mailbox-page.ts'
import type { Call, RouteHandler } from '../route-handler.ts'
import { refuseOtherMethods } from './refuse-other-methods.ts'

/** @throws {GatewayError} `invalidConfiguration` for a mailbox in production. */
export function requireNoMailbox({ auth }: Pick<Settings, 'auth'>, isProduction: boolean): void {
  if (auth?.email.mailbox !== true || !isProduction) return
  const message = 'shows mails and their tokens without a credential: never in production'
  throw invalidConfiguration([{ path: 'auth.email.mailbox', message }])
}

export function mailboxRoutes(auth: Auth, handle: RouteHandler): Hono {
  const routes = new Hono()
  const show = handle(async (call) => {
    requireThisMachine(call)
    return {
      status: 200,
      body: mailboxPage(await auth.admin.outbox()),
      headers: {
        'Content-Type': 'text/html; charset=utf-8',
        'Content-Security-Policy': mailboxPolicy,
      },
    }
  })
  routes.get('/auth/mailbox', (context) => show(context))
  refuseOtherMethods(routes, ['/auth/mailbox'], handle)
  return routes
}

/** Headers of proxies: who asks one is not on this machine. */
const ofProxies = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via']

/**
 * The connection comes from this machine, without a proxy, and asks for a name of this machine: a page elsewhere cannot make a
 * name of its own lead here.
 *
 * @throws {GatewayError} `notFound`.
 */
function requireThisMachine({ request: { url, headers }, client }: Call): void {
  const asked = `http://${headers.get('host') ?? new URL(url).host}`
  const isLocal =
    client.ip !== undefined &&
    isLoopback(client.ip) &&
    URL.canParse(asked) &&
    isLoopback(new URL(asked).hostname.replace(/^\[|\]$/g, '')) &&
    ofProxies.every((name) => !headers.has(name))
  if (!isLocal) throw new GatewayError('notFound', 'The mailbox is for browsers of this machine.')
}
