/**
 * @module What differs between MariaDB and MySQL. The vendor and the version are read when a connection is opened; everything that
 * prints, connects or reads a catalog asks for a trait, never for a vendor.
 */
import { type LoweringDialect, type Sql, sql } from '@engine/core/print'
import { commonSettings, everyWarning, sqlModes } from '../driver/session-settings.ts'
import type { RegexEngine } from '../print/expression/comparison/regex-pattern.ts'
import type { Flavor } from './flavor.ts'

/** The traits of one server. */
export interface ServerTraits {
  /** Which of PostgreSQL's features it has. */
  readonly lowering: LoweringDialect
  /** The collation of utf8mb4 by bytes, in which trailing blanks are significant. */
  readonly binaryCollation: 'utf8mb4_nopad_bin' | 'utf8mb4_0900_bin'
  /** INSERT and DELETE have RETURNING. */
  readonly hasReturning: boolean
  /** UPDATE computes all values before it changes one; otherwise it assigns from left to right. */
  readonly assignsAtOnce: boolean
  /** The proposed row in ON DUPLICATE KEY UPDATE: `values(c)`, or an alias of the row. */
  readonly proposedRow: 'function' | 'alias'
  /** JSON is a type of its own with a binary form; otherwise it is a text with a check. */
  readonly hasJsonType: boolean
  /** The catalog tells the table of a check; otherwise its name alone, which is unique in its database. */
  readonly checksHaveTables: boolean
  /** Texts of checks and of computed defaults have each quote and backslash behind another backslash in the catalog. */
  readonly escapesExpressions: boolean
  /** The catalog shows the default of a column as it is written in SQL; otherwise the bare text of a constant. */
  readonly showsDefaultsAsSql: boolean
  /** A subquery in FROM can refer to outer columns. */
  readonly derivedSeesOutside: boolean
  /** JSON_TABLE accepts a subquery in its argument. */
  readonly hasQueriesInJsonTable: boolean
  /** LATERAL before a subquery in FROM. */
  readonly hasLateral: boolean
  /** CAST AS TIME prepares a parameter as a DATETIME: '23:00:00' becomes the day 0023-00-00. */
  readonly readsTimeParameterAsMoment: boolean
  /** A parameter in a select list is prepared as a text, so that bytes would be read as characters. */
  readonly readsBytesParameterAsText: boolean
  /** CAST rounds the fraction of a second to the digits of its type; otherwise it cuts. */
  readonly roundsFractions: boolean
  /** `time_to_sec` returns the fraction of a second, too. */
  readonly hasFractionInSeconds: boolean
  /** The function `md5`. */
  readonly hasMd5: boolean
  /** The library of regular expressions. */
  readonly regexEngine: RegexEngine
  /** A window function computes how many rows it counts: `lag(x, n + 1)`; otherwise it takes a number or a parameter. */
  readonly computesWindowCounts: boolean
  /** FOR UPDATE and FOR SHARE name the tables whose rows they lock; without names they lock functions in FROM, too, which fails. */
  readonly hasLockOf: boolean
  /** The clause of FOR SHARE, with the blank before it. */
  readonly sharedLock: Sql
  /** The most digits after the point of a DECIMAL. */
  readonly mostScale: number
  /** Settings of every session, in SET SESSION. */
  readonly settings: readonly string[]
  /** Settings that take a right which an account may lack (1227): sessions do without them. */
  readonly privilegedSettings: readonly string[]
  /** The server stops a statement of any kind by itself, and the connection stays; otherwise only reads. */
  readonly limitsWrites: boolean
  /** Faults of the server that the printers avoid. */
  readonly faults: ServerFaults
}

