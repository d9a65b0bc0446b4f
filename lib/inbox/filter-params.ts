import type { LeadListQuery } from '@/lib/api/leads'
import type { LeadList } from '@/lib/contract/lead'
import type { LeadFilter } from '@/lib/contract/list-query'
import { CONTACT_MODES, LEAD_STATUSES, LISTS, SORTS } from '@/lib/contract/lists'
import { addDays, type Period } from '@/lib/time/stockholm'

type Read<Value> = (texts: string[]) => Value

const many =
  <Value extends string>(known: readonly Value[]): Read<readonly Value[]> =>
  (texts) =>
    texts.flatMap((text) => known.filter((value) => value === text))
const one =
  <Value extends string>(known: readonly Value[]): Read<Value | null> =>
  ([text]) =>
    known.find((value) => value === text) ?? null
const ids: Read<readonly string[]> = (texts) => texts
const years: Read<readonly number[]> = (texts) => texts.filter((text) => /^-?\d{1,5}$/.test(text)).map(Number)
const day: Read<string | null> = ([text = '']) => (/^\d{4}-\d{2}-\d{2}$/.test(text) && isRealDay(text) ? text : null)
/** Only those, only the others, or (null) as the screen has it by itself; `all` where it leaves some out by itself. */
const yesOrNo = one(['1', '0'])
const yesNoOrAll = one(['1', '0', 'all'])

function isRealDay(text: string): boolean {
  const date = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
}

const PARAMS = {
  school: ids,
  status: many(LEAD_STATUSES),
  year: years,
  mode: many(CONTACT_MODES),
  assignee: ids,
  fresh: one(['1']),
  from: day,
  to: day,
  waiting: yesOrNo,
  late: yesOrNo,
  answered: yesOrNo,
  followUp: yesOrNo,
  snoozed: yesNoOrAll,
  earlier: yesNoOrAll,
  sort: one(SORTS),
}

export type FilterParams = { [Name in keyof typeof PARAMS]: ReturnType<(typeof PARAMS)[Name]> }

/** What cannot be read is ignored. Search texts have no place in a URL (`search-text.ts`). */
export function readFilterParams(search: URLSearchParams): FilterParams {
  const read = Object.entries(PARAMS).map(([name, of]) => [name, of(search.getAll(name))])
  return Object.fromEntries(read) as FilterParams
}

export function writtenParam(value: FilterParams[keyof FilterParams]): string[] {
  if (value === null) return []
  return typeof value === 'string' ? [value] : value.map(String)
}

const LISTED = ['school', 'status', 'year', 'mode', 'assignee'] as const

/** The API's query for what the URL and the search field say; two spellings of one filter are one query. */
export function toListQuery(list: LeadList, params: FilterParams, q = ''): LeadListQuery {
  const { ownFilter, sorts } = LISTS[list]
  const sort = sorts.find((known) => known === params.sort)
  const search = searchOf(q)
  const listed = LISTED.filter((name) => params[name].length > 0 && (name === ownFilter || !isOwnFilter(name)))
  const days = (['from', 'to'] as const).filter((name) => params[name] !== null)
  const flags = WORK_FLAGS.filter((name) => params[name] === '1' || params[name] === '0')
  const filter: LeadFilter = {
    ...Object.fromEntries(listed.map((name) => [name, distinct<string | number>(params[name])])),
    ...(params.fresh !== null && { fresh: true }),
    ...Object.fromEntries(days.map((name) => [name, params[name]])),
    ...(search !== '' && { q: search }),
    ...Object.fromEntries(flags.map((name) => [name, params[name] === '1'])),
  }
  return {
    ...usual(filter, (name) => params[name] === null),
    ...filter,
    // Without one, a search has its best matches first.
    ...(sort === undefined && search !== '' ? {} : { sort: sort ?? '-createdAt' }),
  }
}

function isOwnFilter(name: string): boolean {
  return name === 'year' || name === 'mode'
}

function distinct<Value extends string | number>(values: readonly Value[]): Value[] {
  const isAskable = (value: Value) => (typeof value === 'number' ? value >= -9999 && value <= 99_999 : value !== '')
  return [...new Set(values.filter(isAskable))].toSorted()
}

export const WORK_FLAGS = ['waiting', 'late', 'answered', 'followUp', 'snoozed', 'earlier'] as const

/** What screens leave out by themselves. Not in a search, for a link to a lead, or where the filter implies it. */
export function usual(
  { q, id, waiting, late, followUp, snoozed }: LeadFilter,
  isOpen: (name: 'earlier' | 'snoozed') => boolean = () => true,
): Pick<LeadFilter, 'earlier' | 'snoozed'> {
  const isNarrow = (q ?? '') !== '' || id !== undefined || waiting === true || late === true || followUp === true
  if (isNarrow || snoozed === true) return {}
  return { ...(isOpen('earlier') && { earlier: false }), ...(isOpen('snoozed') && { snoozed: false }) }
}

export function isNarrowed(query: LeadListQuery): boolean {
  const byItself: LeadFilter = usual(query)
  return Object.entries(filterOf(query)).some(
    ([name, value]) => !((name === 'earlier' || name === 'snoozed') && value === byItself[name]),
  )
}

export function flagParams(query: LeadFilter): Partial<Record<(typeof WORK_FLAGS)[number], '1' | '0' | 'all'>> {
  const byItself: LeadFilter = usual(query)
  const said = (is: boolean | undefined) => (is === undefined ? 'all' : is ? '1' : '0')
  const other = WORK_FLAGS.filter((name) => query[name] !== byItself[name])
  return Object.fromEntries(other.map((name) => [name, said(query[name])]))
}

export function searchOf(text: string): string {
  return text.trim().slice(0, 200)
}

export function filterOf({ sort: _order, ...filter }: LeadListQuery): LeadFilter {
  return filter
}

export const PERIOD_PRESETS = ['today', '7-days', '30-days'] as const
type PeriodPreset = (typeof PERIOD_PRESETS)[number]

const DAYS_BACK: Record<PeriodPreset, number> = { today: 0, '7-days': 6, '30-days': 29 }

/** The last days up to `today`; open towards the future, so that a saved link goes on to show what is new. */
export function periodOf(preset: PeriodPreset, today: string): Period {
  return { from: addDays(today, -DAYS_BACK[preset]), to: null }
}

export function presetOf(period: Period, today: string): PeriodPreset | null {
  if (period.to !== null) return null
  return PERIOD_PRESETS.find((preset) => periodOf(preset, today).from === period.from) ?? null
}
