/**
 * @module Packages of Debian's newer suite (sid), fetched by the machine's own apt with a private configuration: it
 * checks their signatures, needs no right of root, and changes nothing of the system.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { mirrorOf, readSources } from './mirror.ts'

const keyring = '/usr/share/keyrings/debian-archive-keyring.gpg'

/** An archive whose lists have been read. */
export interface DebianArchive {
  /** Names of packages that an extended regular expression matches. */
  readonly search: (pattern: string) => readonly string[]
  /**
   * The version that the archive has.
   *
   * @throws {ArchiveError} when it has none.
   */
  readonly versionOf: (name: string) => string
  /**
   * Downloads packages and all that they depend on.
   *
   * @returns the paths of their files
   * @throws {ArchiveError} when one cannot be had.
   */
  readonly download: (...names: readonly string[]) => readonly string[]
}

/** The archive cannot be reached, or does not have a package. */
export class ArchiveError extends Error {
  override readonly name = 'ArchiveError'
}

/**
 * Reads the lists of the archive.
 *
 * @param directory empty, for apt's files
 * @param mirror its URI; by default the one of the machine's apt
 * @throws {ArchiveError} when this machine is not a Debian with apt, or its mirror cannot be reached.
 */
export function openArchive(
  directory: string,
  mirror: string | undefined = mirrorOf(readSources()),
): DebianArchive {
  if (!isDebian() || mirror === undefined || !existsSync(keyring)) {
    throw new ArchiveError('this machine is not a Debian with apt and the keys of its archive')
  }
  const config = writeConfig(directory, mirror)
  const apt = (program: string, ...words: readonly string[]): string => {
    const { status, stdout, stderr, error } = spawnSync(program, [`-c=${config}`, ...words], {
      encoding: 'utf8',
      env: { ...process.env, LC_ALL: 'C', DEBIAN_FRONTEND: 'noninteractive' },
      maxBuffer: 64 * 1024 * 1024,
    })
    if (status === 0) return stdout
    const reason =
      stderr
        .trim()
        .split('\n')
        .find((line) => line.startsWith('E:')) ?? error?.message
    throw new ArchiveError(`${program} ${words.join(' ')}: ${reason ?? `status ${status}`}`)
  }
  apt('apt-get', 'update')
  return {
    search: (pattern) =>
      apt('apt-cache', 'search', '--names-only', pattern)
        .split('\n')
        .flatMap((line) => line.split(' - ', 1)[0] || []),
    versionOf: (name) => {
      const shown = apt('apt-cache', 'show', '--no-all-versions', name)
      return /^Version: (\S+)$/m.exec(shown)?.[1] ?? ''
    },
    download: (...names) => {
      const archives = join(directory, 'packages', names.join('+'))
      mkdirSync(join(archives, 'partial'), { recursive: true })
      const into = `--option=Dir::Cache::archives=${archives}`
      // No package counts as installed: everything that it depends on is downloaded, the C library among it.
      apt('apt-get', into, 'install', '--yes', '--download-only', ...names)
      return readdirSync(archives)
        .filter((file) => file.endsWith('.deb'))
        .map((file) => join(archives, file))
    },
  }
}

function isDebian(): boolean {
  return (
    existsSync('/etc/os-release') && /^ID=debian$/m.test(readFileSync('/etc/os-release', 'utf8'))
  )
}

/** Settings for proxies and the like are the machine's own. */
function writeConfig(directory: string, mirror: string): string {
  for (const each of ['state/lists/partial', 'cache', 'log']) {
    mkdirSync(join(directory, each), { recursive: true })
  }
  const sources = join(directory, 'sid.sources')
  const status = join(directory, 'state', 'status')
  const config = join(directory, 'apt.conf')
  writeFileSync(status, '')
  writeFileSync(
    sources,
    `Types: deb\nURIs: ${mirror}\nSuites: sid\nComponents: main\nSigned-By: ${keyring}\n`,
  )
  const settings = {
    'Dir::State': join(directory, 'state'),
    'Dir::State::status': status,
    'Dir::Cache': join(directory, 'cache'),
    'Dir::Log': join(directory, 'log'),
    'Dir::Etc::sourcelist': sources,
    'Dir::Etc::sourceparts': '-',
    'Dir::Etc::preferences': '-',
    'Dir::Etc::preferencesparts': '-',
    // Its own user could not enter the directory.
    'APT::Sandbox::User': '',
    'APT::Install-Recommends': 'false',
    'APT::Update::Error-Mode': 'any',
    'Acquire::Languages': 'none',
    'Acquire::Retries': '2',
    'Acquire::http::Timeout': '20',
    'Acquire::https::Timeout': '20',
  }
  const lines = Object.entries(settings).map(([name, value]) => `${name} "${value}";`)
  // Commands of the system that would run afterwards.
  const hooks = [
    'APT::Update::Pre-Invoke',
    'APT::Update::Post-Invoke',
    'APT::Update::Post-Invoke-Success',
  ]
  writeFileSync(config, [...hooks.map((name) => `#clear ${name};`), ...lines, ''].join('\n'))
  return config
}