/** Each is true where the server has the fault. */
export interface ServerFaults {
  /** Without FROM, a query does not find columns of derived tables around it, ignores OFFSET, or loses a NULL. */
  readonly queriesWithoutFrom: boolean
  /** `select distinct 1 from t limit 3 offset 1` does not skip a row. */
  readonly offsetOfDistinctConstants: boolean
  /** A parameter in an arm of a UNION is cut at its length modulo 65536 bytes. */
  readonly longTextsInUnion: boolean
  /** EXISTS becomes a join in a WHERE of the outermost query only. */
  readonly existsInDerivedTables: boolean
  /** Each IN over a list becomes a join: the exact one beside the one that uses an index multiplies the rows that are looked at. */
  readonly joinsOfLists: boolean
  /** JSON_TABLE over a bare column of an outer query fails where that query is grouped by way of a temporary table. */
  readonly outerColumnsInLists: boolean
  /** EXISTS becomes a join that uses no index of the outer table where its column stands under COLLATE; IN compares the columns themselves. */
  readonly outerColumnsInExists: boolean
  /** With a window without keys in a query, other windows are sorted the wrong way. */
  readonly windowsWithoutKeys: boolean
  /** A key of a window must not depend on an outer query alone. */
  readonly windowsOfOuterKeys: boolean
  /** A condition of an outer join that depends on an outer query alone is dropped. */
  readonly outerConditionsOfJoins: boolean
  /**
   * A stopped statement may end without an error, with NULL for what was not evaluated any more: `select sleep(9) + (select
   * count(*) from t)`.
   */
  readonly silentStops: boolean
  /**
   * A parameter gets the type of the other arms of its CASE, IF or UNION: beside a number that is never reached, a text becomes 0,
   * and beside the word NULL bytes. Alone it has 65535 characters at most, and is cut there where rows are kept.
   */
  readonly parametersOfOtherArms: boolean
  /** `count(distinct nullif(?, ?))` of no column is 1 where it is NULL. */
  readonly countsDistinctNull: boolean
  /** A function of the word NULL has bytes, and functions of texts refuse those: `lower(null) regexp 'a'`. */
  readonly bytesOfNull: boolean
  /** A cast of what regexp_substr and regexp_replace return to DECIMAL takes the digits before the point, and 64 bits. */
  readonly matchesAsIntegers: boolean
  /** CONVERT writes a question mark for a character that the set does not have, instead of failing. */
  readonly convertsToQuestionMarks: boolean
  /** DEFAULT in an UPDATE of joined tables stores NULL, 0 or an empty text. */
  readonly emptyDefaultsInJoins: boolean
  /** `NULL in (<query>)` is evaluated once for a prepared statement. */
  readonly cachedNullIn: boolean
  /**
   * A subquery that becomes a join and refers to a derived table around it fails (1054) when its statement is executed a second
   * time.
   */
  readonly losesDerivedColumns: boolean
  /** `min(d)` of a group whose first date is NULL warns of the date 0000-00-00. */
  readonly zeroDateOfNull: boolean
  /** Sums of dates can be in the year 0; otherwise they are NULL there. */
  readonly yearZero: boolean
  /** A quotient is rounded to four digits more than its dividend has; otherwise it is cut, at more digits than are shown. */
  readonly roundedQuotients: boolean
  /** A number that rounds to the largest of FLOAT, and is larger, is refused. */
  readonly refusesRoundedFloats: boolean
  /** A text or bytes of a temporary table are cut at their length modulo 256 or 65536 where the stored column has no room. */
  readonly cutsLongTexts: boolean
  /** The server itself ends while it groups by `@>` of documents. */
  readonly endsAtGroupedContainment: boolean
}

const mySqlLowering: LoweringDialect = {
  database: 'MySQL',
  lateral: 'native',
  derivedSeesOutside: true,
  withSeesOutside: true,
  refusesSeveralRows: true,
  hasFullJoin: false,
  hasFilter: false,
  calculatesWithCalls: false,
  hasLagDefault: true,
  hasAllOfSets: true,
  hasArraySubquery: false,
  hasFreeLimit: false,
  keepsInnerOrder: false,
}

