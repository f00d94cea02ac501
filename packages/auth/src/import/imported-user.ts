/** @module One user of another system, as a file describes it. */
import { type EmailAddress, parseEmail } from '../input/email-address.ts'
import { checkName } from '../input/person-name.ts'
import { type BodyObject, invalidInput, readBodyObject, readText } from '../input/read-input.ts'
import { isKnownHash } from '../passwords/password-hasher.ts'

export interface ImportedUser {
  /** undefined: a UUID is generated. */
  readonly id: string | undefined
  readonly email: EmailAddress
  readonly name: string
  /** undefined: the user has no password; only a reset sets one. */
  readonly passwordHash: string | undefined
  readonly emailVerified: boolean
  readonly roles: readonly string[] | undefined
  readonly createdAtMs: number | undefined
}

const fields = ['id', 'email', 'name', 'passwordHash', 'emailVerified', 'roles', 'createdAt']

/**
 * `{ id?, email, name?, passwordHash, emailVerified?, roles?, createdAt? }`; a `passwordHash` of null means no
 * password. Unknown fields are refused: a misspelt one would be lost without notice.
 *
 * @throws {GatewayError} `invalidInput` naming the field; never the hash.
 */
export function readImportedUser(record: unknown, allowUtf8Email: boolean): ImportedUser {
  const input = readBodyObject(record)
  const unknown = Object.keys(input).find((key) => !fields.includes(key))
  if (unknown !== undefined) throw invalidInput(`${unknown} is not known.`)
  const email = parseEmail(readText(input, 'email'), allowUtf8Email)
  if (email === undefined) throw invalidInput('email must be an e-mail address.')
  const id = Object.hasOwn(input, 'id') ? readText(input, 'id') : undefined
  if (id !== undefined && (id === '' || id.length > 191)) {
    throw invalidInput('id must have 1 to 191 characters.')
  }
  return {
    id,
    email,
    name: Object.hasOwn(input, 'name') ? checkName(readText(input, 'name')) : '',
    passwordHash: readHash(input),
    emailVerified: readFlag(input, 'emailVerified'),
    roles: readRoles(input),
    createdAtMs: readTime(input, 'createdAt'),
  }
}

function readHash(input: BodyObject): string | undefined {
  if (input['passwordHash'] === null) return undefined
  const hash = readText(input, 'passwordHash')
  if (hash.length > 500 || !isKnownHash(hash)) {
    throw invalidInput('passwordHash must be a hash of bcrypt, scrypt, PBKDF2 or Argon2.')
  }
  return hash
}

function readFlag(input: BodyObject, field: string): boolean {
  const value = Object.hasOwn(input, field) ? input[field] : false
  if (typeof value !== 'boolean') throw invalidInput(`${field} must be true or false.`)
  return value
}

function readRoles(input: BodyObject): readonly string[] | undefined {
  const roles = Object.hasOwn(input, 'roles') ? input['roles'] : undefined
  if (roles === undefined) return undefined
  if (!Array.isArray(roles) || roles.length > 100) throw invalidInput('roles must be a list.')
  return roles.map((role: unknown) => {
    if (typeof role !== 'string' || !/^[^\p{C}]{1,100}$/u.test(role)) {
      throw invalidInput('roles must be texts of 1 to 100 characters.')
    }
    return role
  })
}

function readTime(input: BodyObject, field: string): number | undefined {
  if (!Object.hasOwn(input, field)) return undefined
  const text = readText(input, field)
  const timeMs = Date.parse(text)
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d.*(?:Z|[+-]\d\d:\d\d)$/.test(text) || Number.isNaN(timeMs)) {
    throw invalidInput(`${field} must be a time such as 2026-01-31T12:00:00Z.`)
  }
  return timeMs
}
