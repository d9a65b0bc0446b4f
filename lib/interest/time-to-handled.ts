import type { TriageOf } from '@/lib/leads/triage-columns'
import { dayText, stockholmDayStart } from '@/lib/time/stockholm'
import type { CountedLeads, CountedRows } from './counted-leads'
import { chosenSchools, type InterestSelection } from './interest-counts'

export type HandlingTimes = { count: number; medianMinutes: number | null; p90Minutes: number | null }
export type TimeToHandled = HandlingTimes & { bySchool: (HandlingTimes & { highSchoolId: string })[] }
export type TriageOfBoth = { declarations: TriageOf; questions: TriageOf }

/** How long the leads that are handled waited for it: from `createdAt` to the moment they got that status. */
export function timeToHandled(leads: CountedLeads, selection: InterestSelection, triage: TriageOfBoth): TimeToHandled {
  const since = Number.isFinite(selection.from) ? stockholmDayStart(dayText(selection.from)) : -Infinity
  const before = Number.isFinite(selection.to) ? stockholmDayStart(dayText(selection.to + 1)) : Infinity
  const bySchool = new Map<string, number[]>()
  for (const list of ['declarations', 'questions'] as const) {
    const { table } = leads[list]
    const minutes = table.schoolIds.map((id) => listOf(bySchool, id))
    const isCounted = countedRows(leads[list], selection)
    for (const [id, { status, updatedAt }] of triage[list]) {
      const row = status === 'handled' ? table.rowOf(id) : -1
      if (row === -1 || isCounted[row] !== 1) continue
      const createdAt = table.createdAt[row] ?? Number.NaN
      // A lead may bear a time that our clock has not reached yet.
      if (createdAt >= since && createdAt < before)
        minutes[table.school[row] ?? -1]?.push(Math.max(0, updatedAt - createdAt) / 60_000)
    }
  }
  const handled = [...bySchool].filter(([, minutes]) => minutes.length > 0)
  return {
    ...timesOf(together(handled.map(([, minutes]) => minutes))),
    bySchool: handled.map(([highSchoolId, minutes]) => ({ highSchoolId, ...timesOf(new Float64Array(minutes)) })),
  }
}

function listOf(lists: Map<string, number[]>, id: string): number[] {
  const found = lists.get(id) ?? []
  lists.set(id, found)
  return found
}

function together(lists: readonly (readonly number[])[]): Float64Array {
  const all = new Float64Array(lists.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const list of lists) {
    all.set(list, at)
    at += list.length
  }
  return all
}

/** 1 for each row of the table within reach and of a chosen school. */
function countedRows({ table, rows }: CountedRows, selection: InterestSelection): Uint8Array {
  const isChosen = chosenSchools(table, selection)
  const isCounted = new Uint8Array(table.size)
  for (let place = 0; place < rows.length; place++) {
    const row = rows[place] ?? 0
    if (isChosen[table.school[row] ?? -1]) isCounted[row] = 1
  }
  return isCounted
}

/** Puts the minutes in order. */
function timesOf(minutes: Float64Array): HandlingTimes {
  minutes.sort()
  return { count: minutes.length, medianMinutes: quantile(minutes, 0.5), p90Minutes: quantile(minutes, 0.9) }
}

/** The value below which `share` of the ascending numbers lie, interpolated linearly (SQL's percentile_cont); null of none. */
export function quantile(ascending: ArrayLike<number>, share: number): number | null {
  const place = (ascending.length - 1) * share
  const below = ascending[Math.floor(place)]
  const above = ascending[Math.ceil(place)]
  if (below === undefined || above === undefined) return null
  return below + (above - below) * (place - Math.floor(place))
}
