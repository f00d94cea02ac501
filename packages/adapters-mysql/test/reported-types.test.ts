/** The types that the server reports for a prepared statement are compared with those of the catalog. */

import type { IntrospectedColumn } from '@engine/core/adapter'
import { createTypeSystem } from '@engine/core/catalog'
import { cellKindOf } from '@engine/core/values'
import { describeEachMysql } from '@engine/test-databases/vitest'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectionOptions } from '../src/driver/connection-options.ts'
import { openSession } from '../src/driver/open-session.ts'
import type { WireColumn } from '../src/driver/protocol/column-definition.ts'
import type { MysqlSession } from '../src/driver/session.ts'
import { mysqlAdapter } from '../src/index.ts'
import { reportedType, storedType } from '../src/values/reported-type.ts'
import { openClient } from './support/client.ts'

const typeInCatalog = ({ type, native }: IntrospectedColumn) => storedType({ type, native })

const everywhere = [
  ...['tinyint', 'tinyint(1)', 'tinyint unsigned', 'smallint', 'smallint unsigned', 'year'],
  ...['mediumint', 'mediumint unsigned', 'int', 'int unsigned', 'bigint', 'bigint unsigned'],
  ...['decimal(10,2)', 'decimal(5,0)', 'decimal(65,30)', 'decimal(6,2) unsigned zerofill'],
  ...['float', 'double', 'double(8,2)', 'bit(1)', 'bit(9)', 'date', 'time', 'time(6)'],
  ...['datetime', 'datetime(6)', 'timestamp null', 'timestamp(6) null'],
  ...['char(5)', 'char(36)', 'varchar(30)', 'varchar(2000)', 'varchar(9) character set latin1'],
  ...['tinytext', 'text', 'mediumtext', 'longtext', "enum('a', 'b')", "set('x', 'y')", 'json'],
  ...['binary(4)', 'varbinary(30)', 'tinyblob', 'blob', 'mediumblob', 'longblob'],
]
const onMariadb = ['uuid', 'inet4', 'inet6']

const typeSystem = createTypeSystem()

describeEachMysql('types that the server reports', (server) => {
  const types = [...everywhere, ...(server.vendor === 'mariadb' ? onMariadb : [])]
  const names = types.map((_, index) => `c${index}`)
  let session: MysqlSession
  let columns: readonly IntrospectedColumn[]

  beforeAll(async () => {
    const url = await server.createDatabase('reported')
    const client = await openClient(url)
    const definitions = types.map((type, index) => `c${index} ${type}`).join(', ')
    await client.run(
      `create table each_type (${definitions})`,
      'create view shown as select * from each_type',
    )
    await client.close()
    const adapter = mysqlAdapter({ url })
    const { tables } = await adapter.introspect(AbortSignal.timeout(30_000))
    await adapter.close()
    columns = tables.find(({ name }) => name === 'each_type')?.columns ?? []
    session = await openSession(connectionOptions(url), { isReadOnly: false, mostSessions: 1 })
  })
  afterAll(() => session?.close())

  const reported = async (sql: string): Promise<Readonly<Record<string, string>>> => {
    let sent: readonly WireColumn[] = []
    await session.execute(sql, [], {
      columns: (found) => {
        sent = found
      },
      row: () => undefined,
    })
    return Object.fromEntries(types.map((type, index) => [type, typeOf(sent[index])]))
  }
  const typeOf = (column: WireColumn | undefined) =>
    column === undefined || column.isCalculated ? 'calculated' : reportedType(column)

  test.each([
    ['a table', 'each_type'],
    ['a view', 'shown'],
    ['a derived table', '(select * from each_type limit 18446744073709551615) as t1'],
    ['a common table', 'c1'],
  ])('those of %s are those of the catalog', async (_, from) => {
    const found = await reported(
      `with c1 as (select * from each_type limit 9) select ${names.join(', ')} from ${from}`,
    )
    const known = Object.fromEntries(
      types.map((type, index) => [type, typeInCatalog(columns[index] as IntrospectedColumn)]),
    )
    expect(found).toEqual(known)
  })

  test('columns of one type have their values in one form', () => {
    const forms = new Map<string, Set<string>>()
    for (const column of columns) {
      const type = typeInCatalog(column)
      forms.set(type, (forms.get(type) ?? new Set()).add(cellKindOf(column.type, typeSystem).kind))
    }
    const several = [...forms].filter(([, kinds]) => kinds.size > 1)
    expect(Object.fromEntries(several.map(([type, kinds]) => [type, [...kinds].sort()]))).toEqual({
      char: ['padded', 'text', 'uuid'],
      // MariaDB stores documents as text.
      ...(server.vendor === 'mariadb' ? { longtext: ['jsonb', 'text'] } : {}),
    })
  })
})
