/** @module Child processes of this one (Linux). */
import { readdirSync, readFileSync } from 'node:fs'

/** Ids of those that still run. */
export function children(): readonly string[] {
  return readdirSync(`/proc/${process.pid}/task`).flatMap((thread) => {
    const list = readFileSync(`/proc/${process.pid}/task/${thread}/children`, 'utf8')
    return list.split(' ').filter((pid) => pid !== '')
  })
}
