/** @module The dependencies that the parts of a session share. */
import type { Caller } from '@engine/core'
import { createTypeSystem, type TypeSystem } from '@engine/core/catalog'
import type { SessionStyles, SessionTimeZone } from '@engine/core/session'
import { timeZoneNamed } from '@engine/core/values'
import { type CatalogNumbers, catalogNumbers } from '../../catalog/catalog-numbers.ts'
import type { CatalogScope } from '../../catalog/wire-catalog.ts'
import type { ValueSettings } from '../../values/cell-format.ts'
import { fixedAbbreviation } from '../../values/date-style.ts'
import { formOfType } from '../../values/form-of-type.ts'
import type { Portals } from '../cursors/portals.ts'
import type { WaitingDescription } from '../results/late-description.ts'
import type { MessageGate } from '../results/message-gate.ts'
import type { RunningStatement } from '../results/running-statement.ts'
import type { SessionMemory } from '../results/session-memory.ts'
import type { SettingFacts } from '../settings/setting-facts.ts'
import type { ClientStatement } from '../statements/client-statement.ts'
import type { Listens } from './listens.ts'
import type { PreparedStatements } from './prepared-statements.ts'
import type { TransactionBlock } from './transaction-block.ts'
import type { WireSessionOptions } from './wire-session.ts'

export interface SessionParts extends WireSessionOptions {
  readonly block: TransactionBlock
  readonly statements: PreparedStatements
  readonly portals: Portals
  readonly listens: Listens
  readonly running: RunningStatement
  /** The memory that the server keeps for the client. */
  readonly memory: SessionMemory
  readonly late: WaitingDescription
  /** Reads more messages, for COPY FROM STDIN. */
  readonly gate: MessageGate
  /** Sets the running statement: positions of errors count from its start. */
  at(statement: ClientStatement): void
  readonly lookups: SessionLookups
  /**
   * Called before every statement: from now on it can be stopped.
   *
   * @param isFree the statement was admitted before, or only controls the session: a limit must not keep a client from
   * ROLLBACK
   * @throws {GatewayError} `rateLimited`, `unauthorized`
   */
  start(isFree?: boolean): Promise<void> | undefined
  /** Sends a warning: the statement continues. */
  warn(sqlState: string, message: string): void
}

/** Values that statements look up, cached until they may change. */
export interface SessionLookups {
  facts(): SettingFacts
  values(): ValueSettings
  /** How literals without an offset are read; undefined in UTC. */
  timeZone(): SessionTimeZone | undefined
  /** The OIDs of what the caller may see now. */
  numbers(): CatalogNumbers
  catalogScope(): CatalogScope
  /** PostgreSQL's own types. */
  builtinTypes(): TypeSystem
}

/** Looks things up in the engine, the catalog and the settings of a session. */
export function createSessionLookups(options: WireSessionOptions): SessionLookups {
  return new CachedLookups(options)
}

/** A class: one exists for each session, and its functions are shared by all (decision 0088). */
class CachedLookups implements SessionLookups {
  readonly #options: WireSessionOptions
  #facts: (SettingFacts & { readonly state: object }) | undefined
  #said: { readonly state: object; readonly all: ReadonlyMap<string, string> } | undefined

  constructor(options: WireSessionOptions) {
    this.#options = options
  }

  facts(): SettingFacts {
    const { client, settings, clock } = this.#options
    const state = settings.state()
    if (this.#facts?.state !== state) {
      const transactionClock = () => client.startedAtMs() ?? clock()
      this.#facts = { state, ...factsOf(settings, transactionClock, this.#facts) }
    }
    return this.#facts
  }

  values(): ValueSettings {
    return this.facts().values
  }

  timeZone(): SessionTimeZone | undefined {
    return this.facts().timeZone
  }

