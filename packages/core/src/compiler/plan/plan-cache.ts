import { LRUCache } from 'lru-cache'

/** Least recently used plans, two levels deep so that a hit hashes the SQL text once and joins no strings. */
export interface PlanCache<Plan> {
  get(rightsKey: string, sql: string): Plan | undefined
  set(rightsKey: string, sql: string, plan: Plan): void
  clear(): void
  /** Plans of all role sets. */
  count(): number
}

/** Bounds: role sets, and per role set plans, the size of all of them, and that of one. */
const bounds = { roleSets: 200, plans: 1_000, size: 8_000_000, planSize: 400_000 }

/**
 * Only plans that passed every check are cached: refused statements cannot evict others. A very large plan is not cached: it would
 * evict hundreds of others, and a statement of that size rarely has the same number of rows again.
 *
 * @param sizeOf about the bytes of a plan, without the client's text.
 */
export function createPlanCache<Plan extends object>(
  sizeOf: (plan: Plan) => number = () => 0,
): PlanCache<Plan> {
  const roleSets = new LRUCache<string, LRUCache<string, Plan>>({ max: bounds.roleSets })
  return {
    get: (rightsKey, sql) => roleSets.get(rightsKey)?.get(sql),
    set: (rightsKey, sql, plan) => {
      const plans =
        roleSets.get(rightsKey) ??
        new LRUCache<string, Plan>({
          max: bounds.plans,
          maxSize: bounds.size,
          maxEntrySize: bounds.planSize,
          sizeCalculation: (plan, text) => sizeOf(plan) + text.length + 1,
        })
      roleSets.set(rightsKey, plans)
      plans.set(sql, plan)
    },
    clear: () => roleSets.clear(),
    count: () => [...roleSets.values()].reduce((sum, plans) => sum + plans.size, 0),
  }
}
