/**
 * @module Writes whose expressions have another value each time: for any values, the stored rows satisfy the check of a
 * permission, and a refusal reveals nothing about rows that the caller does not see.
 */
import type { Caller, Permission } from '@engine/core'
import { createGrammar } from '../grammar/create-grammar.ts'
import { dependentBatch } from '../grammar/dependent-batch.ts'
import {
  type GeneratedStatement,
  statement as generate,
  type StatementOptions,
} from '../grammar/statement.ts'
import { randomCaller } from '../policy/caller.ts'
import { permissionsOf, readableColumns, writableLists } from '../policy/grants.ts'
import { toManyName, toOneName } from '../policy/random-filter.ts'
import { randomPolicy, relationshipConfig } from '../policy/random-policy.ts'
import { referenceViews } from '../policy/reference-views.ts'
import { createRandom } from '../random.ts'
import { isSameContents } from '../stores/store.ts'
import { createCallerRole, dropCallerRole } from '../subjects/caller-role.ts'
import { type DirectSubject, openDirectSubject } from '../subjects/direct-subject.ts'
import type { Outcome } from '../subjects/subject.ts'
import {
  type DatabaseKind,
  openWritingEngine,
  type WritingEngine,
} from '../subjects/writing-engine.ts'
import { type PrintedStatement, printTree } from '../tree/tree.ts'
import { hiddenVariants } from '../world/hidden-variants.ts'
import { postgresWorld } from '../world/postgres-world.ts'
import { randomWorld, tagName } from '../world/random-world.ts'
import type { ShapeOptions } from '../world/shape.ts'
import { rowsOf, tableNamed, type World } from '../world/world.ts'
import { compareRefusals } from './compare-refusals.ts'
import { createCoverage } from './coverage.ts'
import { judgeWrite } from './judge-write.ts'
import { minimiseBatch } from './minimise-batch.ts'
import type { Scene } from './minimise-scene.ts'
import { createReport, type ReportBuilder, type RunReport } from './report.ts'
import { runWorlds } from './run-worlds.ts'
import { type RunOptions, statementSeed, wideLimits } from './session.ts'

/** A kind of database with one engine, or with three whose hidden rows differ. */
interface Subjects {
  readonly kind: DatabaseKind
  readonly engines: readonly WritingEngine[]
}

interface CheckedScene extends Scene {
  readonly caller: Caller
  /** Volatile functions whose result is always the same, and databases whose answers are compared. */
  readonly isCompared: boolean
  readonly readsItself: boolean
  /** MariaDB where it is available. */
  readonly kinds: readonly DatabaseKind[]
}

interface Stage {
  readonly owner: DirectSubject
  readonly scene: CheckedScene
  /** Content of `subjects[].engines`, in their order. */
  readonly worlds: readonly World[]
  readonly subjects: readonly Subjects[]
  readonly report: ReportBuilder
  readonly options: RunOptions
}

type Batch = readonly GeneratedStatement[]

export async function fuzzCheckedWrites(options: RunOptions): Promise<RunReport> {
  const report = createReport(await createCoverage(), options.onProgress)
  const owner = await openDirectSubject(options.url)
  const role = await createCallerRole(owner)
  try {
    await runWorlds(options, report, async (seed) => {
      const stage = await openStage(randomScene(seed), { owner, role, report, options, seed })
      return {
        run: (index) => oneBatch(stage, seed, index),
        isOver: () => report.isLost(),
        close: async () => {
          for (const { engines } of stage.subjects) await closeAll(engines)
        },
      }
    })
  } finally {
    await dropCallerRole(owner, role)
    await owner.close()
  }
  return report.finish()
}

