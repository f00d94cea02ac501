/** @module Every configuration on a page, and every part of one, is accepted by the server. */

import { connect as csv } from '@engine/adapters-csv'
import { connect as sqlite } from '@engine/adapters-sqlite'
import { repositoryRoot } from '@engine/check-packages'
import { configurationOptions } from '@engine/core/server'
import { expect, test, vi } from 'vitest'
import { findConfigurations, readPage, runExample, userPages } from '../src/index.ts'

vi.setConfig({ testTimeout: 120_000 })

const options = configurationOptions({
  '@engine/adapters-csv': csv,
  '@engine/adapters-sqlite': sqlite,
})
const configurations = userPages.flatMap((page) =>
  findConfigurations(readPage(page), options).map((found) => ({ page, ...found })),
)

/** What readers have beside the file. */
const surroundings = `
export NODE_ENV=development
export DATABASE_URL=postgres://app@localhost/shop SERVICE_DATABASE_URL=postgres://app@localhost/service
export MASTER_KEY='a master key of at least thirty-two bytes' SMTP_PASSWORD=secret SCHEMA_TOKEN=secret
export AUTH_SECRET='a secret of at least thirty-two bytes' JWT_SECRET='a secret of at least thirty-two bytes'
`

test('guides and references have configurations', () => {
  const pages = configurations.map(({ page }) => page)
  for (const name of ['from-hasura', 'from-postgrest', 'from-supabase', 'configuration', 'auth']) {
    expect(pages).toContain(`docs/${name}.md`)
  }
})

test.each(configurations)('$page:$line', async ({ file, code }) => {
  const script = `${surroundings}
mkdir tls
openssl req -x509 -newkey rsa:2048 -nodes -subj /CN=localhost -keyout tls/key.pem -out tls/cert.pem 2> tls/log
cat > ${file} <<'END'
${code.replaceAll('/etc/engine/tls', 'tls')}
END
engine-server config check ${file}
`
  const example = { language: 'sh', code: script } as const
  const { exitCode, output } = await runExample(example, repositoryRoot, 60_000)
  expect(exitCode, output).toBe(0)
})
