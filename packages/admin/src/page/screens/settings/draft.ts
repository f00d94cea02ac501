/** @module Edited settings: texts of inputs, and the change of the configuration that they make. */
import type { ShownAction, ShownOption } from '@engine/contract/admin-api'
import { type Kind, optionTexts } from './sections.ts'

/** Texts by the path of an option, as inputs have them; null is the built-in default. */
export type OptionDraft = ReadonlyMap<string, string | null>

/** By the name of an action. */
export type ActionDraft = ReadonlyMap<string, Pick<ShownAction, 'isEnabled' | 'roles'>>

interface SettingsDraft {
  readonly options: OptionDraft
  readonly actions: ActionDraft
}

/** Edits that were kept as lists of entries; undefined where they are none. */
export function settingsDraftIn(value: unknown): SettingsDraft | undefined {
  const { options, actions } = value as { readonly options?: unknown; readonly actions?: unknown }
  if (!isEntries(options) || !isEntries(actions)) return undefined
  return { options: new Map(options), actions: new Map(actions) } as SettingsDraft
}

function isEntries(value: unknown): value is readonly (readonly [string, unknown])[] {
  return Array.isArray(value) && value.every((entry) => Array.isArray(entry) && entry.length === 2)
}

export interface SettingsPatch {
  /** The body of `PATCH /config`. */
  readonly patch: Readonly<Record<string, unknown>>
  /** Texts that cannot be read, by path. */
  readonly faults: ReadonlyMap<string, string>
}

export function kindOf(path: string): Kind {
  return optionTexts.get(path)?.kind ?? 'text'
}

/** The text of an input for a value of the configuration. */
export function textOf(kind: Kind, value: unknown): string {
  if (value === null || value === undefined) return ''
  if (Array.isArray(value)) return value.join('\n')
  if (kind === 'headers' && typeof value === 'object') {
    return Object.entries(value)
      .map(([name, text]) => `${name}: ${String(text)}`)
      .join('\n')
  }
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** The value of a text; null where it is empty. @throws {Error} that says what is expected. */
export function readValue(kind: Kind, text: string): unknown {
  const trimmed = text.trim()
  switch (kind) {
    case 'switch':
      return text === 'true'
    case 'headers':
      return headersOf(trimmed)
    case 'list':
      return itemsOf(trimmed)
    case 'proxies':
      return /^\d+$/.test(trimmed) ? Number(trimmed) : itemsOf(trimmed)
    case 'count':
      if (trimmed === '') return null
      if (!/^\d{1,15}$/.test(trimmed)) throw new Error('Write a whole number.')
      return Number(trimmed)
    default:
      return trimmed === '' ? null : trimmed
  }
}

function itemsOf(text: string): readonly string[] {
  return text.split(/[\s,]+/).filter((item) => item !== '')
}

function headersOf(text: string): Readonly<Record<string, string>> {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  return Object.fromEntries(
    lines.map((line) => {
      const [name = '', ...value] = line.split(':')
      if (value.length === 0) throw new Error('Write one header in a line: Name: value.')
      return [name.trim(), value.join(':').trim()]
    }),
  )
}

/** The draft with another text; without the option where that is what is in force. */
export function withText(
  draft: OptionDraft,
  { path, value, source }: ShownOption,
  text: string | null,
): OptionDraft {
  const next = new Map(draft)
  const isSame = text === null ? source === 'built-in' : text === textOf(kindOf(path), value)
  if (isSame) next.delete(path)
  else next.set(path, text)
  return next
}

/** The draft with a switched action; without it where that is what is in force. */
export function withAction(
  draft: ActionDraft,
  action: ShownAction,
  edited: Pick<ShownAction, 'isEnabled' | 'roles'>,
): ActionDraft {
  const next = new Map(draft)
  const isSame = edited.isEnabled === action.isEnabled && sameRoles(edited.roles, action.roles)
  if (isSame) next.delete(action.name)
  else next.set(action.name, edited)
  return next
}

/** The change that the drafts make. */
export function patchOf(
  options: readonly ShownOption[],
  draft: OptionDraft,
  actions: readonly ShownAction[],
  actionDraft: ActionDraft,
): SettingsPatch {
  const faults = new Map<string, string>()
  const values = new Map<string, unknown>()
  for (const [path, text] of draft) {
    try {
      values.set(path, text === null ? null : readValue(kindOf(path), text))
    } catch (error) {
      faults.set(path, (error as Error).message)
    }
  }
  const before = (path: string) => options.find((option) => option.path === path)?.value
  const inForce = (path: string) => (values.has(path) ? values.get(path) : before(path))
  const isChanged = (section: string) => [...values.keys()].some((path) => path.startsWith(section))
  if (isChanged('security.cors.')) {
    // CORS is there with its origins, or not at all.
    const origins = inForce('security.cors.origin')
    if (Array.isArray(origins) && origins.length > 0) values.set('security.cors.origin', origins)
    else {
      for (const path of values.keys()) if (path.startsWith('security.cors.')) values.delete(path)
      values.set('security.cors', null)
    }
  }
  // The whole option may be `true`, which a token would replace.
  if (isChanged('schemaEndpoint.')) {
    values.set('schemaEndpoint.enabled', inForce('schemaEndpoint.enabled'))
  }
  const headers = values.get('security.headers')
  if (headers) {
    const gone = Object.keys(before('security.headers') ?? {}).map((name) => [name, null])
    values.set('security.headers', { ...Object.fromEntries(gone), ...headers })
  }
  const patch: Record<string, unknown> = {}
  for (const [path, value] of values) put(patch, path.split('.'), value)
  const switches = [...actionDraft].flatMap(([name, edited]) => {
    const action = actions.find((each) => each.name === name)
    return action === undefined ? [] : [[name, switchOf(action, edited)] as const]
  })
  if (switches.length > 0) patch['actions'] = Object.fromEntries(switches)
  return { patch, faults }
}

/** @returns null where the action is as code defines it. */
function switchOf(
  { codeRoles }: ShownAction,
  { isEnabled, roles }: Pick<ShownAction, 'isEnabled' | 'roles'>,
): object | null {
  const isAsCode = sameRoles(roles, codeRoles)
  if (isEnabled && isAsCode) return null
  return { ...(isEnabled ? {} : { enabled: false }), ...(isAsCode ? {} : { roles }) }
}

function sameRoles(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((role) => b.includes(role))
}

function put(target: Record<string, unknown>, path: readonly string[], value: unknown): void {
  const [key = '', ...rest] = path
  if (rest.length === 0) {
    target[key] = value
    return
  }
  const inner = (target[key] ?? {}) as Record<string, unknown>
  target[key] = inner
  put(inner, rest, value)
}
