import { describePostgres } from '@engine/test-databases/vitest'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Comparison, openComparison } from './support/same-as-postgres.ts'

describePostgres('set_config sets the session', () => {
  let comparison: Comparison
  let client: Client

  beforeAll(async () => {
    comparison = await openComparison()
    client = new Client({ connectionString: comparison.server.url })
    await client.connect()
  })
  afterAll(async () => {
    await client.end()
    await comparison.close()
  })

  const show = async (name: string): Promise<unknown> => {
    const { rows } = await client.query<unknown[]>({ text: `show ${name}`, rowMode: 'array' })
    return rows[0]?.[0]
  }

  test('with literals', async () => {
    const { rows } = await client.query("select set_config('timezone', 'asia/tokyo', false)")
    expect(rows).toEqual([{ set_config: 'Asia/Tokyo' }])
    expect(await show('timezone')).toBe('Asia/Tokyo')
  })

  test('with parameters', async () => {
    await client.query('select set_config($1, $2, $3)', ['app.name', 'ada', false])
    expect(await show('app.name')).toBe('ada')
    await client.query('select set_config($1, $2, $3)', ['app.name', 'eve', true])
    expect(await show('app.name')).toBe('ada')
  })

  test('among other results, until the transaction ends', async () => {
    await client.query('begin')
    const { rows } = await client.query(
      "select current_setting('jit') as before, set_config('jit', 'off', true) as after",
    )
    expect(rows).toEqual([{ before: 'on', after: 'off' }])
    expect(await show('jit')).toBe('off')
    await client.query('commit')
    expect(await show('jit')).toBe('on')
  })

  test('or fails as SET does', async () => {
    for (const [name, value, code] of [
      ['nonsense', '1', '42704'],
      ['work_mem', '1', '22023'],
      ['server_version', '1', '55P02'],
    ]) {
      await expect(
        client.query('select set_config($1, $2, false)', [name, value]),
      ).rejects.toMatchObject({ code })
    }
  })
})
