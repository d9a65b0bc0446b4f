import { groupBy } from '@/lib/group-by'
import { type LeadTable, NO_YEAR } from '@/lib/leads/lead-table'
import { type CountedLeads, type CountedRows, groupedPlaces } from './counted-leads'
import { type DaysInBuckets, daysInBuckets, gathered, latestFirst, numbered, placeOfEach, sizesOf } from './groups'
import { FEW, LEAST_GROUP } from './small-groups'
import { toldDays } from './told-days'

/**
 * The leads as they are told to who may only count: every group in it is of nobody or of five, so that whatever is counted
 * over it, for any schools and period, no group of one to four can be found by subtraction (microaggregation: Hundepool et
 * al., Statistical Disclosure Control, 2012, 4.2).
 */
export type ToldLeads = {
  /** Of all schools people count once for each year; of chosen ones at each, or one could tell how few two schools share. */
  leads: (of: 'all' | 'chosen') => CountedLeads
  /** Schools and years with one to four declarations, which are in nothing else. `NO_YEAR` for those without. */
  few: { highSchoolId: string; year: number }[]
  /** Schools with one to four questions likewise. */
  fewQuestions: string[]
}

/** Each school and year keeps its number; days, who declared again and how to answer are told of five together. */
export function toldLeads(leads: CountedLeads): ToldLeads {
  const { few, rows, personOf } = toldDeclarations(leads)
  const questions = toldQuestions(leads.questions)
  const made = new Map<string, CountedLeads>()
  return {
    leads: (of) => {
      const known = made.get(of)
      if (known !== undefined) return known
      const { person, people } = personOf(of)
      const declarations = { ...rows, person }
      const counted = { declarations, byPerson: groupedPlaces(person, people), questions: questions.rows }
      made.set(of, counted)
      return counted
    },
    few,
    fewQuestions: questions.few,
  }
}

/** A person's first declaration for a year; their first to this school for it, after one to another; any further one. */
const [FIRST, ELSEWHERE, AGAIN, KINDS] = [0, 1, 2, 3] as const

/** The groups are the schools of each year; of each there are three buckets, one for each kind. */
function toldDeclarations({ declarations, byPerson }: CountedLeads) {
  const { table, rows, day } = declarations
  const schools = table.schoolIds.length
  const { group, keys } = numbered(rows.length, (place) => {
    const row = rows[place] ?? 0
    return ((table.year[row] ?? NO_YEAR) - NO_YEAR) * schools + (table.school[row] ?? 0)
  })
  const years = Float64Array.from(keys, (key) => Math.floor(key / schools))
  const bucketOf = bucketsByKind(declarations, byPerson, { group, years })
  const sizes = sizesOf(bucketOf, keys.length * KINDS)
  const moved = Array.from(keys, (_, at) => toldKinds(sizes.subarray(at * KINDS, (at + 1) * KINDS), at * KINDS)).flat()
  const told = daysInBuckets(day, bucketOf, moved)
  const few = Array.from(keys).flatMap((key, at) => {
    if (!moved.slice(at * KINDS, (at + 1) * KINDS).every((to) => to === null)) return []
    return [{ highSchoolId: table.schoolIds[key % schools] ?? '', year: (years[at] ?? 0) + NO_YEAR }]
  })
  const rowOf = gathered(rows, placeOfEach(group, keys.length))
  const order = toldRows(table, told, (bucket) => rowOf[Math.floor(bucket / KINDS)] ?? 0)
  return {
    few,
    rows: { table, rows: order.rows, day: order.day },
    personOf: (of: 'all' | 'chosen') => {
      const { person, people } = toldPeople(told.starts, years, of === 'all')
      return { person: gathered(person, order.places), people }
    },
  }
}

/** Of each place, three times its group and which kind it is. */
function bucketsByKind(
  { rows, person }: CountedRows,
  byPerson: Uint32Array,
  { group, years }: { group: Uint32Array; years: Float64Array },
): Uint32Array {
  const bucketOf = new Uint32Array(rows.length)
  const { group: yearOf, keys } = numbered(years.length, (at) => years[at] ?? 0)
  // By group and by year, who declared last: one person's places come together.
  const lastOfGroup = new Int32Array(years.length).fill(-1)
  const lastOfYear = new Int32Array(keys.length).fill(-1)
  for (const place of byPerson) {
    const who = person[place] ?? 0
    const its = group[place] ?? 0
    const year = yearOf[its] ?? 0
    const kind = lastOfYear[year] !== who ? FIRST : lastOfGroup[its] !== who ? ELSEWHERE : AGAIN
    bucketOf[place] = its * KINDS + kind
    lastOfYear[year] = lastOfGroup[its] = who
  }
  return bucketOf
}

/**
 * As which bucket each kind of a group is told, of which the first is `bucket`; null: not at all. Kinds of fewer than five are
 * told as first declarations, of which there are five then: what is told is always what could be true of a group without small
 * kinds. Of fewer than five people it is only told that they are few.
 */
