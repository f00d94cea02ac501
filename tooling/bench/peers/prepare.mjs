/** @module Generates the code of peers that need some, below `generated`. Run after each installation. */
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire, stripTypeScriptTypes } from 'node:module'
import { fileURLToPath } from 'node:url'
import { loadDocument } from '@zenstackhq/language'
import { TsSchemaGenerator } from '@zenstackhq/sdk'

const { resolve } = createRequire(import.meta.url)
const pathOf = (name) => fileURLToPath(new URL(name, import.meta.url))

/** The client needs no engine. The program asks for one all the same, and downloads it unless a file is named. */
function generatePrisma() {
  const env = {
    ...process.env,
    PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
    CHECKPOINT_DISABLE: '1',
  }
  const words = ['generate', '--schema', pathOf('schema.prisma'), '--no-hints']
  execFileSync(process.execPath, [resolve('prisma/build/index.js'), ...words], { env })
}

/** The schema is TypeScript, which Node.js does not run below `node_modules`. */
async function generateZenstack() {
  const policy = resolve('@zenstackhq/plugin-policy/plugin.zmodel')
  const loaded = await loadDocument(pathOf('schema.zmodel'), [policy])
  if (!loaded.success) throw new Error(loaded.errors.join('\n'))
  const outDir = pathOf('generated/zenstack')
  await new TsSchemaGenerator().generate(loaded.model, { outDir })
  const text = readFileSync(`${outDir}/schema.ts`, 'utf8')
  writeFileSync(`${outDir}/schema.mjs`, stripTypeScriptTypes(text))
}

generatePrisma()
await generateZenstack()
