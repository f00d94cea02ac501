/** @module Finds the form of a type's values. */

import type { TypeSystem } from '@engine/core/catalog'
import { type Oid, oids, type SqlType } from '@engine/core/values'
import { arrayForm } from './array-form.ts'
import {
  bitsForm,
  byteaForm,
  hardwareAddressForm,
  logPositionForm,
  uuidForm,
} from './bytes-form.ts'
import type { ValueSettings } from './cell-format.ts'
import { dateForm, timeForm, timestampForm, timestamptzForm, timetzForm } from './date-form.ts'
import { figureForm, pathForm, polygonForm } from './geometry-form.ts'
import { hstoreForm } from './hstore-form.ts'
import { intervalForm } from './interval-form.ts'
import { moneyForm } from './money-form.ts'
import { networkForm } from './network-form.ts'
import {
  booleanForm,
  float4Form,
  float8Form,
  int2Form,
  int4Form,
  int8Form,
  unsigned4Form,
  unsigned8Form,
} from './number-form.ts'
import { numericForm } from './numeric-form.ts'
import { multirangeForm, rangeForm } from './range-form.ts'
import { recordForm } from './record-form.ts'
import { byteForm, textForm, versionedTextForm } from './text-form.ts'
import { rowPlaceForm, snapshotForm } from './transaction-form.ts'
import { tsvectorForm } from './tsvector-form.ts'
import type { ValueForm } from './value-form.ts'

/** Types that `oids` does not name, since client SQL has no literals of them. */
const formsByName: Readonly<Record<string, ValueForm>> = {
  xid: unsigned4Form,
  cid: unsigned4Form,
  xid8: unsigned8Form,
  refcursor: textForm,
  pg_node_tree: textForm,
  pg_lsn: logPositionForm,
  cstring: textForm,
  citext: textForm,
  hstore: hstoreForm,
  pg_snapshot: snapshotForm,
  txid_snapshot: snapshotForm,
  tid: rowPlaceForm,
  line: figureForm(3, (a, b, c) => `{${a},${b},${c}}`),
  circle: figureForm(3, (x, y, radius) => `<(${x},${y}),${radius}>`),
  lseg: figureForm(4, (x1, y1, x2, y2) => `[(${x1},${y1}),(${x2},${y2})]`),
  polygon: polygonForm,
  path: pathForm,
}

const forms: ReadonlyMap<Oid, ValueForm> = new Map([
  [oids.bool, booleanForm],
  [oids.bytea, byteaForm],
  [oids.char, byteForm],
  [oids.name, textForm],
  [oids.int2, int2Form],
  [oids.int4, int4Form],
  [oids.int8, int8Form],
  [oids.oid, unsigned4Form],
  [oids.text, textForm],
  [oids.varchar, textForm],
  [oids.bpchar, textForm],
  [oids.unknown, textForm],
  [oids.void, textForm],
  [oids.xml, textForm],
  [oids.json, textForm],
  [oids.jsonb, versionedTextForm],
  [oids.jsonpath, versionedTextForm],
  [oids.float4, float4Form],
  [oids.float8, float8Form],
  [oids.numeric, numericForm],
  [oids.uuid, uuidForm],
  [oids.date, dateForm],
  [oids.time, timeForm],
  [oids.timetz, timetzForm],
  [oids.timestamp, timestampForm],
  [oids.timestamptz, timestamptzForm],
  [oids.interval, intervalForm],
  [oids.bit, bitsForm],
  [oids.varbit, bitsForm],
  [oids.inet, networkForm(false)],
  [oids.cidr, networkForm(true)],
  [oids.macaddr, hardwareAddressForm(6)],
  [oids.macaddr8, hardwareAddressForm(8)],
  [oids.point, figureForm(2, (x, y) => `(${x},${y})`)],
  [oids.money, moneyForm],
  [oids.tsvector, tsvectorForm],
  [oids.box, figureForm(4, (x1, y1, x2, y2) => `(${x1},${y1}),(${x2},${y2})`)],
])

/** Text only: records, tsquery, types of extensions. */
const textOnlyForm: ValueForm = {}

/** Arrays that are printed as a list of words: `1 2 3`. */
const vectors: ReadonlySet<Oid> = new Set([oids.int2vector, oids.oidvector])

/** How a client sees values of a type. */
export type FormSettings = Pick<ValueSettings, 'encoding' | 'wireOid'>

/**
 * @param settings `wireOid` is the OID under which the client knows a type; that of text for a type that it doesn't know: its binary form
 * is text's, too
 * @param fields those of a record, or of the elements of an array of records
 */
export function formOfType(
  types: TypeSystem,
  typeOid: Oid,
  settings: FormSettings = {},
  fields: SqlType['fields'] = undefined,
): ValueForm {
  const form = formOfKnownType(types, typeOid, settings, fields)
  const seen = settings.wireOid?.(typeOid) === oids.text ? { ...form, ...textForm } : form
  const { encoding } = settings
  return encoding === undefined ? seen : { ...seen, ...seen.inEncoding?.(encoding) }
}

function formOfKnownType(
  types: TypeSystem,
  typeOid: Oid,
  settings: FormSettings,
  fields: SqlType['fields'],
): ValueForm {
  const { wireOid = (oid: Oid) => oid } = settings
  const oid = types.baseTypeOid(typeOid)
  const known = forms.get(oid)
  if (known !== undefined) return known
  const type = types.typeByOid(oid)
  if (oid === 0 || type?.kind === 'enum') return textForm
  const elementOid = vectors.has(oid) ? undefined : types.elementTypeOid(oid)
  if (elementOid !== undefined) {
    const element = formOfType(types, elementOid, settings, fields)
    const delimiter = types.typeByOid(elementOid)?.delimiter ?? ','
    return arrayForm({ elementOid: wireOid(elementOid), element, delimiter })
  }
  const parts =
    type?.attributes ?? fields?.map((field) => ({ oid: field.type.oid, fields: field.type.fields }))
  if (parts !== undefined) {
    return recordForm(
      parts.map((part) => ({
        oid: wireOid(part.oid),
        form: formOfType(types, part.oid, settings, 'fields' in part ? part.fields : undefined),
      })),
    )
  }
  const subtypeOid = types.subtypeOid(oid)
  if (subtypeOid !== undefined) return rangeForm(formOfType(types, subtypeOid, settings))
  const rangeOid = types.rangeTypeOid(oid)
  if (rangeOid !== undefined) return multirangeForm(formOfType(types, rangeOid, settings))
  const named = type === undefined ? undefined : formsByName[type.name]
  return named ?? textOnlyForm
}
