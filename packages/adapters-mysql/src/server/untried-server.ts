/**
 * @module Servers that speak MySQL's protocol and are not what was tried. They start, with a warning that names what is not known
 * about them.
 */

/** How a server describes itself. */
export interface ServerDescription {
  /** `version()`: `10.11.6-MariaDB-0+deb12u1`, `9.7.4`, `8.0.11-TiDB-v8.5.0` */
  readonly version: string
  /** `@@version_comment`: `MySQL Community Server - GPL`, `Percona Server (GPL), Release 28` */
  readonly comment: string
  /** `@@aurora_version`, where there is one. */
  readonly aurora: string | undefined
}

/** Products by a text in their description. */
const products: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/\btidb\b/i, 'TiDB'],
  [/planetscale/i, 'PlanetScale'],
  [/vitess/i, 'Vitess'],
  [/percona/i, 'Percona Server'],
  [/singlestore|memsql/i, 'SingleStore'],
  [/oceanbase/i, 'OceanBase'],
  [/heatwave|-cloud\b/i, 'HeatWave'],
]

/** Releases that the tests run on: `major.minor`, oldest and newest. */
export const triedReleases = {
  MariaDB: ['10.11', '11.8'],
  MySQL: ['9.7', '9.7'],
} as const

/** The query for a description; its rows are names and values. */
export const descriptionQuery: string =
  "show variables where variable_name in ('version', 'version_comment', 'aurora_version')"

/** @param rows of `descriptionQuery` */
export function descriptionOf(rows: readonly (readonly unknown[])[]): ServerDescription {
  const values = new Map(rows.map(([name, value]) => [String(name).toLowerCase(), String(value)]))
  return {
    version: values.get('version') ?? '',
    comment: values.get('version_comment') ?? '',
    aurora: values.get('aurora_version'),
  }
}

/** What was not tried about a server, as one sentence; undefined for one of those that the tests run on. */
export function untriedServer(server: ServerDescription): string | undefined {
  const { version, comment, aurora } = server
  const family = /mariadb/i.test(`${version} ${comment}`) ? 'MariaDB' : 'MySQL'
  const [oldest, newest] = triedReleases[family]
  const tried = oldest === newest ? oldest : `${oldest} to ${newest}`
  const product =
    aurora === undefined
      ? products.find(([pattern]) => pattern.test(`${version} ${comment}`))?.[1]
      : `Amazon Aurora ${aurora}`
  if (product !== undefined) {
    return `the database is ${product} (${version}), which was not tried: statements are printed for ${family}, which was tried as ${tried}`
  }
  const release = numberOf(version)
  if (release >= numberOf(oldest) && release <= numberOf(newest)) return undefined
  return `the database is ${family} ${version}, a release that was not tried: ${tried} was`
}

/** `10.11.6` is 1011. */
function numberOf(version: string): number {
  const [, major = '0', minor = '0'] = /(\d+)\.(\d+)/.exec(version) ?? []
  return Number(major) * 100 + Number(minor)
}
