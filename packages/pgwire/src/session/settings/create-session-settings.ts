/** @module The settings of one session, and how they follow its transactions. */

import type { IsolationLevel } from '@engine/core/server'
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

/** @throws {GatewayError} for a setting of the startup packet: 42704, 22023, 55P02. */
export function createSessionSettings(options: SettingsOptions): SessionSettings {
  const first = initialSettings(options)
  const state = createTransactionalState<State>({ session: none, local: none, modes: none })
  const isReported = reportedBy(options.serverVersion)
  const told = new Map<string, string>()
  /** Custom settings of the client: once they were set, they exist, even after a rollback. */
  const created = new Set<string>()
  let createdSize = 0
  let reportedState: State | undefined
  let pathText: string | undefined
  let path: readonly string[] = []
  let changedState: State | undefined
  let changed: ReadonlyMap<string, string> = none

  const lookUp = (key: string): string | undefined => {
    const { session, local, modes } = state.get()
    const said = modes.get(key) ?? local.get(key) ?? session.get(key) ?? first.get(key)
    if (said !== undefined) return said
    const mode = defaultOfMode.get(key)
    if (mode !== undefined) return lookUp(mode)
    return created.has(key) ? '' : knownSettings.get(key)?.initial
  }
  const show = (name: string): string => {
    const value = lookUp(settingKey(name))
    if (value === undefined) throw unknownSetting(name)
    return value
  }
  const definitionOf = (name: string): SettingDefinition => {
    const known = knownSettings.get(settingKey(name))
    if (known !== undefined) return known
    const custom = customSetting(name)
    if (custom === undefined) throw unknownSetting(name)
    return custom
  }
  const assign = (key: string, value: string, isLocal: boolean) => {
    const { session, local, modes } = state.get()
    const next = isLocal
      ? { session, local: new Map(local).set(key, value), modes }
      : { session: new Map(session).set(key, value), local: without(local, key), modes }
    const isNew = !knownSettings.has(key) && !created.has(key)
    const namesSize = createdSize + (isNew ? key.length : 0)
    if (sizeOf(next.session) + sizeOf(next.local) + namesSize > maxSize) throw tooManySettings()
    state.set(next)
    if (!isNew) return
    created.add(key)
    createdSize = namesSize
  }
  const describeTransaction = (modes: TransactionModes) => {
    const values = modeValues(modes, 'transaction')
    if (values.length === 0) return
    const { session, local, modes: said } = state.get()
    state.set({ session, local, modes: new Map([...said, ...values]) })
  }
  const endTransaction = () => {
    const { session, local, modes } = state.get()
    if (local.size + modes.size > 0) state.set({ session, local: none, modes: none })
  }
  const timeLimit = (name: string): number | undefined => {
    const value = parseNumber(name, show(name), { min: 0, max: maxTime, unit: milliseconds })
    return value === 0 ? undefined : value
  }

  return {
    show,
    nameOf: (name) => {
      show(name)
      return definitionOf(name).name
    },
    set: (name, value, isLocal) => {
      const setting = definitionOf(name)
      const key = settingKey(name)
      if (setting.access !== 'client') throw lockedSetting(setting.name, setting.access)
      if (defaultOfMode.has(key)) {
        if (value !== undefined) throw unsupported(`"${key}" is set by SET TRANSACTION only`)
        return
      }
      const current = lookUp(key) ?? ''
      const reset = first.get(key) ?? setting.initial
      assign(key, value === undefined ? reset : setting.normalize(value, current), isLocal)
    },
    resetAll: () => {
      const { session, modes } = state.get()
      const kept = [...session].filter(([key]) => knownSettings.get(key)?.isKept === true)
      state.set({ session: new Map(kept), local: none, modes })
    },
    all: () => {
      const keys = new Set([...knownSettings.keys(), ...first.keys(), ...created])
      return [...keys]
        .sort((a, b) => (a < b ? -1 : 1))
        .flatMap((key) => {
          const { name, isHidden, description } = definitionOf(key)
          return isHidden ? [] : [[name, lookUp(key) ?? '', description] as const]
        })
    },
    changed: () => {
      const now = state.get()
      if (changedState !== now) {
        changedState = now
        const own = [...created].map((key) => [key, ''] as const)
        const values = new Map([...own, ...first, ...now.session, ...now.local, ...now.modes])
        changed = new Map([...values].map(([key, value]) => [definitionOf(key).name, value]))
      }
      return changed
    },
    begin: (modes) => {
      state.begin()
      if (modes !== undefined) describeTransaction(modes)
    },
    characterize: describeTransaction,
    setSessionCharacteristics: (modes) => {
      for (const [key, value] of modeValues(modes, 'default_transaction')) assign(key, value, false)
    },
    commit: () => {
      state.commit()
      endTransaction()
    },
    rollBack: () => {
      state.rollBack()
      endTransaction()
    },
    savepoint: state.savepoint,
    rollBackTo: state.rollBackTo,
    release: state.release,
    takeChanged: () => {
      const now = state.get()
      if (reportedState === now) return []
      reportedState = now
      return reportedSettings.filter(isReported).flatMap(({ name }) => {
        const value = lookUp(name.toLowerCase()) ?? ''
        if (told.get(name) === value) return []
        told.set(name, value)
        return [[name, value] as const]
      })
    },
    searchPath: () => {
      const text = show('search_path')
      if (pathText !== text) {
        pathText = text
        path = connectionsOf(text, options.publicConnection)
      }
      return path
    },
    timeZone: () => show('TimeZone'),
    dateStyle: () => dateStyleIn(show('DateStyle')),
    intervalStyle: () => show('IntervalStyle') as IntervalStyle,
    extraFloatDigits: () => Number(show('extra_float_digits')),
    byteaOutput: () => (show('bytea_output') === 'escape' ? 'escape' : 'hex'),
    statementTimeoutMs: () => timeLimit('statement_timeout'),
    idleInTransactionTimeoutMs: () => timeLimit('idle_in_transaction_session_timeout'),
    idleSessionTimeoutMs: () => timeLimit('idle_session_timeout'),
    isReadOnlyByDefault: () => show('default_transaction_read_only') === 'on',
    defaultIsolation: () => show('default_transaction_isolation') as IsolationLevel,
  }
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

function reportedBy(serverVersion: string): (setting: SettingDefinition) => boolean {
  const major = Number.parseInt(serverVersion, 10)
  return ({ name }) => major >= (reportedSince.get(name) ?? 0)
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
