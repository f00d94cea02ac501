/** @module Creates and compares password hashes, one at a time for each slot of the queue. */
import { randomBytes } from 'node:crypto'
import type { Log } from '@engine/core'
import type { AuthSettings } from '@engine/core/server'
import { hash as argon2Hash, verify as argon2Verify, hashRaw, parseOptions } from '@node-rs/argon2'
import { matchesForeign, parseForeignHash } from './foreign-hash.ts'
import type { HashQueue } from './hash-queue.ts'
import type { Password } from './password.ts'
import {
  addPepper,
  matchesPeppered,
  type PepperedHash,
  parsePeppered,
  pepperId,
  saltOf,
} from './peppered.ts'

export interface PasswordHasher {
  /** Argon2id as a PHC string. @throws {GatewayError} `rateLimited`. */
  hash(password: Password): Promise<string>
  /**
   * Computes one hash also where there is no hash to compare with (`stored` undefined), so that the time reveals
   * nothing.
   *
   * @throws {GatewayError} `rateLimited`.
   */
  verify(password: Password, stored: string | undefined): Promise<Verification>
}

export interface Verification {
  readonly matches: boolean
  /** The hash has other parameters than the current ones. */
  readonly isOutdated: boolean
}

/** RFC 9106: the number of Argon2id. Inputs that are neither here nor in the parameters are never part of the hash. */
const argon2id = 2

const noMatch: Verification = { matches: false, isOutdated: false }

/** A decoy hash is made at the start, with the parameters of real ones. */
export async function createPasswordHasher(
  { memoryKib, iterations, pepper }: AuthSettings['password'],
  { queue, log }: { readonly queue: HashQueue; readonly log: Log },
): Promise<PasswordHasher> {
  const parameters = {
    algorithm: argon2id,
    memoryCost: memoryKib,
    timeCost: iterations,
    parallelism: 1,
  }
  const makeHash = async (password: string): Promise<string> => {
    const phc = await argon2Hash(password, parameters)
    return pepper === undefined ? phc : addPepper(phc, pepper)
  }
  const spareHash = await makeHash(randomBytes(32).toString('base64'))

  const verifyPeppered = async (hash: PepperedHash, password: string): Promise<Verification> => {
    if (pepper === undefined || hash.pepperId !== pepperId(pepper)) {
      throw new Error(`the pepper ${hash.pepperId} of a password hash is not configured`)
    }
    const options = parseOptions(hash.phc)
    const tag = await hashRaw(password, { ...options, salt: saltOf(hash.phc) })
    return { matches: matchesPeppered(hash, tag, pepper), isOutdated: isOutdated(hash.phc) }
  }
  const isOutdated = (phc: string): boolean => {
    const { algorithm, memoryCost, timeCost, parallelism, outputLen, saltLen } = parseOptions(phc)
    return (
      algorithm !== argon2id ||
      memoryCost !== memoryKib ||
      timeCost !== iterations ||
      parallelism !== 1 ||
      outputLen !== 32 ||
      saltLen < 16
    )
  }
  const verifyStored = async (password: Password, stored: string): Promise<Verification> => {
    const peppered = parsePeppered(stored)
    if (peppered !== undefined) return verifyPeppered(peppered, password.normalized)
    const foreign = parseForeignHash(stored)
    const compare = (text: string) =>
      foreign === undefined ? argon2Verify(stored, text) : matchesForeign(foreign, text)
    const isOurs = foreign === undefined && pepper === undefined && !isOutdated(stored)
    if (await compare(password.normalized)) return { matches: true, isOutdated: !isOurs }
    // Other systems hash the password exactly as entered.
    if (isOurs || password.given === password.normalized) return noMatch
    return (await compare(password.given)) ? { matches: true, isOutdated: true } : noMatch
  }
  return {
    hash: (password) => queue.run(() => makeHash(password.normalized)),
    verify: (password, stored) =>
      queue.run(async () => {
        if (stored === undefined) {
          await verifyStored(password, spareHash)
          return noMatch
        }
        try {
          return await verifyStored(password, stored)
        } catch (error) {
          log.error({ err: error }, 'a stored password hash cannot be compared')
          await verifyStored(password, spareHash)
          return noMatch
        }
      }),
  }
}

/** Returns whether sign-in can compare passwords with it; for imports. */
export function isKnownHash(text: string): boolean {
  return parseForeignHash(text) !== undefined || isModestArgon2(text)
}

/** Argon2 of any kind that costs at most 1 GiB and some seconds. */
function isModestArgon2(text: string): boolean {
  if (!/^\$argon2(id|i|d)\$/.test(text) || text.length > 500) return false
  try {
    const { memoryCost, timeCost, parallelism } = parseOptions(text)
    return memoryCost <= 1_048_576 && timeCost <= 100 && parallelism <= 16
  } catch {
    return false
  }
}
