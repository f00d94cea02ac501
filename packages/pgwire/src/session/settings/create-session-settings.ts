/** @module The settings of one session, and how they follow its transactions. */

import type { IsolationLevel } from '@engine/core/adapter'
import type { ClientEncoding } from '../../encodings/client-encoding.ts'
import { encodingOf } from '../../encodings/encoding-of.ts'
import type { IntervalStyle } from '../../values/interval-style.ts'
import type { TransactionModes } from '../statements/client-statement.ts'
import { unsupported } from '../statements/refused-statement.ts'
import { dateStyleIn } from './date-style.ts'
import { initialSettings } from './initial-settings.ts'
import { knownSettings, settingKey } from './known-settings.ts'
import { parseNameList } from './name-list.ts'
import { milliseconds, parseNumber } from './parse-setting.ts'
import type { SessionSettings, SettingsOptions } from './session-settings.ts'
import { customSetting, type SettingDefinition } from './setting-definition.ts'
import { lockedSetting, tooManySettings, unknownSetting } from './setting-error.ts'
import { usualConfiguration } from './text-search.ts'
import { createTransactionalState } from './transactional-state.ts'

/** Values by lower-case name, as SHOW prints them; a name that is missing has its initial value. */
type Values = ReadonlyMap<string, string>

interface State {
  readonly session: Values
  /** Until the transaction ends. */
  readonly local: Values
  /** Of the open transaction. */
  readonly modes: Values
}

const none: Values = new Map()

/** Maximum size of names and values that a session has set, in UTF-16 code units. */
const maxSize = 256 * 1024

const noNames: ReadonlySet<string> = new Set()

/** @throws {GatewayError} for a setting of the startup packet: 42704, 22023, 55P02. */
export function createSessionSettings(options: SettingsOptions): SessionSettings {
  return new StatefulSettings(options)
}

/** A class: one exists for each session, and its functions are shared by all (decision 0088). */
class StatefulSettings implements SessionSettings {
  readonly #first: Values
  readonly #publicConnection: string | undefined
  readonly #reported: readonly SettingDefinition[]
  readonly #state = createTransactionalState<State>({ session: none, local: none, modes: none })
  /** What the client was told of each of `#reported`, in the same order. */
  readonly #told: string[] = []
  /** Custom settings of the client: once they were set, they exist, even after a rollback. */
  #created = noNames
  #createdSize = 0
  #toldState: State | undefined
  #encodingState: State | undefined
  #encoding: ClientEncoding | undefined
  #limits: TimeLimits | undefined
  #pathText: string | undefined
  #path: readonly string[] = []

  constructor(options: SettingsOptions) {
    this.#first = initialSettings(options)
    this.#publicConnection = options.publicConnection
    this.#reported = reportedBy(options.serverVersion)
  }

  show(name: string): string {
    const value = this.#lookUp(settingKey(name))
    if (value === undefined) throw unknownSetting(name)
    return value
  }

  nameOf(name: string): string {
    this.show(name)
    return definitionOf(name).name
  }

  set(name: string, value: string | undefined, isLocal: boolean): void {
    const setting = definitionOf(name)
    const key = settingKey(name)
    if (setting.access !== 'client') throw lockedSetting(setting.name, setting.access)
    if (defaultOfMode.has(key)) {
      if (value !== undefined) throw unsupported(`"${key}" is set by SET TRANSACTION only`)
      return
    }
    const current = this.#lookUp(key) ?? ''
    const reset = this.#first.get(key) ?? setting.initial
    this.#assign(key, value === undefined ? reset : setting.normalize(value, current), isLocal)
  }

  resetAll(): void {
    const { session, modes } = this.#state.get()
    const kept = [...session].filter(([key]) => knownSettings.get(key)?.isKept === true)
    this.#state.set({ session: new Map(kept), local: none, modes })
  }

