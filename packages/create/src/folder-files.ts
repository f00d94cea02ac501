/** @module The files of a new folder; `engine-server init` adds the configuration. */
import { createRequire } from 'node:module'
import { basename } from 'node:path'

/** Packages of a project in TypeScript. */
const others = { '@types/node': '^24.0.0', typescript: '^7.0.0' }

/** Publishing replaces `workspace:^` by the version of the moment. */
const { devDependencies } = createRequire(import.meta.url)('../package.json') as {
  readonly devDependencies: Readonly<Record<'@engine/codegen' | '@engine/server', string>>
}

/** Texts by file name. */
export function folderFiles(folder: string): Readonly<Record<string, string>> {
  return {
    'package.json': json({
      name: packageName(folder),
      version: '0.0.0',
      private: true,
      type: 'module',
      scripts: { start: 'engine-server', check: 'tsc' },
      dependencies: { '@engine/server': versionOf('@engine/server') },
      devDependencies: { '@engine/codegen': versionOf('@engine/codegen'), ...others },
    }),
    'tsconfig.json': json({
      compilerOptions: {
        target: 'es2024',
        module: 'nodenext',
        strict: true,
        noUncheckedIndexedAccess: true,
        verbatimModuleSyntax: true,
        erasableSyntaxOnly: true,
        allowImportingTsExtensions: true,
        noEmit: true,
        skipLibCheck: true,
        types: ['node'],
      },
      include: ['*.ts', 'src'],
    }),
    '.gitignore': 'node_modules\n.env\nengine.db*\n',
  }
}

/** The folder's name as npm allows it. */
export function packageName(folder: string): string {
  const name = basename(folder)
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, '-')
    .replace(/^[._-]+|-+$/g, '')
  return name === '' ? 'engine-project' : name
}

function versionOf(name: keyof typeof devDependencies): string {
  const version = devDependencies[name]
  return version.startsWith('workspace:') ? 'latest' : version
}

function json(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`
}
