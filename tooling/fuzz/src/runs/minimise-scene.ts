import type { Policy } from '../policy/random-policy.ts'
import { minimise } from '../tree/minimise.ts'
import { smallerJson, smallerWorlds } from '../world/smaller-worlds.ts'
import type { World } from '../world/world.ts'

/** A world, and its policy where there is one. */
export interface Scene {
  readonly world: World
  readonly policy: Policy
}

/** Maximum number of scenes that are tried: each is loaded into databases. */
const patience = 150

/** Returns the smallest world and policy found that `isInteresting` still accepts. */
export function minimiseScene<Kind extends Scene>(
  scene: Kind,
  isInteresting: (scene: Kind) => Promise<boolean>,
): Promise<Kind> {
  return minimise(scene, smallerScenes, isInteresting, patience)
}

function* smallerScenes<Kind extends Scene>(scene: Kind): Generator<Kind> {
  for (const world of smallerWorlds(scene.world)) {
    const names = world.tables.map(({ name }) => `main.${name}`)
    const kept = Object.entries(scene.policy).filter(([, { table }]) => names.includes(table))
    yield { ...scene, world, policy: Object.fromEntries(kept) }
  }
  for (const policy of smallerJson(scene.policy)) yield { ...scene, policy: policy as Policy }
}
