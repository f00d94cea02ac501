import { inOrder, onPostgres, type QueryCase, queries } from '../case.ts'

/** Ranges, multiranges, geometric types and money, over the table spaces: also a range type and a domain that a user made. */
export const rangesAndGeometry: readonly QueryCase[] = queries(
  'ranges-and-geometry',
  [
    inOrder('every column', `select * from {spaces} order by id`),
    inOrder(
      'bounds of ranges',
      `select id, lower(seats), upper(seats), lower_inc(seats), upper_inf(seats), isempty(seats), lower(free), upper(words), lower(chapters), lower(open) from {spaces} order by id`,
    ),
    inOrder(
      'ranges are compared',
      `select id from {spaces} where seats && '[2,4)' or words @> 'banana'::text or open -|- daterange('2024-11-01', '2024-12-01') order by id`,
    ),
    inOrder(
      'an element as a parameter',
      `select id from {spaces} where seats @> $1::int4 order by id`,
      [4],
    ),
    inOrder(
      'a text as an element of a range of texts',
      `select id from {spaces} where words @> $1::text and $2::text <@ words order by id`,
      ['banana', 'apple'],
    ),
    inOrder('a range as a parameter', `select id from {spaces} where words && $1 order by id`, [
      '[b,c)',
    ]),
    inOrder('a multirange as a parameter', `select id from {spaces} where chapters = $1`, [
      '{[a,c),[x,z)}',
    ]),
    inOrder(
      'ranges to the left, to the right and beside',
      `select a.id, b.id, a.seats << b.seats, a.seats >> b.seats, a.seats &< b.seats, a.seats &> b.seats, a.seats -|- b.seats, a.free && b.seats from {spaces} a, {spaces} b order by 1, 2`,
    ),
    inOrder(
      'union, intersection and difference',
      `select id, seats + '[5,6)'::int4range, seats * int4range(2, 9), int4range(4, 100) - seats, free + free, words * main.word_span('b', 'c') from {spaces} where id in (1, 2) order by id`,
    ),
    inOrder(
      'constructors',
      `select int4range(1, 5, '[]'), numrange(1.5, null), main.word_span('a', 'b', '[]'), main.word_spans(), main.word_spans(words), main.word_spans(words, main.word_span('y', 'z')), int4multirange(seats, int4range(20, 30)), nummultirange() from {spaces} where id = 1`,
    ),
    inOrder(
      'casts',
      `select id, seats::int4multirange, words::main.word_spans, words::text, '[k,l]'::main.word_span, open::daterange, '{[1,2]}'::int4multirange from {spaces} order by id`,
    ),
    inOrder(
      'the type with its schema',
      `select '[a,b)'::main.word_span from {spaces} where id = 1`,
    ),
    inOrder(
      'ranges of a multirange',
      `select s.id, r, lower(r) from {spaces} s cross join lateral unnest(s.free) as r order by 1, 2`,
    ),
    inOrder(
      'ranges of a multirange of texts',
      `select s.id, r from {spaces} s, unnest(s.chapters) as r order by 1, 2`,
    ),
    inOrder(
      'aggregates',
      `select range_agg(seats), range_intersect_agg(free), range_agg(words), range_merge(range_agg(seats)), count(distinct words) from {spaces}`,
    ),
    inOrder(
      'multirange of a range',
      `select multirange(words), range_merge(chapters) from {spaces} where id = 1`,
    ),
    inOrder('in order', `select id, words from {spaces} order by words desc nulls last, id`),
    inOrder(
      'in groups',
      `select words is null, chapters, count(*) from {spaces} group by words is null, chapters order by 2, 1`,
    ),
    inOrder(
      'in a list',
      `select id from {spaces} where words in ('empty', '[apple,melon)') or seats = any (array[int4range(4, 10)]) order by id`,
    ),
    inOrder(
      'an array of ranges',
      `select id, spans, spans[1], main.word_span('a', 'b') = any (spans), cardinality(spans) from {spaces} order by id`,
    ),
    inOrder(
      'as JSON',
      `select to_json(words), jsonb_build_object('s', seats, 'c', chapters, 'p', spot, 'm', price) from {spaces} where id = 1`,
    ),
    inOrder(
      'coordinates',
      `select id, spot[0], spot[1], (area[0])[1], (edge[1])[0], spot[7] from {spaces} order by id`,
    ),
    inOrder(
      'points',
      `select id, spot + point '(1,1)', spot * point(2, 0), spot <-> point '(4,6)', spot ~= '(1,2)', spot <@ area, spot << point '(0,0)', spot >^ point '(0,0)' from {spaces} order by id`,
    ),
    inOrder(
      'the nearest',
      `select id from {spaces} where spot is not null order by spot <-> $1::point, id limit 2`,
      ['(-1,0)'],
    ),
    inOrder(
      'boxes',
      `select id, area(area), center(area), width(area), height(area), diagonal(area), area && box '((1,1),(6,6))', area # box '((1,1),(6,6))', area @> spot, @@ area, area <<| box '((9,9),(10,10))' from {spaces} order by id`,
    ),
    inOrder(
      'segments and lines',
      `select id, length(edge), @-@ edge, ?| edge, ?- edge, edge ?# lseg '[(0,4),(4,0)]', edge # lseg '[(0,4),(4,0)]', course ?|| line '{1,-1,5}', course ?-| line '{1,1,0}', course # line '{1,1,-2}', spot ## edge from {spaces} order by id`,
    ),
    inOrder(
      'paths and polygons',
      `select id, npoints(trail), isopen(trail), length(trail), pclose(trail), trail + spot, npoints(outline), outline @> spot, outline && polygon '((0,0),(1,1),(0,3))', box(outline), # outline from {spaces} order by id`,
    ),
    inOrder(
      'circles',
      `select id, radius(reach), diameter(reach), center(reach), area(reach), reach @> spot, reach && circle '<(4,4),3>', npoints(polygon(6, reach)), npoints(polygon(reach)), reach <-> circle '<(9,9),1>' from {spaces} order by id`,
    ),
    inOrder(
      'constructed figures',
      `select point(1, 2), box(point(0, 0), point(1, 1)), lseg(point(0, 0), point(1, 1)), line(point(0, 0), point(1, 1)), circle(point(0, 0), 2), polygon(box '((0,0),(1,1))'), slope(point(0, 0), point(1, 2)) from {spaces} where id = 1`,
    ),
    inOrder(
      'figures as parameters',
      `select id from {spaces} where area @> $1::point and reach = $2 order by id`,
      ['(1,1)', '<(0,0),2>'],
    ),
    inOrder(
      'money',
      `select id, price * 2, price / 2, price / price, price + '0.44', price - price, price::numeric, cash_words(price), 2.5::float8 * price from {spaces} order by id`,
    ),
    inOrder(
      'aggregates of money',
      `select sum(price), min(price), max(price), count(distinct price) from {spaces}`,
    ),
    inOrder(
      'money as a parameter',
      `select id from {spaces} where price > $1 and price = $2::numeric::money order by id`,
      ['0', '1234.56'],
    ),
    inOrder(
      'numbers of transactions in groups',
      `select tried, count(*) from {spaces} where tried <> '5' group by tried order by count(*) desc, min(id)`,
    ),
    inOrder(
      'log positions',
      `select id from {spaces} where entry > '0/1' or entry = '0/0' order by entry desc, id`,
    ),
    inOrder(
      'functions of operators',
      `select booleq(isempty(seats), false), int4pl(id, 2), texteq('a', 'b'), cash_mul_int4(price, 2), range_overlaps(seats, '[1,2)'), point_distance(spot, '(1,2)') from {spaces} order by id`,
    ),
    inOrder(
      'networks',
      `select inet_merge(address, '10.0.0.9'), inet_same_family(address, '::1') from {pg_only} where id = 1`,
    ),
    inOrder(
      'search',
      `select setweight('a:1'::tsvector, 'B'), ts_delete('a:1 b:2'::tsvector, 'a'), ts_filter('a:1A b:2'::tsvector, '{a}'), ts_rewrite('a & b'::tsquery, 'a', 'c'), tsvector_to_array('b a'::tsvector), array_to_tsvector(names), tsquery_phrase('a', 'b', 2), 'a'::tsquery <-> 'b', querytree('a & !b'::tsquery), jsonb_to_tsvector('simple', '{"a": "fox"}', '"all"') from {pg_only} where id = 5`,
    ),
    inOrder(
      'single bytes',
      `select 'a'::"char", "char"(65), "char"('xy'), 'b'::"char"::text || '!', ascii('c'::"char"::text) from {spaces} where id = 1`,
    ),
    inOrder(
      'hashes',
      `select hashtext('a'), hashint4(id), hash_numeric(1.5) = hash_numeric(1.50), uuid_hash('00000000-0000-0000-0000-000000000000') is not null from {spaces} order by id`,
    ),
    inOrder(
      'names in parts',
      `select parse_ident('a."B c".d'), convert('\\xe4'::bytea, 'LATIN1', 'UTF8') from {spaces} where id = 1`,
    ),
  ].map(onPostgres),
)
