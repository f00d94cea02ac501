// @ts-check
/** @module Installs what a command needs: everything for tests, production dependencies of a few projects to start. */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { root } from './run-program.mjs'
import { runPnpm } from './toolchain.mjs'
import { linkPeers } from './workspace.mjs'

/** Written by pnpm. */
const stateFile = join(root, 'node_modules', '.pnpm-workspace-state-v1.json')

/**
 * The lockfile of a commit was checked when it was made, and every package of it has a digest. To check the age of all of
 * its entries again takes a minute on a machine without a cache: it reads the history of each package.
 */
const trustsLockfile = '--config.minimum-release-age=0'

const install = ['install', '--frozen-lockfile', '--config.confirm-modules-purge=false']

/**
 * Installs every package of the workspace.
 *
 * @param {import('./toolchain.mjs').Toolchain} toolchain
 * @param {import('./steps.mjs').Steps} steps
 */
export async function installAll(toolchain, steps) {
  await toolchain.pnpm
  await steps.run('packages', (report) => runPnpm(toolchain, install, progressTo(report)))
}

/**
 * Installs the production dependencies of some projects, and of the projects that they depend on. Where everything was
 * installed, everything stays.
 *
 * @param {readonly string[]} projects names of packages
 * @param {import('./toolchain.mjs').Toolchain} toolchain
 * @param {import('./steps.mjs').Steps} steps
 */
export async function installFor(projects, toolchain, steps) {
  const hasEverything = existsSync(stateFile) && isWhole(readFileSync(stateFile, 'utf8'))
  const filters = hasEverything
    ? []
    : ['--prod', ...projects.map((name) => `--filter-prod=${name}...`)]
  const words = [...install, trustsLockfile, ...filters]
  await toolchain.pnpm
  await steps.run('packages', (report) => runPnpm(toolchain, words, progressTo(report)))
  if (!hasEverything) for (const name of projects) linkPeers(name)
}

/**
 * Installs the dependencies of one project, those of its development included, into a directory of their own.
 *
 * @param {string} project
 * @param {string} directory made by this
 * @param {import('./toolchain.mjs').Toolchain} toolchain
 * @param {(detail: string) => void} report
 */
export function installApart(project, directory, toolchain, report) {
  const words = [`--filter=${project}`, trustsLockfile, 'deploy', directory]
  return runPnpm(toolchain, words, progressTo(report))
}

/**
 * @param {string} state what pnpm wrote about its last run
 * @returns {boolean} whether that run installed every dependency of every project
 */
export function isWhole(state) {
  const { filteredInstall, settings } = JSON.parse(state)
  return filteredInstall === false && settings?.dev === true && settings?.production === true
}

/**
 * @param {(detail: string) => void} report
 * @returns {(output: string) => void}
 */
export function progressTo(report) {
  return (output) => {
    const [, all, added] =
      /Progress: resolved (\d+),.* added (\d+)(?!.*Progress)/s.exec(output) ?? []
    if (all !== undefined && added !== '0') report(`${added} of ${all}`)
  }
}

/**
 * The project of the workspace that a file belongs to.
 *
 * @param {string} file absolute
 * @returns {string | undefined} its name; undefined for a file elsewhere, and for a project that the lockfile does not have
 */
export function projectOf(file) {
  const [group = '', folder = ''] = relative(root, dirname(file)).split(sep)
  const manifest = join(root, group, folder, 'package.json')
  if (!['apps', 'packages'].includes(group) || folder === '' || !existsSync(manifest))
    return undefined
  const lockfile = readFileSync(join(root, 'pnpm-lock.yaml'), 'utf8')
  if (!lockfile.includes(`\n  ${group}/${folder}:\n`)) return undefined
  return JSON.parse(readFileSync(manifest, 'utf8')).name
}

/** Together they have what a client program imports: the client, Drizzle and Kysely. */
const clientProjects = ['@engine/example-drizzle', '@engine/example-kysely']

/**
 * What a program needs: its own project; for a program of none, which a user has written, what clients import.
 *
 * @param {string} file absolute
 * @returns {readonly string[] | undefined} names of projects; undefined for a tool of this repository, which may need everything
 */
export function projectsFor(file) {
  const project = projectOf(file)
  if (project !== undefined) return [project]
  return isTool(file) ? undefined : clientProjects
}

/** @param {string} file absolute */
function isTool(file) {
  return relative(root, file).split(sep)[0] === 'tooling'
}
