/** Fixed lengths of PostgreSQL's types by oid; see `typlen` in pg_type. */
const lengths: ReadonlyMap<number, number> = new Map([
  // bool, char
  [16, 1],
  [18, 1],
  // name
  [19, 64],
  [20, 8],
  [21, 2],
  [23, 4],
  // regproc, oid, tid, xid, cid
  [24, 4],
  [26, 4],
  [27, 6],
  [28, 4],
  [29, 4],
  // point, lseg, box, line, circle
  [600, 16],
  [601, 32],
  [603, 32],
  [628, 24],
  [718, 24],
  // float4, float8, money
  [700, 4],
  [701, 8],
  [790, 8],
  // macaddr, macaddr8
  [829, 6],
  [774, 8],
  // aclitem
  [1033, 16],
  // date, time, timestamp, timestamptz, interval, timetz
  [1082, 4],
  [1083, 8],
  [1114, 8],
  [1184, 8],
  [1186, 16],
  [1266, 12],
  // regprocedure, regoper, regoperator, regclass, regtype, regrole, regnamespace, regcollation, regconfig, regdictionary
  [2202, 4],
  [2203, 4],
  [2204, 4],
  [2205, 4],
  [2206, 4],
  [4096, 4],
  [4089, 4],
  [4191, 4],
  [3734, 4],
  [3769, 4],
  // void, trigger, internal, any, anyelement
  [2278, 4],
  [2279, 4],
  [2281, 8],
  [2276, 4],
  [2283, 4],
  // uuid, pg_lsn, xid8
  [2950, 16],
  [3220, 8],
  [5069, 8],
  // unknown, cstring
  [705, -2],
  [2275, -2],
])

/**
 * Bytes of every value of a type; -1 where the length varies, -2 for values that end with NUL. Enums have 4; their OIDs
 * are not known here.
 */
export function typeLength(oid: number): number {
  return lengths.get(oid) ?? -1
}
