import type { LeadTable } from '@/lib/leads/lead-table'
import type { TriageEntry, TriageOf } from '@/lib/leads/triage-columns'
import type { CountedLeads, CountedRows } from './counted-leads'
import { chosenSchools, type InterestSelection } from './interest-counts'

export type AnsweredRows = Pick<CountedRows, 'table' | 'rows' | 'day'> & {
  /** Of each row of the table, in ms: its first answer; NaN while nobody has answered, and `NEVER` where nobody is to. */
  answeredAt: Float64Array
}
export type AnsweredLeads = Record<'declarations' | 'questions', AnsweredRows>

/** Of a lead that was put away as of no concern, unanswered. */
export const NEVER = Infinity

/** When each lead of a table was first answered. */
export function firstAnswers(table: LeadTable, triage: TriageOf): Float64Array {
  const answeredAt = new Float64Array(table.size).fill(Number.NaN)
  for (const [id, entry] of triage) {
    const at = firstAnswerOf(entry)
    if (Number.isNaN(at)) continue
    const row = table.rowOf(id)
    if (row !== -1) answeredAt[row] = at
  }
  return answeredAt
}

/** A lead that is handled without an attempt was answered in some other way, at that moment. */
function firstAnswerOf({ status, updatedAt, statusAt, answeredAt }: TriageEntry): number {
  if (answeredAt != null) return answeredAt
  if (status === 'dismissed') return NEVER
  return status === 'handled' ? (statusAt ?? updatedAt ?? Number.NaN) : Number.NaN
}

export function withAnswers(
  { declarations, questions }: Pick<CountedLeads, 'declarations' | 'questions'>,
  answeredAt: Record<keyof AnsweredLeads, Float64Array>,
): AnsweredLeads {
  return {
    declarations: { ...declarations, answeredAt: answeredAt.declarations },
    questions: { ...questions, answeredAt: answeredAt.questions },
  }
}

/** Minutes from arrival to the first answer, NaN without one. A lead may bear a time that our clock has not reached yet. */
export function minutesWaited({ table, answeredAt }: AnsweredRows, row: number): number {
  const at = answeredAt[row] ?? Number.NaN
  return at === NEVER ? Number.NaN : Math.max(0, at - (table.createdAt[row] ?? Number.NaN)) / 60_000
}

export type AnswerTimes = { count: number; medianMinutes: number | null; p90Minutes: number | null }

/** How long the leads that are answered waited for it. */
export function timeToAnswer(leads: AnsweredLeads, { schools, from, to }: InterestSelection): AnswerTimes {
  const minutes: number[] = []
  for (const list of [leads.declarations, leads.questions]) {
    const { table, rows, day } = list
    const isChosen = chosenSchools(table, { schools })
    for (let place = 0; place < rows.length; place++) {
      const row = rows[place] ?? 0
      const when = day[place] ?? 0
      if (!isChosen[table.school[row] ?? -1] || when < from || when > to) continue
      const waited = minutesWaited(list, row)
      if (!Number.isNaN(waited)) minutes.push(waited)
    }
  }
  return timesOf(minutes)
}

export function timesOf(minutes: readonly number[]): AnswerTimes {
  const ascending = new Float64Array(minutes).sort()
  return { count: ascending.length, medianMinutes: quantile(ascending, 0.5), p90Minutes: quantile(ascending, 0.9) }
}

/** The value below which `share` of the ascending numbers lie, interpolated linearly (SQL's percentile_cont); null of none. */
export function quantile(ascending: ArrayLike<number>, share: number): number | null {
  const place = (ascending.length - 1) * share
  const below = ascending[Math.floor(place)]
  const above = ascending[Math.ceil(place)]
  if (below === undefined || above === undefined) return null
  return below + (above - below) * (place - Math.floor(place))
}
