import { isIP } from 'node:net'
import type { EmailConfig } from '@engine/core'
import type { SMTPPoolOptions } from 'nodemailer'

/** Maximum connections to the SMTP server. */
export const smtpConnections = 4

/**
 * nodemailer's options from the configuration, with timeouts. A mail contains a credential, so it is sent encrypted to
 * a verified server: `smtps:` or STARTTLS is required, unless the options disable it or the server is on this machine.
 */
export function smtpOptions(
  smtp: NonNullable<EmailConfig['smtp']>,
): SMTPPoolOptions & { readonly pool: true } {
  const written: Readonly<Record<string, unknown>> =
    typeof smtp === 'string' ? { url: smtp, ...tlsOfUrl(smtp) } : { ...tlsOfOptions(smtp), ...smtp }
  return {
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 30_000,
    dnsTimeout: 10_000,
    maxConnections: smtpConnections,
    maxRequeues: 1,
    ...written,
    disableFileAccess: true,
    disableUrlAccess: true,
    logger: false,
    pool: true,
  }
}

function tlsOfUrl(text: string): SMTPPoolOptions {
  const { protocol, hostname, searchParams } = new URL(text)
  // nodemailer reads the options in the URL itself; they must not be passed twice.
  const saysTls = ['requireTLS', 'ignoreTLS', 'opportunisticTLS', 'secure'].some((name) =>
    searchParams.has(name),
  )
  const saysTrust = [...searchParams.keys()].some((name) => name.startsWith('tls.'))
  return tlsRules(hostname, saysTls || protocol === 'smtps:', saysTrust)
}

function tlsOfOptions(options: Readonly<Record<string, unknown>>): SMTPPoolOptions {
  const { url, host } = options
  if (typeof url === 'string') return tlsOfUrl(url)
  const saysTls = ['requireTLS', 'ignoreTLS', 'opportunisticTLS'].some((name) => name in options)
  const isEncrypted = options['secure'] === true || options['port'] === 465
  return tlsRules(
    typeof host === 'string' ? host : 'localhost',
    saysTls || isEncrypted,
    'tls' in options,
  )
}

function tlsRules(host: string, saysTls: boolean, saysTrust: boolean): SMTPPoolOptions {
  if (isLoopback(host)) return saysTrust ? {} : { tls: { rejectUnauthorized: false } }
  return saysTls ? {} : { requireTLS: true }
}

/** The connection stays on this machine. */
function isLoopback(host: string): boolean {
  const name = host.replace(/^\[|\]$/g, '')
  return name === 'localhost' || name === '::1' || (isIP(name) === 4 && name.startsWith('127.'))
}