  all(): readonly (readonly [name: string, value: string, description: string])[] {
    const keys = new Set([...knownSettings.keys(), ...this.#first.keys(), ...this.#created])
    return [...keys]
      .sort((a, b) => (a < b ? -1 : 1))
      .flatMap((key) => {
        const { name, isHidden, description } = definitionOf(key)
        return isHidden ? [] : [[name, this.#lookUp(key) ?? '', description] as const]
      })
  }

  state(): object {
    return this.#state.get()
  }

  begin(modes?: TransactionModes): void {
    this.#state.begin()
    if (modes !== undefined) this.characterize(modes)
  }

  characterize(modes: TransactionModes): void {
    const values = modeValues(modes, 'transaction')
    if (values.length === 0) return
    const { session, local, modes: said } = this.#state.get()
    this.#state.set({ session, local, modes: new Map([...said, ...values]) })
  }

  setSessionCharacteristics(modes: TransactionModes): void {
    for (const [key, value] of modeValues(modes, 'default_transaction')) {
      this.#assign(key, value, false)
    }
  }

  commit(): void {
    this.#state.commit()
    this.#endTransaction()
  }

  rollBack(): void {
    this.#state.rollBack()
    this.#endTransaction()
  }

  savepoint(name: string): void {
    this.#state.savepoint(name)
  }

  rollBackTo(name: string): void {
    this.#state.rollBackTo(name)
  }

  release(name: string): void {
    this.#state.release(name)
  }

  takeChanged(): readonly (readonly [name: string, value: string])[] {
    const now = this.#state.get()
    if (this.#toldState === now) return nothing
    this.#toldState = now
    return this.#reported.flatMap(({ name }, i) => {
      const value = this.#lookUp(name.toLowerCase()) ?? ''
      if (this.#told[i] === value) return []
      this.#told[i] = value
      return [[name, value] as const]
    })
  }

  searchPath(): readonly string[] {
    const text = this.show('search_path')
    if (this.#pathText !== text) {
      this.#pathText = text
      this.#path = connectionsOf(text, this.#publicConnection)
    }
    return this.#path
  }

  timeZone(): string {
    return this.show('TimeZone')
  }

  dateStyle(): ReturnType<SessionSettings['dateStyle']> {
    return dateStyleIn(this.show('DateStyle'))
  }

  intervalStyle(): IntervalStyle {
    return this.show('IntervalStyle') as IntervalStyle
  }

  extraFloatDigits(): number {
    return Number(this.show('extra_float_digits'))
  }

  clientEncoding(): ClientEncoding | undefined {
    const state = this.#state.get()
    if (this.#encodingState !== state) {
      this.#encodingState = state
      this.#encoding = encodingOf(this.show('client_encoding'))
    }
    return this.#encoding
  }

  byteaOutput(): 'hex' | 'escape' {
    return this.show('bytea_output') === 'escape' ? 'escape' : 'hex'
  }

  textSearch(): string | undefined {
    const configuration = this.show('default_text_search_config')
    return configuration === usualConfiguration ? undefined : configuration
  }

  statementTimeoutMs(): number | undefined {
    return this.#timeLimits().statementMs
  }

  idleInTransactionTimeoutMs(): number | undefined {
    return this.#timeLimits().idleInTransactionMs
  }

  idleSessionTimeoutMs(): number | undefined {
    return this.#timeLimits().idleSessionMs
  }

  isReadOnlyByDefault(): boolean {
    return this.show('default_transaction_read_only') === 'on'
  }

  defaultIsolation(): IsolationLevel {
    return this.show('default_transaction_isolation') as IsolationLevel
  }

  #lookUp(key: string): string | undefined {
    const { session, local, modes } = this.#state.get()
    const said = modes.get(key) ?? local.get(key) ?? session.get(key) ?? this.#first.get(key)
    if (said !== undefined) return said
    const mode = defaultOfMode.get(key)
    if (mode !== undefined) return this.#lookUp(mode)
    return this.#created.has(key) ? '' : knownSettings.get(key)?.initial
  }

  #assign(key: string, value: string, isLocal: boolean): void {
    const { session, local, modes } = this.#state.get()
    const next = isLocal
      ? { session, local: new Map(local).set(key, value), modes }
      : { session: new Map(session).set(key, value), local: without(local, key), modes }
    const isNew = !knownSettings.has(key) && !this.#created.has(key)
    const namesSize = this.#createdSize + (isNew ? key.length : 0)
    if (sizeOf(next.session) + sizeOf(next.local) + namesSize > maxSize) throw tooManySettings()
    this.#state.set(next)
    if (!isNew) return
    this.#created = new Set([...this.#created, key])
    this.#createdSize = namesSize
  }

  #endTransaction(): void {
    const { session, local, modes } = this.#state.get()
    if (local.size + modes.size > 0) this.#state.set({ session, local: none, modes: none })
  }

  /** Read for each session twice a second: texts are parsed once. */
  #timeLimits(): TimeLimits {
    const state = this.#state.get()
    if (this.#limits?.state === state) return this.#limits
    const limit = (name: string): number | undefined => {
      const value = parseNumber(name, this.show(name), { min: 0, max: maxTime, unit: milliseconds })
      return value === 0 ? undefined : value
    }
    this.#limits = {
      state,
      statementMs: limit('statement_timeout'),
      idleInTransactionMs: limit('idle_in_transaction_session_timeout'),
      idleSessionMs: limit('idle_session_timeout'),
    }
    return this.#limits
  }
}

