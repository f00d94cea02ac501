/**
 * @module Abbreviations of time zones, as PostgreSQL's default setting `timezone_abbreviations` has them.
 *
 * @see timezonesets/Default of PostgreSQL 15
 */

/** Seconds east of Greenwich → abbreviations. */
const fixed: readonly (readonly [seconds: number, names: string])[] = [
  [-36_000, 'hst taht'],
  [-34_200, 'mart'],
  [-32_400, 'akst gamt'],
  [-28_800, 'akdt pst'],
  [-25_200, 'mst pdt'],
  [-21_600, 'cst mdt galt'],
  [-18_000, 'act cot cdt est pet'],
  [-14_400, 'bot edt amt ast'],
  [-12_600, 'nft nst'],
  [-10_800, 'bra brt clst gft pmst pyst uyt wgt adt'],
  [-9_000, 'ndt'],
  [-7_200, 'brst fnt pmdt uyst wgst'],
  [-3_600, 'egt fnst azot'],
  [0, 'egst azost gmt uct ut utc z zulu wet'],
  [3_600, 'wat bst cet met mez wetdst'],
  [7_200, 'sast ist bdst cest cetdst eet mest mesz metdst'],
  [10_800, 'eat idt eest eetdst fet'],
  [12_600, 'irt'],
  [14_400, 'msd mut ret sct'],
  [16_200, 'aft'],
  [18_000, 'pkt tjt uzt must mvt tft'],
  [20_700, 'npt'],
  [21_600, 'almt bdt btt kgst pkst uzst xjt yekst'],
  [23_400, 'mmt'],
  [25_200, 'almst ict wast cxt'],
  [28_800, 'bnt bort cct hkt myt pht awst wadt'],
  [31_500, 'acwst'],
  [32_400, 'jayt jst kst ulast awsst wdt pwt'],
  [34_200, 'acst cast'],
  [36_000, 'ddut kdt aest ligt chut mpt pgt trut yapt'],
  [37_800, 'acsst acdt cadt lhst sadt'],
  [39_600, 'aesst aedt pont vut'],
  [43_200, 'nzt fjt gilt mht nzst tvt wakt wft'],
  [45_900, 'chast'],
  [46_800, 'fjst nzdt tot'],
  [49_500, 'chadt'],
]

/** Seconds east of Greenwich, by lower-case abbreviation. */
export const zoneAbbreviations: ReadonlyMap<string, number> = new Map(
  fixed.flatMap(([seconds, names]) => names.split(' ').map((name) => [name, seconds] as const)),
)

/** Abbreviations that had several offsets: which one depends on the date, and only PostgreSQL knows it. */
export const changingAbbreviations: ReadonlySet<string> = new Set(
  'art arst clt gyt pyt vet davt mawt amst anast anat azst azt gest get irkst irkt kgt krast krat lkt magst magt novst novt omsst omst petst pett sgt tmt ulat vlast vlat yakst yakt yekt fkst fkt lhdt msk volt iot ckt easst east kost lint nut tkt'.split(
    ' ',
  ),
)

/** Those of summer time. */
export const summerAbbreviations: ReadonlySet<string> = new Set(
  'akdt brst cdt clst edt egst fnst mdt ndt pdt pmdt pyst uyst wgst almst idt kdt kgst pkst ulast uzst yekst adt azost acsst acdt aesst aedt awsst cadt sadt wadt wdt bst bdst cest cetdst eest eetdst mest mesz metdst msd wetdst must chadt fjst nzdt'.split(
    ' ',
  ),
)
