import pg from 'pg'
import { wireTypes } from './wire-types.ts'

/** The gateway receives a Date as ISO text in UTC; node-postgres would send local time. */
pg.defaults.parseInputDatesAsUTC = true

/**
 * Opens a direct connection to PostgreSQL whose values have the gateway's wire forms.
 *
 * @returns a pool; the caller ends it.
 */
export function openDirectPool(connectionString: string): pg.Pool {
  return new pg.Pool({
    connectionString,
    max: 2,
    types: wireTypes,
    options: '-c TimeZone=UTC -c DateStyle=ISO,YMD -c IntervalStyle=postgres',
  })
}

/** The same pool for Drizzle, which passes its own type parsers with every query. */
export function withWireTypes(pool: pg.Pool, types: pg.CustomTypesConfig = wireTypes): pg.Pool {
  const query = (config: pg.QueryConfig, values: unknown[]) =>
    pool.query({ ...config, types }, values)
  return Object.create(pool, { query: { value: query } })
}