  numbers(): CatalogNumbers {
    return catalogNumbers(this.#options.client.visible())
  }

  catalogScope(): CatalogScope {
    const { client, identity } = this.#options
    return {
      callerKey: callerKey(client.caller()),
      visible: client.visible(),
      user: identity.user,
      database: identity.database,
      processId: identity.processId,
      settings: this.#allSettings(),
    }
  }

  builtinTypes(): TypeSystem {
    builtinTypes ??= createTypeSystem()
    return builtinTypes
  }

  #allSettings(): ReadonlyMap<string, string> {
    const { settings } = this.#options
    const state = settings.state()
    if (this.#said?.state !== state) {
      this.#said = { state, all: new Map(settings.all().map(([name, value]) => [name, value])) }
    }
    return this.#said.all
  }
}

/** The same for all sessions. */
let builtinTypes: TypeSystem | undefined

/** All anonymous callers have the same key. */
export function callerKey(caller: Caller): string {
  return caller.kind === 'user' ? `user ${caller.id}` : caller.kind
}

/** @param last returned again where all values are the same. */
function factsOf(
  settings: WireSessionOptions['settings'],
  clock: () => number,
  last: SettingFacts | undefined,
): SettingFacts {
  const timeZone = settings.timeZone()
  const byteaOutput = settings.byteaOutput()
  const encoding = settings.clientEncoding()
  const intervalStyle = settings.intervalStyle()
  const extraFloatDigits = settings.extraFloatDigits()
  const { style: dateOutput, order: dateOrder } = settings.dateStyle()
  const isSame =
    last?.values.timeZone === timeZone &&
    last.values.byteaOutput === byteaOutput &&
    last.values.encoding === encoding &&
    last.values.intervalStyle === intervalStyle &&
    last.values.extraFloatDigits === extraFloatDigits &&
    last.values.dateOutput === dateOutput &&
    last.values.dateOrder === dateOrder
  const values = isSame
    ? last.values
    : {
        ...{ timeZone, byteaOutput, intervalStyle, extraFloatDigits, dateOutput, dateOrder },
        encoding,
        clock,
      }
  return {
    values,
    timeZone: isSame ? last.timeZone : zoneOf(values),
    textSearch: settings.textSearch(),
    searchPath: settings.searchPath(),
    statementTimeoutMs: settings.statementTimeoutMs(),
    isReadOnly: settings.isReadOnlyByDefault(),
    escapes: escapesIn(settings),
    hearsWarnings: !/^(?:error|fatal|panic)$/.test(settings.show('client_min_messages')),
  }
}

function escapesIn(settings: WireSessionOptions['settings']): SettingFacts['escapes'] {
  if (settings.show('standard_conforming_strings') === 'on') return undefined
  return {
    allowsQuote: settings.show('backslash_quote') !== 'off',
    warns: settings.show('escape_string_warning') === 'on',
  }
}

/** Undefined where dates and intervals are written and read as in every other session. */
function stylesOf({
  timeZone,
  dateOutput = 'ISO',
  dateOrder = 'MDY',
  intervalStyle = 'postgres',
}: ValueSettings): SessionStyles | undefined {
  if (dateOutput === 'ISO' && dateOrder === 'MDY' && intervalStyle === 'postgres') return undefined
  return {
    settings: { timeZone, dateStyle: `${dateOutput}, ${dateOrder}`, intervalStyle },
    writesAbbreviations: dateOutput !== 'ISO' && fixedAbbreviation(timeZone) === undefined,
  }
}

function zoneOf(values: ValueSettings): SessionTimeZone | undefined {
  const { timeZone: name } = values
  const isUtc = timeZoneNamed(name).isUtc
  const styles = stylesOf(values)
  const settings = { ...values, keepsWords: true }
  if (isUtc && styles === undefined) return undefined
  return {
    name: styles === undefined ? name : Object.values(styles.settings).join(' '),
    computedIn: isUtc ? undefined : name,
    readIn: isUtc ? undefined : name,
    styles,
    withOffset: (typeOid, text, types) =>
      formOfType(types, typeOid).fromSession?.(settings)?.(text) ?? text,
  }
}
