import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { type GenerateOptions, generate } from '@engine/codegen'
import type { SchemaDocument } from '@engine/contract'

/** A folder where packages of the workspace can be imported, and which version control ignores. */
const workshop = fileURLToPath(new URL('../../dist', import.meta.url))

/** Generates a module of a schema and imports it. */
export async function generatedModule(
  schema: SchemaDocument,
  options: GenerateOptions,
): Promise<Readonly<Record<string, unknown>>> {
  mkdirSync(workshop, { recursive: true })
  const folder = mkdtempSync(join(workshop, 'generated-'))
  try {
    const path = join(folder, 'module.ts')
    const code = generate(schema, options)
    // The package name of this installed version.
    const isNext = options.drizzleVersion === 1
    writeFileSync(path, isNext ? code.replaceAll("'drizzle-orm", "'drizzle-orm-v1") : code)
    return await import(pathToFileURL(path).href)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
