import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { type GenerateOptions, generate } from '@engine/codegen'
import type { SchemaDocument } from '@engine/contract'

/** Where packages of the workspace can be imported from, and version control does not look. */
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
    // The name under which this version is installed here.
    const isNext = options.drizzleVersion === 1
    writeFileSync(path, isNext ? code.replaceAll("'drizzle-orm", "'drizzle-orm-v1") : code)
    return await import(pathToFileURL(path).href)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
