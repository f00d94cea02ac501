import { expect, test } from 'vitest'
import type { Flavor } from '../server/flavor.ts'
import { columnRow } from './catalog-queries.ts'
import { defaultExpression } from './default-expression.ts'

const mariadb: Flavor = { kind: 'mariadb', version: 101_106 }
const mysql: Flavor = { kind: 'mysql', version: 80_403 }

test.each<[Flavor, string, string | null, string, string | undefined]>([
  [mariadb, 'int', null, '', undefined],
  [mariadb, 'int', 'NULL', '', undefined],
  [mariadb, 'varchar', "'it''s'", '', "'it''s'"],
  [mariadb, 'datetime', 'current_timestamp(6)', '', 'current_timestamp(6)'],
  [mysql, 'int', null, '', undefined],
  [mysql, 'int', '7', '', '7'],
  [mysql, 'decimal', '-1.50', '', '-1.50'],
  [mysql, 'varchar', "it's \\", '', "'it''s \\\\'"],
  [mysql, 'varchar', 'NULL', '', "'NULL'"],
  [mariadb, 'datetime', "'0000-00-00 00:00:00'", '', undefined],
  [mysql, 'date', '0000-00-00', '', undefined],
  [mysql, 'timestamp', '2024-01-00 00:00:00', '', undefined],
  [mysql, 'date', '2024-10-20', '', "'2024-10-20'"],
  [mysql, 'varchar', '0000-00-00', '', "'0000-00-00'"],
  [mysql, 'bit', "b'1'", '', "b'1'"],
  [mysql, 'datetime', 'CURRENT_TIMESTAMP(6)', 'DEFAULT_GENERATED', 'CURRENT_TIMESTAMP(6)'],
  [mysql, 'int', '(1 + 1)', 'DEFAULT_GENERATED', '(1 + 1)'],
  // `default ('it''s \\')`
  [
    mysql,
    'varchar',
    String.raw`_utf8mb4\'it\\\'s \\\\\'`,
    'DEFAULT_GENERATED',
    String.raw`_utf8mb4'it\'s \\'`,
  ],
])('%j: %s default %s %s is %s', (flavor, dataType, told, extra, expression) => {
  const cells = ['t', 'c', dataType, dataType, 'YES', null, null, null, null, null, null]
  const row = columnRow([...cells, told, extra, ''])
  expect(defaultExpression(row, flavor)).toBe(expression)
})
