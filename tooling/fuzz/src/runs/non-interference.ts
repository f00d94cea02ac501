/** @module The same statement in front of databases that differ only in what the caller does not see: one answer. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect as connectPostgres } from '@engine/adapters-postgres'
import { connect as connectSqlite } from '@engine/adapters-sqlite'
import type { Caller, Config, Permission } from '@engine/core'
import Database from 'better-sqlite3'
import { createGrammar } from '../grammar/create-grammar.ts'
import { type GeneratedStatement, statement as generate } from '../grammar/statement.ts'
import { randomCaller } from '../policy/caller.ts'
import { readableColumns, writableColumns } from '../policy/grants.ts'
import { toManyName, toOneName } from '../policy/random-filter.ts'
import { type Policy, randomPolicy, relationshipConfig } from '../policy/random-policy.ts'
import { referenceRole, referenceViews } from '../policy/reference-views.ts'
import { createRandom } from '../random.ts'
import { type DirectSubject, openDirectSubject } from '../subjects/direct-subject.ts'
import { type EngineSubject, openEngine } from '../subjects/engine-subject.ts'
import type { Outcome } from '../subjects/subject.ts'
import { type PrintedStatement, printTree } from '../tree/tree.ts'
import { hiddenVariants, loadVariants } from '../world/hidden-variants.ts'
import { postgresWorld } from '../world/postgres-world.ts'
import { randomWorld } from '../world/random-world.ts'
import { loadSqliteWorld } from '../world/sqlite-world.ts'
import { tableNamed, type World } from '../world/world.ts'
import { createCoverage } from './coverage.ts'
import { canFailOnVisible } from './explain-by-order.ts'
import { minimiseStatement } from './minimise-statement.ts'
import { createReport, type ReportBuilder, type RunReport } from './report.ts'
import { createClock, type RunOptions, statementSeed, wideLimits } from './session.ts'

/** One kind of database, three times. */
interface Triple {
  readonly name: string
  readonly engines: readonly EngineSubject[]
  readonly remove: () => void
}

interface Stage {
  readonly owner: DirectSubject
  readonly triples: readonly Triple[]
  readonly worlds: readonly World[]
  readonly policy: Policy
  readonly caller: Caller
  readonly report: ReportBuilder
  readonly options: RunOptions
}

const schemas = ['wa', 'wb', 'wc'] as const

export async function fuzzNonInterference(options: RunOptions): Promise<RunReport> {
  const report = createReport(await createCoverage())
  const clock = createClock(options)
  const owner = await openDirectSubject(options.url)
  await owner.client.query(
    `do $$ begin create role ${referenceRole}; exception when duplicate_object then null; end $$`,
  )
  let done = 0
  try {
    for (let seed = options.seed; clock.goesOn(done); seed += 1) {
      const stage = await setStage(seed, owner, report, options)
      try {
        for (let i = 0; i < options.perWorld && clock.goesOn(done); i += 1) {
          if (options.only !== undefined && options.only !== i) continue
          done += await oneStatement(stage, seed, i)
        }
      } finally {
        for (const { engines, remove } of stage.triples) {
          for (const engine of engines) await engine.close()
          remove()
        }
      }
      options.onProgress(`seed ${seed}: ${done} statements, ${report.findingCount()} findings`)
      if (report.findingCount() >= options.maxFindings || options.only !== undefined) break
    }
  } finally {
    await owner.close()
  }
  return report.finish()
}