function randomScene(seed: number): CheckedScene {
  const random = createRandom(seed)
  const isCsv = random.chance(15)
  const isCompared = random.chance(50)
  const readsItself = !isCompared && random.chance(35)
  const shapes = random.weighted<ShapeOptions | undefined>([
    [isCsv ? 1 : 25, undefined],
    [isCsv ? 0 : 45, { kind: 'postgres' }],
    [isCsv ? 0 : 30, { kind: 'portable' }],
  ])
  const world = randomWorld(random, {
    isPortable: true,
    maxTables: 3,
    maxRows: 8,
    hasConstraints: !isCsv,
    hasTags: true,
    isCsv,
    shapes,
  })
  const policy = randomPolicy(random, world, {
    hasWrites: true,
    forbidsAggregates: false,
    ungranted: [tagName],
    mayReadItself: readsItself,
  })
  return {
    world,
    policy,
    caller: randomCaller(random),
    isCompared,
    readsItself,
    kinds: kindsOf(isCsv, shapes?.kind),
  }
}

function kindsOf(
  isCsv: boolean,
  shapes: ShapeOptions['kind'] | undefined,
): readonly DatabaseKind[] {
  if (isCsv) return ['csv']
  return shapes === 'postgres' ? ['postgres'] : ['postgres', 'sqlite', 'mysql']
}

interface Surroundings extends Pick<Stage, 'owner' | 'report' | 'options'> {
  readonly role: string
  readonly seed: number
}

async function openStage(scene: CheckedScene, surroundings: Surroundings): Promise<Stage> {
  const { owner, role, report, options, seed } = surroundings
  const { world, policy, caller, isCompared, kinds } = scene
  await owner.client.query(postgresWorld(world, 'main', false))
  await owner.client.query(referenceViews({ world, policy, caller, schema: 'v', role }))
  const named = JSON.stringify(policy)
  const fixed = world.tables.flatMap(({ columns }) =>
    columns.map(({ name }) => name).filter((name) => named.includes(`"${name}"`)),
  )
  const random = createRandom(seed)
  const mayStore = (cell: string) => !kinds.includes('csv') || cell !== ''
  const variants = await hiddenVariants(owner, world, 'v', random, new Set(fixed), mayStore)
  const worlds = isCompared ? [world, variants.hostile, variants.empty] : [variants.hostile]
  const subjects: Subjects[] = []
  for (const kind of kinds) {
    if (kind === 'mysql' && options.mysqlUrl === undefined) continue
    const engines: WritingEngine[] = []
    for (const [i, each] of worlds.entries()) {
      engines.push(
        await openWritingEngine(kind, {
          world: each,
          config: {
            auth: { secret: 'a secret for the fuzzer, of thirty-two bytes' },
            permissions: policy as Readonly<Record<string, Permission>>,
            limits: wideLimits,
          },
          relationships: relationshipConfig(world, toOneName, toManyName),
          url: options.url,
          schema: `w${i}`,
          mysqlUrl: options.mysqlUrl,
        }),
      )
    }
    subjects.push({ kind, engines })
  }
  return { owner, scene, worlds, subjects, report, options }
}

async function closeAll(engines: readonly WritingEngine[]): Promise<void> {
  for (const { close } of engines) await close()
}

/** @returns how many statements were run. */
async function oneBatch(stage: Stage, seed: number, index: number): Promise<number> {
  const { subjects, report, options } = stage
  const batch = generateFor(stage, seed, index)
  if (batch === undefined) return 0
  if (index % 10 === 0) for (const each of batch) report.coverage.add(printed(each).sql)
  let done = 0
  for (const { kind, engines } of subjects) {
    done += engines.length * batch.length
    const fault = await firstFault(stage, engines, batch)
    if (fault === undefined || !report.isNew(`${kind} ${fault.kind}`, fault.text)) continue
    const smallest = options.minimise
      ? await minimiseBatch(batch, async (candidate) =>
          showsAgain(stage, engines, candidate, fault.kind),
        )
      : batch
    report.finding({
      kind: `${kind} ${fault.kind}`,
      text: fault.text,
      seed,
      statement: index,
      reproduction: reproduction(stage, smallest),
    })
  }
  return done
}

