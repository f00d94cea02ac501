/** @module The steps of the first run, and their state in the address: it can be left, resumed and sent. */
import type { EngineStatus } from '@engine/contract/admin-api'

export const stepIds = ['connect', 'tables', 'rules', 'try', 'use'] as const

export type StepId = (typeof stepIds)[number]

export interface Progress {
  readonly isConnected: boolean
  readonly hasRules: boolean
}

export function progressOf({
  connections,
  permissions,
}: Pick<EngineStatus, 'connections' | 'permissions'>): Progress {
  return { isConnected: Object.keys(connections).length > 0, hasRules: permissions > 0 }
}

/** Where the first run goes on. */
export function nextStep({ isConnected, hasRules }: Progress): StepId {
  if (!isConnected) return 'connect'
  return hasRules ? 'try' : 'tables'
}

/** A step needs what the steps before it made. */
export function isReachable(step: StepId, { isConnected, hasRules }: Progress): boolean {
  if (step === 'connect') return true
  return isConnected && (hasRules || step === 'tables' || step === 'rules')
}

export function isDone(step: StepId, at: StepId, { isConnected, hasRules }: Progress): boolean {
  if (step === 'connect') return isConnected
  if (step === 'rules') return hasRules
  return stepIds.indexOf(step) < stepIds.indexOf(at) && (step === 'tables' ? isConnected : hasRules)
}

/** Is the first run offered: a stored configuration without databases or without rules. */
export function isUnfinished(status: EngineStatus | undefined): boolean {
  if (status === undefined || status.configuration.mode !== 'interactive') return false
  if (status.configuration.isReadOnly) return false
  const { isConnected, hasRules } = progressOf(status)
  return !(isConnected && hasRules)
}

const key = 'engine-admin.start'

/** Somebody left the first run: the overview no longer leads there by itself. */
export function leave(): void {
  localStorage.setItem(key, 'left')
}

export function wasLeft(): boolean {
  return localStorage.getItem(key) === 'left'
}