async function setStage(
  seed: number,
  owner: DirectSubject,
  report: ReportBuilder,
  options: RunOptions,
): Promise<Stage> {
  const random = createRandom(seed)
  const hasWrites = random.chance(40)
  const world = randomWorld(random, { isPortable: true, maxTables: 4, maxRows: 14, hasConstraints: !hasWrites })
  const policy = randomPolicy(random, world, { hasWrites })
  const caller = randomCaller(random)
  await owner.client.query(postgresWorld(world, 'main'))
  await owner.client.query(referenceViews({ world, policy, caller, schema: 'v' }))
  const fixed = new Set(
    world.tables.flatMap(({ columns }) =>
      columns.map(({ name }) => name).filter((name) => JSON.stringify(policy).includes(`"${name}"`)),
    ),
  )
  const variants = await hiddenVariants(owner, world, 'v', random, hasWrites ? fixed : new Set())
  const worlds = [world, variants.hostile, variants.empty]
  await loadVariants(owner, worlds, schemas)
  await copyVisible(owner, world)
  report.explained(variants.changes > 0 ? 'worlds with hidden parts' : 'worlds without hidden parts')
  const triples = [await openPostgres(worlds, policy, options), await openSqlite(worlds, policy)]
  return { owner, triples, worlds, policy, caller, report, options }
}

/** Schema `c`: the caller's tables as plain tables. */
async function copyVisible({ client }: DirectSubject, { tables }: World): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    "select viewname as name from pg_views where schemaname = 'v'",
  )
  const visible = tables.filter(({ name }) => rows.some((row) => row.name === name))
  await client.query(
    `drop schema if exists c cascade; create schema c;${visible
      .map(({ name }) => `create table c.${name} as select * from v.${name}; analyze c.${name};`)
      .join('')}`,
  )
}

function configOf(world: World, policy: Policy, connection: Readonly<Record<string, unknown>>): Config {
  return {
    auth: { secret: 'a secret for the fuzzer, of thirty-two bytes' },
    connections: {
      main: { ...connection, relationships: relationshipConfig(world, toOneName, toManyName) } as Config['connections'][string],
    },
    permissions: policy as Readonly<Record<string, Permission>>,
    limits: wideLimits,
  }
}

async function openPostgres(
  worlds: readonly World[],
  policy: Policy,
  { url }: RunOptions,
): Promise<Triple> {
  const engines = await Promise.all(
    worlds.map((world, i) =>
      openEngine({
        config: configOf(world, policy, { url, schema: schemas[i] }),
        adapterPackage: '@engine/adapters-postgres',
        connect: connectPostgres,
        tables: [],
      }),
    ),
  )
  return { name: 'postgres', engines, remove: () => undefined }
}

