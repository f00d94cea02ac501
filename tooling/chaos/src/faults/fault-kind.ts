import type { Random } from '@engine/fixtures'
import type { Target } from '../target.ts'

/** One way in which something fails. */
export interface FaultKind {
  /** `postgres: crash` */
  readonly name: string
  readonly target: Target
  /** False when no request may fail by it. */
  readonly excuses: boolean
  /** Breaks it, and mends it. Resolves when it is back. */
  happen(random: Random): Promise<void>
}
