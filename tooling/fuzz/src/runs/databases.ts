/** @module The engine on each kind of database, compared with PostgreSQL itself: equal, or a refusal. */
import { anonymous } from '@engine/core'
import { createGrammar } from '../grammar/create-grammar.ts'
import { type GeneratedStatement, statement as generate } from '../grammar/statement.ts'
import { createRandom } from '../random.ts'
import { type DirectSubject, openDirectSubject } from '../subjects/direct-subject.ts'
import type { EngineSubject } from '../subjects/engine-subject.ts'
import {
  type OpenedDatabase,
  type OpenOptions,
  openMysqlWorld,
  openPostgresWorld,
  openSqliteWorld,
} from '../subjects/open-databases.ts'
import type { Outcome } from '../subjects/subject.ts'
import { type PrintedStatement, printTree } from '../tree/tree.ts'
import { postgresWorld } from '../world/postgres-world.ts'
import { randomWorld } from '../world/random-world.ts'
import { tableNamed, type World } from '../world/world.ts'
import { compareOutcomes, type Difference, isIdle } from './compare-outcomes.ts'
import { createCoverage } from './coverage.ts'
import { explainByKeys } from './explain-by-keys.ts'
import { explainByOrder } from './explain-by-order.ts'
import { minimiseStatement } from './minimise-statement.ts'
import { createReport, type ReportBuilder, type RunReport } from './report.ts'
import { runWorlds } from './run-worlds.ts'
import { isTooLarge, type RunOptions, statementSeed, wideLimits } from './session.ts'

/** A kind of database with a world in it. */
interface NamedDatabase extends OpenedDatabase {
  readonly name: string
}

export async function fuzzDatabases(options: RunOptions): Promise<RunReport> {
  const report = createReport(await createCoverage(), options.onProgress)
  const direct = await openDirectSubject(options.url)
  try {
    await runWorlds(options, report, async (seed) => {
      const world = randomWorld(createRandom(seed), {
        isPortable: true,
        maxTables: 4,
        maxRows: 9,
        hasConstraints: true,
      })
      await direct.client.query(postgresWorld(world, 'main'))
      direct.lookAt(world.tables.map(({ name }) => `main.${name}`))
      const databases = await openDatabases(world, options)
      const stage: Stage = { direct, databases, world, report, options }
      return {
        run: (index) => oneStatement(stage, seed, index),
        isOver: () => report.isLost(),
        close: async () => {
          for (const { close } of databases) await close()
        },
      }
    })
  } finally {
    await direct.close()
  }
  return report.finish()
}

interface Stage {
  readonly direct: DirectSubject
  readonly databases: readonly NamedDatabase[]
  readonly world: World
  readonly report: ReportBuilder
  readonly options: RunOptions
}

async function openDatabases(
  world: World,
  { url, mysqlUrl }: RunOptions,
): Promise<readonly NamedDatabase[]> {
  const options: OpenOptions = {
    world,
    config: { limits: wideLimits },
    connection: {},
    looksAtTables: true,
  }
  const postgres = await openPostgresWorld(url, 'main', options)
  const sqlite = await openSqliteWorld(options)
  const mysql = mysqlUrl === undefined ? undefined : await openMysqlWorld(mysqlUrl, options)
  return [
    { ...postgres, name: 'postgres' },
    { ...sqlite, name: 'sqlite' },
    ...(mysql === undefined ? [] : [{ ...mysql, name: 'mysql' }]),
  ]
}

async function oneStatement(stage: Stage, seed: number, index: number): Promise<number> {
  const { direct, databases, world, report, options } = stage
  const random = createRandom(statementSeed(seed, index))
  const tables = world.tables.map((table) => ({
    table,
    readable: table.columns.map(({ name }) => name),
  }))
  const statement = generate(createGrammar(random, { tables, risk: 12, isPortable: true }), {
    writes: 25,
    mayConflict: true,
    hasFreshKeys: false,
    mayWriteInside: random.chance(20),
    writable: (name) => tableNamed(world, name).columns.map((column) => column.name),
  })
  const expected = await direct.run(printed(statement), statement.isWrite)
  if (index % 10 === 0) report.coverage.add(printed(statement).sql)
  for (const { name, engine } of databases) {
    const actual = await engine.run(printed(statement), anonymous, statement.isWrite)
    report.statement(expected)
    const difference = compareOutcomes(expected, actual, statement.isOrdered)
    if (difference === undefined) {
      if (actual.kind === 'rows') report.equal()
      else report.bothRefused()
      continue
    }
    const reason = await reasonOf(stage, name, statement, { expected, actual }, difference)
    if (reason === 'refused') report.refused(`${name}: ${difference.text}`)
    else if (reason !== undefined) report.explained(`${name}: ${reason}`)
    else if (report.isNew(`${name} ${difference.kind}`, difference.text)) {
      const smallest = options.minimise
        ? await minimiseStatement(statement, (candidate) =>
            isSame(stage, { name, engine }, candidate, difference),
          )
        : statement
      if (difference.kind === 'answered' && isLenient(expected, printed(smallest).sql)) {
        report.explained(`${name}: answered: an operand was not computed`)
        continue
      }
      report.finding({
        kind: `${name} ${difference.kind}`,
        text: difference.text,
        seed,
        statement: index,
        reproduction: await reproduction(stage, engine, smallest),
      })
    }
  }
  return databases.length
}

