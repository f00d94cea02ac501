import { anyOrder, inOrder, onPostgres, type QueryCase, queries } from '../case.ts'

export const jsonOperators: readonly QueryCase[] = queries('json-operators', [
  inOrder('columns are parsed', `select id, attributes from {products} order by id`),
  inOrder('samples are parsed', `select id, c_json, c_jsonb from {type_samples} order by id`),
  inOrder(
    'arrow',
    `select id, attributes -> 'color', attributes -> 'dims', attributes -> 'missing' from {products} order by id`,
  ),
  inOrder(
    'arrow with a JSON null',
    `select id, attributes -> 'organic' is null, attributes ->> 'organic' is null from {products} order by id`,
  ),
  inOrder(
    'arrow text',
    `select id, attributes ->> 'color', attributes ->> 'grams', attributes ->> 'organic' from {products} order by id`,
  ),
  inOrder(
    'arrow text of an object',
    `select id, attributes ->> 'dims', attributes ->> 'tags' from {products} order by id`,
  ),
  inOrder(
    'chain',
    `select id, attributes -> 'dims' -> 'h', attributes -> 'dims' ->> 'w', attributes -> 'tags' -> 0, attributes -> 'tags' ->> 1 from {products} order by id`,
  ),
  inOrder(
    'in groups of joined tables',
    `select t.name, count(*) filter (where p.attributes ? 'color'), count(*) filter (where p.attributes @> p.attributes), count(*) filter (where p.attributes -> 'tags' ?| array['new', 'x']) from {products} p cross join {tags} t group by t.name order by t.name`,
  ),
  inOrder(
    'path',
    `select id, attributes #> '{dims,h}', attributes #>> '{dims,w}', attributes #>> '{tags,0}' from {products} order by id`,
  ),
  inOrder(
    'key with blanks and quotes',
    `select id, attributes -> 'key with space', attributes ->> 'key with space' from {products} order by id`,
  ),
  inOrder(
    'index',
    `select '[1,2,3]'::jsonb -> 0, '[1,2,3]'::jsonb -> -1, '[1,2,3]'::jsonb -> 5, '[1,2,3]'::jsonb ->> 1`,
  ),
  inOrder(
    'index on an object and key on an array',
    `select '{"0":"a"}'::jsonb -> 0, '["a"]'::jsonb -> 'a', '{"0":"a"}'::jsonb -> '0'`,
  ),
  inOrder('index on a scalar', `select '5'::jsonb -> 0, '"x"'::jsonb -> 'x', '5'::json -> 0`),
  inOrder(
    'index zero of attributes',
    `select id, attributes -> 0, attributes ->> 1 from {products} order by id`,
  ),
  inOrder(
    'text of every kind',
    `select '{"a":"x"}'::jsonb ->> 'a', '{"a":1.50}'::jsonb ->> 'a', '{"a":true}'::jsonb ->> 'a', '{"a":null}'::jsonb ->> 'a', '{"a":[1,2]}'::jsonb ->> 'a', '{"a":{"b":1}}'::jsonb ->> 'a', '{"a":""}'::jsonb ->> 'a'`,
  ),
  inOrder(
    'text of numbers',
    `select '{"a":1e2}'::jsonb ->> 'a', '{"a":100.0}'::jsonb ->> 'a', '{"a":0.1}'::jsonb ->> 'a', '{"a":-0}'::jsonb ->> 'a', '{"a":12345678901234567890}'::jsonb ->> 'a'`,
  ),
  inOrder(
    'text with escapes',
    String.raw`select '{"a":"tab\tquote\"\u00e9"}'::jsonb ->> 'a', '{"a":"back\\slash"}'::jsonb ->> 'a'`,
  ),
  inOrder(
    'path on samples',
    `select id, c_jsonb -> 'a', c_jsonb #> '{a,b,c,3,d}', c_jsonb #>> '{a,b}', c_jsonb -> 0 from {type_samples} order by id`,
  ),
  inOrder(
    'filter by text',
    `select id from {products} where attributes ->> 'color' = $1 order by id`,
    ['red'],
  ),
  inOrder(
    'filter by text is case-sensitive',
    `select id from {products} where attributes ->> 'color' = 'Red' order by id`,
  ),
  inOrder(
    'filter by a number',
    `select id from {products} where (attributes ->> 'grams')::numeric > 60 order by id`,
  ),
  inOrder(
    'filter by a boolean',
    `select id from {products} where (attributes ->> 'organic')::boolean order by id`,
  ),
  inOrder(
    'filter by a nested number',
    `select id from {products} where (attributes -> 'dims' ->> 'h')::int between 3 and 5 order by id`,
  ),
  inOrder(
    'numeric text keeps its digits',
    `select id, (attributes ->> 'grams')::numeric from {products} where attributes ? 'grams' order by id`,
  ),
  inOrder(
    'contains',
    `select id from {products} where attributes @> '{"color":"red"}' order by id`,
  ),
  inOrder(
    'contains nested',
    `select id from {products} where attributes @> '{"dims":{"w":2.5}}' order by id`,
  ),
  inOrder(
    'contains array elements',
    `select id from {products} where attributes @> '{"tags":["hot"]}' order by id`,
  ),
  inOrder(
    'contains values',
    `select '[1,2,3]'::jsonb @> '[3,1]', '[1,2]'::jsonb @> '1', '{"a":1}'::jsonb @> '{}', '{"a":1.0}'::jsonb @> '{"a":1}', '{"a":[1]}'::jsonb @> '{"a":[]}', '1'::jsonb @> '1', '[[1]]'::jsonb @> '[1]'`,
  ),
  inOrder(
    'contained',
    `select '{"a":1}'::jsonb <@ '{"a":1,"b":2}', '[]'::jsonb <@ '[1]', '"a"'::jsonb <@ '["a"]'`,
  ),
  inOrder(
    'has key',
    `select id, attributes ? 'tags', attributes ? 'dims' from {products} order by id`,
  ),
  inOrder(
    'has key on arrays and texts',
    `select '["a","b"]'::jsonb ? 'a', '"a"'::jsonb ? 'a', '[1]'::jsonb ? '1', '{"a":null}'::jsonb ? 'a'`,
  ),
  inOrder(
    'has any and all keys',
    `select id from {products} where attributes ?| array['dims', 'nope'] and attributes ?& array['color', 'grams'] order by id`,
  ),
  inOrder(
    'equality',
    `select '{"a":1,"b":2}'::jsonb = '{"b":2,"a":1}', '[1,2]'::jsonb = '[2,1]', '1.0'::jsonb = '1', '{"a":1}'::jsonb <> '{"a":2}'`,
  ),
  inOrder(
    'equality on columns',
    `select id from {products} where attributes = '{}' or attributes -> 'tags' = '["new", "hot"]' order by id`,
  ),
  inOrder(
    'equality with a parameter',
    `select id from {products} where attributes -> 'tags' = $1 order by id`,
    [['new']],
  ),
  inOrder(
    'equality with a scalar',
    `select id from {products} where attributes -> 'organic' = 'true' order by id`,
  ),
  inOrder(
    'concatenate',
    `select '{"a":1,"b":{"x":1}}'::jsonb || '{"b":{"y":2},"c":null}', '[1]'::jsonb || '[2]', '[1]'::jsonb || '2', '{}'::jsonb || '{"a":[]}'`,
  ),
  inOrder(
    'concatenate columns',
    `select id, attributes || '{"color":null,"added":{"x":1}}' from {products} where jsonb_typeof(attributes) = 'object' order by id`,
  ),
  inOrder(
    'remove a key',
    `select '{"a":1,"b":2}'::jsonb - 'a', '["a","b"]'::jsonb - 'a', '[1,2,3]'::jsonb - 1, '[1,2,3]'::jsonb - -1`,
  ),
  inOrder(
    'remove a key of columns',
    `select id, attributes - 'tags' from {products} where jsonb_typeof(attributes) = 'object' order by id`,
  ),
  inOrder(
    'remove a path',
    `select '{"a":{"b":1,"c":2}}'::jsonb #- '{a,b}', attributes #- '{dims,h}' from {products} where id in (1, 2, 3, 4, 5) order by id`,
  ),
  inOrder(
    'jsonb_set',
    `select jsonb_set('{"a":1}', '{a}', '2'), jsonb_set('{"a":1}', '{b}', '{"c":true}'), jsonb_set('{"a":1}', '{b}', '1', false), jsonb_set('[1,2]', '{0}', '"x"')`,
  ),
  inOrder(
    'jsonb_set on columns',
    `select id, jsonb_set(attributes, '{dims,h}', '99'), jsonb_set(attributes, '{color}', '"changed"') from {products} where jsonb_typeof(attributes) = 'object' order by id`,
  ),
  inOrder(
    'typeof',
    `select id, jsonb_typeof(attributes), jsonb_typeof(attributes -> 'grams'), jsonb_typeof(attributes -> 'organic'), jsonb_typeof(attributes -> 'tags') from {products} order by id`,
  ),
  inOrder(
    'typeof samples',
    `select id, jsonb_typeof(c_jsonb), json_typeof(c_json) from {type_samples} order by id`,
  ),
  inOrder(
    'array length',
    `select id, jsonb_array_length(attributes -> 'tags') from {products} where jsonb_typeof(attributes -> 'tags') = 'array' order by id`,
  ),
  inOrder(
    'json array length',
    `select json_array_length('[1,[2,3],null]'), json_array_length('[]')`,
  ),
  inOrder('strip nulls', `select jsonb_strip_nulls('{"a":null,"b":[null,1],"c":{"d":null}}')`),
  inOrder(
    'array elements',
    `select p.id, e.value from {products} p, jsonb_array_elements(p.attributes -> 'tags') as e(value) where jsonb_typeof(p.attributes -> 'tags') = 'array' order by p.id, e.value`,
  ),
  inOrder(
    'array elements as text',
    `select p.id, t from {products} p cross join lateral jsonb_array_elements_text(p.attributes -> 'tags') t where jsonb_typeof(p.attributes -> 'tags') = 'array' order by p.id, t`,
  ),
  inOrder(
    'array elements of NULL',
    `select p.id, t.tag from {products} p, jsonb_array_elements_text(case when jsonb_typeof(p.attributes -> 'tags') = 'array' then p.attributes -> 'tags' end) as t(tag) order by p.id, t.tag`,
  ),
  inOrder(
    'object keys of NULL',
    `select p.id, k from {products} p cross join lateral jsonb_object_keys(case when jsonb_typeof(p.attributes) = 'object' then p.attributes end) k where p.id < 20 order by p.id, k`,
  ),
  inOrder(
    'each',
    `select key, value from jsonb_each('{"b":1,"a":{"x":null},"c":"t"}') order by key`,
  ),
  inOrder(
    'each as text',
    `select p.id, e.key, e.value from {products} p cross join lateral jsonb_each_text(p.attributes) e where jsonb_typeof(p.attributes) = 'object' and p.id < 20 order by p.id, e.key`,
  ),
  inOrder('object keys', `select k from jsonb_object_keys('{"b":1,"a":2,"aa":3}') k order by k`),
  inOrder(
    'group by a key',
    `select attributes ->> 'color' as color, count(*), sum((attributes ->> 'grams')::numeric) from {products} group by 1 order by 1`,
  ),
  inOrder(
    'order by a key',
    `select id from {products} order by attributes ->> 'color', (attributes ->> 'grams')::numeric desc, id`,
  ),
  inOrder(
    'json column operators',
    `select id, c_json -> 'a', c_json ->> 'z', c_json #>> '{a,b,c}' from {type_samples} order by id`,
  ),
  inOrder(
    'cast then operators',
    `select ('{"a":{"b":[1,2]}}'::text)::jsonb -> 'a' ->> 'b', preferences::text from {customer_profiles} where id < 10 order by id`,
  ),
  inOrder(
    'preferences',
    `select customer_id, preferences ->> 'lang', preferences #>> '{limits,max}', preferences -> 'limits' -> 'min' from {customer_profiles} order by customer_id`,
  ),
  inOrder(
    'jsonb_pretty and path query',
    `select jsonb_extract_path('{"a":{"b":5}}', 'a', 'b'), jsonb_extract_path_text('{"a":{"b":5}}', 'a', 'b')`,
  ),
  inOrder(
    'odd keys',
    String.raw`select '{"q\"q":1}'::jsonb -> 'q"q', '{"a.b":2,"a":{"b":3}}'::jsonb -> 'a.b', '{"$":4}'::jsonb ->> '$', '{"[0]":5}'::jsonb -> '[0]', '{"":6}'::jsonb -> '', '{"it''s":7}'::jsonb -> 'it''s', '{"0":8}'::jsonb #> '{0}', '{"a\\b":9}'::jsonb -> 'a\b', '{"é😀":10}'::jsonb -> 'é😀'`,
  ),
  anyOrder('distinct json texts', `select distinct attributes ->> 'grams' from {products}`),
  onPostgres(
    inOrder(
      'jsonpath',
      `select id from {products} where attributes @? '$.tags[*] ? (@ == "hot")' order by id`,
    ),
  ),
  onPostgres(
    inOrder(
      'jsonb order',
      `select v from (values ('1'::jsonb), ('"a"'), ('null'), ('[]'), ('{}'), ('true')) x(v) order by v`,
    ),
  ),
  inOrder(
    'subscripts',
    `select id, attributes['color'], (attributes)['tags'][0], (attributes)['nope']['a'] from {products} where id < 9 order by id`,
  ),
  onPostgres(
    inOrder('to record', `select * from jsonb_to_record('{"a":1,"b":"x"}') as r(a int, b text)`),
  ),
])
