import { DatabaseError } from 'pg'
import { expect, test } from 'vitest'
import { cellsOf, columnTypes, commandTag, databaseError, isTrue } from './backend-messages.ts'

test('a DataRow has its cells as texts', () => {
  const row = Buffer.from('\0\u0004\0\0\0\u0001t\0\0\0\0\0\0\0\u0003a\u00e9????', 'utf8')
  row.writeInt32BE(-1, row.length - 4)
  expect(cellsOf(row, 0)).toEqual(['t', '', 'aé', null])
  expect([0, 1, 2, 3, 4].map((column) => isTrue(row, 0, column))).toEqual([
    true,
    false,
    false,
    false,
    false,
  ])
})

test('a RowDescription has the types of its columns', () => {
  const column = (name: string, oid: number) => {
    const rest = Buffer.alloc(18)
    rest.writeUInt32BE(oid, 6)
    return Buffer.concat([Buffer.from(`${name}\0`), rest])
  }
  const message = Buffer.concat([
    Buffer.from('\0\u0003'),
    column('id', 23),
    column('', 25),
    column('é', 4_294_967_295),
  ])
  expect(columnTypes(message, 0)).toEqual([23, 25, 4_294_967_295])
})

test('a CommandComplete has a tag', () => {
  const message = Buffer.from('UPDATE 3\0')
  expect(commandTag(message, 0, message.length)).toBe('UPDATE 3')
})

test('an ErrorResponse becomes the error of node-postgres; unknown fields are skipped', () => {
  const message = Buffer.from('SERROR\0VERROR\0C23505\0Mzweimal é\0nt_pkey\0?new\0\0')
  const error = databaseError(message, 0, message.length)
  expect(error).toBeInstanceOf(DatabaseError)
  expect(error).toMatchObject({
    severity: 'ERROR',
    code: '23505',
    message: 'zweimal é',
    constraint: 't_pkey',
  })
  expect(error.table).toBeUndefined()
})
