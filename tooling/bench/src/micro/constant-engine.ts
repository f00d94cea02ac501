import { connect } from '@engine/adapters-postgres'
import { type Config, createEngine, type Engine } from '@engine/core'
import type { AdapterFactory, ResultSet } from '@engine/core/adapter'

/** The constant answer of the database. */
export const constantAnswer: ResultSet = {
  rows: '[7,"shipped","259","0.91","2024-01-01 00:49:00","City 7"]',
  rowCount: 1,
  truncated: false,
}

/** An engine whose database answers at once, always the same: the remaining time is our own work. */
export function openConstantEngine(config: Config): Promise<Engine> {
  const connectConstant: AdapterFactory = (options) => ({
    ...connect(options),
    execute: async () => constantAnswer,
  })
  return createEngine(config, { adapters: { '@engine/adapters-postgres': connectConstant } })
}
