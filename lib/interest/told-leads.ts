import { type LeadTable, NO_YEAR } from '@/lib/leads/lead-table'
import { type CountedLeads, type CountedRows, groupedPlaces } from './counted-leads'
import { FEW, LEAST_GROUP } from './small-groups'

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
export function toldLeads({ declarations, questions, byPerson }: CountedLeads): ToldLeads {
  const kinds = kindsOf(declarations, byPerson)
  const { table } = declarations
  const yearOf = (row: number) => table.year[row] ?? NO_YEAR
  const groups = grouped(declarations, yearOf, KINDS, (place) => kinds[place])
  const told = groups.filter(isMany).map((group) => ({ ...group, kinds: toldKinds(group.kinds) }))
  const { mode, modes, schoolIds } = questions.table
  const modeOf = (place: number) => mode[questions.rows[place] ?? 0]
  const asked = grouped(questions, () => NO_YEAR, modes.length, modeOf)
  const askedMany = toldQuestions(questions.table, asked.filter(isMany))
  const few = (all: readonly Group[]) => all.filter((group) => !isMany(group))
  const made = new Map<string, CountedLeads>()
  return {
    leads: (of) => {
      const counted = made.get(of) ?? { ...toldPeople(table, told, of === 'all'), questions: askedMany }
      made.set(of, counted)
      return counted
    },
    few: few(groups).map(({ school, year }) => ({ highSchoolId: table.schoolIds[school] ?? '', year })),
    fewQuestions: few(asked).map(({ school }) => schoolIds[school] ?? ''),
  }
}

/** A person's first declaration for a year; their first to this school for it, after one to another; any further one. */
const [FIRST, ELSEWHERE, AGAIN, KINDS] = [0, 1, 2, 3] as const

function kindsOf({ table, rows, person }: CountedRows, byPerson: Uint32Array): Uint8Array {
  const kinds = new Uint8Array(rows.length)
  const years = new Set<number>()
  const places = new Set<number>()
  let last = -1
  for (const place of byPerson) {
    const who = person[place] ?? 0
    if (who !== last) {
      years.clear()
      places.clear()
    }
    last = who
    const row = rows[place] ?? 0
    const year = table.year[row] ?? NO_YEAR
    const at = (year - NO_YEAR) * table.schoolIds.length + (table.school[row] ?? 0)
    kinds[place] = !years.has(year) ? FIRST : !places.has(at) ? ELSEWHERE : AGAIN
    years.add(year)
    places.add(at)
  }
  return kinds
}

/** The leads of a school, for a year: of each kind one of the rows, and the days, ascending. */
type Group = { school: number; year: number; rows: number[]; kinds: number[][] }

function grouped(
  { table, rows, day }: CountedRows,
  yearOf: (row: number) => number,
  kinds: number,
  kindOf: (place: number) => number | undefined,
): Group[] {
  const groups = new Map<number, Group>()
  // From the back, because rows are newest first.
  for (let place = rows.length - 1; place >= 0; place--) {
    const row = rows[place] ?? 0
    const [school, year, kind] = [table.school[row] ?? 0, yearOf(row), kindOf(place) ?? 0]
    const key = (year - NO_YEAR) * table.schoolIds.length + school
    const group = groups.get(key) ?? { school, year, rows: [], kinds: Array.from({ length: kinds }, () => []) }
    groups.set(key, group)
    group.rows[kind] ??= row
    group.kinds[kind]?.push(day[place] ?? 0)
  }
  // In an order that says nothing of when anything came.
  return [...groups].toSorted(([a], [b]) => a - b).map(([, group]) => group)
}

function isMany({ kinds }: Group): boolean {
  return sizeOf(...kinds) >= LEAST_GROUP
}

function sizeOf(...lists: readonly (readonly number[])[]): number {
  return lists.reduce((sum, { length }) => sum + length, 0)
}

/**
 * Kinds of fewer than five are told as first declarations, of which there are five then: what is told is always what could
 * be true of a group without small kinds. Of fewer than five people it is only told that they are few.
 */
function toldKinds([first = [], elsewhere = [], again = []]: readonly number[][]): number[][] {
  if (sizeOf(first, elsewhere) < LEAST_GROUP) return [[], [], joined(first, elsewhere, again)]
  const isElsewhereFirst = first.length < LEAST_GROUP || elsewhere.length < LEAST_GROUP
  const isAgainFirst = again.length < LEAST_GROUP
  return [
    joined(first, isElsewhereFirst ? elsewhere : [], isAgainFirst ? again : []),
    isElsewhereFirst ? [] : elsewhere,
    isAgainFirst ? [] : again,
  ]
}

function joined(...lists: readonly number[][]): number[] {
  return lists.flat().sort((a, b) => a - b)
}

