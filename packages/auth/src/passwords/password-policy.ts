/** @module Rules for a new password. Signing in does not check them. */

import type { Log } from '@engine/core'
import type { AuthSettings } from '@engine/core/server'
import { invalidInput } from '../input/read-input.ts'
import { isCommonPassword } from './common-passwords.ts'
import type { Password } from './password.ts'

/** Facts about the account that an attacker who guesses passwords may know. */
export interface PasswordOwner {
  readonly email: string
  readonly name: string
}

export interface PasswordPolicy {
  /** Rules that do not depend on the account. @throws {GatewayError} `invalidInput`. */
  checkLength(password: Password, field: string): void
  /** All rules. @throws {GatewayError} `invalidInput`. */
  check(password: Password, field: string, owner: PasswordOwner): Promise<void>
}

export function createPasswordPolicy(
  { password: { minLength, isBreached }, email }: Pick<AuthSettings, 'password' | 'email'>,
  log: Log,
): PasswordPolicy {
  const productName = email.productName ?? 'Engine'
  const checkLength = ({ normalized }: Password, field: string): void => {
    if ([...normalized].length < minLength) {
      throw invalidInput(`${field} must have at least ${minLength} characters.`)
    }
  }
  const breached = async ({ normalized }: Password): Promise<boolean> => {
    if (isBreached === undefined) return false
    try {
      return (await isBreached(normalized)) === true
    } catch (error) {
      log.warn({ err: error }, 'whether a password is known from a breach could not be found out')
      return false
    }
  }
  return {
    checkLength,
    check: async (password, field, owner) => {
      checkLength(password, field)
      const folded = password.normalized.toLowerCase()
      const obvious = [owner.email, owner.email.split('@')[0], owner.name, productName]
      if (obvious.some((text) => text !== undefined && folded === fold(text))) {
        throw invalidInput(`${field} must not be the name or e-mail address.`)
      }
      if (await isCommonPassword(password.normalized)) {
        throw invalidInput(`${field} is one of the most common passwords.`)
      }
      if (await breached(password)) {
        throw invalidInput(`${field} is known from a data breach elsewhere.`)
      }
    },
  }
}

function fold(text: string): string {
  return text.normalize('NFKC').toLowerCase()
}
