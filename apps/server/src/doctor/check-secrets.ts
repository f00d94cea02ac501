import type { Config } from '@engine/core'
import { type Finding, fault, ok, warning } from './finding.ts'

/** Secrets by their path in the configuration. */
type Secrets = ReadonlyMap<string, string>

/** Bits of entropy that a secret needs, so that it cannot be guessed. */
const enoughBits = 100

/** Texts from examples, tutorials and keyboards. */
const wellKnown =
  /change.?(me|this|it)|secret|passw|example|placeholder|your[-_ ]|test|demo|qwert|asdf|letmein|admin|lorem|0123|1234|abcd/i

/**
 * Checks how secure the secrets of a configuration look.
 *
 * @param fileText the text of the configuration file, where it was read; it should not contain secrets.
 */
export function checkSecrets(config: Config, fileText: string | undefined): readonly Finding[] {
  const secrets = secretsOf(config)
  const findings = [...secrets].flatMap(([path, secret]): readonly Finding[] => {
    const weak = weakness(secret)
    const isInFile = fileText?.includes(secret) === true
    return [
      ...(weak === undefined
        ? []
        : [weak.isBad ? fault(path, weak.text) : warning(path, weak.text)]),
      ...(isInFile
        ? [warning(path, 'stands in the configuration file: name an environment variable instead')]
        : []),
    ]
  })
  const all = [...findings, ...sharedSecrets(secrets)]
  return all.length === 0 && secrets.size > 0
    ? [ok('secrets', `${secrets.size} looked at, none of them weak`)]
    : all
}

function secretsOf({ masterKey, auth, schemaEndpoint }: Config): Secrets {
  const found = new Map<string, string>()
  const add = (path: string, secret: unknown) => {
    if (typeof secret === 'string') found.set(path, secret)
  }
  add('masterKey', masterKey)
  if (typeof schemaEndpoint === 'object') add('schemaEndpoint.token', schemaEndpoint.token)
  const { secret } = auth ?? {}
  if (typeof secret === 'string') add('auth.secret', secret)
  else for (const [i, each] of (secret ?? []).entries()) add(`auth.secret[${i}]`, each)
  add('auth.password.pepper', auth?.password?.pepper)
  for (const [i, issuer] of (auth?.issuers ?? []).entries()) {
    add(`auth.issuers[${i}].secret`, issuer.secret)
  }
  return found
}

interface Weakness {
  readonly isBad: boolean
  readonly text: string
}

/** Randomness cannot be proven; but some texts are certainly not random. */
function weakness(secret: string): Weakness | undefined {
  const advice = 'make one with: openssl rand -base64 32'
  const bits = shannonBits(secret)
  if (bits < enoughBits / 2) return { isBad: true, text: `can be guessed; ${advice}` }
  if (wellKnown.test(secret))
    return { isBad: false, text: `looks like a text of people; ${advice}` }
  if (bits < enoughBits) return { isBad: false, text: `has little variety; ${advice}` }
  return undefined
}

/** An upper bound of the entropy of a text, from its single characters. Repetitions count once. */
function shannonBits(text: string): number {
  const unrepeated = text.replace(/(.+?)\1+/g, '$1')
  const counts = new Map<string, number>()
  for (const letter of unrepeated) counts.set(letter, (counts.get(letter) ?? 0) + 1)
  const { length } = unrepeated
  const perCharacter = [...counts.values()].map(
    (count) => -(count / length) * Math.log2(count / length),
  )
  return perCharacter.reduce((sum, bits) => sum + bits, 0) * length
}

function sharedSecrets(secrets: Secrets): readonly Finding[] {
  const paths = new Map<string, string[]>()
  for (const [path, secret] of secrets) paths.set(secret, [...(paths.get(secret) ?? []), path])
  return [...paths.values()].flatMap(([first = '', ...others]) =>
    others.length === 0
      ? []
      : [warning(first, `is the same as ${others.join(', ')}: who learns one has both`)],
  )
}
