import { writeFileSync, appendFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeEveryDatabase } from './support/databases.ts'
import { createWorld, mine, type PermissionGateway, type PermissionWorld } from './support/permission-world.ts'

const ddl = (kind: string) => `
create table ci (id integer primary key, name ${kind === 'sqlite' ? 'text collate nocase' : kind === 'mysql' ? 'varchar(50) collate utf8mb4_general_ci' : 'text'} not null);
create table moves (id integer primary key, owner text not null);
create table parents (id integer primary key, name text);
create table loose (id integer primary key, parent integer not null, owner text not null);
${kind === 'postgres' ? "create collation if not exists nd_ci (provider = icu, locale = 'und-u-ks-level2', deterministic = false);" : ''}
create table nd (id integer primary key, name ${kind === 'postgres' ? 'text collate nd_ci' : kind === 'sqlite' ? 'varchar(30) collate rtrim' : 'varchar(50) collate utf8mb4_unicode_ci'} not null);
insert into nd (id, name) values (1, 'acme'), (2, 'beta');
create table kids (id integer primary key, parent integer not null references parents (id), owner text not null);
insert into ci (id, name) values (1, 'acme'), (2, 'beta');
insert into moves (id, owner) values (1, 'ada'), (3, 'ada'), (5, 'ada');
insert into parents (id, name) values (1, 'one'), (2, 'two'), (3, 'three');
insert into kids (id, parent, owner) values (1, 1, 'ada'), (3, 1, 'ada');
insert into loose (id, parent, owner) values (1, 1, 'ada'), (3, 1, 'ada'), (5, 3, 'ada');
`
const own = {
  ci: { table: 'main.ci', roles: ['clerk'], select: { where: { name: '$user.tenant' } }, update: { where: { name: '$user.tenant' } }, insert: { check: { name: '$user.tenant' } } },
  moves: { table: 'main.moves', roles: ['clerk'], select: { where: { owner: '$user.name' } }, update: { where: { owner: '$user.name' }, check: {} } },
  parents: { table: 'main.parents', roles: ['clerk'], select: {}, update: {}, delete: {} },
  loose: { table: 'main.loose', roles: ['clerk'], select: { where: { owner: '$user.name' } } },
  nd: { table: 'main.nd', roles: ['clerk'], select: { where: { name: '$user.tenant' } }, update: { where: { name: '$user.tenant' } }, insert: { check: { name: '$user.tenant' } } },
  kids: { table: 'main.kids', roles: ['clerk'], select: { where: { owner: '$user.name' } }, insert: { check: { owner: '$user.name' } } },
  orders: {
    table: 'main.orders', roles: ['clerk'],
    select: { where: mine },
    insert: { check: mine }, update: { where: mine, check: mine }, delete: { where: mine },
  },
  notes: { table: 'main.customers', roles: ['clerk'], select: { columns: ['id', 'name', 'tenant'] } },
  masked: { table: 'main.customers', roles: ['clerk'], select: { columns: ['id', 'city', 'email'], where: mine }, update: { columns: ['city', 'name'], where: mine, check: {} } , delete: { where: mine } },
  lines: { table: 'main.order_lines', roles: ['clerk'], select: { where: { order: mine } }, insert: { check: { order: mine } }, update: { where: { order: mine } }, delete: { where: { order: mine } } },
  fb: { table: 'main.feedback', roles: ['clerk'], insert: {}, },
  members: { table: 'main.members', roles: ['clerk'], select: { where: { $exists: { table: 'main.orders', where: { tenant: { $outer: 'tenant' }, total: { $gt: 15 } } } } }, update: { where: mine, check: {} } },
}
const c = 'main.customers', o = 'main.orders', l = 'main.order_lines'
const attacks: [string, unknown[]?][] = [
  [`select k.id from main.loose k join main.parents p on p.id = k.parent where p.id = 99 and 10 / (p.id - 99) is not null order by 1`],
  [`select k.id from main.loose k join main.parents p on p.id = k.parent where k.parent = 99 and 10 / (p.id - 99) is not null order by 1`],
  [`select k.id from main.loose k join main.parents p on p.id = k.parent where k.parent = $1 and 10 / (p.id - $1) is not null order by 1`, [99]],
  [`select p.id from main.parents p where p.id in (select parent from main.loose) and 10 / (p.id - 99) is not null order by 1`],
  [`select p.id from main.parents p where p.id = any (select parent from main.loose where parent > 5) and 10 / (p.id - 99) is not null order by 1`],
  [`select p.id from main.parents p where exists (select 1 from main.loose k where k.parent = p.id) and 10 / (p.id - 99) is not null order by 1`],
  [`select p.id from main.parents p where not exists (select 1 from main.loose k where k.parent = p.id) and 10 / (p.id - 99) is not null order by 1`],
  [`select p.id from main.parents p join (select distinct parent from main.loose) d on d.parent = p.id where 10 / (p.id - 99) is not null order by 1`],
  [`select p.id from main.parents p join (select parent, count(*) n from main.loose group by parent) d on d.parent = p.id where 10 / (p.id - 99) is not null order by 1`],
  [`select p.id from main.parents p join (select parent from main.loose limit 10) d on d.parent = p.id where 10 / (p.id - 99) is not null order by 1`],
  [`with d as (select parent from main.loose) select p.id from main.parents p join d on d.parent = p.id where 10 / (p.id - 99) is not null order by 1`],
  [`select p.id from main.parents p left join main.loose k on k.parent = p.id where 10 / (p.id - 99) is not null order by 1`],
  [`select p.id from main.loose k left join main.parents p on k.parent = p.id where 10 / (p.id - 99) is not null order by 1`],
  [`select p.id from main.loose k right join main.parents p on k.parent = p.id where 10 / (p.id - 99) is not null order by 1`],
  [`select p.id, k.id from main.loose k full join main.parents p on k.parent = p.id where 10 / (p.id - 99) is not null order by 1, 2`],
  [`select p.id from main.loose k join main.parents p using (id) where 10 / (p.id - 4) is not null order by 1`],
  [`select id from main.loose k natural join (select id from main.parents) p where 10 / (id - 4) is not null order by 1`],
  [`select k.id from main.loose k join main.parents p on p.id = k.parent and 10 / (p.id - 99) is not null join main.loose k2 on k2.parent = p.id order by 1`],
  [`select k.id from main.loose k where k.parent = (select p.id from main.parents p where p.id = k.parent and 10 / (p.id - 99) is not null) order by 1`],
  [`select (select 10 / (p.id - 99) from main.parents p where p.id = k.parent) from main.loose k order by 1`],
  [`select k.id from main.loose k join main.parents p on (p.id, p.id) = (k.parent, k.parent) where 10 / (p.id - 99) is not null order by 1`],
  [`select k.id from main.loose k join main.parents p on p.id is not distinct from k.parent where 10 / (p.id - 99) is not null order by 1`],
  [`select k.id from main.loose k join main.parents p on p.id <= k.parent and p.id >= k.parent where 10 / (p.id - 99) is not null order by 1`],
  [`select k.id from main.loose k join main.parents p on p.id in (k.parent) where 10 / (p.id - 99) is not null order by 1`],
  [`select k.id from main.loose k join main.parents p on p.id between k.parent and k.parent where 10 / (p.id - 99) is not null order by 1`],
  [`select k.id from main.loose k, main.parents p, main.parents p2 where p.id = p2.id and p2.id = k.parent and 10 / (p.id - 99) is not null order by 1`],
  [`select max(10 / (p.id - 99)) from main.loose k join main.parents p on p.id = k.parent group by p.id order by 1`],
  [`select distinct 10 / (p.id - 99) from main.loose k join main.parents p on p.id = k.parent order by 1`],
  [`select k.id, sum(10 / (p.id - 99)) over (partition by p.id order by p.id) from main.loose k join main.parents p on p.id = k.parent order by 1`],
  [`select k.id from main.loose k join main.parents p on p.id = k.parent where case when p.id = 99 then 1 / (p.id - 99) else 1 end = 1 order by 1`],
  [`select k.id from main.loose k join main.parents p on p.id = k.parent where p.id::text::int = p.id and (p.id * 1000000000) / 2000000000 >= 0 order by 1`],
  [`select id from main.nd order by id`],
  [`select count(*) from main.nd where name = 'ACME'`],
  [`insert into main.nd (id, name) values (20, 'ACME')`],
  [`update main.nd set name = 'ACME' where id = 1 returning id`],
]

