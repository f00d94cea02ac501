/** @module What `engine-codegen` writes for the shop, beside the blocks of a page. */
import { writeFileSync } from 'node:fs'
import { createClient } from '@engine/client'
import { generate } from '@engine/codegen'
import { address, openShop } from './shop.ts'

const shop = await openShop()
const schema = await createClient({ url: address, token: 'ek_a1b2c3' }).schema()
const connections = ['main']
const files = {
  'actions.ts': generate(schema, { format: 'types' }),
  'schema.ts': generate(schema, { format: 'drizzle', connections }),
  'database.ts': generate(schema, { format: 'kysely' }),
  'engine-schema.ts': generate(schema, { format: 'permissions' }),
}
for (const [name, text] of Object.entries(files)) writeFileSync(name, text)
await shop.close()
