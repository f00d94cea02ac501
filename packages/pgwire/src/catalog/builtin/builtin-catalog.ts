/** @module A small system catalog that needs no PostgreSQL: enough for drivers to connect. */
import { createTypeSystem, type TypeSystem } from '@engine/core/catalog'
import { loadParser, parseScript } from '@engine/core/session'
import { oids } from '@engine/core/values'
import type { Format } from '../../protocol/frontend-message.ts'
import type { FieldDescription } from '../../protocol/message-writer.ts'
import { dateStyleIn } from '../../session/settings/date-style.ts'
import { nodeOf } from '../../syntax/syntax-node.ts'
import type { ValueSettings } from '../../values/cell-format.ts'
import { createCellEncoder } from '../../values/create-cell-encoder.ts'
import { createParameterDecoder } from '../../values/create-parameter-decoder.ts'
import type { IntervalStyle } from '../../values/interval-style.ts'
import type { CatalogQuery, CatalogScope, WireCatalog } from '../wire-catalog.ts'
import { builtinTables } from './builtin-tables.ts'
import { beyondBuiltin, type Cell } from './evaluated.ts'
import { planSelect, type SelectPlan } from './select.ts'

export interface BuiltinCatalogOptions {
  /** Milliseconds since 1970. */
  readonly clock: () => number
  /** The result of `version()`. */
  readonly version?: string
}

/** The PostgreSQL version of the tables of types and functions that the engine binds with. */
const serverVersion = '15.0'

export function createBuiltinCatalog({
  clock,
  version = serverVersion,
}: BuiltinCatalogOptions): WireCatalog {
  const types = createTypeSystem()
  const prepare = async (query: CatalogQuery, scope: CatalogScope): Promise<Prepared> => {
    await loadParser()
    return prepareQuery(query, scope, { types, clock, version })
  }
  return {
    kind: 'builtin',
    serverVersion: version,
    describe: async (query, scope) => {
      const { plan, parameterOids } = await prepare(query, scope)
      return { parameterOids, fields: fieldsOfPlan(plan, []) }
    },
    run: async (query, scope) => {
      const { plan, parameterOids, parameters } = await prepare(query, scope)
      const settings = valueSettings(scope, clock)
      for (const [index, oid] of parameterOids.entries()) {
        const bytes = query.parameters[index]
        const format = formatAt(query.parameterFormats, index)
        const parameter = { number: index + 1, typeOid: oid }
        const isGiven = bytes !== null && bytes !== undefined
        parameters.push(
          isGiven ? createParameterDecoder(parameter, format, types, settings)(bytes) : null,
        )
      }
      const fields = fieldsOfPlan(plan, query.resultFormats)
      const encoders = fields.map((field) =>
        createCellEncoder(field, field.format, types, settings),
      )
      const all = plan.rows()
      const rows = all.slice(0, query.maxRows).map((row) =>
        row.map((cell, index) => {
          const encoded = cell === null ? null : encoders[index]?.(cell)
          return typeof encoded === 'string' ? Buffer.from(encoded) : (encoded ?? null)
        }),
      )
      const truncated = all.length > rows.length
      return { fields, rows, tag: `SELECT ${rows.length}`, truncated }
    },
    warm: () => undefined,
    state: () => ({ status: 'ready', servers: 0, failures: 0 }),
    close: async () => undefined,
  }
}

interface Prepared {
  readonly plan: SelectPlan
  readonly parameterOids: readonly number[]
  /** Values as text; set before the plan returns rows. */
  readonly parameters: Cell[]
}

function prepareQuery(
  query: CatalogQuery,
  scope: CatalogScope,
  {
    types,
    clock,
    version,
  }: { readonly types: TypeSystem; readonly clock: () => number; readonly version: string },
): Prepared {
  const [statement] = parseScript(query.sql)
  const { kind, fields } = nodeOf(statement?.tree)
  if (kind !== 'SelectStmt') throw beyondBuiltin('this statement')
  const parameterOids = [...query.parameterOids]
  const parameters: Cell[] = []
  const { visible, database } = scope
  const plan = planSelect(fields, {
    types,
    scope: {
      ...scope,
      now: () => new Date(clock()),
      version: `PostgreSQL ${scope.settings.get('server_version') ?? version} (Engine)`,
    },
    tables: builtinTables(visible, database),
    parameterOid: (number, expected) => {
      const declared = parameterOids[number - 1] ?? 0
      const oid = declared === 0 ? (expected ?? oids.text) : declared
      while (parameterOids.length < number) parameterOids.push(0)
      parameterOids[number - 1] = oid
      return oid
    },
    parameterValue: (number) => parameters[number - 1] ?? null,
  })
  return { plan, parameterOids: parameterOids.map((oid) => oid || oids.text), parameters }
}

function fieldsOfPlan(
  { columns }: SelectPlan,
  formats: readonly Format[],
): readonly FieldDescription[] {
  return columns.map(({ name, oid, typmod }, index) => ({
    name,
    tableOid: 0,
    columnNumber: 0,
    typeOid: oid,
    typmod,
    format: formatAt(formats, index),
  }))
}

/** No format: text. One format: it applies to all columns. */
function formatAt(formats: readonly Format[], index: number): Format {
  return (formats.length === 1 ? formats[0] : formats[index]) ?? 0
}

function valueSettings({ settings }: CatalogScope, clock: () => number): ValueSettings {
  return {
    timeZone: settings.get('TimeZone') ?? 'UTC',
    byteaOutput: settings.get('bytea_output') === 'escape' ? 'escape' : 'hex',
    intervalStyle: settings.get('IntervalStyle') as IntervalStyle | undefined,
    dateOutput: dateStyleIn(settings.get('DateStyle') ?? '').style,
    dateOrder: dateStyleIn(settings.get('DateStyle') ?? '').order,
    extraFloatDigits: Number(settings.get('extra_float_digits') ?? 1),
    clock,
  }
}
