/** @module The files of a new configuration, and how they are written. */
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import type { Config } from '@engine/core'
import type { Decisions } from './answers.ts'
import { besideConfig, configText, variable } from './config-text.ts'
import { newSecret, urlVariable, withVariables } from './env-text.ts'
import { firstPermissions } from './first-permissions.ts'
import type { TableAccess } from './guess-access.ts'
import { newPackageText, withScripts } from './package-text.ts'
import { type Project, packageName, unignored } from './project.ts'
import type { DatabaseTables } from './read-database.ts'
import type { Samples } from './sample-rows.ts'
import { testsText } from './tests-text.ts'

export interface ProjectFile {
  readonly name: string
  readonly text: string
  /** What the file is for, in a few words. */
  readonly about: string
  /** Others on this machine may not read it. */
  readonly isSecret?: true
  /** It adds to a file that is there, and replaces nothing of it. */
  readonly adds?: true
}

export interface FilesOptions {
  readonly project: Project
  readonly name: string
  readonly source: { readonly value: string; readonly isSecret: boolean }
  /** Of PostgreSQL; undefined: `public`. */
  readonly schemas: readonly string[] | undefined
  readonly database: DatabaseTables
  readonly decisions: Decisions
  readonly tables: readonly TableAccess[]
  readonly samples: Samples
  readonly environment: NodeJS.ProcessEnv
}

/** The files, in the order in which they are shown. Files that would not change are left out. */
export function projectFiles(options: FilesOptions): readonly ProjectFile[] {
  const { project, name, database, decisions, tables, samples } = options
  const { extension } = project
  const names = {
    configFile: `engine.config.${extension}`,
    schemaFile: `engine.schema.${extension}`,
    testsFile: `engine.tests.${extension}`,
  }
  const permissions = firstPermissions(tables, { ...decisions, connection: name })
  const common = {
    connection: name,
    database: database.connection,
    permissions,
    ...decisions,
  }
  const { source, variables } = sourceOf(options)
  const environment = before(project, '.env')
  return [
    {
      name: names.configFile,
      text: configText({ ...common, source, schemaFile: `./${names.schemaFile}` }),
      about: 'the configuration: connection, accounts, permissions',
    },
    { name: names.schemaFile, text: database.schemaText, about: 'the tables, as types' },
    {
      name: names.testsFile,
      text: testsText({
        ...common,
        tables,
        samples,
        configFile: names.configFile,
      }),
      about: 'tests of the permissions',
    },
    {
      name: '.env',
      text: withVariables(environment, variables),
      about: 'secrets, for this machine alone',
      isSecret: true,
      adds: true,
    },
    ...ignoreFile(project),
    ...packageFile(project, names),
  ]
}

function sourceOf({ source, schemas, environment }: FilesOptions): {
  readonly source: unknown
  readonly variables: Readonly<Record<string, string>>
} {
  const secrets = { ENGINE_MASTER_KEY: newSecret(), ENGINE_AUTH_SECRET: newSecret() }
  const around = (value: unknown) => withSchemas(value, schemas)
  if (!source.isSecret) {
    const isAbsolutePath = isAbsolute(source.value.replace(/^file:/, ''))
    const path = isAbsolutePath ? source.value : besideConfig(source.value)
    return { source: around(path), variables: secrets }
  }
  const name = urlVariable(source.value, environment)
  return { source: around(variable(name)), variables: { [name]: source.value, ...secrets } }
}

function ignoreFile(project: Project): readonly ProjectFile[] {
  const missing = unignored(project.folder, ['.env', 'engine.db'])
  if (missing.length === 0) return []
  const text = before(project, '.gitignore')
  const known = new Set(text.split(/\r?\n/))
  const lines = missing
    .map((name) => (name === 'engine.db' ? 'engine.db*' : name))
    .filter((line) => !known.has(line))
  if (lines.length === 0) return []
  const begin = text === '' || text.endsWith('\n') ? text : `${text}\n`
  const about = 'keeps secrets and accounts out of git'
  return [{ name: '.gitignore', text: `${begin}${lines.join('\n')}\n`, about, adds: true }]
}

/** The engine's own repository has scripts for it. */
function packageFile(
  project: Project,
  names: Parameters<typeof newPackageText>[1],
): readonly ProjectFile[] {
  const { manifest, isCheckout } = project
  if (isCheckout) return []
  const text =
    manifest === undefined
      ? newPackageText(packageName(project), names)
      : withScripts(manifest, names)
  if (text === undefined || text === manifest) return []
  return [{ name: 'package.json', text, about: 'scripts', adds: true }]
}

/** Those that would be replaced. Another form of configuration would be hidden by the new one. */
export function replacedFiles(project: Project, files: readonly ProjectFile[]): readonly string[] {
  const others = ['ts', 'mts', 'js', 'mjs', 'json'].map((extension) => `engine.config.${extension}`)
  const written = files.filter(({ adds }) => adds !== true).map(({ name }) => name)
  return [...new Set([...written, ...others])].filter((name) =>
    existsSync(join(project.folder, name)),
  )
}

export function writeFiles(project: Project, files: readonly ProjectFile[]): void {
  for (const { name, text, isSecret } of files) {
    const path = join(project.folder, name)
    // The mode of a file that is there does not change by writing.
    if (isSecret === true && existsSync(path)) chmodSync(path, 0o600)
    writeFileSync(path, text, isSecret === true ? { mode: 0o600 } : {})
  }
}

function before({ folder }: Project, name: string): string {
  const path = join(folder, name)
  return existsSync(path) ? readFileSync(path, 'utf8') : ''
}

/** The connection of a configuration. */
export function connectionOf(
  value: string,
  schemas: readonly string[] | undefined,
): Config['connections'][string] {
  return withSchemas(value, schemas) as Config['connections'][string]
}

/** @param url a text, or the code of one. */
function withSchemas(url: unknown, schemas: readonly string[] | undefined): unknown {
  if (schemas === undefined) return url
  const [schema, ...more] = schemas
  return more.length === 0 ? { url, schema } : { url, schemas }
}
