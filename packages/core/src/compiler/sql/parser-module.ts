import createModule, { type PgQueryModule } from 'libpg-query/wasm/libpg-query.js'
import { GatewayError } from '../../foundation/errors.ts'

/** The result of PostgreSQL's grammar for a text. */
export type RawParse =
  /** `tree()` takes as long as the parser did. @throws {GatewayError} as `parseRaw`. */
  | { readonly ok: true; readonly tree: () => unknown }
  /** `position`: 1-based, in characters; undefined when there is none. */
  | { readonly ok: false; readonly message: string; readonly position: number | undefined }

let current: PgQueryModule | undefined
let loading: Promise<void> | undefined

/** Resolves when `parseRaw` can be called. Cheap when it already can. */
export function loadParser(): Promise<void> {
  if (current !== undefined) return Promise.resolve()
  loading ??= createModule()
    .then((module) => {
      current = module
    })
    .finally(() => {
      loading = undefined
    })
  return loading
}

/**
 * Runs the parser. A module whose stack or memory ran out is never used again: a new one replaces it shortly after.
 *
 * @throws {GatewayError} `limitExceeded` when the text exceeds its stack or memory; `unavailable` before `loadParser` has
 *   resolved and while a module is being replaced.
 */
export function parseRaw(sql: string): RawParse {
  const module = current
  if (module === undefined) {
    reload()
    throw new GatewayError('unavailable', 'The SQL parser is starting. Try again.')
  }
  try {
    return parseWith(module, sql)
  } catch (cause) {
    current = undefined
    reload()
    throw tooComplex(cause)
  }
}

function tooComplex(cause: unknown): GatewayError {
  return new GatewayError('limitExceeded', 'The statement is too complex.', {
    cause,
    sqlState: '54001',
  })
}

/** If it fails, the next parse reports it. */
function reload(): void {
  loadParser().catch(() => undefined)
}

/** Offsets in the structures of libpg_query, in bytes. */
const layout = { tree: 0, error: 8, message: 0, position: 16 } as const

function parseWith(module: PgQueryModule, sql: string): RawParse {
  const length = module.lengthBytesUTF8(sql) + 1
  const text = module._malloc(length)
  if (text === 0) throw new Error('the parser is out of memory')
  module.stringToUTF8(sql, text, length)
  const result = module._wasm_parse_query_raw(text)
  if (result === 0) throw new Error('the parser is out of memory')
  const parse = readResult(module, result)
  module._wasm_free_parse_result(result)
  module._free(text)
  return parse
}

function readResult(module: PgQueryModule, result: number): RawParse {
  const error = module.getValue(result + layout.error, 'i32')
  if (error === 0) {
    const json = module.UTF8ToString(module.getValue(result + layout.tree, 'i32'))
    return { ok: true, tree: () => readTree(json) }
  }
  const position = module.getValue(error + layout.position, 'i32')
  return {
    ok: false,
    message: module.UTF8ToString(module.getValue(error + layout.message, 'i32')),
    position: position > 0 ? position : undefined,
  }
}

function readTree(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch (cause) {
    throw tooComplex(cause)
  }
}
