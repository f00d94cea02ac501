/** Allows something now and then: `most` times at once, and again as time passes. */
export interface Budget {
  /** Takes one, if there is one. */
  take(): boolean
}

export interface BudgetOptions {
  readonly most: number
  readonly perSecond: number
  /** In milliseconds, of any origin. */
  readonly clock: () => number
}

export function createBudget({ most, perSecond, clock }: BudgetOptions): Budget {
  let left = most
  let countedAt = clock()
  return {
    take: () => {
      const now = clock()
      left = Math.min(most, left + ((now - countedAt) / 1_000) * perSecond)
      countedAt = now
      if (left < 1) return false
      left -= 1
      return true
    },
  }
}
