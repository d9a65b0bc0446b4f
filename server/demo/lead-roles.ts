import 'server-only'
import type { LeadKind } from '@/lib/contract/lead'
import type { LeadTable } from '@/lib/leads/lead-table'
import { NO_YEAR } from '@/lib/leads/lead-table'
import { isEarlier, type WorkRules } from '@/lib/leads/work-rules'
import { addDays, stockholmDay, stockholmDayStart } from '@/lib/time/stockholm'

/** A lead that gets a past. */
export type PastLead = { kind: LeadKind; id: string; school: string; createdAt: number; byPhone: boolean }

/**
 * How far a lead has come. `answered` has its end behind it; `natural` as far as its school would have come by now; `waiting`
 * nobody has touched; `taken` somebody has taken on; `unreached` nobody picked up; `talking` is answered, and not finished.
 */
export type Role =
  | { name: 'answered' | 'natural' | 'waiting' | 'taken' | 'unreached' | 'talking' }
  | { name: 'aside'; until: string; isBack: boolean }

export type Planned = PastLead & { role: Role; isWork: boolean }

/** Beyond so many leads the past stays unwritten: the oldest are earlier than the work instead. */
export const MOST_LEADS = 20_000

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
  return (['asked-question', 'declaration-of-interest'] as const).flatMap((kind) => {
    const schools = tables[kind].schoolIds.length
    const work = rules[kind]
    const leads = leadsOf(tables[kind], cut).flatMap(({ year, ...lead }) =>
      lead.createdAt > now || isTouched(kind, lead.id)
        ? []
        : [{ ...lead, isWork: !isEarlier(work, lead.createdAt, year) }],
    )
    const give = kind === 'asked-question' ? questionRoles(work, today, schools) : declarationRoles(today, schools)
    return leads.map((lead) => ({ ...lead, role: give(lead) }))
  })
}

/** Leads that came before this moment are beyond the newest so many. */
export function oldestOf(tables: Tables, most = MOST_LEADS): number {
  const lists = Object.values(tables)
  if (lists.reduce((sum, { size }) => sum + size, 0) <= most) return -Infinity
  const moments = new Float64Array(lists.flatMap(({ createdAt }) => [...createdAt.subarray(0, most)]))
  return moments.sort()[moments.length - most] ?? -Infinity
}

function leadsOf(table: LeadTable, cut: number): (PastLead & { year: number })[] {
  const leads: (PastLead & { year: number })[] = []
  for (let row = 0; row < table.size; row++) {
    const createdAt = table.createdAt[row] ?? 0
    if (createdAt < cut) break
    leads.push({
      kind: table.kind,
      id: table.id[row] ?? '',
      school: table.schoolIds[table.school[row] ?? -1] ?? '',
      createdAt,
      byPhone: table.modes[table.mode[row] ?? 0] === 'phone',
      year: table.year[row] ?? NO_YEAR,
    })
  }
  return leads
}

type Give = (lead: PastLead & { isWork: boolean }) => Role

const answered: Role = { name: 'answered' }
const natural: Role = { name: 'natural' }
const waiting: Role = { name: 'waiting' }
const DUE_TODAY = 5

/** A calm day: three late, five due, what came last still open, a few put aside, and one that is back today. */
function questionRoles({ lateBefore, dueOf, backOn }: WorkRules, today: string, schools: number): Give {
  let [older, due, open] = [0, 0, 0]
  const aside = (until: string): Role => ({ name: 'aside', until, isBack: until <= backOn })
  const byPlace = new Map<number, Role>([
    [1, waiting],
    [3, { name: 'taken' }],
    [4, aside(backOn)],
    [6, { name: 'unreached' }],
    [8, aside(addDays(backOn, 1))],
    [9, { name: 'talking' }],
    [11, aside(addDays(backOn, 3))],
    [14, { name: 'talking' }],
    [17, aside(addDays(backOn, 7))],
    [21, { name: 'talking' }],
    [26, aside(addDays(backOn, 14))],
  ])
  return ({ createdAt, isWork }) => {
    if (!isWork) return answered
    if (createdAt < lateBefore) return byPlace.get(older++) ?? answered
    const lastDay = dueOf(createdAt)
    if (lastDay !== null && lastDay <= today)
      return due++ < DUE_TODAY ? (due % 2 === 0 ? { name: 'taken' } : waiting) : answered
    open += 1
    if (open > 13 + schools / 5) return answered
    return open % 3 === 2 ? { name: 'taken' } : natural
  }
}

const OPEN_DAYS = 3

/** Nobody waits for an answer to a declaration; those of the last days are still to be looked at. */
function declarationRoles(today: string, schools: number): Give {
  const since = stockholmDayStart(addDays(today, -OPEN_DAYS))
  let [older, open] = [0, 0]
  return ({ createdAt, isWork }) => {
    if (!isWork) return answered
    if (createdAt >= since && open++ < 40 + schools) return open % 8 === 3 ? { name: 'taken' } : natural
    older += 1
    return older % 5 === 2 && older < 40 ? { name: 'talking' } : answered
  }
}
