/** @module Scripts in `package.json`. */
import { version } from '../version.ts'

export interface PackageText {
  readonly configFile: string
  readonly schemaFile: string
  readonly testsFile: string
}

/** Adds the scripts that are missing; keeps the indentation. @returns undefined where the text is no JSON object. */
export function withScripts(text: string, files: PackageText): string | undefined {
  const parsed = parsedObject(text)
  if (parsed === undefined) return undefined
  const before = isObject(parsed['scripts']) ? parsed['scripts'] : {}
  const scripts = { ...scriptsFor(files), ...before }
  const indent = /^([ \t]+)"/m.exec(text)?.[1] ?? '  '
  const end = text.endsWith('\n') ? '\n' : ''
  return `${JSON.stringify({ ...parsed, scripts }, null, indent)}${end}`
}

/** For a folder without one. */
export function newPackageText(name: string, files: PackageText): string {
  const manifest = {
    name,
    version: '0.0.0',
    private: true,
    type: 'module',
    scripts: scriptsFor(files),
    dependencies: { '@engine/server': `^${version}` },
    devDependencies: { '@engine/codegen': `^${version}` },
  }
  return `${JSON.stringify(manifest, null, 2)}\n`
}

/** Has it dependencies on this package? */
export function dependsOnServer(text: string): boolean {
  const parsed = parsedObject(text)
  return ['dependencies', 'devDependencies'].some((key) => {
    const list = parsed?.[key]
    return isObject(list) && '@engine/server' in list
  })
}

/** Is a `.ts` file in its folder a module? */
export function isModulePackage(text: string): boolean {
  return parsedObject(text)?.['type'] === 'module'
}

function scriptsFor({ schemaFile, testsFile }: PackageText): Readonly<Record<string, string>> {
  const types = 'engine-codegen --url http://127.0.0.1:3001 --format permissions --out'
  return {
    engine: 'engine-server',
    'engine:doctor': 'engine-server doctor',
    'engine:test': `engine-server permissions test ${testsFile}`,
    'engine:schema': `${types} ${schemaFile}`,
  }
}

function parsedObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const parsed: unknown = JSON.parse(text)
    return isObject(parsed) ? parsed : undefined
  } catch {
    return undefined
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
