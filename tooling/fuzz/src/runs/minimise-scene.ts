import type { Policy } from '../policy/random-policy.ts'
import { minimise } from '../tree/minimise.ts'
import { smallerJson, smallerWorlds } from '../world/smaller-worlds.ts'
import type { World } from '../world/world.ts'

/** A world, and the policy over it where there is one. */
export interface Scene {
  readonly world: World
  readonly policy: Policy
}

/** How many scenes are tried: each is loaded into databases. */
const patience = 150

/** The smallest world and policy found that still show what `isInteresting` looks for. */
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
