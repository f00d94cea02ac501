/** @module The result of a check, for people and for scripts. */

/**
 * `fault`: it will not work, or is not secure. `warning`: an operator should check it. `ok`: checked, no problem found.
 */
export type FindingLevel = 'ok' | 'warning' | 'fault'

export interface Finding {
  readonly level: FindingLevel
  /** Its subject: a path of the configuration, or `node`, `ports`. */
  readonly about: string
  /** One sentence; never a secret. */
  readonly message: string
}

export function ok(about: string, message: string): Finding {
  return { level: 'ok', about, message }
}

export function warning(about: string, message: string): Finding {
  return { level: 'warning', about, message }
}

export function fault(about: string, message: string): Finding {
  return { level: 'fault', about, message }
}
