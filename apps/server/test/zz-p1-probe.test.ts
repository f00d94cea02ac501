import { expect, test } from 'vitest'
import { describeDatabases } from './support/databases.ts'
import { createWorld, masterKey } from './support/permission-world.ts'

describeDatabases('probe', (open) => {
  test('recursion', async () => {
    const world = await createWorld(open)
    const gateway = await world.open({})
    const ask = async (sql: string) => {
      const t = performance.now()
      const r = await gateway.gateway.data({ sql, params: [], method: 'all' }, { authorization: `Bearer ${masterKey}` })
      console.log(Math.round(performance.now() - t), JSON.stringify(r.body).slice(0, 200), sql.slice(0, 60))
    }
    await ask('with recursive t (n) as (select 1 union all select n + 1 from t where n < 100000) select count(*) from t')
    await ask('with recursive t (n) as (select 1 union all select n + 1 from t) select n from t limit 5')
    await ask("select repeat('x', 10000000) from generate_series(1, 15)")
    await ask("select repeat('x', 10000000) from generate_series(1, 40)")
    await ask('select 1')
    await world.close()
    expect(1).toBe(1)
  }, 120000)
})
