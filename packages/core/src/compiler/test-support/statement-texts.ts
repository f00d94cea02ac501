/**
 * @module Expectations in text files: a statement, and what a stage makes of it.
 *
 *     # What the statement shows
 *     dialect: MariaDB
 *     select a from main.t
 *     =>
 *     select t1.a from t1
 *
 * `vitest -u` writes the results again. A refusal is `! SQLSTATE message`.
 */
import { readFileSync } from 'node:fs'
import { GatewayError } from '../../foundation/errors.ts'

export interface StatementCase {
  /** Undefined for another statement under the same title. */
  readonly title: string | undefined
  /** Lines `name: value` before the statement. */
  readonly options: Readonly<Record<string, string>>
  readonly sql: string
}

const arrow = '=>'
const optionLine = /^([a-z]+): (.+)$/

type Stage = (sql: string, options: StatementCase['options']) => Promise<string> | string

/**
 * The text of a file of cases, with what the stage makes of each now: for `toMatchFileSnapshot`.
 *
 * @throws {Error} for a block without a statement or a result, and for a file without blocks.
 */
export async function textsOf(path: string, stage: Stage): Promise<string> {
  const blocks: string[] = []
  for (const statement of casesOf(readFileSync(path, 'utf8'))) {
    blocks.push(blockOf(statement, await resultOf(statement, stage)))
  }
  return blocks.join('\n')
}

function casesOf(text: string): readonly StatementCase[] {
  return text
    .trim()
    .split(/\n\n+/)
    .map((block) => {
      const lines = block.split('\n')
      const title = lines[0]?.startsWith('# ') ? lines.shift()?.slice(2) : undefined
      const options: Record<string, string> = {}
      for (let found = optionLine.exec(lines[0] ?? ''); found; ) {
        const [, name = '', value = ''] = found
        options[name] = value
        lines.shift()
        found = optionLine.exec(lines[0] ?? '')
      }
      const end = lines.indexOf(arrow)
      if (end < 1) throw new Error(`no statement above ${arrow}:\n${block}`)
      return { title, options, sql: lines.slice(0, end).join('\n') }
    })
}

function blockOf({ title, options, sql }: StatementCase, result: string): string {
  const head = title === undefined ? [] : [`# ${title}`]
  const named = Object.entries(options).map(([name, value]) => `${name}: ${value}`)
  return [...head, ...named, sql, arrow, result, ''].join('\n')
}

async function resultOf({ sql, options }: StatementCase, stage: Stage): Promise<string> {
  try {
    return await stage(sql, options)
  } catch (error) {
    if (!(error instanceof GatewayError) || error.problem === 'internal') throw error
    return `! ${error.sqlState} ${error.message}`
  }
}
