/** @module The engine with a random policy, compared with PostgreSQL's own views and triggers of the same policy. */
import { connect } from '@engine/adapters-postgres'
import type { Caller, Permission } from '@engine/core'
import { createGrammar } from '../grammar/create-grammar.ts'
import type { GeneratedStatement } from '../grammar/statement.ts'
import { statement as generate } from '../grammar/statement.ts'
import { randomCaller } from '../policy/caller.ts'
import { namedColumns, writableColumns } from '../policy/grants.ts'
import { toManyName, toOneName } from '../policy/random-filter.ts'
import { randomPolicy, relationshipConfig } from '../policy/random-policy.ts'
import { referenceViews } from '../policy/reference-views.ts'
import { createRandom } from '../random.ts'
import { createCallerRole, dropCallerRole } from '../subjects/caller-role.ts'
import { openDirectSubject } from '../subjects/direct-subject.ts'
import { type EngineSubject, openEngine } from '../subjects/engine-subject.ts'
import { printForReference, runOnReference } from '../subjects/reference-subject.ts'
import type { Outcome } from '../subjects/subject.ts'
import { postgresWorld } from '../world/postgres-world.ts'
import { randomWorld } from '../world/random-world.ts'
import { hasPlainConflicts, shapeOf } from '../world/shape.ts'
import { tableNamed } from '../world/world.ts'
import { compareOutcomes } from './compare-outcomes.ts'
import { createCoverage } from './coverage.ts'
import { minimiseScene } from './minimise-scene.ts'
import { minimiseStatement } from './minimise-statement.ts'
import { createReport, type ReportBuilder, type RunReport } from './report.ts'
import {
  type CallerScene,
  engineText,
  type Found,
  reasonOf,
  type Surroundings,
  schemaOf,
} from './row-security-reasons.ts'
import { runWorlds } from './run-worlds.ts'
import { type RunOptions, statementSeed, wideLimits } from './session.ts'

interface Stage extends Surroundings {
  readonly role: string
  readonly options: RunOptions
  scene: CallerScene
  engine: EngineSubject
}

export async function fuzzRowSecurity(options: RunOptions): Promise<RunReport> {
  const report = createReport(await createCoverage(), options.onProgress)
  const owner = await openDirectSubject(options.url)
  const role = await createCallerRole(owner)
  const reference = await openDirectSubject(options.url, `set role ${role}`)
  try {
    await runWorlds(options, report, async (seed) => {
      const scene = randomScene(seed)
      const engine = await loadScene({ owner, reference, role, options }, scene)
      const stage: Stage = { owner, reference, role, options, scene, engine }
      return {
        run: (index) => oneStatement(stage, report, seed, index),
        isOver: () => report.isLost(),
        close: () => stage.engine.close(),
      }
    })
  } finally {
    await reference.close()
    await dropCallerRole(owner, role)
    await owner.close()
  }
  return report.finish()
}

function randomScene(seed: number): CallerScene {
  const random = createRandom(seed)
  const world = randomWorld(random, {
    isPortable: false,
    maxTables: 5,
    maxRows: 9,
    hasConstraints: true,
    hasEnums: true,
    shapes: random.chance(40) ? { kind: 'postgres', isPlain: true } : undefined,
  })
  const policy = randomPolicy(random, world, {
    hasWrites: random.chance(50),
    forbidsAggregates: false,
  })
  return { world, policy, callers: Array.from({ length: 3 }, () => randomCaller(random)) }
}

/** Loads the world, creates the views of every caller, and opens an engine with the policy. */
async function loadScene(
  { owner, reference, role, options }: Omit<Stage, 'scene' | 'engine'>,
  { world, policy, callers }: CallerScene,
): Promise<EngineSubject> {
  await owner.client.query(postgresWorld(world, 'main'))
  for (const [i, caller] of callers.entries()) {
    await owner.client.query(referenceViews({ world, policy, caller, schema: schemaOf(i), role }))
  }
  for (const subject of [owner, reference]) {
    subject.lookAt(world.tables.map(({ name }) => `main.${name}`))
  }
  const relationships = relationshipConfig(world, toOneName, toManyName)
  return openEngine({
    config: {
      auth: { secret: 'a secret for the fuzzer, of thirty-two bytes' },
      connections: { main: { url: options.url, schema: 'main', relationships } },
      permissions: policy as Readonly<Record<string, Permission>>,
      limits: wideLimits,
    },
    adapterPackage: '@engine/adapters-postgres',
    connect,
    tables: world.tables.map(({ name }) => name),
  })
}

/** Replaces the scene; an invalid scene keeps the old one. */
async function changeScene(stage: Stage, scene: CallerScene): Promise<boolean> {
  try {
    const engine = await loadScene(stage, scene)
    await stage.engine.close()
    stage.engine = engine
    stage.scene = scene
    return true
  } catch {
    // Smaller policies and worlds may be invalid.
    return false
  }
}

