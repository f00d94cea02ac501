import { type Clause, clause } from './clause.ts'

const each = (name: string, expression: string): Clause =>
  clause(name, `select ${expression} as value from main.items i order by i.id`)

const ofAll = (name: string, expression: string): Clause =>
  clause(name, `select ${expression} as value from main.items i`)

/** What newer versions of SQL say about JSON. */
export const jsonExpressions: readonly Clause[] = [
  each('JSON_OBJECT (PostgreSQL 16)', `json_object('a' : i.id)`),
  each(
    'JSON_OBJECT … ABSENT ON NULL WITH UNIQUE KEYS RETURNING (PostgreSQL 16)',
    `json_object('a' : i.id absent on null with unique keys returning jsonb)`,
  ),
  each('JSON_ARRAY (PostgreSQL 16)', 'json_array(i.id, 2)'),
  each('JSON_ARRAY … RETURNING (PostgreSQL 16)', 'json_array(i.id, 2 returning jsonb)'),
  each(
    'JSON_ARRAY of a query (PostgreSQL 16)',
    'json_array(select g.id from main.groups g returning jsonb)',
  ),
  ofAll('JSON_OBJECTAGG (PostgreSQL 16)', 'json_objectagg(i.id : i.name)'),
  ofAll(
    'JSON_OBJECTAGG … ABSENT ON NULL WITH UNIQUE KEYS RETURNING (PostgreSQL 16)',
    'json_objectagg(i.id : i.name absent on null with unique keys returning jsonb)',
  ),
  ofAll('JSON_ARRAYAGG (PostgreSQL 16)', 'json_arrayagg(i.id)'),
  ofAll(
    'JSON_ARRAYAGG … ORDER BY, FILTER, OVER (PostgreSQL 16)',
    'json_arrayagg(i.id order by i.id) filter (where i.sold) over ()',
  ),
  each('IS JSON (PostgreSQL 16)', 'i.name is json'),
  each(
    'IS JSON OBJECT, ARRAY, SCALAR (PostgreSQL 16)',
    'i.name is json object or i.name is json array or i.name is json scalar',
  ),
  each('IS JSON WITH UNIQUE KEYS (PostgreSQL 16)', 'i.name is json with unique keys'),
  each('JSON() (PostgreSQL 17)', `json('{"a": 1}')`),
  each('JSON() WITH UNIQUE KEYS (PostgreSQL 17)', `json('{"a": 1}' with unique keys)`),
  each('JSON_SCALAR (PostgreSQL 17)', 'json_scalar(i.id)'),
  each('JSON_SERIALIZE (PostgreSQL 17)', `json_serialize('{"a": 1}')`),
  each('JSON_SERIALIZE … RETURNING (PostgreSQL 17)', `json_serialize('{"a": 1}' returning text)`),
  each('JSON_VALUE (PostgreSQL 17)', `json_value(jsonb '{"a": 1}', '$.a')`),
  each(
    'JSON_VALUE … PASSING, RETURNING, ON EMPTY, ON ERROR (PostgreSQL 17)',
    `json_value(jsonb '{"a": 1}', '$.a' passing 1 as x returning int default 0 on empty error on error)`,
  ),
  each('JSON_QUERY (PostgreSQL 17)', `json_query(jsonb '{"a": 1}', '$.a')`),
  each(
    'JSON_QUERY … WRAPPER (PostgreSQL 17)',
    `concat(json_query(jsonb '1', '$' without wrapper), json_query(jsonb '1', '$' with wrapper),
      json_query(jsonb '1', '$' with conditional wrapper))`,
  ),
  each(
    'JSON_QUERY … QUOTES (PostgreSQL 17)',
    `concat(json_query(jsonb '"a"', '$' keep quotes), json_query(jsonb '"a"', '$' omit quotes))`,
  ),
  each(
    'JSON_QUERY … EMPTY (PostgreSQL 17)',
    `concat(json_query(jsonb '{}', '$.a' empty on empty empty array on error),
      json_query(jsonb '{}', '$.a' empty object on empty), json_query(jsonb '{}', '$.a' null on empty))`,
  ),
  each('JSON_EXISTS (PostgreSQL 17)', `json_exists(jsonb '{"a": 1}', '$.a')`),
  each(
    'JSON_EXISTS … ON ERROR (PostgreSQL 17)',
    `json_exists(jsonb '{}', '$.a' true on error) and json_exists(jsonb '{}', '$.a' false on error)
      and json_exists(jsonb '{}', '$.a' unknown on error)`,
  ),
]
