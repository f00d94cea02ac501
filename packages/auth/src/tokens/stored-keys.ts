import { GatewayError, type Log } from '@engine/core'
import type { SecretBox } from '@engine/core/server'
import { isUniqueViolation, type Store } from '@engine/core/store'
import { generateKeys, type KeyPair, keyPair, type PairAlgorithm } from './key-pair.ts'
import { pickKeys } from './key-source.ts'
import type { SigningKeysTable, TokenTables } from './migrations.ts'
import type { OwnKeys } from './own-keys.ts'
import { jwkKey, type TokenKey } from './token-key.ts'

export interface StoredKeysOptions {
  readonly algorithm: PairAlgorithm
  readonly store: Store
  /** Seals the private halves. */
  readonly box: SecretBox
  readonly log: Log
  /** Milliseconds since 1970. */
  readonly clock: () => number
}

/** Minimum milliseconds between two reads for unknown keys, which another node may have created. */
const cooldownMs = 30_000

interface Loaded {
  readonly signing: KeyPair
  /** Keys of every generation: tokens stay valid longer than their key signs. */
  readonly verifying: readonly TokenKey[]
  readonly published: readonly object[]
}

/**
 * A key pair in the service database, shared by all nodes; the first node that needs it creates it. A pair that cannot
 * be opened, since the secret that sealed it was removed, still verifies; a new generation signs.
 */
export function createStoredKeys(options: StoredKeysOptions): OwnKeys & { load(): Promise<void> } {
  const { clock } = options
  let loaded: Loaded | undefined
  let pending: Promise<Loaded> | undefined
  let loadedAtMs = Number.NEGATIVE_INFINITY

  const reload = (): Promise<Loaded> => {
    pending ??= loadKeys(options)
      .then((found) => {
        loaded = found
        loadedAtMs = clock()
        return found
      })
      .finally(() => {
        pending = undefined
      })
    return pending
  }
  const current = () => loaded ?? reload()
  return {
    isOursAlone: true,
    load: async () => void (await reload()),
    has: (keyId) => loaded?.verifying.some(({ id }) => id === keyId) ?? false,
    find: async (keyId, algorithm) => {
      if (algorithm !== options.algorithm || keyId === undefined) return []
      const found = pickKeys((await current()).verifying, keyId, algorithm)
      if (found.length > 0 || clock() - loadedAtMs < cooldownMs) return found
      return pickKeys((await reload()).verifying, keyId, algorithm)
    },
    signingKey: async () => {
      const { id, algorithm, privateKey } = (await current()).signing
      return { id, algorithm, key: privateKey }
    },
    publicKeys: () => {
      if (loaded !== undefined) return loaded.published
      throw new GatewayError('unavailable', 'The service is not available at the moment.')
    },
  }
}

async function loadKeys(options: StoredKeysOptions): Promise<Loaded> {
  const rows = await readRows(options)
  const signing = rows.map((row) => openPair(row, options)).find((pair) => pair !== undefined)
  if (signing !== undefined) {
    const published = rows.map(({ public_key: key }) => JSON.parse(key) as Record<string, unknown>)
    return { signing, verifying: published.map(jwkKey), published }
  }
  await addPair(options, (rows[0]?.generation ?? 0) + 1)
  return loadKeys(options)
}

/** Newest first. */
function readRows({ store, algorithm }: StoredKeysOptions): Promise<readonly SigningKeysTable[]> {
  return store
    .withTables<TokenTables>()
    .selectFrom('engine_signing_keys')
    .selectAll()
    .where('algorithm', '=', algorithm)
    .orderBy('generation', 'desc')
    .execute()
}

function openPair(
  row: SigningKeysTable,
  { box, log, algorithm }: StoredKeysOptions,
): KeyPair | undefined {
  const opened = box.open(row.private_key)
  if (opened === undefined) {
    log.warn({ kid: row.kid }, 'a signing key was sealed with another secret; it only verifies')
    return undefined
  }
  return keyPair(algorithm, JSON.parse(row.public_key), JSON.parse(opened))
}

/** Several nodes may do so at once: one row remains. */
async function addPair(options: StoredKeysOptions, generation: number): Promise<void> {
  const { store, algorithm, box, clock } = options
  const { id, publicJwk, privateJwk } = await generateKeys(algorithm)
  try {
    await store
      .withTables<TokenTables>()
      .insertInto('engine_signing_keys')
      .values({
        id: `${algorithm}-${generation}`,
        algorithm,
        generation,
        kid: id,
        public_key: JSON.stringify(publicJwk),
        private_key: box.seal(JSON.stringify(privateJwk)),
        created_at: clock(),
      })
      .execute()
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
  }
}