function toldKinds([first = 0, elsewhere = 0, again = 0]: Uint32Array, bucket: number): (number | null)[] {
  const isFew = (count: number) => count < LEAST_GROUP
  if (isFew(first + elsewhere + again)) return [null, null, null]
  if (isFew(first + elsewhere)) return [AGAIN, AGAIN, AGAIN].map((kind) => bucket + kind)
  const elsewhereAs = isFew(first) || isFew(elsewhere) ? FIRST : ELSEWHERE
  return [FIRST, elsewhereAs, isFew(again) ? FIRST : AGAIN].map((kind) => bucket + kind)
}

/** Ways of answering that few of a school ask for are told as the one that most ask for. */
function toldQuestions({ table, rows, day }: CountedRows): { rows: CountedRows; few: string[] } {
  const modes = table.modes.length
  const { group: bucketOf, keys } = numbered(rows.length, (place) => {
    const row = rows[place] ?? 0
    return (table.school[row] ?? 0) * modes + (table.mode[row] ?? 0)
  })
  const schoolOf = (bucket: number) => Math.floor((keys[bucket] ?? 0) / modes)
  const sizes = sizesOf(bucketOf, keys.length)
  const bySchool = groupBy(sizes.keys(), schoolOf)
  const few: string[] = []
  const moved = Array.from<number | null>({ length: keys.length })
  for (const [school, buckets] of bySchool) {
    const sizeOf = (bucket: number) => sizes[bucket] ?? 0
    const most = buckets.reduce((best, bucket) => (sizeOf(bucket) > sizeOf(best) ? bucket : best))
    const isFew = buckets.reduce((sum, bucket) => sum + sizeOf(bucket), 0) < LEAST_GROUP
    if (isFew) few.push(table.schoolIds[school] ?? '')
    for (const bucket of buckets) moved[bucket] = isFew ? null : sizeOf(bucket) < LEAST_GROUP ? most : bucket
  }
  const rowOf = gathered(rows, placeOfEach(bucketOf, keys.length))
  const told = toldRows(table, daysInBuckets(day, bucketOf, moved), (bucket) => rowOf[bucket] ?? 0)
  return { rows: { table, rows: told.rows, day: told.day, person: new Uint32Array(told.rows.length) }, few }
}

/** The people are invented: as many as are told, and whoever declared elsewhere first is somebody of another school. */
function toldPeople(starts: Uint32Array, years: Float64Array, isOnceAYear: boolean) {
  const person = new Uint32Array(starts.at(-1) ?? 0)
  const firsts = firstPeople(starts, years)
  let { people } = firsts
  for (let group = 0; group < years.length; group++) {
    const [begin = 0, elsewhere = 0, again = 0, end = 0] = starts.subarray(group * KINDS, group * KINDS + KINDS + 1)
    const own = { first: firsts.of[group] ?? 0, count: elsewhere - begin }
    const others = firsts.ofYear.get(years[group] ?? 0) ?? { first: 0, count: 0 }
    const guests = again - elsewhere
    const known = isOnceAYear ? Math.min(guests, others.count - own.count) : 0
    const newPeople = people
    people += own.count + guests === 0 && end > again ? FEW : guests - known
    // Whoever is first at this very school is passed over.
    const elsewhereFirst = (at: number) => others.first + at + (others.first + at >= own.first ? own.count : 0)
    const guest = (at: number) => (at < known ? elsewhereFirst(at) : newPeople + at - known)
    const some = (at: number) => (at < own.count ? own.first + at : guest(at - own.count))
    const most = Math.max(own.count + guests, own.count + guests === 0 ? FEW : 0) - 1
    for (let at = 0; at < again - begin; at++) person[begin + at] = some(at)
    for (let at = 0; at < end - again; at++) person[again + at] = some(Math.min(at, most))
  }
  return { person, people }
}

/** Of each group the first of its own people, who follow each other, and so do those of a year. */
function firstPeople(starts: Uint32Array, years: Float64Array) {
  const of = new Uint32Array(years.length)
  const ofYear = new Map<number, { first: number; count: number }>()
  let people = 0
  years.forEach((year, group) => {
    const count = (starts[group * KINDS + 1] ?? 0) - (starts[group * KINDS] ?? 0)
    const known = ofYear.get(year)
    if (known === undefined) ofYear.set(year, { first: people, count })
    else known.count += count
    of[group] = people
    people += count
  })
  return { of, ofYear, people }
}

/** All that is told, the latest day first: days as they are told, and any row with the school, year and mode of each. */
function toldRows(table: LeadTable, { starts, days }: DaysInBuckets, rowOf: (bucket: number) => number) {
  const rowAt = new Uint32Array(days.length)
  const told = new Int32Array(days.length)
  for (let bucket = 0; bucket < starts.length - 1; bucket++) {
    const start = starts[bucket] ?? 0
    const end = starts[bucket + 1] ?? 0
    if (start === end) continue
    told.set(toldDays(days.subarray(start, end)), start)
    rowAt.fill(rowOf(bucket), start, end)
  }
  const places = latestFirst(told)
  const day = new Int32Array(told.length)
  for (let at = 0; at < day.length; at++) day[at] = told[places[at] ?? 0] ?? 0
  return { places, rows: gathered(rowAt, places), day }
}
