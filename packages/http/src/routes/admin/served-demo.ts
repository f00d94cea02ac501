import type { DemoStatus } from '@engine/contract/admin-api'

/** Given by the program that serves a demo. */
export interface ServedDemo {
  readonly status: () => DemoStatus
  /** Makes the data what it was; the accounts stay. */
  resetData(): Promise<void>
}