async function oneStatement(
  stage: Stage,
  report: ReportBuilder,
  seed: number,
  index: number,
): Promise<number> {
  const { scene } = stage
  const random = createRandom(statementSeed(seed, index))
  const at = random.integer(0, scene.callers.length - 1)
  const caller = scene.callers[at] as Caller
  const statement = generateFor(random, scene, caller)
  if (statement === undefined) return 0
  const [expected, actual] = await bothSides(stage, statement, at)
  report.statement(expected)
  if (index % 10 === 0) countNodes(report, statement)
  const difference = compareOutcomes(expected, actual, statement.isOrdered)
  if (difference === undefined) {
    if (actual.kind === 'rows') report.equal()
    else report.bothRefused()
    return 1
  }
  await judge(stage, report, { seed, index, at, statement, expected, actual, difference })
  return 1
}

function generateFor(
  random: ReturnType<typeof createRandom>,
  { world, policy }: CallerScene,
  caller: Caller,
): GeneratedStatement | undefined {
  const tables = world.tables
    .map((table) => ({ table, readable: namedColumns(policy, caller, table) }))
    .filter(({ readable }) => readable.length > 0 || random.chance(3))
  if (tables.length === 0) return undefined
  const grammar = createGrammar(random, { tables, risk: 12, isPortable: false })
  const hasWrites = Object.values(policy).some(({ insert, update }) => insert ?? update)
  return generate(grammar, {
    writes: hasWrites ? 55 : 0,
    mayConflict: true,
    // The views cannot distinguish a row and the row with the same key in an inheriting table.
    hasFreshKeys: world.tables.some((table) => shapeOf(table).hasChild),
    mayConflictOn: hasPlainConflicts,
    mayWriteInside: true,
    writable: (name, operation) => {
      const table = tableNamed(world, name)
      return random.chance(4)
        ? table.columns.map((column) => column.name)
        : writableColumns(policy, caller, table, operation)
    },
  })
}

async function bothSides(
  { reference, engine, scene }: Stage,
  statement: GeneratedStatement,
  at: number,
): Promise<readonly [expected: Outcome, actual: Outcome]> {
  const { world, policy, callers } = scene
  const caller = callers[at] as Caller
  const expected = await runOnReference(reference, statement, {
    world,
    policy,
    caller,
    schema: schemaOf(at),
  })
  const printed = engineText(statement)
  return [expected, await engine.run(printed, caller, statement.isWrite)]
}

function countNodes(report: ReportBuilder, { tree }: GeneratedStatement): void {
  report.coverage.add(engineText({ tree }).sql)
}

interface Case extends Found {
  readonly seed: number
  readonly index: number
}

/** Finds a reason for a difference, or reports a finding. */
async function judge(stage: Stage, report: ReportBuilder, found: Case): Promise<void> {
  const reason = await reasonOf(stage, found)
  if (reason === 'refused') return report.refused(found.difference.text)
  if (reason !== undefined) return report.explained(reason)
  const { seed, index, difference, at } = found
  if (!report.isNew(difference.kind, difference.text)) return
  const { scene } = stage
  const statement = stage.options.minimise ? await smallest(stage, found) : found.statement
  const text = reproduction(stage.scene, statement, at)
  report.finding({ ...difference, seed, statement: index, reproduction: text })
  if (stage.scene !== scene) await changeScene(stage, scene)
}

/** Keeps the smallest scene loaded. */
async function smallest(stage: Stage, found: Case): Promise<GeneratedStatement> {
  const statement = await minimiseStatement(found.statement, (candidate) =>
    showsTheSame(stage, found, candidate),
  )
  const scene = await minimiseScene(
    stage.scene,
    async (candidate) =>
      (await changeScene(stage, candidate)) && (await showsTheSame(stage, found, statement)),
  )
  await changeScene(stage, scene)
  return statement
}

async function showsTheSame(
  stage: Stage,
  { at, difference, ...found }: Case,
  statement: GeneratedStatement,
): Promise<boolean> {
  const [expected, actual] = await bothSides(stage, statement, at)
  if (expected.kind === 'refused' && expected.sqlState?.startsWith('42')) return false
  const other = compareOutcomes(expected, actual, statement.isOrdered)
  if (other?.kind !== difference.kind) return false
  const reason = await reasonOf(stage, {
    ...found,
    at,
    statement,
    expected,
    actual,
    difference: other,
  })
  return reason === undefined
}

function reproduction(
  { world, policy, callers }: CallerScene,
  statement: GeneratedStatement,
  at: number,
): string {
  const printed = engineText(statement)
  return [
    printed.sql,
    `params ${JSON.stringify(printed.params)}`,
    `reference: ${printForReference(statement, 'v').sql}`,
    `caller ${JSON.stringify(callers[at])}`,
    `policy ${JSON.stringify(policy)}`,
    postgresWorld(world, 'main'),
  ].join('\n')
}
