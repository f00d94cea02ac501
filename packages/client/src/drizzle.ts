/** @module A Drizzle driver for an engine, for drizzle-orm 0.45 and 1.0. Start at `createDrizzleDriver`. */
import type { DataRequest, Method } from '@engine/contract'
import type { CallOptions, QueryClient } from './client.ts'

export { engineCodecs } from './drizzle-codecs.ts'

/** The callbacks for `drizzle()` of `drizzle-orm/pg-proxy`. */
export type DrizzleCallback = (
  sql: string,
  // biome-ignore lint/suspicious/noExplicitAny: Drizzle declares it this way
  params: any[],
  method: Extract<Method, 'all' | 'execute'>,
  // biome-ignore lint/suspicious/noExplicitAny: Drizzle declares it this way
) => Promise<{ rows: any[] }>

/** A query of Drizzle that has not run yet. */
export type DrizzleQuery<Result = unknown> =
  | { execute(): PromiseLike<Result> }
  /** `db.$count()` of 0.45 runs only when it is awaited. */
  | PromiseLike<Result>

/** The results of several queries. */
export type DrizzleResults<Queries extends readonly DrizzleQuery[]> = {
  -readonly [Index in keyof Queries]: Queries[Index] extends {
    execute(): PromiseLike<infer Result>
  }
    ? Result
    : Queries[Index] extends PromiseLike<infer Result>
      ? Result
      : never
}

/** What Drizzle's proxy drivers need of an engine. */
export interface DrizzleDriver {
  /** Runs each query as one request: `drizzle(driver.callback, { schema })`. */
  readonly callback: DrizzleCallback
  /**
   * Runs several queries in one transaction on one connection: all of them or none.
   *
   * @example
   * const [order] = await driver.batch([db.insert(orders).values(order).returning(), db.update(stock).set(left)])
   */
  batch<const Queries extends readonly DrizzleQuery[]>(
    queries: Queries,
    options?: CallOptions,
  ): Promise<DrizzleResults<Queries>>
}

/** A statement that waits for the other statements of its batch. */
interface Waiting {
  readonly request: DataRequest
  readonly settle: PromiseWithResolvers<{ rows: unknown[] }>
}

/**
 * Creates a driver for Drizzle. Errors are `EngineError`, as the `cause` of Drizzle's own error.
 *
 * @param options for every query, since Drizzle has no options of its own: for example a signal that cancels the
 * queries of one page.
 *
 * @example
 * const { callback } = createDrizzleDriver(client)
 * const db = drizzle(callback, { schema })                                        // 0.45
 * const db = drizzle(callback, { relations, codecs: engineCodecs(nodePgCodecs) }) // 1.0
 */
export function createDrizzleDriver(client: QueryClient, options: CallOptions = {}): DrizzleDriver {
  let collecting: Waiting[] | undefined
  return {
    callback: async (sql, params, method) => {
      const request = { sql, params, method }
      if (collecting !== undefined) {
        const settle = Promise.withResolvers<{ rows: unknown[] }>()
        collecting.push({ request, settle })
        return settle.promise
      }
      return rowsOf(await client.query(request, options))
    },
    batch: async (queries, batchOptions = options) => {
      const collected: Waiting[] = []
      // Drizzle passes its statement before its first `await`: no other query can come in between.
      collecting = collected
      let results: readonly PromiseLike<unknown>[]
      try {
        results = queries.map(started)
      } finally {
        collecting = undefined
      }
      const all = Promise.all(results)
      // Where `send` fails, its own error has more details than this one.
      all.catch(() => undefined)
      await send(client, collected, queries.length, batchOptions)
      return (await all) as DrizzleResults<typeof queries>
    },
  }
}

function started(query: DrizzleQuery): PromiseLike<unknown> {
  return 'execute' in query ? query.execute() : query.then((result) => result)
}

async function send(
  client: QueryClient,
  waiting: readonly Waiting[],
  expected: number,
  options: CallOptions | undefined,
): Promise<void> {
  try {
    if (waiting.length !== expected) {
      throw new TypeError('A batch takes queries of the drizzle() that was made with its callback.')
    }
    const answers = await client.batch(
      waiting.map(({ request }) => request),
      options,
    )
    for (const [index, { settle }] of waiting.entries()) {
      settle.resolve(rowsOf(answers[index] ?? { rows: [] }))
    }
  } catch (error) {
    for (const { settle } of waiting) settle.reject(error)
    if (waiting.length !== expected) throw error
  }
}

function rowsOf({ rows }: { readonly rows: readonly unknown[] | null }): { rows: unknown[] } {
  return { rows: [...(rows ?? [])] }
}
