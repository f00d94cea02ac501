import type { Fault } from '../../foundation/faults.ts'
import { serverOptionProblem } from '../options/config-shape.ts'

/** Keys of other products that have no option here. */
const notes: ReadonlyMap<string, string> = new Map([
  [
    'roles',
    'unknown key; roles are the names in permissions and actions, and none inherits another: give a permission several roles',
  ],
])

/** The most paths that a message names. */
const mostPlaces = 3

/**
 * Adds to unknown keys the path of an option with that name: `auth.refreshWindow` is at `auth.session.refreshWindow`. A key that
 * resembles one of the same section already has a suggestion. An option of the server says so.
 */
export function withPlaces(faults: readonly Fault[], options: readonly string[]): readonly Fault[] {
  return faults.map(({ path, message }) => {
    if (message !== 'unknown key') return { path, message }
    const ofServer = serverOptionProblem(path)
    if (ofServer !== undefined) return { path, message: ofServer }
    const note = notes.get(path)
    if (note !== undefined) return { path, message: note }
    const places = placesOf(path, options)
    if (places.length === 0) return { path, message }
    return { path, message: `unknown key; it belongs at ${places.map(quoted).join(' or ')}` }
  })
}

/** Paths in the same section have priority: then only these are named. */
function placesOf(path: string, options: readonly string[]): readonly string[] {
  const parts = path.split('.')
  const [section = ''] = parts
  const name = parts.at(-1) ?? ''
  const all = options.filter((option) => option !== path && option.split('.').at(-1) === name)
  const near = all.filter((option) => option.startsWith(`${section}.`))
  const places = near.length > 0 ? near : all
  return places.length > mostPlaces ? [] : places
}

function quoted(text: string): string {
  return `"${text}"`
}