/** Undefined: the session has no limit of its own. */
interface TimeLimits {
  /** In which they are valid. */
  readonly state: State
  readonly statementMs: number | undefined
  readonly idleInTransactionMs: number | undefined
  readonly idleSessionMs: number | undefined
}

const nothing: readonly never[] = []

function definitionOf(name: string): SettingDefinition {
  const known = knownSettings.get(settingKey(name))
  if (known !== undefined) return known
  const custom = customSetting(name)
  if (custom === undefined) throw unknownSetting(name)
  return custom
}

const maxTime = 2_147_483_647

/** The modes of a transaction that does not set them. */
const defaultOfMode: ReadonlyMap<string, string> = new Map(
  ['isolation', 'read_only', 'deferrable'].map((mode) => [
    `transaction_${mode}`,
    `default_transaction_${mode}`,
  ]),
)

function modeValues(
  { isReadOnly, isolation, isDeferrable }: TransactionModes,
  prefix: 'transaction' | 'default_transaction',
): readonly (readonly [string, string])[] {
  const values: (readonly [string, string])[] = []
  if (isolation !== undefined) values.push([`${prefix}_isolation`, isolation])
  if (isReadOnly !== undefined) values.push([`${prefix}_read_only`, isReadOnly ? 'on' : 'off'])
  if (isDeferrable !== undefined) values.push([`${prefix}_deferrable`, isDeferrable ? 'on' : 'off'])
  return values
}

function without(values: Values, key: string): Values {
  if (!values.has(key)) return values
  const rest = new Map(values)
  rest.delete(key)
  return rest
}

function sizeOf(values: Values): number {
  let size = 0
  for (const [key, value] of values) size += key.length + value.length
  return size
}

const reportedSettings = [...knownSettings.values()].filter((setting) => setting.isReported)

/** Settings that servers of later versions report in addition. */
const reportedSince: ReadonlyMap<string, number> = new Map([
  ['scram_iterations', 16],
  ['search_path', 18],
])

const reportedByMajor = new Map<number, readonly SettingDefinition[]>()

/** The same array for the same version. */
function reportedBy(serverVersion: string): readonly SettingDefinition[] {
  const major = Number.parseInt(serverVersion, 10)
  const known = reportedByMajor.get(major)
  if (known !== undefined) return known
  const reported = reportedSettings.filter(({ name }) => major >= (reportedSince.get(name) ?? 0))
  reportedByMajor.set(major, reported)
  return reported
}

/** The default schemas of a PostgreSQL server: here they mean the default connection, as in names of tables. */
const usualSchemas: ReadonlySet<string> = new Set(['public', '$user'])
const systemSchemas: ReadonlySet<string> = new Set(['pg_catalog', 'information_schema', 'pg_temp'])

function connectionsOf(text: string, publicConnection: string | undefined): readonly string[] {
  const usual = publicConnection === undefined ? [] : [publicConnection]
  const names = parseNameList(text) ?? []
  const connections = names.flatMap((name) => (usualSchemas.has(name) ? usual : [name]))
  return [...new Set(connections)].filter((name) => !systemSchemas.has(name))
}