const umbraA = `
insert into nd (id, name) values (3, 'ACME'), (4, 'Acme'), (5, 'acme ');
insert into ci (id, name) values (3, 'ACME'), (5, 'Acme ') ; insert into moves (id, owner) values (4, 'cy'), (7, 'cy'); insert into loose (id, parent, owner) values (4, 99, 'cy'), (2, 99, 'abc');
insert into kids (id, parent, owner) values (4, 2, 'cy'), (2, 1, 'cy');
update customers set city = 'Rome', email = 'cy@umbra.example', name = 'Cy' where id = 3;`
const umbraB = `
update customers set city = null, email = null where tenant = 'umbra';
update customers set city = 'Bern' where id = 4;
delete from order_tags where order_id > 4; delete from order_lines where order_id > 4; 
update orders set total = 7, notes = 'n', code = null, status = 'x' where tenant = 'umbra';
delete from orders where id = 8;
insert into orders (id, customer_id, tenant, total) values (9, 4, 'umbra', 3);
update members set who = 'zed' where tenant = 'umbra';
delete from feedback;
delete from ci where id > 2; insert into ci (id, name) values (4, 'other'); delete from moves where owner <> 'ada'; insert into moves (id, owner) values (12, 'cy'); insert into loose (id, parent, owner) values (4, 98, '7'), (2, 98, '77777777');
delete from kids where owner <> 'ada'; insert into kids (id, parent, owner) values (9, 3, 'cy'); `

