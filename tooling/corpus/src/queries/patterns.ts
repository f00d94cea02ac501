import { inOrder, onPostgres, type QueryCase, queries } from '../case.ts'

export const collation: readonly QueryCase[] = queries('collation', [
  inOrder('texts by code point', `select company_name from {customers} order by company_name, id`),
  inOrder(
    'texts descending',
    `select company_name from {customers} order by company_name desc, id`,
  ),
  inOrder('samples by code point', `select label, c_text from {type_samples} order by c_text, id`),
  inOrder(
    'astral after private use',
    `select label from {type_samples} where c_text is not null
    order by c_text desc, id limit 4`,
  ),
  inOrder('char order', `select c_char, id from {type_samples} order by c_char, id`),
  inOrder('explicit C', `select name from {tags} order by name collate "C"`),
  inOrder(
    'comparison with explicit C',
    `select id from {customers} where company_name collate "C" < 'a' order by id`,
  ),
  inOrder(
    'range of texts',
    `select company_name from {customers} where company_name >= 'A' and company_name < 'a'
    order by company_name, id`,
  ),
  inOrder('between texts', `select name from {tags} where name between 'a' and 'o' order by name`),
  inOrder(
    'order by lower',
    `select company_name from {customers} order by lower(company_name), company_name, id`,
  ),
  inOrder('order by length then text', `select name from {tags} order by length(name), name`),
  inOrder('numbers as text', `select id from {tags} order by id::text`),
  inOrder(
    'window over text',
    `select name, row_number() over (order by name) from {tags} order by 2`,
  ),
  inOrder(
    'group and order',
    `select left(company_name, 1) as initial, count(*) from {customers}
    group by 1 order by 1`,
  ),
  inOrder(
    'text in a union',
    `select name from {tags} union select name from {categories} order by name`,
  ),
  inOrder('uuid order', `select c_uuid, id from {type_samples} order by c_uuid, id`),
  inOrder('bytea order', `select c_bytea, id from {type_samples} order by c_bytea, id`),
  inOrder(
    'boolean order',
    `select recommended, id from {reviews} where id <= 30 order by recommended, id`,
  ),
])

export const patterns: readonly QueryCase[] = queries('like', [
  inOrder(
    'contains',
    `select company_name from {customers} where company_name like '%an%' order by id`,
  ),
  inOrder(
    'is case-sensitive',
    `select company_name from {customers} where company_name like 'a%' order by id`,
  ),
  inOrder(
    'not like',
    `select company_name from {customers} where company_name not like '%e%' order by id`,
  ),
  inOrder(
    'not like skips nulls',
    `select id from {customers} where city not like 'B%' order by id`,
  ),
  inOrder(
    'underscore',
    `select company_name from {customers} where company_name like 'under_score' order by id`,
  ),
  inOrder(
    'escaped underscore',
    String.raw`select company_name from {customers} where company_name like 'under\_score' order by id`,
  ),
  inOrder(
    'escaped percent',
    String.raw`select company_name from {customers} where company_name like '100\%%' order by id`,
  ),
  inOrder(
    'escaped backslash',
    String.raw`select company_name from {customers} where company_name like '%\\%' order by id`,
  ),
  inOrder(
    'own escape character',
    `select company_name from {customers} where company_name like '%!_%' escape '!' order by id`,
  ),
  inOrder(
    'own escape leaves backslash plain',
    String.raw`select company_name from {customers} where company_name like 'back\slash' escape '!' order by id`,
  ),
  inOrder(
    'no escape character',
    String.raw`select company_name from {customers} where company_name like '%\%' escape '' order by id`,
  ),
  inOrder(
    'backslash before a plain letter',
    String.raw`select 'abc' like 'a\bc', 'a\bc' like 'a\bc', 'a\bc' like 'a\\bc'`,
  ),
  inOrder(
    'glob characters are plain',
    `select 'a*c' like 'a*c', 'abc' like 'a*c', 'a[b]c' like 'a[b]c', 'a?c' like 'a?c', 'abc' like 'a?c'`,
  ),
  inOrder(
    'whole text',
    `select 'abc' like 'abc', 'abc' like 'ab', 'abc' like '', '' like '', '' like '%'`,
  ),
  inOrder('newlines match', String.raw`select E'a\nb' like 'a%b', E'a\nb' like 'a_b'`),
  inOrder('one character is one code point', `select '😀' like '_', '😀' like '__', 'é' like '_'`),
  inOrder('trailing blanks count', `select 'a ' like 'a', 'a ' like 'a_', 'a' like 'a '`),
  inOrder(
    'pattern from a column',
    `select a.name, b.name from {tags} a join {tags} b on a.name like b.name || '%'
    order by a.name, b.name`,
  ),
  inOrder(
    'pattern from a column with wildcards',
    `select t.id, t.c_text from {type_samples} t
    where t.label not in ('backslashes', 'wildcards') and ('7' like t.c_text or 'abc' like t.c_varchar)
    or t.label = 'wildcards' and 'a%b' like t.c_varchar order by t.id`,
  ),
  inOrder(
    'null pattern',
    `select 'a' like null, null like 'a', count(*) from {tags} where name like null`,
  ),
  inOrder(
    'parameter pattern with escapes',
    `select company_name from {customers} where company_name like $1 order by id`,
    ['%\\_%'],
  ),
  inOrder(
    'prefix parameter',
    `select company_name from {customers} where company_name like $1 order by id`,
    ['Z%'],
  ),
  inOrder(
    'ilike',
    `select company_name from {customers} where company_name ilike 'APPLE' order by id`,
  ),
  inOrder(
    'ilike with accents',
    `select company_name from {customers} where company_name ilike 'ÉCLAIR' order by id`,
  ),
  inOrder(
    'ilike wildcards',
    `select company_name from {customers} where company_name ilike '%STRA%' order by id`,
  ),
  inOrder('not ilike', `select name from {tags} where name not ilike 'VEG%' order by id`),
  inOrder('ilike parameter', `select email from {customers} where email ilike $1 order by id`, [
    '%@EXAMPLE.org',
  ]),
  inOrder(
    'ilike escapes',
    String.raw`select company_name from {customers} where company_name ilike '%\%%' order by id`,
  ),
  inOrder(
    'operator spelling',
    `select name from {tags} where name ~~ 's%' or name !~~ '%e%' or name ~~* 'VEGAN' order by id`,
  ),
  inOrder(
    'like on varchar and char',
    `select id from {type_samples} where c_varchar like '%b%' or c_char like 'b%' order by id`,
  ),
  inOrder(
    'like any of a list',
    `select name from {tags} where name like any (array['v%', 'k%']) order by id`,
  ),
])

