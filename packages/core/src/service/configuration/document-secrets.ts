/** @module The secrets of a document: sealed where it is stored, masked where it is shown. */
import { GatewayError } from '../../foundation/errors.ts'
import { createFaults, type Fault } from '../../foundation/faults.ts'
import { isPlainObject } from '../../foundation/plain-object.ts'
import type { SecretBox } from '../../foundation/secret-box.ts'
import type { ConfigurationDocument } from './document.ts'
import { isMaskedUrl, isServerUrl, mask, maskedUrl, unmaskedUrl } from './secret-text.ts'

/** A place of a document whose text may be secret. */
interface Place {
  readonly kind: 'url' | 'token'
  readonly path: readonly string[]
}

/** Replaces the value at every place that may hold a secret. */
function mapPlaces(
  document: ConfigurationDocument,
  replace: (value: unknown, place: Place) => unknown,
): ConfigurationDocument {
  const { connections, schemaEndpoint } = document
  const result: Record<string, unknown> = { ...document }
  if (isPlainObject(connections)) {
    result['connections'] = Object.fromEntries(
      Object.entries(connections).map(([name, value]) => [
        name,
        mapConnection(name, value, replace),
      ]),
    )
  }
  if (isPlainObject(schemaEndpoint) && schemaEndpoint['token'] !== undefined) {
    const path = ['schemaEndpoint', 'token']
    const token = replace(schemaEndpoint['token'], { kind: 'token', path })
    result['schemaEndpoint'] = { ...schemaEndpoint, token }
  }
  return result
}

function mapConnection(
  name: string,
  value: unknown,
  replace: (value: unknown, place: Place) => unknown,
): unknown {
  const path = ['connections', name]
  if (typeof value === 'string' || isSealed(value)) return replace(value, { kind: 'url', path })
  if (!isPlainObject(value) || value['url'] === undefined) return value
  return { ...value, url: replace(value['url'], { kind: 'url', path: [...path, 'url'] }) }
}

/** A text that is stored encrypted. */
interface Sealed {
  readonly sealed: string
}

function isSealed(value: unknown): value is Sealed {
  return (
    isPlainObject(value) && typeof value['sealed'] === 'string' && Object.keys(value).length === 1
  )
}

/** URLs of servers and tokens are encrypted; paths of files stay readable. */
export function sealSecrets(
  document: ConfigurationDocument,
  box: Pick<SecretBox, 'seal'>,
): ConfigurationDocument {
  return mapPlaces(document, (value, { kind }) =>
    typeof value === 'string' && (kind === 'token' || isServerUrl(value))
      ? { sealed: box.seal(value) }
      : value,
  )
}

/** @throws {GatewayError} `invalidConfiguration` when a secret was sealed with another key. */
export function openSecrets(
  document: ConfigurationDocument,
  box: Pick<SecretBox, 'open'>,
): ConfigurationDocument {
  return mapPlaces(document, (value) => {
    if (!isSealed(value)) return value
    const text = box.open(value.sealed)
    if (text === undefined) throw otherKey()
    return text
  })
}

function otherKey(): GatewayError {
  return new GatewayError(
    'invalidConfiguration',
    'The stored configuration was encrypted with another masterKey: start with that one, or set ENGINE_OLD_MASTER_KEY to it and run "engine-server config rekey".',
    { publicMessage: 'The server is not configured correctly.' },
  )
}

/** The document as it may be shown: `***` for each secret. */
export function maskSecrets(document: ConfigurationDocument): ConfigurationDocument {
  return mapPlaces(document, (value, { kind }) => {
    if (typeof value !== 'string') return value
    return kind === 'token' ? mask : maskedUrl(value)
  })
}

/**
 * Puts the stored secrets where a document has `***`.
 *
 * @returns the document, and a fault for each `***` without a stored secret.
 */
export function restoreSecrets(
  document: ConfigurationDocument,
  stored: ConfigurationDocument,
): { readonly document: ConfigurationDocument; readonly faults: readonly Fault[] } {
  const faults = createFaults()
  const known = textsOf(stored)
  const restored = mapPlaces(document, (value, { kind, path }) => {
    const isMasked =
      typeof value === 'string' && (kind === 'token' ? value === mask : isMaskedUrl(value))
    if (!isMasked) return value
    const before = known.get(keyOf(path))
    const text = before === undefined || kind === 'token' ? before : unmaskedUrl(value, before)
    if (text !== undefined) return text
    faults.add(
      path.join('.'),
      before === undefined
        ? `there is no stored secret that ${mask} could keep: write it out`
        : `${mask} keeps a secret only for the same server, user and parameters: write it out`,
    )
    return value
  })
  return { document: restored, faults: faults.list }
}

/** A connection may be a URL or an object around it: the URL is the same. */
function textsOf(document: ConfigurationDocument): ReadonlyMap<string, string> {
  const texts = new Map<string, string>()
  mapPlaces(document, (value, { path }) => {
    if (typeof value === 'string') texts.set(keyOf(path), value)
    return value
  })
  return texts
}

function keyOf([part = '', name = '']: readonly string[]): string {
  return `${part}.${name}`
}
