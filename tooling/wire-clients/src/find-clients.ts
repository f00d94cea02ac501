import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'

/** Debian's own Python, since its packages belong to it. */
export const python = '/usr/bin/python3'

/** pgjdbc, where Debian puts it. */
export const driverJar = '/usr/share/java/postgresql.jar'

/** Reasons by client; determined once for the machine. */
const known = new Map<string, string | undefined>()

function missingOnce(name: string, ask: () => string | undefined): string | undefined {
  if (!known.has(name)) known.set(name, ask())
  return known.get(name)
}

/** Why a module of Python cannot be used; undefined when it can. */
export function missingPythonModule(name: string, packageName: string): string | undefined {
  return missingOnce(name, () =>
    runs(python, ['-c', `import ${name}`])
      ? undefined
      : `no ${name} for ${python}: install ${packageName}`,
  )
}

/** The same for DBD::Pg. */
export function missingPerlDriver(): string | undefined {
  return missingOnce('DBD::Pg', () =>
    runs('perl', ['-MDBD::Pg', '-e', '1']) ? undefined : 'no DBD::Pg: install libdbd-pg-perl',
  )
}

/** The same for pgjdbc and the compiler that its checks need. */
export function missingJdbc(): string | undefined {
  return missingOnce('pgjdbc', () => {
    if (!existsSync(driverJar)) return `no ${driverJar}: install libpostgresql-jdbc-java`
    return runs('javac', ['-version']) ? undefined : 'no javac: install default-jdk-headless'
  })
}

/** The same for psql. */
export function missingPsql(): string | undefined {
  return missingOnce('psql', () =>
    runs('psql', ['--version']) ? undefined : 'no psql: install postgresql-client',
  )
}

/** The same for pgbench. */
export function missingPgbench(): string | undefined {
  return findPgbench() === undefined ? 'no pgbench: install postgresql-15' : undefined
}

/** pgbench on the PATH, otherwise of the newest version that Debian has installed; undefined where there is none. */
export function findPgbench(): string | undefined {
  return missingOnce('path of pgbench', () => {
    if (runs('pgbench', ['--version'])) return 'pgbench'
    const versions = existsSync('/usr/lib/postgresql') ? readdirSync('/usr/lib/postgresql') : []
    return versions
      .toSorted((left, right) => Number(right) - Number(left))
      .map((version) => `/usr/lib/postgresql/${version}/bin/pgbench`)
      .find((path) => existsSync(path))
  })
}

/** Clears the cached results: a client was installed. */
export function lookAgain(): void {
  known.clear()
}

function runs(path: string, words: readonly string[]): boolean {
  return spawnSync(path, words, { stdio: 'ignore' }).status === 0
}
