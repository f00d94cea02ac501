import { invalidInput } from './read-input.ts'

const maxCodePoints = 200

/** Display name, as entered. Empty when there is none. @throws {GatewayError} `invalidInput`. */
export function checkName(name: string): string {
  if ([...name].length > maxCodePoints) {
    throw invalidInput(`name must have at most ${maxCodePoints} characters.`)
  }
  if (/\p{Cc}|[\u2028\u2029]/u.test(name)) {
    throw invalidInput('name must not contain control characters.')
  }
  return name
}
