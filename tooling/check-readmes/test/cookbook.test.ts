/** @module Every recipe of the permission cookbook and of the guides for users of other products, on SQLite and on PostgreSQL. */
import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { repositoryRoot } from '@engine/check-packages'
import { createDatabase, describePostgres } from '@engine/test-databases/vitest'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { findRecipes, type Recipe, runExample } from '../src/index.ts'

vi.setConfig({ testTimeout: 120_000 })

const pages = readdirSync(join(repositoryRoot, 'docs')).filter((name) =>
  /^(?:permission-cookbook|from-.+)\.md$/.test(name),
)
const recipes = pages.flatMap((page) =>
  findRecipes(readFileSync(join(repositoryRoot, 'docs', page), 'utf8')).map((recipe) => ({
    page,
    ...recipe,
  })),
)

/** Runs the tests of a recipe as its reader does. */
async function expectToHold(url: string, { permissions, tests }: Recipe): Promise<void> {
  const code = `
cat > engine.config.ts <<'END'
export default {
connections: { main: ${JSON.stringify(url)} },
auth: { secret: 'a secret of at least thirty-two bytes' },
${permissions}}
END
cat > engine.tests.ts <<'END'
export default {
config: 'engine.config.ts',
${tests}}
END
engine-server permissions test engine.tests.ts
`
  const { exitCode, output } = await runExample({ language: 'sh', code }, repositoryRoot, 60_000)
  expect(exitCode, output).toBe(0)
}

test.each(pages)('%s has a recipe', (page) => {
  expect(recipes.map((recipe) => recipe.page)).toContain(page)
})

test('the cookbook has the recipes that people ask for', () => {
  expect(recipes.map(({ title }) => title)).toEqual(
    expect.arrayContaining([
      'Many tenants in one database',
      'Rows with an owner',
      'Soft delete',
      'Teams, by a table of members',
      'Masked cells',
      'Append-only',
      'Public read',
    ]),
  )
})

describe('on SQLite', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'engine-cookbook-'))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  test.each(recipes)('$page: $title', async (recipe) => {
    const path = join(folder, `${recipes.indexOf(recipe)}.db`)
    const database = new DatabaseSync(path)
    database.exec(recipe.tables)
    database.close()
    await expectToHold(path, recipe)
  })
})

describePostgres('on PostgreSQL', () => {
  test.each(recipes)('$page: $title', async (recipe) => {
    const url = await createDatabase('cookbook')
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    await client.query(recipe.tables).finally(() => client.end())
    await expectToHold(url, recipe)
  })
})
