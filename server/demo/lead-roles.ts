import 'server-only'
import type { AttemptChannel, AttemptOutcome, LeadKind } from '@/lib/contract/lead'
import { LEAD_KINDS } from '@/lib/contract/lists'
import { type LeadTable, NO_YEAR } from '@/lib/leads/lead-table'
import { isEarlier, type WorkRules } from '@/lib/leads/work-rules'
import { addDays, stockholmDay, stockholmDayStart } from '@/lib/time/stockholm'

type Tried = { channel: AttemptChannel; outcome: AttemptOutcome }
export const UNREACHED: Tried = { channel: 'phone', outcome: 'no-answer' }
export const TALKED: Tried = { channel: 'phone', outcome: 'talked' }
export const MAILED: Tried = { channel: 'email', outcome: 'sent' }
const CALL_AGAIN: Tried = { channel: 'phone', outcome: 'call-again' }

/**
 * How far a lead has come. `answered` has its end behind it; `natural` as far as its school would have come by now; `waiting`
 * nobody has touched; else somebody has taken it on, tried to reach the person or not, and put it aside or not.
 */
export type Role = 'answered' | 'natural' | 'waiting' | { tried: Tried | null; until: string | null }
const TAKEN: Role = { tried: null, until: null }
const CALLED: Role = { tried: UNREACHED, until: null }
const TALKING: Role = { tried: MAILED, until: null }

/** A lead that gets a past. */
export type Planned = { kind: LeadKind; id: string; school: string; createdAt: number; byPhone: boolean; role: Role }

/** Beyond so many leads the past stays unwritten: the oldest are earlier than the work instead. */
const MOST_LEADS = 20_000

export type Tables = Record<LeadKind, LeadTable>
type Given = {
  tables: Tables
  rules: Record<LeadKind, WorkRules>
  now: number
  /** Leads that a person has worked on by hand, as `kind id`. */
  touched: ReadonlySet<string>
}

/** The newest leads of both lists, each with its role, newest first. */
export function planRoles({ tables, rules, now, touched }: Given): Planned[] {
  const cut = oldestOf(tables)
  const planned: Planned[] = []
  for (const kind of LEAD_KINDS) {
    const { size, school, schoolIds, createdAt, mode, modes, year, ...table } = tables[kind]
    const give = ROLES[kind](rules[kind], stockholmDay(now), schoolIds.length)
    for (let row = 0; row < size; row++) {
      const [id, at] = [table.id[row] ?? '', createdAt[row] ?? 0]
      if (at < cut) break
      if (at > now || touched.has(`${kind} ${id}`)) continue
      const role = isEarlier(rules[kind], at, year[row] ?? NO_YEAR) ? 'answered' : give(at)
      const byPhone = modes[mode[row] ?? 0] === 'phone'
      planned.push({ kind, id, school: schoolIds[school[row] ?? -1] ?? '', createdAt: at, byPhone, role })
    }
  }
  return planned.sort((a, b) => b.createdAt - a.createdAt)
}

/** Leads that came before this moment are beyond the newest so many. */
export function oldestOf(tables: Tables): number {
  const newest = Object.values(tables).flatMap(({ createdAt }) => [...createdAt.subarray(0, MOST_LEADS + 1)])
  return (
    Float64Array.from(newest)
      .sort()
      .at(-1 - MOST_LEADS) ?? -Infinity
  )
}

/** What gives the next lead its role, which came at this moment (ms) and is work. */
type Roles = (rules: WorkRules, today: string, schools: number) => (createdAt: number) => Role
const ROLES: Record<LeadKind, Roles> = { 'asked-question': questionRoles, 'declaration-of-interest': declarationRoles }

/** Of those that are late by their place; all others are answered, or put aside. */
const LATE: Record<number, Role> = { 1: 'waiting', 3: TAKEN, 6: CALLED, 9: TALKING, 14: TALKING, 21: TALKING }
/** For how many days. */
const ASIDE: Record<number, number> = { 4: 0, 8: 1, 11: 3, 17: 7, 26: 14 }
const DUE_TODAY = 5

/** A calm day: three late, five due, what came last still open, a few put aside, and one that is back today. */
function questionRoles({ lateBefore, dueOf, backOn }: WorkRules, today: string, schools: number) {
  let [older, due, open] = [0, 0, 0]
  const olderOf = (place: number): Role => {
    const days = ASIDE[place]
    if (days === undefined) return LATE[place] ?? 'answered'
    return { tried: days === 0 ? MAILED : CALL_AGAIN, until: addDays(backOn, days) }
  }
  return (createdAt: number): Role => {
    if (createdAt < lateBefore) return olderOf(older++)
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
function declarationRoles(_: WorkRules, today: string, schools: number) {
  const since = stockholmDayStart(addDays(today, -OPEN_DAYS))
  let [older, open] = [0, 0]
  return (createdAt: number): Role => {
    if (createdAt >= since && open++ < 40 + schools) return open % 8 === 3 ? TAKEN : 'natural'
    older += 1
    return older % 5 === 2 && older < 40 ? TALKING : 'answered'
  }
}
