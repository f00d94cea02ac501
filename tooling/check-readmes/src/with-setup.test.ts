import { expect, test } from 'vitest'
import { withSetup } from './with-setup.ts'

const setup = 'export const client = 1\nexport async function close() {}\nexport const db = 2\n'

test('names that a block lacks come from the setup of its page', () => {
  expect(withSetup('await client.query(request)\n', setup)).toBe(
    "import { client } from './setup.ts'\nawait client.query(request)\nexport {}\n",
  )
})

test('names that a block declares or imports, and properties, do not', () => {
  const code = "import { db } from './db.ts'\nconst client = { close: 1 }\nclient.close\n"
  expect(withSetup(code, setup)).toBe(`${code}export {}\n`)
})
