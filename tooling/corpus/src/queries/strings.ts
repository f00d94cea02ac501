import { anyOrder, inOrder, onPostgres, type QueryCase, queries } from '../case.ts'

export const strings: readonly QueryCase[] = queries('strings', [
  inOrder('concatenation', `select 'a' || 'b' || 'c', name || '!' from {tags} order by id`),
  inOrder(
    'concatenation with null',
    `select id, city || ', ' || country from {customers} order by id`,
  ),
  inOrder(
    'concatenation of other types',
    `select 'n' || 1, 1 || 'n', 'd' || 1.50, 'b' || true,
    'f' || 2.0::float8, 't' || timestamp '2024-01-01 10:00:00.50', 'd' || date '2024-01-31'`,
  ),
  inOrder('plus binds tighter than concatenation', `select 1 + 2 || 'a', 'a' || 2 * 3`),
  inOrder(
    'concatenation of columns',
    `select id || ':' || unit_price || ':' || discontinued
    from {products} where id < 8 order by id`,
  ),
  inOrder(
    'concatenation of a float column',
    `select 'w=' || weight_kg from {products} where id < 12 order by id`,
  ),
  inOrder(
    'concat skips nulls',
    `select id, concat(city, '/', country), concat(null, null)
    from {customers} order by id`,
  ),
  inOrder('concat of other types', `select concat(1, true, 1.50, date '2024-01-31', null, 'x')`),
  inOrder(
    'concat_ws',
    `select id, concat_ws(', ', contact_name, city, country) from {customers} order by id`,
  ),
  inOrder(
    'concat_ws null separator',
    `select concat_ws(null, 'a', 'b'), concat_ws('-', null, 'b', '')`,
  ),
  inOrder(
    'length counts characters',
    `select id, length(company_name), char_length(company_name)
    from {customers} order by id`,
  ),
  inOrder(
    'length of samples',
    `select id, length(c_text), length(c_varchar), length(c_char)
    from {type_samples} order by id`,
  ),
  inOrder(
    'octet_length',
    `select id, octet_length(company_name), bit_length(company_name)
    from {customers} order by id`,
  ),
  inOrder(
    'length of bytes',
    `select id, length(c_bytea), octet_length(c_bytea) from {type_samples} order by id`,
  ),
  inOrder(
    'upper and lower',
    `select id, upper(company_name), lower(company_name) from {customers} order by id`,
  ),
  inOrder(
    'upper and lower of samples',
    `select id, upper(c_text), lower(c_varchar) from {type_samples}
    where label not in ('largest') order by id`,
  ),
  inOrder('initcap', `select id, initcap(company_name) from {customers} order by id`),
  inOrder(
    'substring plain',
    `select substring('abcdef', 2, 3), substring('abcdef' from 3), substr('abcdef', 2)`,
  ),
  inOrder(
    'substring from zero',
    `select substring('abcdef', 0, 3), substring('abcdef', 0), substr('abcdef', 0, 1)`,
  ),
  inOrder(
    'substring from a negative place',
    `select substring('abcdef', -2, 5), substring('abcdef', -10, 5),
    substring('abcdef', -1)`,
  ),
  inOrder(
    'substring beyond the end',
    `select substring('abc', 10), substring('abc', 2, 100), substring('abc', 4, 1)`,
  ),
  inOrder('substring of length zero', `select substring('abc', 2, 0), substring('abc' for 2)`),
  inOrder(
    'substring of astral text',
    `select substring('😀é日x', 2, 2), substring('a😀b', 2, 1), left('😀😁', 1)`,
  ),
  inOrder(
    'substring of columns',
    `select id, substring(company_name, 2, 3) from {customers} order by id`,
  ),
  inOrder(
    'left and right',
    `select left('abcdef', 2), right('abcdef', 2), left('ab', 9), right('ab', 9)`,
  ),
  inOrder(
    'left and right negative',
    `select left('abcdef', -2), right('abcdef', -2), left('ab', -9), right('ab', -9)`,
  ),
  inOrder(
    'left and right zero',
    `select left('abc', 0), right('abc', 0), left('', 3), right('', -1)`,
  ),
  inOrder(
    'left and right of columns',
    `select id, left(company_name, 3), right(company_name, 3),
    left(company_name, -2), right(company_name, -2) from {customers} order by id`,
  ),
  inOrder(
    'position',
    `select position('b' in 'abcb'), position('' in 'abc'), position('z' in 'abc'),
    strpos('abc', 'c'), position('B' in 'abc')`,
  ),
  inOrder(
    'position of a column',
    `select id, position('a' in company_name), strpos(company_name, 'e')
    from {customers} order by id`,
  ),
  inOrder('trim blanks', `select trim('  a b  '), ltrim('  a '), rtrim(' a  '), btrim('  a  ')`),
  inOrder(
    'trim only blanks',
    String.raw`select length(trim(E' \t a \n ')), length(rtrim(E'a\n '))`,
  ),
  inOrder(
    'trim characters',
    `select trim(both 'xy' from 'xyxaxyx'), ltrim('xxyabc', 'yx'), rtrim('abcxy', 'xy'),
    btrim('xyax', 'xy'), trim(leading '0' from '00120'), trim(trailing '.' from 'a...')`,
  ),
  inOrder(
    'trim pattern characters',
    String.raw`select btrim('[a]', '[]'), btrim('^a^', '^'), btrim('\a\', '\'), ltrim('a-b', '-a')`,
  ),
  inOrder(
    'trim of columns',
    `select id, '[' || trim(company_name) || ']', '[' || rtrim(company_name, 'el') || ']'
    from {customers} order by id`,
  ),
  inOrder(
    'replace',
    `select replace('aXaxa', 'x', '-'), replace('abc', '', 'z'), replace('aaa', 'aa', 'b'),
    replace('abc', 'b', '')`,
  ),
  inOrder(
    'replace in columns',
    `select id, replace(company_name, 'a', 'A') from {customers} order by id`,
  ),
  inOrder(
    'lpad and rpad',
    `select lpad('7', 3, '0'), rpad('ab', 5, 'xy'), lpad('abcdef', 3), rpad('abcdef', 3),
    lpad('a', 3), lpad('a', 3, ''), lpad('a', 0), lpad('a', -1, 'x')`,
  ),
  inOrder('lpad of a number', `select lpad(id::text, 4, '0') from {tags} order by id`),
  inOrder(
    'repeat and reverse',
    `select repeat('ab', 3), repeat('x', 0), repeat('x', -1), reverse('abc'), reverse('a😀b')`,
  ),
  inOrder(
    'split_part',
    `select split_part('a,b,c', ',', 2), split_part('a,b,c', ',', 4), split_part('abc', ',', 1),
    split_part('a--b', '--', 2), split_part('a,b,c', ',', -1), split_part('', ',', 1)`,
  ),
  inOrder(
    'split_part of columns',
    `select id, split_part(email, '@', 2) from {customers} order by id`,
  ),
  inOrder(
    'translate',
    `select translate('12345', '143', 'ax'), translate('abc', 'abc', ''), translate('aéa', 'é', 'e')`,
  ),
  inOrder(
    'ascii and chr',
    `select ascii('a'), ascii(''), ascii('é'), ascii('😀'), chr(65), chr(233), chr(128512)`,
  ),
  inOrder('md5', `select md5('abc'), md5(''), md5('é')`),
  inOrder('to_hex', `select to_hex(255), to_hex(0), to_hex(2147483647)`),
  inOrder('to_hex of a negative number', `select to_hex(-1)`),
  inOrder(
    'starts_with',
    `select starts_with('abc', 'ab'), starts_with('abc', 'AB'), starts_with('abc', ''),
    starts_with('a%c', 'a%')`,
  ),
  inOrder(
    'starts_with on a column',
    `select id from {customers} where starts_with(company_name, 'z') order by id`,
  ),
  inOrder(
    'greatest and least',
    `select greatest(1, 3, 2), least(1, 3, 2), greatest('a', 'B'), least('b', 'a', 'C')`,
  ),
  inOrder(
    'greatest and least skip nulls',
    `select greatest(1, null, 2), least(null, 5), greatest(null::int, null),
    least(null, 'b', 'a')`,
  ),
  inOrder(
    'greatest of columns',
    `select id, greatest(city, country), least(city, country, contact_name)
    from {customers} order by id`,
  ),
  inOrder(
    'overlay',
    `select overlay('abcdef' placing 'XX' from 3 for 2), overlay('abc' placing 'Z' from 2)`,
  ),
  inOrder(
    'quote functions',
    `select quote_literal('it''s'), quote_ident('a b'), quote_nullable(null)`,
  ),
  inOrder(
    'string_agg ordered',
    `select country, string_agg(company_name, '; ' order by company_name, id)
    from {customers} group by country order by country`,
  ),
  inOrder('string_agg descending', `select string_agg(name, ',' order by id desc) from {tags}`),
  inOrder(
    'string_agg skips nulls',
    `select country, string_agg(city, '|' order by id) from {customers}
    group by country order by country`,
  ),
  inOrder(
    'string_agg distinct',
    `select string_agg(distinct country, ',' order by country) from {customers}`,
  ),
  inOrder('string_agg of nothing', `select string_agg(name, ',') from {tags} where false`),
  inOrder(
    'string_agg empty delimiter',
    `select string_agg(name, '' order by id), string_agg(name, null order by id) from {tags}`,
  ),
  inOrder(
    'string_agg column delimiter',
    `select string_agg(name, id::text order by id) from {tags}`,
  ),
  inOrder(
    'equality is exact',
    `select id, company_name from {customers}
    where company_name in ('apple', 'trailing', 'STRASSE', 'éclair') order by id`,
  ),
  inOrder(
    'trailing blanks matter',
    `select 'a' = 'a ', 'a ' = 'a  ', 'é' = 'e', 'a' = 'A', '😀' = '😁'`,
  ),
  inOrder(
    'precomposed differs from combining',
    String.raw`select 'é' = E'e\u0301', length('é'), length(E'e\u0301')`,
  ),
  inOrder('empty text is not null', `select '' is null, coalesce('', 'x'), nullif('', '')`),
  inOrder(
    'char pads',
    `select id, c_char, c_char || '|', length(c_char) from {type_samples} order by id`,
  ),
  inOrder(
    'char ignores trailing blanks',
    `select label from {type_samples} where c_char = 'x' order by id`,
  ),
  inOrder(
    'char compared with text',
    `select label from {type_samples} where c_char::text = 'x' order by id`,
  ),
  inOrder(
    'cast to varchar cuts',
    `select 'abcdef'::varchar(3), 'ab'::varchar(5), 'é😀z'::varchar(2)`,
  ),
  inOrder(
    'cast to char pads',
    `select 'ab'::char(4), 'abcdef'::char(3), 'a'::char(3) = 'a'::char(5), 'x'::char(3) || 'y'`,
  ),
  inOrder('format', `select format('%s is %s', 'a', 1), format('%L', 'it''s'), format('%%')`),
  onPostgres(
    inOrder(
      'string_to_array',
      `select string_to_array('a,b,,c', ','), array_to_string(array[1, null, 3], '-', '*')`,
    ),
  ),
  onPostgres(
    inOrder(
      'encode and decode',
      `select encode('\\xdead'::bytea, 'hex'), encode('\\x0001'::bytea, 'base64')`,
    ),
  ),
  anyOrder(
    'group by text is exact',
    `select company_name, count(*) from {customers} group by company_name`,
  ),
  anyOrder('distinct text is exact', `select distinct country from {customers}`),
  inOrder(
    'count distinct text',
    `select count(distinct country), count(distinct city), count(distinct lower(city)) from {customers}`,
  ),
  inOrder(
    'min and max of text',
    `select min(company_name), max(company_name), min(city), max(country) from {customers}`,
  ),
  anyOrder(
    'join on text is exact',
    `select a.id, b.id from {customers} a join {customers} b
    on a.city = b.city and a.id < b.id`,
  ),
  anyOrder(
    'join on lower',
    `select a.id, b.id from {customers} a join {customers} b
    on lower(a.company_name) = lower(b.company_name) and a.id < b.id`,
  ),
])