function printed({ tree }: GeneratedStatement): PrintedStatement {
  return printTree(tree, { side: 'engine', table: (name) => `main.${name}` })
}

async function reasonOf(
  { direct, world }: Stage,
  name: string,
  statement: GeneratedStatement,
  { expected, actual }: { readonly expected: Outcome; readonly actual: Outcome },
  difference: Difference,
): Promise<string | undefined> {
  if (difference.kind === 'server error') return undefined
  if (isTooLarge(expected)) return 'too many rows'
  if (difference.kind === 'answered' || difference.kind === 'refused') {
    const before = statement.isWrite ? await direct.dump() : undefined
    if (isIdle(expected, actual, before)) return `${difference.kind}: no row needed what fails`
  }
  if (difference.kind === 'refused' && (name !== 'postgres' || isUnsupported(actual)))
    return 'refused'
  if (await explainByKeys({ subject: direct, world, statement, expected, actual })) {
    return 'answered: several rows change a unique key, in an order of their own'
  }
  const isOrder = await explainByOrder({
    subject: direct,
    statement,
    actual,
    before: 'select 1',
    side: 'engine',
    table: (name) => `main.${name}`,
  })
  return isOrder ? `${difference.kind}: PostgreSQL does so with another plan` : undefined
}

/**
 * PostgreSQL failed on a value that need not be computed at all, or not for every row, and the smallest statement shows
 * nothing else. A statement that fails everywhere shrinks until it has no such value.
 */
function isLenient(expected: Outcome, sql: string): boolean {
  if (expected.kind !== 'refused' || !/^2[12]/.test(expected.sqlState ?? '')) return false
  return lazyWords.test(sql)
}

const lazyWords =
  /\b(any|all|some|in|case|coalesce|nullif|and|or|exists|lateral|join|with|limit|fetch|union|except|intersect|group|having|over|greatest|least|filter|where|distinct)\b/

/** A refusal with the reason that something is not supported, not that a value is wrong. */
function isUnsupported(outcome: Outcome): boolean {
  if (outcome.kind === 'rows' || outcome.status !== 400) return false
  return (
    outcome.sqlState === undefined ||
    ['0A000', '54001'].includes(outcome.sqlState) ||
    /support/.test(outcome.message)
  )
}

async function isSame(
  stage: Stage,
  { name, engine }: Pick<NamedDatabase, 'name' | 'engine'>,
  statement: GeneratedStatement,
  difference: Difference,
): Promise<boolean> {
  const expected = await stage.direct.run(printed(statement), statement.isWrite)
  if (expected.kind === 'refused' && expected.sqlState?.startsWith('42')) return false
  const actual = await engine.run(printed(statement), anonymous, statement.isWrite)
  const other = compareOutcomes(expected, actual, statement.isOrdered)
  if (other?.kind !== difference.kind) return false
  return (await reasonOf(stage, name, statement, { expected, actual }, other)) === undefined
}

async function reproduction(
  { direct, world }: Stage,
  engine: EngineSubject,
  statement: GeneratedStatement,
): Promise<string> {
  const expected = await direct.run(printed(statement), statement.isWrite)
  const actual = await engine.run(printed(statement), anonymous, statement.isWrite)
  const { sql, params } = printed(statement)
  const used = world.tables.filter(({ name }) => sql.includes(`main.${name}`))
  return [
    sql,
    `params ${JSON.stringify(params)}`,
    `expected ${JSON.stringify(expected).slice(0, 600)}`,
    `actual   ${JSON.stringify(actual).slice(0, 600)}`,
    used.length === 0
      ? ''
      : postgresWorld({ ...world, tables: used }, 'main')
          .split('\n')
          .filter((line) => !line.startsWith('analyze'))
          .join('\n'),
  ].join('\n')
}
