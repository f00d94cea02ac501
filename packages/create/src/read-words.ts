/** @module The arguments of the program. */

export interface Words {
  /** undefined: it is asked. */
  readonly folder: string | undefined
  readonly installs: boolean
  readonly isHelp: boolean
  /** For `engine-server init`. */
  readonly rest: readonly string[]
}

/** The folder stands first; what this program does not know is an option of `engine-server init`. */
export function readWords(words: readonly string[]): Words {
  const [first, ...others] = words
  const hasFolder = first !== undefined && !first.startsWith('-')
  const options = hasFolder ? others : words
  return {
    folder: hasFolder ? first : undefined,
    installs: !options.includes('--no-install'),
    isHelp: options.includes('--help') || options.includes('-h'),
    rest: options.filter((word) => word !== '--no-install'),
  }
}

export const help = `npm create @engine [folder] -- [options]

Makes a folder with a package.json, installs @engine/server and runs "engine-server init" in it,
which reads the tables of a database and writes a configuration with first permissions.

  --no-install     write the folder, and say what to run
  --url URL        URL of the database, or path of a SQLite file; asked for without it
  --yes            ask nothing

Other options are those of "engine-server init": see "npx engine-server init --help".
`