/** Ways of answering that few of a school ask for are told as the one that most ask for. */
function toldQuestions(table: LeadTable, groups: readonly Group[]): CountedRows {
  const leads = newLeads()
  for (const { rows, kinds } of groups) {
    const most = kinds.reduce((best, { length }, mode) => (length > (kinds[best]?.length ?? 0) ? mode : best), 0)
    const isSmall = (mode: number) => mode !== most && (kinds[mode]?.length ?? 0) < LEAST_GROUP
    const small = kinds.filter((_, mode) => isSmall(mode))
    kinds.forEach((days, mode) => {
      const together = mode === most ? joined(days, ...small) : days
      if (!isSmall(mode)) toldDays(together).forEach((day) => addLead(leads, rows[mode] ?? 0, day, 0))
    })
  }
  return toldRows(table, leads)
}

/** The people are invented: as many as are told, and whoever declared elsewhere first is somebody of another school. */
function toldPeople(table: LeadTable, groups: readonly Group[], isOnceAYear: boolean) {
  let people = 0
  const newPeople = (count: number) => Array.from({ length: count }, () => people++)
  const firstsOf = new Map<number, SchoolPeople[]>()
  const firsts = groups.map(({ school, year, kinds: [first = []] }) => {
    const own = newPeople(first.length)
    const ofYear = firstsOf.get(year) ?? []
    ofYear.push({ school, people: own })
    firstsOf.set(year, ofYear)
    return own
  })
  const leads = newLeads()
  groups.forEach(({ school, year, rows, kinds: [first = [], elsewhere = [], again = []] }, index) => {
    const own = firsts[index] ?? []
    const known = isOnceAYear ? peopleElsewhere(school, firstsOf.get(year) ?? [], elsewhere.length) : []
    const guests = [...known, ...newPeople(elsewhere.length - known.length)]
    const some = own.length + guests.length === 0 ? newPeople(FEW) : [...own, ...guests]
    const row = rows.find((one) => one !== undefined) ?? 0
    const add = (days: readonly number[], who: readonly number[]) =>
      toldDays(days).forEach((day, at) => addLead(leads, row, day, who[Math.min(at, who.length - 1)] ?? 0))
    add(first, own)
    add(elsewhere, guests)
    add(again, some)
  })
  const declarations = toldRows(table, leads)
  return { declarations, byPerson: groupedPlaces(declarations.person, people) }
}

type SchoolPeople = { school: number; people: number[] }

function peopleElsewhere(school: number, firsts: readonly SchoolPeople[], count: number): number[] {
  const found: number[] = []
  for (const one of firsts) {
    if (found.length >= count) break
    if (one.school !== school) found.push(...one.people.slice(0, count - found.length))
  }
  return found
}

/** Leads that are told: any row of their school, year and mode, a day, and somebody who stands for who they are by. */
type ToldColumns = { rows: number[]; days: number[]; people: number[] }

function newLeads(): ToldColumns {
  return { rows: [], days: [], people: [] }
}

function addLead({ rows, days, people }: ToldColumns, row: number, day: number, person: number): void {
  rows.push(row)
  days.push(day)
  people.push(person)
}

function toldRows(table: LeadTable, { rows, days, people }: ToldColumns): CountedRows {
  // By day and place in one number: numbers alone are ordered quickly.
  const order = Float64Array.from(days, (day, place) => -day * rows.length + place).sort()
  const places = Uint32Array.from(order, (key) => ((key % rows.length) + rows.length) % rows.length)
  return {
    table,
    rows: Uint32Array.from(places, (place) => rows[place] ?? 0),
    day: Int32Array.from(places, (place) => days[place] ?? 0),
    person: Uint32Array.from(places, (place) => people[place] ?? 0),
  }
}

/** No more than four weeks: what came in summer is not told as of spring. */
const MOST_SPREAD_DAYS = 28

/** At least five days, ascending; as they are told: in blocks, each spread evenly from the block before to its own end. */
export function toldDays(days: readonly number[]): number[] {
  let before = -Infinity
  return blocksOf(days).flatMap(({ size, end }) => {
    const first = Math.max(before + 1, end - MOST_SPREAD_DAYS + 1)
    before = end
    return Array.from({ length: size }, (_, at) => first + Math.floor(((at + 0.5) * (end - first + 1)) / size))
  })
}

/** A block ends with the day on which there are five of it; a rest of fewer belongs to the last one. */
export function blocksOf(days: readonly number[]): { size: number; end: number }[] {
  const blocks: { size: number; end: number }[] = []
  let size = 0
  days.forEach((day, at) => {
    size += 1
    const isLast = at === days.length - 1
    if (days[at + 1] === day || (size < LEAST_GROUP && !isLast)) return
    if (size < LEAST_GROUP) size += blocks.pop()?.size ?? 0
    blocks.push({ size, end: day })
    size = 0
  })
  return blocks
}
