/** @module Mutants without any visible effect, each with the reason. */
import type { Mutant } from './mutant.ts'

/** Positions by file; `nth` where the same text occurs more than once. */
type Place = readonly [original: string, replacement: string, nth?: number]
interface Reason {
  readonly reason: string
  readonly places: Readonly<Record<string, readonly Place[]>>
}

const reasons: readonly Reason[] = [
  {
    reason: 'Only saves time: the longer way gives the same.',
    places: {
      'authorize.ts': [
        [
          'access.isFull ? clamped : withBarriers(clamped, findLeaks(statement))',
          'withBarriers(clamped, findLeaks(statement))',
        ],
      ],
      'mask-with.ts': [['cells.size === 0', 'false']],
      'with-presets.ts': [
        [`source.kind !== 'values'`, 'false'],
        ['columns.length === write.columns.length', 'false'],
      ],
      'barrier.ts': [['guarded.size === 0', 'false']],
      'column-flow.ts': [
        ['tables.size === 0 ? all : all.union(tables)', 'all.union(tables)'],
        ['tables.size === 0', 'false'],
      ],
      'rights.ts': [['known !== undefined', 'false']],
    },
  },
  {
    reason: 'For the compiler: what is indexed is always there.',
    places: {
      'authorize.ts': [
        ['table.columns[expression.column]?.name', 'table.columns[expression.column].name'],
        [`''`, `'mutant'`],
      ],
      'write-rules.ts': [
        ['table.columns[column]?.name', 'table.columns[column].name'],
        ['row[i]?.kind', 'row[i].kind'],
      ],
      'barrier.ts': [
        ['write.security?.rows', 'write.security.rows'],
        ['write.security === undefined', 'false'],
        ['security?.rows', 'security.rows'],
        [
          'table.table.columns[part.column]?.mayBeUnreadable',
          'table.table.columns[part.column].mayBeUnreadable',
        ],
      ],
      'column-flow.ts': [['columns[column]?.mayBeUnreadable', 'columns[column].mayBeUnreadable']],
      'catalog-view.ts': [['permission[operation]?.columns', 'permission[operation].columns']],
      'permission-set.ts': [[`''`, `'mutant'`]],
      'parse-condition.ts': [
        [
          'types.typeByOid(types.baseTypeOid(type.oid))?.category',
          'types.typeByOid(types.baseTypeOid(type.oid)).category',
        ],
      ],
      'typed-call.ts': [
        [
          'resolved.argumentOids[i] ?? arg.type.oid',
          '(resolved.argumentOids[i]) && (arg.type.oid)',
        ],
      ],
      'rights.ts': [
        ['{ slots: [] }', '{}'],
        ['access === undefined', 'false'],
      ],
    },
  },
  {
    reason:
      'Narrows a union for the compiler: other members lack the property that is read next, and what it gives then is harmless.',
    places: {
      'authorize.ts': [
        [`item.kind === 'table'`, 'true'],
        [`query.kind === 'select'`, 'true'],
      ],
      'filter-expression.ts': [[`operand.kind === 'logical'`, 'true']],
      'mask-with.ts': [[`part.kind === 'column'`, 'true']],
      'barrier.ts': [
        [`item.kind === 'securedTable'`, 'true'],
        [`write.kind === 'delete' ? write.using : []`, 'write.using'],
        [`write.kind === 'delete'`, 'true'],
        [`write.kind === 'insert' ? undefined : write.where`, 'write.where'],
        [`write.kind === 'insert'`, 'false'],
        [`'insert'`, `''`],
        [`item.kind === 'securedTable'`, 'true', 2],
        [`item.kind !== 'securedTable'`, 'false'],
        [`part.kind === 'column'`, 'true'],
        [`part.kind === 'column'`, 'true', 2],
      ],
      'hide-pattern-statistics.ts': [
        ['left !== undefined', 'true'],
        [`expression.kind === 'cast'`, 'true'],
      ],
      'leakage.ts': [
        [`query.kind !== 'select'`, 'false'],
        [`item.kind === 'join'`, 'true'],
        [`item.kind === 'function'`, 'true'],
        [`write.kind !== 'insert'`, 'true'],
        [`'insert'`, `''`],
        [`condition.kind === 'logical'`, 'true'],
        [`query.kind !== 'select'`, 'false', 2],
        [`expression.kind === 'output' ? [expression.index] : []`, '[expression.index]'],
        [`expression.kind === 'output'`, 'true'],
        [`item.kind === 'table'`, 'true'],
      ],
      'column-flow.ts': [
        [`item.kind === 'join'`, 'false'],
        [`'join'`, `''`],
        [`item.kind === 'table' || item.kind === 'securedTable'`, 'true'],
        [`item.kind === 'table'`, 'true'],
        [`item.kind === 'securedTable'`, 'true'],
      ],
      'unreadable-cells.ts': [
        [`item.kind === 'table' || item.kind === 'securedTable'`, 'true'],
        [`item.kind === 'table'`, 'true'],
        [`item.kind === 'securedTable'`, 'true'],
        [`part.kind === 'column'`, 'true'],
      ],
      'parse-filter.ts': [['relationship === undefined', 'false']],
      'parse-caller-condition.ts': [[`typeof value['$col'] === 'string'`, 'true']],
    },
  },
  {
    reason: 'A table without any grant is refused when it is secured, whatever the limit.',
    places: {
      'authorize.ts': [
        ['own.length > 0', 'true'],
        ['own.length > 0', 'own.length >= 0'],
      ],
    },
  },
  {
    reason: 'A query with an aggregate call says `isAggregated` besides.',
    places: {
      'authorize.ts': [[`'aggregate'`, `''`]],
    },
  },
  {
    reason: 'The end of a switch over every member of a union: never reached.',
    places: {
      'authorize-write.ts': [['default: return unreachable(write)', '{}']],
      'with-presets.ts': [['default: return unreachable(source)', '{}']],
    },
  },
  {
    reason:
      'A property that is absent and one that is undefined are the same to those who read it.',
    places: {
      'authorize-write.ts': [['{ returning, visible: undefined }', '{}']],
      'catalog-view.ts': [
        ['position === undefined ? {} : { position }', '{ position }'],
        ['position === undefined', 'false'],
        ['position === undefined ? {} : { position }', '{ position }', 2],
        ['position === undefined', 'false', 2],
      ],
    },
  },
  {
    reason: 'Nothing of the kind gets here: binding refuses it. Kept in case that changes.',
    places: {
      'with-presets.ts': [
        [`{ kind: 'default' }`, '{}'],
        [`'default'`, `''`],
      ],
      'barrier.ts': [
        [`part.kind === 'aggregate' || part.kind === 'window'`, 'false'],
        [
          `part.kind === 'aggregate' || part.kind === 'window'`,
          `(part.kind === 'aggregate') && (part.kind === 'window')`,
        ],
        [`part.kind === 'aggregate'`, 'false'],
        [`'aggregate'`, `''`],
        [`part.kind === 'window'`, 'false'],
        [`'window'`, `''`],
        ['false', 'true', 7],
      ],
    },
  },
  {
    reason: 'DEFAULT VALUES has no columns either way.',
    places: {
      'write-rules.ts': [[`case 'defaults': return []`, '{}']],
    },
  },
  {
    reason: 'Falls through to a case that answers the same for it.',
    places: {
      'leaky-operation.ts': [
        [
          `case 'rowComparison': return expression.operators.some((operator) => !operator.isLeakproof)`,
          '{}',
        ],
      ],
    },
  },
  {
    reason: 'PostgreSQL has no leakproof cast that is explicit only.',
    places: {
      'leaky-operation.ts': [[`'explicit'`, `''`]],
    },
  },
  {
    reason: 'Secured tables come after these flows: in a statement as it was bound there are none.',
    places: {
      'column-flow.ts': [
        [`'securedTable'`, `''`],
        [`item.kind === 'securedTable'`, 'false'],
        [`item.kind === 'securedTable'`, `item.kind !== 'securedTable'`],
        [`'securedTable'`, `''`, 2],
      ],
      'unreadable-cells.ts': [
        [`item.kind === 'securedTable'`, 'false'],
        [`item.kind === 'securedTable'`, `item.kind !== 'securedTable'`],
        [`'securedTable'`, `''`],
      ],
    },
  },
  {
    reason: 'GROUP BY and HAVING of one query: only asked where there is a HAVING.',
    places: {
      'leakage.ts': [
        [
          'having === undefined ? expressions : [...expressions, having]',
          '[...expressions, having]',
        ],
        ['having === undefined', 'false'],
      ],
    },
  },
  {
    reason: 'The condition is a fault whatever its type: the engine does not start.',
    places: {
      'permission-set.ts': [['operand !== undefined', 'true']],
      'parse-caller-condition.ts': [
        ['{ oid: oids.text, typmod: -1 }', '{}', 2],
        ['-1', '1', 5],
      ],
      'parse-condition.ts': [[`'error'`, `''`, 2]],
    },
  },
  {
    reason: 'No object has inherited keys that begin with $.',
    places: {
      'parse-condition.ts': [
        ['Object.hasOwn(comparisons, key) ? comparisons[key] : undefined', 'comparisons[key]'],
      ],
    },
  },
  {
    reason: 'No implicit cast goes through text.',
    places: {
      'typed-call.ts': [
        [`'inout'`, `''`],
        [`'inout'`, `''`, 3],
      ],
    },
  },
  {
    reason:
      'For one role set every connection has a fixed number of bits, so that they cannot be mistaken for others.',
    places: {
      'rights.ts': [
        [`''`, `'mutant'`],
        [`'|'`, `''`],
      ],
    },
  },
  {
    reason: 'A full caller is asked neither for permissions nor for fields.',
    places: {
      'access.ts': [
        ['() => []', '() => undefined'],
        ['() => false', '() => undefined'],
        ['false', 'true'],
      ],
    },
  },
  {
    reason: 'Null and failed readings end as undefined either way.',
    places: {
      'caller-values.ts': [
        ['!read.ok || read.value === null', 'false'],
        ['!read.ok || read.value === null', '(!read.ok) && (read.value === null)'],
        ['read.value === null', 'false'],
      ],
    },
  },
]

const plain = (text: string) => text.replaceAll(/\s+/g, ' ')

/** The reason why a mutant has no visible effect; undefined: a test should notice it. */
export function equivalence(mutant: Mutant): string | undefined {
  const isIt = ([original, replacement, nth = 1]: Place) =>
    plain(mutant.original) === original &&
    plain(mutant.replacement) === replacement &&
    mutant.nth === nth
  return reasons.find(({ places }) =>
    Object.entries(places).some(([file, list]) => mutant.file.endsWith(file) && list.some(isIt)),
  )?.reason
}
