/** @module Files of permission tests: their content, and how to read one. */
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { Caller } from '@engine/core'
import { z } from 'zod'
import { wrongArgument } from '../command-line/outcome.ts'
import { parseCaller, parseJson } from '../command-line/parse-caller.ts'
import { loadModule } from '../configuration/load-config.ts'

/** The export of a `.ts` or `.js` file of tests, and the content of a `.json` file. */
export interface PermissionTestFile {
  /** Path of the configuration file, relative to this file; `--config` overrides it. */
  readonly config?: string
  /** Callers, by a name that `as` refers to. */
  readonly callers?: Readonly<Record<string, TestCaller>>
  readonly tests: readonly PermissionTest[]
}

/** `admin` has full rights, `anonymous` has no identity. */
export type TestCaller =
  | 'admin'
  | 'anonymous'
  | {
      readonly roles?: readonly string[]
      /** The values of `$user.<field>`. */
      readonly fields?: Readonly<Record<string, unknown>>
      readonly id?: string
    }

/** One statement and its expected result. All its writes are rolled back. */
export interface PermissionTest {
  readonly name: string
  /** A name of `callers`, `admin`, `anonymous`, or a caller. */
  readonly as: string | TestCaller
  /** Runs before the statement, with full rights. */
  readonly given?: readonly (string | TestStatement)[]
  readonly sql: string
  readonly params?: readonly unknown[]
  readonly expect: Expectation
  /** Runs after the statement, with full rights: shows what the statement changed. */
  readonly after?: readonly (TestStatement & { readonly rows: readonly (readonly unknown[])[] })[]
}

/** A statement of a permission test. */
export interface TestStatement {
  readonly sql: string
  readonly params?: readonly unknown[]
}

/** All given fields must match. Without `status` and `error` the statement must succeed. */
export interface Expectation {
  readonly status?: number
  /** An error code such as `PERMISSION_DENIED`. */
  readonly error?: string
  /** The rows of the answer, column by column, in order. */
  readonly rows?: readonly (readonly unknown[])[]
  /** The same rows in any order. */
  readonly anyOrder?: boolean
  /** Names of the columns of the answer. */
  readonly columns?: readonly string[]
  /** Number of rows in the answer. */
  readonly count?: number
  /** Number of written rows. */
  readonly affected?: number
}

/** A test that is ready to run. */
export interface ReadyTest extends Omit<PermissionTest, 'as' | 'given'> {
  readonly caller: Caller
  readonly given: readonly TestStatement[]
}

export interface ReadyTests {
  /** Absolute path. */
  readonly config: string | undefined
  readonly tests: readonly ReadyTest[]
}

const row = z.array(z.unknown())
const statement = { sql: z.string(), params: z.array(z.unknown()).optional() }
const count = z.int().nonnegative()

const fileShape = z.strictObject({
  $schema: z.string().optional(),
  config: z.string().optional(),
  callers: z.record(z.string(), z.unknown()).optional(),
  tests: z.array(
    z.strictObject({
      name: z.string().min(1),
      as: z.unknown(),
      given: z.array(z.union([z.string(), z.strictObject(statement)])).optional(),
      ...statement,
      expect: z
        .strictObject({
          status: z.int().optional(),
          error: z.string().optional(),
          rows: z.array(row).optional(),
          anyOrder: z.boolean().optional(),
          columns: z.array(z.string()).optional(),
          count: count.optional(),
          affected: count.optional(),
        })
        .refine((expect) => Object.keys(expect).some((key) => key !== 'anyOrder'), {
          error: 'expects something to hold: rows, count, affected, status, error or columns',
        }),
      after: z.array(z.strictObject({ ...statement, rows: z.array(row) })).optional(),
    }),
  ),
})

/**
 * Reads a file of tests.
 *
 * @throws {GatewayError} `invalidConfiguration` that names every error in it.
 */
export async function readTestFile(path: string): Promise<ReadyTests> {
  const parsed = fileShape.safeParse(await load(path))
  if (!parsed.success) throw wrongArgument(`${path}:\n${z.prettifyError(parsed.error)}`)
  const { config, callers = {}, tests } = parsed.data
  const known = new Map(
    Object.entries(callers).map(([name, input]) => [name, parseCaller(input, `callers.${name}`)]),
  )
  return {
    config: config === undefined ? undefined : resolve(dirname(path), config),
    tests: tests.map(({ as, given = [], sql, params, expect, after, name }, i): ReadyTest => {
      const named = typeof as === 'string' ? known.get(as) : undefined
      return {
        name,
        sql,
        caller: named ?? parseCaller(as, `tests[${i}].as`),
        given: given.map((entry) => (typeof entry === 'string' ? { sql: entry } : plain(entry))),
        expect: plain(expect),
        ...(params === undefined ? {} : { params }),
        ...(after === undefined ? {} : { after: after.map(plain) }),
      }
    }),
  }
}

async function load(path: string): Promise<unknown> {
  if (!path.endsWith('.json')) {
    const module = await loadModule(path)
    return 'default' in module ? module.default : undefined
  }
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    if (!existsSync(path)) throw wrongArgument(`There is no file ${path}.`)
    throw wrongArgument(`${path} cannot be read: ${cause instanceof Error ? cause.message : cause}`)
  })
  return parseJson(text, path)
}

/** Removes keys whose value is undefined. */
function plain<T extends object>(value: T): Exact<T> {
  return Object.fromEntries(
    Object.entries(value).filter(([, item]) => item !== undefined),
  ) as Exact<T>
}

type Exact<T> = { [Key in keyof T]: Exclude<T[Key], undefined> }