async function openSqlite(worlds: readonly World[], policy: Policy): Promise<Triple> {
  const folder = mkdtempSync(join(tmpdir(), 'engine-fuzz-'))
  const engines = await Promise.all(
    worlds.map((world, i) => {
      const path = join(folder, `${schemas[i]}.db`)
      const database = new Database(path)
      loadSqliteWorld(database, world)
      database.close()
      return openEngine({
        config: configOf(world, policy, { url: path }),
        adapterPackage: '@engine/adapters-sqlite',
        connect: connectSqlite,
        tables: [],
      })
    }),
  )
  return { name: 'sqlite', engines, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

/** @returns how many statements were run. */
async function oneStatement(stage: Stage, seed: number, index: number): Promise<number> {
  const { triples, report, options } = stage
  const statement = generateFor(stage, seed, index)
  if (statement === undefined) return 0
  if (index % 10 === 0) report.coverage.add(printed(statement).sql)
  for (const triple of triples) {
    const outcomes = await runThrice(stage, triple, statement)
    const [first = outcomes[0]] = outcomes
    if (first !== undefined) report.statement(first)
    const difference = differenceOf(outcomes, statement.isOrdered)
    if (difference === undefined) {
      if (first?.kind === 'rows') report.equal()
      else report.bothRefused()
      continue
    }
    const reason = await reasonOf(stage, statement, outcomes)
    if (reason !== undefined) {
      report.explained(`${triple.name}: ${reason}`)
      continue
    }
    const smallest = options.minimise
      ? await minimiseStatement(statement, async (candidate) => {
          const again = await runThrice(stage, triple, candidate)
          if (differenceOf(again, candidate.isOrdered)?.kind !== difference.kind) return false
          return (await reasonOf(stage, candidate, again)) === undefined
        })
      : statement
    report.finding({
      kind: `${triple.name} ${difference.kind}`,
      text: difference.text,
      seed,
      statement: index,
      reproduction: await reproduction(stage, triple, smallest),
    })
  }
  return triples.length * schemas.length
}

function generateFor(
  { worlds, policy, caller }: Stage,
  seed: number,
  index: number,
): GeneratedStatement | undefined {
  const [world] = worlds
  if (world === undefined) return undefined
  const random = createRandom(statementSeed(seed, index))
  const tables = world.tables
    .map((table) => ({ table, readable: readableColumns(policy, caller, table) }))
    .filter(({ readable }) => readable.length > 0 || random.chance(2))
  if (tables.length === 0) return undefined
  const hasWrites = Object.values(policy).some(({ insert, update }) => insert ?? update)
  return generate(createGrammar(random, { tables, risk: 25, isPortable: true }), {
    writes: hasWrites ? 45 : 0,
    mayConflict: true,
    hasFreshKeys: true,
    mayWriteInside: random.chance(20),
    writable: (name, operation) => writableColumns(policy, caller, tableNamed(world, name), operation),
  })
}

function printed({ tree }: GeneratedStatement): PrintedStatement {
  return printTree(tree, { side: 'engine', table: (name) => `main.${name}` })
}

function runThrice(
  { caller }: Stage,
  { engines }: Triple,
  statement: GeneratedStatement,
): Promise<readonly Outcome[]> {
  return Promise.all(engines.map((engine) => engine.run(printed(statement), caller, statement.isWrite)))
}

interface Leak {
  readonly kind: 'rows' | 'failure' | 'server error' | 'canary'
  readonly text: string
}

/** How the answers differ; undefined where they are one to the byte, but for an order that nobody asked for. */
function differenceOf(outcomes: readonly Outcome[], isOrdered: boolean): Leak | undefined {
  const failed = outcomes.find((outcome) => outcome.kind === 'refused' && outcome.status >= 500)
  if (failed?.kind === 'refused') return { kind: 'server error', text: failed.message }
  const texts = outcomes.map((outcome) => textOf(outcome, isOrdered))
  const canary = texts.find((text) => text.includes('CANARY'))
  if (canary !== undefined) return { kind: 'canary', text: canary.slice(0, 300) }
  const other = texts.findIndex((text) => text !== texts[0])
  if (other < 0) return undefined
  const isFailure = outcomes.some(({ kind }) => kind === 'refused')
  return {
    kind: isFailure ? 'failure' : 'rows',
    text: `${texts[0]?.slice(0, 300)} <> ${texts[other]?.slice(0, 300)}`,
  }
}

function textOf(outcome: Outcome, isOrdered: boolean): string {
  if (outcome.kind === 'refused') return `${outcome.status} ${outcome.message}`
  const rows = outcome.rows.map((row) => JSON.stringify(row))
  return (isOrdered ? rows : rows.toSorted()).join('\n')
}

/** A statement that can fail on the rows that the caller sees may fail in one plan and not in another. */
async function reasonOf(
  { owner }: Stage,
  statement: GeneratedStatement,
  outcomes: readonly Outcome[],
): Promise<string | undefined> {
  if (outcomes.some((outcome) => outcome.kind === 'refused' && outcome.status >= 500)) return undefined
  if (!outcomes.some(({ kind }) => kind === 'refused') || statement.isWrite) return undefined
  const canFail = await canFailOnVisible({
    subject: owner,
    statement,
    before: 'select 1',
    table: (name) => `c.${name}`,
  })
  return canFail ? 'fails on visible rows, in some plan' : undefined
}

async function reproduction(stage: Stage, triple: Triple, statement: GeneratedStatement): Promise<string> {
  const outcomes = await runThrice(stage, triple, statement)
  const { sql, params } = printed(statement)
  return [
    sql,
    `params ${JSON.stringify(params)}`,
    ...outcomes.map((outcome) => `answer ${textOf(outcome, true).slice(0, 400)}`),
    `caller ${JSON.stringify(stage.caller)}`,
    `policy ${JSON.stringify(stage.policy)}`,
    ...stage.worlds.map((world, i) => postgresWorld(world, schemas[i] ?? '')),
  ].join('\n')
}
