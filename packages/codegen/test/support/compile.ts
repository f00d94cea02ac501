import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A folder where packages of the workspace can be imported, and which version control ignores. */
const workshop = fileURLToPath(new URL('../../dist', import.meta.url))

const compiler = join(
  dirname(createRequire(import.meta.url).resolve('typescript/package.json')),
  'bin/tsc',
)

const strictOptions = {
  target: 'es2024',
  module: 'nodenext',
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  noImplicitReturns: true,
  noPropertyAccessFromIndexSignature: true,
  noUnusedLocals: true,
  verbatimModuleSyntax: true,
  erasableSyntaxOnly: true,
  allowImportingTsExtensions: true,
  skipLibCheck: true,
  noEmit: true,
  types: [],
}

/** The compiler's errors for files that import each other; empty when there are none. */
export async function compile(files: Readonly<Record<string, string>>): Promise<string> {
  mkdirSync(workshop, { recursive: true })
  const folder = mkdtempSync(join(workshop, 'compiled-'))
  try {
    const config = { compilerOptions: strictOptions, files: Object.keys(files) }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
    return await new Promise((resolve) => {
      execFile(process.execPath, [compiler, '-p', folder], (error, stdout, stderr) => {
        resolve(error === null ? '' : stdout + stderr || error.message)
      })
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
