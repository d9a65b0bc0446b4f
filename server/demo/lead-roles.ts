import 'server-only'
import type { AttemptChannel, AttemptOutcome, LeadKind } from '@/lib/contract/lead'
import { type LeadTable, NO_YEAR } from '@/lib/leads/lead-table'
import { isEarlier, type WorkRules } from '@/lib/leads/work-rules'
import { addDays, stockholmDay, stockholmDayStart } from '@/lib/time/stockholm'

type Tried = { channel: AttemptChannel; outcome: AttemptOutcome }
export const TRIED = {
  unreached: { channel: 'phone', outcome: 'no-answer' },
  again: { channel: 'phone', outcome: 'call-again' },
  talked: { channel: 'phone', outcome: 'talked' },
  mailed: { channel: 'email', outcome: 'sent' },
} as const satisfies Record<string, Tried>

/**
 * How far a lead has come. `answered` has its end behind it; `natural` as far as its school would have come by now; `waiting`
 * nobody has touched; else somebody has taken it on, tried to reach the person or not, and put it aside or not.
 */
export type Role = 'answered' | 'natural' | 'waiting' | { tried: Tried | null; until: string | null }

/** A lead that gets a past. */
export type Planned = {
  kind: LeadKind
  id: string
  school: string
  createdAt: number
  byPhone: boolean
  isWork: boolean
  role: Role
}

/** Beyond so many leads the past stays unwritten: the oldest are earlier than the work instead. */
const MOST_LEADS = 20_000

type Tables = Record<LeadKind, LeadTable>
export type RoleParts = {
  tables: Tables
  rules: Record<LeadKind, WorkRules>
  now: number
  /** Leads that a person has worked on by hand. */
  isTouched: (kind: LeadKind, id: string) => boolean
}

/** The newest leads of both lists, each with its role, newest first. */
export function planRoles({ tables, rules, now, isTouched }: RoleParts): Planned[] {
  const cut = oldestOf(tables)
  const today = stockholmDay(now)
  const plan = (kind: LeadKind, give: Give): Planned[] => {
    const { size, id, school, schoolIds, createdAt, mode, modes, year } = tables[kind]
    const planned: Planned[] = []
    for (let row = 0; row < size; row++) {
      const [leadId, at] = [id[row] ?? '', createdAt[row] ?? 0]
      if (at < cut) break
      if (at > now || isTouched(kind, leadId)) continue
      const isWork = !isEarlier(rules[kind], at, year[row] ?? NO_YEAR)
      const byPhone = modes[mode[row] ?? 0] === 'phone'
      const role = isWork ? give(at) : 'answered'
      planned.push({
        kind,
        id: leadId,
        school: schoolIds[school[row] ?? -1] ?? '',
        createdAt: at,
        byPhone,
        isWork,
        role,
      })
    }
    return planned
  }
  const { 'asked-question': asked, 'declaration-of-interest': declared } = tables
  return [
    ...plan('asked-question', questionRoles(rules['asked-question'], today, asked.schoolIds.length)),
    ...plan('declaration-of-interest', declarationRoles(today, declared.schoolIds.length)),
  ].sort((a, b) => b.createdAt - a.createdAt)
}

/** Leads that came before this moment are beyond the newest so many. */
export function oldestOf(tables: Tables): number {
  const lists = Object.values(tables)
  if (lists.reduce((sum, { size }) => sum + size, 0) <= MOST_LEADS) return -Infinity
  const moments = new Float64Array(lists.flatMap(({ createdAt }) => [...createdAt.subarray(0, MOST_LEADS)]))
  return moments.sort()[moments.length - MOST_LEADS] ?? -Infinity
}

/** The role of the next lead, which came at this moment (ms) and is work. */
type Give = (createdAt: number) => Role

const TAKEN: Role = { tried: null, until: null }
const TALKING: Role = { tried: TRIED.mailed, until: null }
const DUE_TODAY = 5

/** A calm day: three late, five due, what came last still open, a few put aside, and one that is back today. */
function questionRoles({ lateBefore, dueOf, backOn }: WorkRules, today: string, schools: number): Give {
  let [older, due, open] = [0, 0, 0]
  const aside = (days: number): Role => ({ tried: TRIED.again, until: addDays(backOn, days) })
  const byPlace = new Map<number, Role>([
    [1, 'waiting'],
    [3, TAKEN],
    [4, { tried: TRIED.mailed, until: backOn }],
    [6, { tried: TRIED.unreached, until: null }],
    [8, aside(1)],
    [9, TALKING],
    [11, aside(3)],
    [14, TALKING],
    [17, aside(7)],
    [21, TALKING],
    [26, aside(14)],
  ])
  return (createdAt) => {
    if (createdAt < lateBefore) return byPlace.get(older++) ?? 'answered'
    const lastDay = dueOf(createdAt)
    if (lastDay !== null && lastDay <= today) {
      due += 1
      return due > DUE_TODAY ? 'answered' : due % 2 === 0 ? TAKEN : 'waiting'
    }
    open += 1
    if (open > 13 + schools / 5) return 'answered'
    return open % 3 === 2 ? TAKEN : 'natural'
  }
}

const OPEN_DAYS = 3

/** Nobody waits for an answer to a declaration; those of the last days are still to be looked at. */
function declarationRoles(today: string, schools: number): Give {
  const since = stockholmDayStart(addDays(today, -OPEN_DAYS))
  let [older, open] = [0, 0]
  return (createdAt) => {
    if (createdAt >= since && open++ < 40 + schools) return open % 8 === 3 ? TAKEN : 'natural'
    older += 1
    return older % 5 === 2 && older < 40 ? TALKING : 'answered'
  }
}
