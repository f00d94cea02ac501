import { configurationOptions, isSecretName } from '@engine/core/server'

export interface Redactor {
  /** The same text without secrets. */
  redact(line: string): string
  /** Learns the secrets of a configuration. */
  protect(config: unknown): void
}

const replacement = '[redacted]'

/** Names of columns and the like are not secrets, for any name of the option. */
const harmless: ReadonlySet<string> = new Set(['tables', 'relationships', 'permissions', 'actions'])

/** Shorter secrets are not replaced: they occur in too many other words. */
const shortest = 6

/** Tokens and API keys, recognised by their form: those of clients are not in the configuration. */
const credentialForms: readonly RegExp[] = [
  /\beyJ[\w-]{8,}\.[\w-]+(?:\.[\w-]*){0,3}/g,
  /\bek_[\w-]+_[\w-]{8,}/g,
  /\b(bearer|basic) +[\w~+/.=-]{8,}/gi,
  /(?<=:\/\/[^\s/?#@:"]{0,200}:)[^\s/?#@"]+(?=@)/g,
]

/** Words of our own messages: a secret like that is known to everybody. */
const ownWords: ReadonlySet<string> = new Set(
  configurationOptions().flatMap((path) => path.split('.')),
)

/** Creates a redactor for everything that is logged: it replaces known secrets, and text that looks like a secret. */
export function createRedactor(): Redactor {
  let secrets: readonly string[] = []
  return {
    protect: (config) => {
      const found = new Set([...secrets, ...secretsIn(config, false)])
      secrets = [...found].sort((a, b) => b.length - a.length)
    },
    redact: (line) => {
      let text = line
      for (const secret of secrets) text = text.replaceAll(secret, replacement)
      for (const form of credentialForms) text = text.replace(form, replacement)
      return text
    },
  }
}

/** Texts under secret names and passwords inside URLs, also in their JSON spelling. */
function secretsIn(value: unknown, isSecret: boolean): readonly string[] {
  if (typeof value === 'string') {
    const found = isSecret ? [value] : passwordsIn(value)
    return found
      .filter((text) => text.length >= shortest && !ownWords.has(text))
      .flatMap((text) => [text, JSON.stringify(text).slice(1, -1)])
  }
  if (Array.isArray(value)) return value.flatMap((item) => secretsIn(item, isSecret))
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return []
  const isKey = Object.hasOwn(value, 'kty')
  return Object.entries(value).flatMap(([key, item]) =>
    harmless.has(key) ? [] : secretsIn(item, isSecret || isKey || isSecretName(key)),
  )
}

/** The password and the query of a URL, encoded and decoded. */
function passwordsIn(text: string): readonly string[] {
  if (!URL.canParse(text)) return []
  const { password, searchParams } = new URL(text)
  const named = [...searchParams].filter(([key]) => isSecretName(key)).map(([, found]) => found)
  return [password, decoded(password), ...named]
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