export const regex: readonly QueryCase[] = queries('regex', [
  inOrder(
    'match',
    `select company_name from {customers} where company_name ~ '^[A-Z]' order by id`,
  ),
  inOrder(
    'match ignoring case',
    `select company_name from {customers} where company_name ~* '^app' order by id`,
  ),
  inOrder(
    'no match',
    `select company_name from {customers} where company_name !~ '[aeiou]' order by id`,
  ),
  inOrder('no match ignoring case', `select name from {tags} where name !~* 'A' order by id`),
  inOrder('is case-sensitive', `select 'ABC' ~ 'abc', 'ABC' ~* 'abc', 'É' ~* 'é'`),
  inOrder('digits', String.raw`select sku from {products} where sku ~ '^SKU-0\d{3}a$' order by id`),
  inOrder(
    'alternation and groups',
    `select name from {tags} where name ~ '^(sale|gift)$' order by id`,
  ),
  inOrder('dot matches a newline', String.raw`select E'a\nb' ~ 'a.b', E'a\nb' ~ '^b'`),
  inOrder('anchors are the whole text', String.raw`select E'a\nb' ~ 'a$', E'a\n' ~ 'a$'`),
  inOrder(
    'quantifiers',
    String.raw`select 'aaa' ~ '^a{2,3}$', 'a' ~ '^a{2}$', 'ab' ~ '^a+b?c*$', 'a{2}' ~ 'a\{2\}'`,
  ),
  inOrder(
    'classes',
    String.raw`select 'a_1' ~ '^\w+$', 'a b' ~ '\s', 'é' ~ '^\w$', '-' ~ '[a-]', ']' ~ '[]]'`,
  ),
  inOrder(
    'posix classes',
    `select 'a1' ~ '^[[:alnum:]]+$', 'A' ~ '[[:lower:]]', ' ' ~ '[[:space:]]'`,
  ),
  inOrder('one code point', `select '😀' ~ '^.$', '😀é' ~ '^.{2}$'`),
  inOrder('parameter', `select name from {tags} where name ~ $1 order by id`, ['^[a-m]']),
  inOrder('null', `select 'a' ~ null, null ~ 'a'`),
  inOrder(
    'regexp_replace first',
    `select regexp_replace('aXbXc', 'X', '-'), regexp_replace('abc', 'z', '-')`,
  ),
  inOrder(
    'regexp_replace all',
    `select regexp_replace('aXbXc', 'X', '-', 'g'), regexp_replace('aXbxc', 'x', '', 'gi')`,
  ),
  inOrder(
    'regexp_replace groups',
    String.raw`select regexp_replace('john smith', '(\w+) (\w+)', '\2 \1'), regexp_replace('a', 'a', '\&\&')`,
  ),
  inOrder(
    'regexp_replace on columns',
    `select id, regexp_replace(company_name, '[^A-Za-z]', '', 'g') from {customers} order by id`,
  ),
  inOrder(
    'regexp_match in a condition',
    `select name from {tags} where regexp_replace(name, '[aeiou]', '', 'g') = 'sl' order by id`,
  ),
  inOrder(
    'substring by regex',
    `select substring('foobar' from 'o(.)b'), substring('foobar' from 'o.b'), substring('x' from 'y')`,
  ),
  inOrder(
    'similar to',
    `select 'abc' similar to 'a(b|x)c', 'abc' similar to 'b', 'abc' similar to '%b%', 'a.c' similar to 'a.c'`,
  ),
  inOrder('regexp_like', `select regexp_like('Hello', 'hel', 'i'), regexp_count('banana', 'an')`),
  onPostgres(
    inOrder('back reference', String.raw`select 'abab' ~ '^(ab)\1$', 'word' ~ '\mword\M'`),
  ),
  onPostgres(
    inOrder(
      'regexp_match',
      String.raw`select regexp_match('a1b2', '([a-z])(\d)'), regexp_split_to_array('a1b2c', '\d')`,
    ),
  ),
])
