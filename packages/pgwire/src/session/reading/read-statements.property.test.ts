import { GatewayError } from '@engine/core'
import { loadParser } from '@engine/core/session'
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import type { ClientStatement } from '../statements/client-statement.ts'
import { readStatements } from './read-statements.ts'

beforeAll(loadParser)

const words = (
  'select insert update delete into from where values ( ) , ; * 1 \'a;b\' \'ä😀\' "q;" "as" $$x;$$ $1 -- ;\n /*;*/ /* ä */ users pg_class ' +
  'main.users as with recursive union set to = begin commit rollback prepare execute declare cursor for fetch all copy stdin stdout ' +
  'csv header null default show reset transaction isolation level serializable time zone interval local session set_config false close'
).split(' ')

const soup = fc
  .array(fc.constantFrom(...words), { maxLength: 14 })
  .map((chosen) => chosen.join(' '))

/** Valid statements, with optional white space and comments between their words. */
const statement = fc
  .tuple(
    fc.constantFrom(
      'select|1',
      'select|\'ä;\'|as|"as"|from|users',
      'prepare|p|(|int|,|"Ä"|)|as|select|$1',
      "execute|p|(|1|,|(|2|)|,|'),'|)",
      'declare|"for"|cursor|for|select|*|from|users|for|update',
      "copy|(|select|(|')'|)|from|users|)|to|stdout",
      'with|a|as|(|select|1|)|select|*|from|a|,|users',
      'begin',
      "set|a.b|to|'x;y'",
    ),
    fc.array(fc.constantFrom(' ', '\n', ' /* ; ä */ ', ' -- ) as for\n', ' /* /* ( */ */ '), {
      minLength: 20,
      maxLength: 20,
    }),
  )
  .map(([pattern, gaps]) =>
    pattern
      .split('|')
      .map((word, index) => word + (gaps[index] ?? ' '))
      .join(''),
  )

/** The statement and those inside it, each with its position in the whole text. */
function withNested(read: ClientStatement): readonly ClientStatement[] {
  if (read.kind !== 'command') return [read]
  const { command } = read
  switch (command.kind) {
    case 'prepare':
    case 'declareCursor':
      return [read, command.statement]
    case 'copyOut':
      return command.source === undefined ? [read, command.query] : [read]
    default:
      return [read]
  }
}

function expectPlaces(text: string): void {
  const characters = [...text]
  for (const { sql, offset } of readStatements(text).flatMap(withNested)) {
    expect(characters.slice(offset, offset + [...sql].length).join('')).toBe(sql)
  }
}

test('any text is read or refused', () => {
  fc.assert(
    fc.property(soup, (text) => {
      try {
        expectPlaces(text)
      } catch (error) {
        if (!(error instanceof GatewayError)) throw error
      }
    }),
    { numRuns: 2000 },
  )
})

test('every statement is where it says, and the ones inside are statements of their own', () => {
  fc.assert(
    fc.property(fc.array(statement, { minLength: 1, maxLength: 4 }), (statements) => {
      const text = statements.join(';')
      expectPlaces(text)
      const read = readStatements(text)
      expect(read).toHaveLength(statements.length)
      for (const { sql, kind } of read.flatMap(withNested)) {
        const alone = readStatements(sql)
        expect(alone.map((other) => other.kind)).toEqual([kind])
      }
    }),
    { numRuns: 300 },
  )
})