/** Volatile statements are tried several times. */
async function firstFault(
  stage: Stage,
  engines: readonly WritingEngine[],
  batch: Batch,
): Promise<Fault | undefined> {
  const times = stage.scene.isCompared ? 1 : 3
  for (let i = 0; i < times; i += 1) {
    const fault = await faultOf(stage, engines, batch, i === 0)
    if (fault !== undefined) return fault
  }
  return undefined
}

interface Fault {
  readonly kind: 'server error' | 'stored' | 'changed' | 'canary' | 'answers'
  readonly text: string
}

/** A random failure shows in one of many runs. */
async function showsAgain(
  stage: Stage,
  engines: readonly WritingEngine[],
  batch: Batch,
  kind: Fault['kind'],
): Promise<boolean> {
  const tries = stage.scene.isCompared ? 1 : 12
  for (let i = 0; i < tries; i += 1) {
    const fault = await faultOf(stage, engines, batch, false)
    if (fault !== undefined) return fault.kind === kind
  }
  return false
}

/** Runs a batch, judges it, and restores everything. */
async function faultOf(
  stage: Stage,
  engines: readonly WritingEngine[],
  batch: Batch,
  isCounted: boolean,
): Promise<Fault | undefined> {
  const outcomes: Outcome[] = []
  let fault: Fault | undefined
  for (const engine of engines) {
    const { outcome, fault: own } = await runOnce(stage, engine, batch)
    outcomes.push(outcome)
    fault ??= own
  }
  const [first] = outcomes
  if (isCounted && first !== undefined) count(stage.report, first)
  if (fault !== undefined || outcomes.length === 1) return fault
  const isVolatile = batch.some((each) => volatileNames.test(printed(each).sql))
  const { text, reason } = compareRefusals(outcomes, batch, isVolatile)
  if (reason !== undefined && isCounted) stage.report.explained(reason)
  return text === undefined ? undefined : { kind: 'answers', text }
}

