// @ts-check
/** @module The projects of the workspace that are published, and which needs which. */
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root } from './run-program.mjs'

/**
 * @typedef {object} Project
 * @property {string} name
 * @property {string} directory below the root
 * @property {readonly string[]} dependencies names, with peers that it cannot do without, without those of its development
 * @property {readonly string[]} peers names of the packages that it uses where they are installed
 */

/**
 * A project, and all that it depends on: the others may not be installed.
 *
 * @param {string} name
 * @returns {readonly Project[]}
 */
export function closureOf(name) {
  const projects = new Map(readProjects().map((project) => [project.name, project]))
  const found = new Set([name])
  for (const each of found) {
    for (const needed of projects.get(each)?.dependencies ?? []) {
      if (projects.has(needed)) found.add(needed)
    }
  }
  return [...projects.values()].filter((project) => found.has(project.name))
}

/** @returns {readonly Project[]} */
function readProjects() {
  return (
    ['packages', 'apps']
      .flatMap((group) => readdirSync(join(root, group)).map((folder) => join(group, folder)))
      // Folders of users need not be packages.
      .filter((directory) => existsSync(join(root, directory, 'package.json')))
      .map((directory) => {
        const manifest = JSON.parse(readFileSync(join(root, directory, 'package.json'), 'utf8'))
        const {
          name,
          dependencies = {},
          peerDependencies = {},
          peerDependenciesMeta = {},
        } = manifest
        const peers = Object.keys(peerDependencies)
        const optional = peers.filter((peer) => peerDependenciesMeta[peer]?.optional === true)
        const required = peers.filter((peer) => !optional.includes(peer))
        const needed = [...Object.keys(dependencies), ...required]
        return { name, directory, dependencies: needed, peers: optional }
      })
  )
}

/**
 * The packages that a program brings for the projects that it depends on: their optional peers. In a workspace pnpm links
 * peers only for development.
 *
 * @param {string} program
 * @returns {readonly string[]}
 */
export function broughtPeers(program) {
  const closure = closureOf(program)
  const peers = new Set(closure.flatMap((project) => project.peers))
  const { dependencies = [] } = closure.find(({ name }) => name === program) ?? {}
  return dependencies.filter((name) => peers.has(name))
}

/**
 * Links them into the root, where the projects find them as they do where the program is installed.
 *
 * @param {string} program
 */
export function linkPeers(program) {
  const { directory = '' } = closureOf(program).find(({ name }) => name === program) ?? {}
  for (const name of broughtPeers(program)) {
    const link = join(root, 'node_modules', name)
    const target = join(root, directory, 'node_modules', name)
    if (existsSync(link) || !existsSync(target)) continue
    mkdirSync(dirname(link), { recursive: true })
    symlinkSync(target, link, 'junction')
  }
}
