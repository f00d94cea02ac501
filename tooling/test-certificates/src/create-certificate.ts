/** @module X.509 certificates by hand: the DER that a self-signed one needs (RFC 5280). */
import { generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { isIPv4 } from 'node:net'

/** PEM. */
export interface TestCertificate {
  readonly key: string
  readonly cert: string
}

export interface CertificateOptions {
  /** Names and IPv4 addresses of the certificate; default `localhost` and `127.0.0.1`. */
  readonly hosts?: readonly string[]
  /** Default: an hour ago. */
  readonly validFrom?: Date
  /** Default: in a day. */
  readonly validTo?: Date
}

const hourMs = 3_600_000

/** A self-signed certificate and its key, on the curve P-256. Clients trust it when they use it as authority. */
export function createCertificate({
  hosts = ['localhost', '127.0.0.1'],
  validFrom = new Date(Date.now() - hourMs),
  validTo = new Date(Date.now() + 24 * hourMs),
}: CertificateOptions = {}): TestCertificate {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const name = sequence(set(sequence(oid(2, 5, 4, 3), utf8(hosts[0] ?? 'localhost'))))
  const signature = sequence(oid(1, 2, 840, 10045, 4, 3, 2))
  const body = sequence(
    explicit(0, integer(Buffer.of(2))),
    integer(Buffer.concat([Buffer.of(1), randomBytes(8)])),
    signature,
    name,
    sequence(time(validFrom), time(validTo)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    explicit(3, sequence(basicConstraints, alternativeNames(hosts))),
  )
  const signed = sequence(body, signature, bits(sign('sha256', body, privateKey)))
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${signed.toString('base64').replace(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`,
  }
}

function tagged(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts)
  return Buffer.concat([Buffer.of(tag), lengthOf(content.length), content])
}

function lengthOf(length: number): Buffer {
  if (length < 0x80) return Buffer.of(length)
  return length < 0x100
    ? Buffer.of(0x81, length)
    : Buffer.of(0x82, Math.floor(length / 0x100), length % 0x100)
}

const sequence = (...parts: readonly Buffer[]): Buffer => tagged(0x30, ...parts)
const set = (...parts: readonly Buffer[]): Buffer => tagged(0x31, ...parts)
const explicit = (number: number, part: Buffer): Buffer => tagged(0xa0 + number, part)
const octets = (part: Buffer): Buffer => tagged(0x04, part)
const bits = (content: Buffer): Buffer => tagged(0x03, Buffer.of(0), content)
const utf8 = (text: string): Buffer => tagged(0x0c, Buffer.from(text))
const integer = (content: Buffer): Buffer => tagged(0x02, content)
const yes = tagged(0x01, Buffer.of(0xff))

function oid(first: number, second: number, ...rest: readonly number[]): Buffer {
  return tagged(0x06, Buffer.of(first * 40 + second), ...rest.map(base128))
}

function base128(value: number): Buffer {
  const digits = [value % 0x80]
  for (let rest = Math.floor(value / 0x80); rest > 0; rest = Math.floor(rest / 0x80)) {
    digits.unshift((rest % 0x80) + 0x80)
  }
  return Buffer.from(digits)
}

/** GeneralizedTime: `20261122061149Z`. */
function time(date: Date): Buffer {
  return tagged(0x18, Buffer.from(date.toISOString().replace(/[-:T]|\.\d+/g, '')))
}

/** The certificate may sign itself. */
const basicConstraints = sequence(oid(2, 5, 29, 19), yes, octets(sequence(yes)))

function alternativeNames(hosts: readonly string[]): Buffer {
  const names = hosts.map((host) =>
    isIPv4(host)
      ? tagged(0x87, Buffer.from(host.split('.').map(Number)))
      : tagged(0x82, Buffer.from(host)),
  )
  return sequence(oid(2, 5, 29, 17), octets(sequence(...names)))
}
