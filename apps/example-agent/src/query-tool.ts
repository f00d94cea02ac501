/** @module A function that a language model may call with SQL of its own: the engine decides what it answers. */
import { createClient, EngineError } from '@engine/client'

export interface ToolOptions {
  readonly url: string
  /** An API key: `ek_…`. */
  readonly key: string
}

/** The answer is a text in any case, so that the model can mend its statement. */
export function createTool({ url, key }: ToolOptions): (sql: string) => Promise<string> {
  const client = createClient({ url, token: key })
  return async (sql) => {
    try {
      const { rows } = await client.query({ sql, params: [], method: 'all' })
      return JSON.stringify(rows)
    } catch (error) {
      if (error instanceof EngineError) return error.code
      throw error
    }
  }
}
