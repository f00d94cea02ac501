import { expect, test } from 'vitest'
import { accessOf, authorizeText, user } from '../../permissions/test-support/authorize-for-test.ts'
import { mapStatement } from './map-query.ts'
import { visitStatement } from './visit-query.ts'

const mine = { tenant: '$user.tenant' }
const access = accessOf(
  {
    orders: {
      table: 'main.orders',
      roles: ['r'],
      select: { where: mine },
      insert: { check: mine },
      update: { where: mine, check: mine },
      delete: { where: mine },
    },
  },
  user(['r'], { tenant: 'acme' }),
)

test.each([
  'select distinct on (id) id, (select max(o.id) from main.orders o where o.id = p.id) from main.orders p where status is null order by id, status limit 3 offset 1',
  'with q as (select id from main.orders union all values (1), (2)) select count(*) filter (where id > 1) from q group by cube (id, id + 1) having sum(id) > 0',
  'select a.id, case when a.id > 1 then a.status end from main.orders a left join main.orders z on a.id = z.id, lateral (select z.status) l',
  'select sum(id) over (partition by status order by id rows between 1 preceding and 2 following), array[id, 1], id in (1, 2), id > all (select 1), row_to_json(p) from main.orders p',
  "insert into main.orders (id, tenant) values (1, default), (2, 'x') on conflict (id) do update set status = excluded.status where orders.id > 1 returning id",
  'insert into main.orders (id, tenant) select id, tenant from main.orders',
  'update main.orders set status = q.status from (select * from main.orders) q where orders.id = q.id returning orders.id',
  'delete from main.orders using main.orders z where orders.id = z.id returning orders.id',
])('a visit of %s sees the nodes that a rewriting sees, in its order', (sql) => {
  const statement = authorizeText(sql, access)
  const visited: unknown[] = []
  const mapped: unknown[] = []
  const visit = (node: unknown) => void visited.push(node)
  const map = <Node>(node: Node): Node => {
    mapped.push(node)
    return node
  }
  mapStatement(statement, { expression: map, fromItem: map, query: map, write: map })
  visitStatement(statement, { expression: visit, fromItem: visit, query: visit, write: visit })
  expect(visited).toEqual(mapped)
})