describeEveryDatabase('attack', (open, kind) => {
  let worlds: { world: PermissionWorld; gateway: PermissionGateway; hidden: string }[]
  beforeAll(async () => {
    worlds = []
    for (const hidden of [umbraA, umbraB]) {
      const world = await createWorld(open, ddl(kind))
      const gateway = await world.open(own, { isDevelopment: false })
      worlds.push({ world, gateway, hidden })
    }
  })
  afterAll(async () => { for (const { world } of worlds) await world.close() })
  test('same', async () => {
    writeFileSync(`/tmp/p2/attack-${kind}.txt`, '')
    const different: string[] = []
    for (const [sql, params] of attacks) {
      const answers: string[] = []
      for (const { world, gateway, hidden } of worlds) {
        await world.reset()
        await world.database.run('delete from nd; delete from kids; delete from loose; delete from parents; delete from moves; delete from ci; ' + ddl(kind).split('insert into').slice(1).map((part) => 'insert into' + part.split('create table')[0]).join(''))
        await world.database.run(hidden)
        const { status, body } = await gateway.ask({ roles: ['clerk'], tenant: 'acme', name: 'ada' }, sql, params ?? [])
        const { correlation_id: _, ...rest } = body as Record<string, unknown>
        answers.push(`${status} ${JSON.stringify(rest)}`)
      }
      const flag = answers[0] === answers[1] ? '  ' : '!!'
      appendFileSync(`/tmp/p2/attack-${kind}.txt`, `${flag} ${sql}\n      ${answers[0]}\n${flag === '!!' ? `      ${answers[1]}\n` : ''}`)
      if (flag === '!!') different.push(sql)
    }
    expect(different).toEqual([])
  }, 300_000)
})
