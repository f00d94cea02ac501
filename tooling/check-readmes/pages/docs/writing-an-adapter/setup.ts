import { connect } from '@engine/adapters-sqlite'
import type { AdapterPackage } from '@engine/core'

/** Stands for an adapter of another database. */
export const duckdbAdapter: AdapterPackage['connect'] = (options) => ({
  ...connect({ ...options, url: 'duckdb.db', adapterOptions: { create: true } }),
  kind: 'duckdb',
})
