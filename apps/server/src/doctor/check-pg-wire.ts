import { X509Certificate } from 'node:crypto'
import { createRequire } from 'node:module'
import { isLoopback, type PgWireSettings } from '@engine/core/server'
import { type Finding, fault, ok, warning } from './finding.ts'

/** A certificate that ends within this number of milliseconds should be renewed. */
const soonMs = 14 * 86_400_000

/** The package that answers queries to the system catalogs. */
const catalogPackage = '@electric-sql/pglite'

/**
 * Checks which clients can connect by the wire protocol, and how. Another check has matched key and certificate.
 *
 * @param nowMs milliseconds since 1970.
 */
export function checkPgWire(settings: PgWireSettings, nowMs: number): readonly Finding[] {
  return [
    ...checkCertificate(settings, nowMs),
    ...checkEncryption(settings),
    ...checkTrust(settings),
    checkCatalog(settings),
  ]
}

function checkCertificate({ tls }: PgWireSettings, nowMs: number): readonly Finding[] {
  if (tls === undefined) return []
  const about = 'pgWire.tls.cert'
  const { validFromDate, validToDate, subjectAltName } = new X509Certificate(Buffer.from(tls.cert))
  const [from, to] = [validFromDate.getTime(), validToDate.getTime()]
  const end = validToDate.toISOString().slice(0, 10)
  const names =
    subjectAltName === undefined
      ? [warning(about, 'names no host: clients that verify it (sslmode=verify-full) refuse it')]
      : []
  if (nowMs > to) return [fault(about, `has expired on ${end}`), ...names]
  if (nowMs < from) return [fault(about, 'is not valid yet'), ...names]
  return [
    to - nowMs < soonMs
      ? warning(about, `expires on ${end}: renew it, and send the server SIGHUP`)
      : ok(about, `is valid until ${end}`),
    ...names,
  ]
}

function checkEncryption({ host, tls, strategies, allowPlaintext }: PgWireSettings): Finding[] {
  if (tls !== undefined || isLoopback(host) || strategies.includes('trust')) return []
  const about = 'pgWire.tls'
  return [
    allowPlaintext
      ? warning(about, `passwords and data travel in the clear on ${host} (pgWire.allowPlaintext)`)
      : fault(about, `without it nobody can sign in on ${host}: passwords are taken over TLS only`),
  ]
}

function checkTrust({ strategies }: PgWireSettings): readonly Finding[] {
  return strategies.includes('trust')
    ? [warning('pgWire.auth.strategy', '"trust": every process of this machine may connect')]
    : [ok('pgWire.auth.strategy', strategies.join(', '))]
}

function checkCatalog({ catalog }: PgWireSettings): Finding {
  const about = 'pgWire.catalog'
  if (catalog === 'builtin') return warning(about, `"builtin" ${lost}`)
  if (isInstalled()) return ok(about, `${catalogPackage} is installed`)
  const message = `${catalogPackage} is not installed: the built-in catalog ${lost}`
  return catalog === undefined ? warning(about, message) : fault(about, message)
}

const lost = 'answers fewer questions of clients: psql \\d, many tools'

/** Found in the same way as by `@engine/pgwire`. */
function isInstalled(): boolean {
  const require = createRequire(import.meta.url)
  try {
    createRequire(require.resolve('@engine/pgwire')).resolve(catalogPackage)
    return true
  } catch {
    return false
  }
}