const volatileNames = /\b(random|gen_random_uuid|clock_timestamp)\(/

function count(report: ReportBuilder, outcome: Outcome): void {
  report.statement(outcome)
  if (outcome.kind === 'rows') report.equal()
  else if (outcome.status === 422 || outcome.status === 409) report.bothRefused()
  else report.refused(`${outcome.status} ${outcome.message}`)
}

async function runOnce(
  { owner, scene, report }: Stage,
  { store, initial: before, run }: WritingEngine,
  batch: Batch,
): Promise<{ readonly outcome: Outcome; readonly fault: Fault | undefined }> {
  const outcome = await run(batch.map(printed), scene.caller)
  const after = await store.contents()
  const isChanged = !isSameContents(before, after)
  try {
    if (outcome.kind === 'refused') {
      const { status, message } = outcome
      if (status >= 500) {
        const text = message.replaceAll(/Statement \d+: /g, '')
        return { outcome, fault: { kind: 'server error', text } }
      }
      const text = `${status} ${message}`
      return { outcome, fault: isChanged ? { kind: 'changed', text } : undefined }
    }
    if (JSON.stringify(outcome.rows).includes('CANARY')) {
      return {
        outcome,
        fault: { kind: 'canary', text: JSON.stringify(outcome.rows).slice(0, 200) },
      }
    }
    if (!isChanged) return { outcome, fault: undefined }
    report.explained('writes that changed something')
    const writes = batch.flatMap((each) => each.writes)
    const wrong = await judgeWrite(owner, scene, { writes, before, after })
    const fault: Fault | undefined =
      wrong.length === 0 ? undefined : { kind: 'stored', text: wrong.join('; ') }
    return { outcome, fault }
  } finally {
    if (isChanged) await store.restore()
  }
}

function generateFor(
  { scene: { world, policy, caller, isCompared, readsItself }, worlds }: Stage,
  seed: number,
  index: number,
): Batch | undefined {
  const random = createRandom(statementSeed(seed, index))
  const tables = world.tables
    .map((table) => ({ table, readable: readableColumns(policy, caller, table) }))
    .filter(({ readable }) => readable.length > 0)
  if (tables.length === 0) return undefined
  const isBatch = !readsItself && random.chance(30)
  const length = isBatch ? random.integer(2, 4) : 1
  const isVolatile = random.chance(isCompared ? 60 : 95)
  // Conditions that depend only on random values find more errors than those of mixed statements.
  const isPlain = random.chance(60)
  // SQLite has none.
  const isClock = random.chance(10)
  const options: StatementOptions = {
    writes: isBatch ? 90 : 100,
    mayConflict: true,
    mayConflictQueries: true,
    hasFreshKeys: false,
    mayWriteInside: random.chance(30),
    writable: (name, operation) => {
      const lists = writableLists(policy, caller, tableNamed(world, name), operation)
      return lists.length === 0 ? [] : random.pick(lists)
    },
    mayWrite: (name, operation) =>
      permissionsOf(policy, caller, name).some((each) => each[operation] !== undefined),
    ...(isPlain ? { depth: 0 } : {}),
  }
  const grammar = () =>
    createGrammar(random, {
      tables,
      risk: 8,
      isPortable: true,
      taken: (table, column) => takenValues(worlds, table, column),
      volatility: isVolatile
        ? { percent: isPlain ? 60 : 25, isSteady: isCompared, hasClock: isClock }
        : undefined,
    })
  const dependent = isBatch && random.chance(50) ? dependentBatch(grammar(), options) : undefined
  return dependent ?? Array.from({ length }, () => generate(grammar(), options))
}

/** Values of keys, and of columns that refer to them, in any of the databases. */
function takenValues(worlds: readonly World[], name: string, column: string): readonly string[] {
  const valuesOf = (table: string, of: string) => {
    const values = worlds.flatMap((world) => {
      const at = tableNamed(world, table).columns.findIndex((each) => each.name === of)
      return rowsOf(world, table).flatMap((row) => row[at] ?? [])
    })
    return [...new Set(values)]
  }
  const [world] = worlds
  if (world === undefined) return []
  const { foreignKeys, unique, shape } = tableNamed(world, name)
  const key = foreignKeys.find((each) => each.column === column)
  if (key !== undefined) return valuesOf(key.table, 'id')
  const isKey =
    column === 'id' || column === unique || shape?.indexes.some((each) => each.column === column)
  return isKey === true ? valuesOf(name, column) : []
}

function printed({ tree }: Pick<GeneratedStatement, 'tree'>): PrintedStatement {
  return printTree(tree, { side: 'engine', table: (name) => `main.${name}` })
}

/** Tables that no statement names, and to which no key of a named table refers, are left out. */
function reproduction({ scene, worlds }: Stage, batch: Batch): string {
  const statements = batch.map(printed)
  const named = new Set(
    scene.world.tables
      .map(({ name }) => name)
      .filter((name) => statements.some(({ sql }) => sql.includes(`main.${name}`))),
  )
  for (const { name, foreignKeys } of scene.world.tables.toReversed()) {
    if (named.has(name)) for (const key of foreignKeys) named.add(key.table)
  }
  const policy = Object.entries(scene.policy).filter(
    ([, { table, roles }]) =>
      named.has(table.slice('main.'.length)) &&
      roles.some((role) => role === '*' || scene.caller.roles.includes(role)),
  )
  const used = (world: World): World => ({
    ...world,
    tables: world.tables.filter(({ name }) => named.has(name)),
  })
  return [
    ...statements.map(({ sql, params }) => `${sql}; -- params ${JSON.stringify(params)}`),
    `caller ${JSON.stringify(scene.caller)}`,
    ...policy.map(([, permission]) => JSON.stringify(permission)),
    ...worlds.map((world, i) => postgresWorld(used(world), `w${i}`)),
  ].join('\n')
}