const mySql: ServerTraits = {
  lowering: mySqlLowering,
  binaryCollation: 'utf8mb4_0900_bin',
  hasReturning: false,
  assignsAtOnce: false,
  proposedRow: 'alias',
  hasJsonType: true,
  checksHaveTables: false,
  escapesExpressions: true,
  showsDefaultsAsSql: false,
  derivedSeesOutside: true,
  hasQueriesInJsonTable: false,
  hasLateral: true,
  readsTimeParameterAsMoment: true,
  readsBytesParameterAsText: true,
  roundsFractions: true,
  hasFractionInSeconds: false,
  hasMd5: false,
  regexEngine: 'icu',
  computesWindowCounts: false,
  hasLockOf: true,
  sharedLock: sql` for share`,
  mostScale: 30,
  settings: [
    `sql_mode = '${sqlModes.join(',')}'`,
    ...commonSettings,
    'cte_max_recursion_depth = 4294967295',
    // Sums over windows are exact.
    'windowing_use_high_precision = 1',
  ],
  privilegedSettings: [everyWarning],
  limitsWrites: false,
  faults: {
    queriesWithoutFrom: false,
    offsetOfDistinctConstants: false,
    longTextsInUnion: false,
    existsInDerivedTables: false,
    outerColumnsInLists: true,
    outerColumnsInExists: true,
    joinsOfLists: true,
    windowsWithoutKeys: false,
    windowsOfOuterKeys: true,
    outerConditionsOfJoins: false,
    silentStops: true,
    convertsToQuestionMarks: true,
    emptyDefaultsInJoins: true,
    cachedNullIn: false,
    losesDerivedColumns: false,
    parametersOfOtherArms: true,
    countsDistinctNull: true,
    bytesOfNull: true,
    matchesAsIntegers: true,
    zeroDateOfNull: true,
    yearZero: true,
    roundedQuotients: true,
    refusesRoundedFloats: true,
    cutsLongTexts: false,
    endsAtGroupedContainment: true,
  },
}

const mariaDb: ServerTraits = {
  lowering: {
    ...mySqlLowering,
    hasLagDefault: false,
    lateral: 'listedRows',
    derivedSeesOutside: false,
    withSeesOutside: false,
  },
  binaryCollation: 'utf8mb4_nopad_bin',
  hasReturning: true,
  assignsAtOnce: true,
  proposedRow: 'function',
  hasJsonType: false,
  checksHaveTables: true,
  escapesExpressions: false,
  showsDefaultsAsSql: true,
  derivedSeesOutside: false,
  hasQueriesInJsonTable: true,
  hasLateral: false,
  readsTimeParameterAsMoment: false,
  readsBytesParameterAsText: false,
  roundsFractions: false,
  hasFractionInSeconds: true,
  hasMd5: true,
  regexEngine: 'pcre',
  computesWindowCounts: true,
  hasLockOf: false,
  sharedLock: sql` lock in share mode`,
  mostScale: 38,
  settings: [
    // With it, UPDATE computes all values before it changes one; MySQL has no such mode.
    `sql_mode = '${[...sqlModes, 'SIMULTANEOUS_ASSIGNMENT'].join(',')}'`,
    ...commonSettings,
    'max_recursive_iterations = 4294967295',
    "default_regex_flags = ''",
    // The cache treats 'a' of an outer row and 'A' of another as equal if the column's collation does.
    "optimizer_switch = 'subquery_cache=off'",
    // A long list of constants would become a table, whose columns could change the constants.
    'in_predicate_conversion_threshold = 0',
    everyWarning,
  ],
  privilegedSettings: [],
  limitsWrites: true,
  faults: {
    queriesWithoutFrom: true,
    offsetOfDistinctConstants: true,
    longTextsInUnion: true,
    existsInDerivedTables: true,
    outerColumnsInLists: false,
    outerColumnsInExists: false,
    joinsOfLists: false,
    windowsWithoutKeys: true,
    windowsOfOuterKeys: false,
    outerConditionsOfJoins: true,
    silentStops: false,
    convertsToQuestionMarks: false,
    emptyDefaultsInJoins: false,
    cachedNullIn: true,
    losesDerivedColumns: true,
    parametersOfOtherArms: false,
    countsDistinctNull: false,
    bytesOfNull: false,
    matchesAsIntegers: false,
    zeroDateOfNull: false,
    yearZero: false,
    roundedQuotients: false,
    refusesRoundedFloats: false,
    cutsLongTexts: true,
    endsAtGroupedContainment: false,
  },
}

/** The traits of a server; always the same object for the same kind. */
export function traitsOf({ kind }: Flavor): ServerTraits {
  return kind === 'mariadb' ? mariaDb : mySql
}
