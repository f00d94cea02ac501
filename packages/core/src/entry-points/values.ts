/**
 * @module How PostgreSQL reads and prints values, for adapters that compute in PostgreSQL's stead. No dependency, quick to
 * load in a worker thread.
 */
export { parseArrayLiteral } from '../sql-types/input/array-literal.ts'
export type { ArrayShape } from '../sql-types/input/array-shape.ts'
export { arrayText } from '../sql-types/input/array-text.ts'
export { readBoolean } from '../sql-types/input/boolean-input.ts'
export { bytesText, readBytes } from '../sql-types/input/bytes-input.ts'
export {
  dateOfDay,
  dateText,
  dayNumber,
  eraText,
  offsetText,
  timeText,
} from '../sql-types/input/calendar.ts'
export {
  type DateFields,
  type DateTimeFields,
  parseDateTime,
} from '../sql-types/input/date-fields.ts'
export { readDateTime } from '../sql-types/input/date-input.ts'
export { readDecimal } from '../sql-types/input/decimal-input.ts'
export { readFloat } from '../sql-types/input/float-input.ts'
export { floatText } from '../sql-types/input/float-text.ts'
export type { InputResult, InputValue } from '../sql-types/input/input-value.ts'
export { integerTypes, readInteger } from '../sql-types/input/integer-input.ts'
export { parseInterval } from '../sql-types/input/interval-parts.ts'
export { type IntervalParts, intervalText } from '../sql-types/input/interval-text.ts'
export { readJson } from '../sql-types/input/json-input.ts'
export { jsonbArray, jsonbObject, jsonbString } from '../sql-types/input/jsonb-text.ts'
export { readUuid } from '../sql-types/input/uuid-input.ts'
export { oids } from '../sql-types/oids.ts'
export type { Oid } from '../sql-types/pg-type.ts'
export type { SqlType } from '../sql-types/sql-type.ts'
export { noTypmod } from '../sql-types/typmod.ts'
export { type CellKind, cellKindOf } from '../stored/cell-kind.ts'
export { type CellEncoder, cellEncoder } from '../stored/encode-cell.ts'
export {
  createRowCollector,
  createStoredRowEncoders,
  type RowCollector,
  type StoredColumn,
  type StoredRowEncoder,
  type StoredRowEncoders,
} from '../stored/row-collector.ts'
export type { StoredValue } from '../stored/stored-value.ts'
