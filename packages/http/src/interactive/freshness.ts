/** @module Which requests wait for the newest configuration. */
import type { ConfigurationFollower } from './configuration-follower.ts'

/** Called before a request is answered; undefined where it need not wait. A rejection is the answer. */
export type BeforeAnswer = () => Promise<void> | undefined

/** @param path of a route, with the path where the app is mounted. @returns undefined for a route that never waits. */
export type FreshnessOf = (path: string) => BeforeAnswer | undefined

/** Health and metrics tell the state of the node, whatever it is. */
const always = /\/(health\/(live|ready)|metrics)$/

/** Administrators mend a node that cannot apply the newest configuration. */
const administration = /\/admin(\/|$)/

export function createFreshness({
  upToDate,
}: Pick<ConfigurationFollower, 'upToDate'>): FreshnessOf {
  const attempt = (): Promise<void> | undefined => {
    try {
      return upToDate()?.catch(() => undefined)
    } catch {
      return undefined
    }
  }
  return (path) => {
    if (always.test(path)) return undefined
    return administration.test(path) ? attempt : upToDate
  }
}
