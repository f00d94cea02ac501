/** @module What permissions that are not saved would change for one caller and one table. Nothing is served, nothing stays. */
import type { PreviewAnswer } from '@engine/contract/admin-api'
import { admin, type Caller, type Config, GatewayError, type Simulation } from '@engine/core'
import { type DraftEngine, documentOf, patchDocument } from '@engine/core/server'
import { z } from 'zod'
import { asRefusal } from '../../interactive/configuration-changes.ts'
import type { Call } from '../../route-handler.ts'
import type { AdminOptions } from './admin-options.ts'
import {
  type AddRoutes,
  jsonText,
  notFound,
  readBody,
  readQuery,
  recordedChange,
} from './admin-route.ts'
import { withDetails } from './config-request.ts'
import { bodyText, simulationText } from './simulation-text.ts'
import { subjectInput, subjectOf } from './subject.ts'

const statement = z.strictObject({ sql: z.string(), params: z.array(z.unknown()).default([]) })

const previewInput = z.strictObject({
  /** Replaces each named permission; null removes it. */
  permissions: z.record(z.string(), z.unknown()).default({}),
  connection: z.string().min(1).max(500),
  table: z.string().min(1).max(500),
  limit: z.int().min(1).max(100).default(50),
  write: statement.optional(),
  ...subjectInput,
})

type Preview = z.infer<typeof previewInput>

/** Rows are counted up to this number. */
const mostCounted = 100_000

export function addPreviewRoute(add: AddRoutes, options: AdminOptions): void {
  const { engine, config } = options
  add('/admin/api/config/preview', {
    POST: withDetails(async (call) => {
      readQuery(call, z.strictObject({}))
      const { permissions, as, token, ...asked } = await readBody(call, previewInput)
      const { caller, facts: who } = await subjectOf({ as, token }, options, call)
      const { connection, table, write } = asked
      const facts = {
        table: `${connection}.${table}`,
        as: who,
        permissions: Object.keys(permissions),
        ...(write && { sql: write.sql }),
      }
      return recordedChange(options, call, 'permissions-previewed', async () => {
        try {
          const draft = withPermissions(config(), permissions)
          const text = await engine.evaluate(draft, (own) => previewText(own, asked, caller, call))
          return { result: jsonText(text), facts }
        } catch (error) {
          throw error instanceof GatewayError ? asRefusal(error) : error
        }
      })
    }),
  })
}

/** The served configuration with other permissions; all of them are by name. */
function withPermissions(config: Config, patch: Preview['permissions']): Config {
  const { permissions } = config
  const stored = documentOf({ connections: {}, ...(permissions && { permissions }) })
  const changed = patchDocument(stored, { permissions: patch })
  return { ...config, permissions: (changed.permissions ?? {}) as Config['permissions'] & object }
}

async function previewText(
  engine: DraftEngine,
  { connection, table, limit, write }: Omit<Preview, 'permissions' | 'as' | 'token'>,
  caller: Caller,
  call: Call,
): Promise<string> {
  const found = engine.catalog().connections.get(connection)?.tables.get(table)
  if (found === undefined) throw notFound('table')
  const name = `${quoted(connection)}.${quoted(found.name)}`
  const sql = `select * from ${name} limit ${limit}`
  const count = `select count(*) from (select 1 from ${name} limit ${mostCounted + 1}) as counted`
  const simulate = (step: { readonly sql: string; readonly params?: readonly unknown[] }) =>
    engine.simulate({ ...step, caller }, { signal: call.request.signal })
  const explanation = await engine.explain({ sql, params: [] }, caller)
  const rows = await simulate({ sql })
  const seen = countIn(await simulate({ sql: count }))
  const all = countIn(await engine.simulate({ sql: count, caller: admin }))
  const { answer } = explanation
  const visible = answer.outcome === 'runs' ? answer.columns.map((column) => column.name) : []
  const written = write && {
    explanation: await engine.explain(write, caller),
    simulation: await simulate(write),
  }
  const known: Omit<PreviewAnswer, 'rows' | 'write'> = {
    isOpen: engine.isOpen,
    explanation,
    columns: columnsOf(found.columns, visible),
    counts: { seen: seenRows(rows, seen, limit), all, mostCounted },
    grants: grantsOn(engine, `${connection}.${found.name}`),
  }
  const texts: Readonly<Record<'rows' | 'write', string>> = {
    rows: simulationText(rows),
    write:
      written === undefined
        ? 'null'
        : `{"explanation":${JSON.stringify(written.explanation)},"simulation":${simulationText(written.simulation)}}`,
  }
  return `${JSON.stringify(known).slice(0, -1)},"rows":${texts.rows},"write":${texts.write}}`
}

function columnsOf(
  all: readonly { readonly name: string }[],
  visible: readonly string[],
): PreviewAnswer['columns'] {
  const hidden = all.map((column) => column.name).filter((column) => !visible.includes(column))
  return { visible, hidden }
}

function grantsOn(engine: DraftEngine, table: string): PreviewAnswer['grants'] {
  return engine.permissionMatrix().entries.filter((entry) => entry.table === table)
}

/** A permission may forbid aggregates: then the shown rows are counted, if these are all. */
function seenRows(rows: Simulation, counted: number | null, limit: number): number | null {
  if (rows.outcome === 'refused') return 0
  if (counted !== null || rows.outcome !== 'answered') return counted
  return rows.rowCount < limit ? rows.rowCount : null
}

function countIn(simulation: Simulation): number | null {
  if (simulation.outcome !== 'answered') return null
  const { rows } = JSON.parse(bodyText(simulation.body)) as { readonly rows: unknown[][] }
  return Number(rows[0]?.[0])
}

/** PostgreSQL's spelling of a name. */
function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`
}
