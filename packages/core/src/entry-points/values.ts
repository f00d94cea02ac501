/**
 * @module How PostgreSQL reads and prints values, for adapters that compute in place of PostgreSQL. No dependencies, quick to
 * load in a worker thread.
 */
export { parseArrayLiteral } from '../compiler/sql-types/input/array-literal.ts'
export type { ArrayShape } from '../compiler/sql-types/input/array-shape.ts'
export { arrayText } from '../compiler/sql-types/input/array-text.ts'
export { readBoolean } from '../compiler/sql-types/input/boolean-input.ts'
export { bytesText, readBytes } from '../compiler/sql-types/input/bytes-input.ts'
export {
  type DateFields,
  dateOfDay,
  dateText,
  dayNumber,
  eraText,
  offsetText,
  timeText,
} from '../compiler/sql-types/input/calendar.ts'
export {
  type DateFault,
  type DateOrder,
  type DateTimeFields,
  parseDateTime,
} from '../compiler/sql-types/input/date-fields.ts'
export { dateFailure, readDateTime } from '../compiler/sql-types/input/date-input.ts'
export { readDecimal } from '../compiler/sql-types/input/decimal-input.ts'
export { readFloat } from '../compiler/sql-types/input/float-input.ts'
export { floatText, roundedFloatText } from '../compiler/sql-types/input/float-text.ts'
export type { InputResult, InputValue } from '../compiler/sql-types/input/input-value.ts'
export { integerTypes, readInteger } from '../compiler/sql-types/input/integer-input.ts'
export { parseInterval } from '../compiler/sql-types/input/interval-parts.ts'
export {
  type IntervalParts,
  intervalText,
  readableInterval,
} from '../compiler/sql-types/input/interval-text.ts'
export { readJson } from '../compiler/sql-types/input/json-input.ts'
export { jsonbArray, jsonbObject, jsonbString } from '../compiler/sql-types/input/jsonb-text.ts'
export { readUuid } from '../compiler/sql-types/input/uuid-input.ts'
export { oids } from '../compiler/sql-types/oids.ts'
export type { Oid } from '../compiler/sql-types/pg-type.ts'
export type { SqlType } from '../compiler/sql-types/sql-type.ts'
export { posixOffset } from '../compiler/sql-types/time-zone/posix-offset.ts'
export { type PosixRules, posixRules } from '../compiler/sql-types/time-zone/posix-rules.ts'
export { type TimeZone, timeZoneNamed } from '../compiler/sql-types/time-zone/time-zone.ts'
export { zoneNames } from '../compiler/sql-types/time-zone/zone-names.ts'
export { noTypmod } from '../compiler/sql-types/typmod.ts'
export { bindParameter, type ParameterForms } from '../compiler/stored/bind-parameter.ts'
export { type CellKind, cellKindOf } from '../compiler/stored/cell-kind.ts'
export { type CellEncoder, cellEncoder } from '../compiler/stored/encode-cell.ts'
export {
  type ParameterKind,
  parameterKindOf,
  type ScalarKind,
} from '../compiler/stored/parameter-kind.ts'
export {
  createRowCollector,
  createStoredRowEncoders,
  type RowCollector,
  type StoredColumn,
  type StoredRowEncoder,
  type StoredRowEncoders,
} from '../compiler/stored/row-collector.ts'
export type { StoredValue } from '../compiler/stored/stored-value.ts'
