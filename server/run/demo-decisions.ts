import { createHash } from 'node:crypto'
import type { AttemptChannel, AttemptOutcome, LeadKind, LeadStatus } from '@/lib/contract/lead'
import { LEAD_KINDS, LISTS_BY_KIND } from '@/lib/contract/lists'
import { leadKey } from '@/lib/leads/lead-key'
import { NO_YEAR } from '@/lib/leads/lead-table'
import { isEarlier, type WorkRules } from '@/lib/leads/work-rules'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@/lib/time/durations'
import { addDays, toStockholmClock, toStockholmDay, startOfStockholmDay } from '@/lib/time/stockholm'
import { addWorkingDays, isWorkingDay } from '@/lib/time/working-days'
import type { DemoService } from '@/server/feed/demo-service'
import { describeChange } from '@/server/leads/triage-rows'

type Attempt = { channel: AttemptChannel; outcome: AttemptOutcome }
/** `snoozeDays` counts from the day on which a lead that is snoozed today comes back. */
type Decision = { status: LeadStatus; attempt?: Attempt; assignee?: 'guest' | 'own'; snoozeDays?: number }

const TALKED: Attempt = { channel: 'phone', outcome: 'talked' }
const MAILED: Attempt = { channel: 'email', outcome: 'sent' }
const TAKEN: Decision = { status: 'in-progress', assignee: 'guest' }
const BEGUN: Decision = { status: 'in-progress', assignee: 'own', attempt: MAILED }
const UNREACHED: Decision = { ...BEGUN, attempt: { channel: 'phone', outcome: 'no-answer' } }
const CALL_AGAIN: Decision = { ...BEGUN, attempt: { channel: 'phone', outcome: 'call-again' } }
const NOT_WORKED_ON = null

/** Indexes count the leads of a group from the newest. The decisions about all other leads are invented. */
const LISTED_DECISIONS: readonly [group: string, indexes: readonly number[], decision: Decision | null][] = [
  ['late', [1], NOT_WORKED_ON],
  ['late', [3], TAKEN],
  ['late', [4], { ...BEGUN, snoozeDays: 0 }],
  ['late', [6], UNREACHED],
  ['late', [8], { ...CALL_AGAIN, snoozeDays: 1 }],
  ['late', [9], BEGUN],
  ['late', [11], { ...CALL_AGAIN, snoozeDays: 3 }],
  ['late', [17], { ...CALL_AGAIN, snoozeDays: 7 }],
  ['late', [26], { ...CALL_AGAIN, snoozeDays: 14 }],
  ['due', [0, 2, 4], NOT_WORKED_ON],
  ['due', [1, 3], TAKEN],
  ['open', [1, 4, 7, 10, 13], TAKEN],
  ['declared', [2, 10, 18, 26, 34], TAKEN],
  ['declared long ago', [1, 6, 11, 16, 21, 26, 31, 36], BEGUN],
]

const OPENS_MS = 8 * HOUR_MS
const CLOSES_MS = 16 * HOUR_MS
/** A lead that comes later in the day is answered on the next working day. */
const LATEST_MS = 15 * HOUR_MS
const MIN_ANSWER_MS = 5 * MINUTE_MS
const MAX_LEADS = 20_000

type Account = { id: string; schools: readonly string[] }
type DemoDesk = {
  now: number
  schools: readonly string[]
  workers: readonly Account[]
  guest: Account
  rules: Record<LeadKind, WorkRules>
}

/** Invents what was done with each lead until now, from the hash of its key. Leads that still wait are left out. */
export function inventDecisions({ now, schools, workers, guest, rules }: DemoDesk, leads: readonly Lead[]) {
  const today = toStockholmDay(now)
  const findGroup = ({ kind, createdAt, year }: Lead): string => {
    const { lateBefore, toDueDay } = rules[kind]
    if (isEarlier(rules[kind], createdAt, year)) return 'earlier'
    if (kind === 'declaration-of-interest')
      return createdAt < startOfStockholmDay(addDays(today, -3)) ? 'declared long ago' : 'declared'
    if (createdAt < lateBefore) return 'late'
    return (toDueDay(createdAt) ?? today) <= today ? 'due' : 'open'
  }
  // A lead is answered on the working day of its arrival or the next. Some schools take a day longer more often.
  const inventAnswerTime = ({ createdAt, school }: Lead, random: () => number): Date => {
    const arrivalDay = toStockholmDay(createdAt)
    const isInTime = isWorkingDay(arrivalDay) && toStockholmClock(createdAt) % DAY_MS < LATEST_MS
    const firstDay = isInTime ? arrivalDay : addWorkingDays(arrivalDay, 1)
    const isSlow = random() < 0.1 + (schools.indexOf(school) % 4) / 5
    const dayStart = startOfStockholmDay(isSlow ? addWorkingDays(firstDay, 1) : firstDay)
    const earliest = Math.max(dayStart + OPENS_MS, createdAt + MIN_ANSWER_MS)
    return new Date(Math.floor(earliest + random() * (dayStart + CLOSES_MS - earliest)))
  }
  const groupSizes = new Map<string, number>()
  return leads.flatMap((lead, index) => {
    const { kind, id: leadId, school } = lead
    const group = findGroup(lead)
    const indexInGroup = groupSizes.get(group) ?? 0
    groupSizes.set(group, indexInGroup + 1)
    const numbers = Array.from(createHash('sha256').update(leadKey(lead)).digest(), (byte) => byte / 256)
    const random = () => numbers.pop() ?? 0
    const listed = LISTED_DECISIONS.find(([name, indexes]) => name === group && indexes.includes(indexInGroup))
    const decision = listed ? listed[2] : inventDecision(lead, random)
    const decidedAt = inventAnswerTime(lead, random)
    if (decision === NOT_WORKED_ON || decidedAt.getTime() >= now) return []
    const colleagues = workers.filter((worker) => worker.schools.includes(school))
    const userId = colleagues[Math.floor(random() * colleagues.length)]?.id ?? null
    const { status, attempt, assignee, snoozeDays } = decision
    let assigneeId = assignee === undefined ? null : userId
    if (assignee === 'guest' && guest.schools.includes(school)) assigneeId = guest.id
    const snoozeUntil = snoozeDays === undefined ? null : addDays(rules[kind].returnDay, snoozeDays)
    const change = { updatedAt: decidedAt, updatedBy: userId, statusAt: decidedAt }
    const triage = { kind, leadId, status, assigneeId, snoozeUntil, ...change }
    const attemptId = index + 1
    const entry = { loggedAt: decidedAt, userId, leadKind: kind, leadId }
    const entries = [
      { ...entry, action: 'triage-changed', details: describeChange(null, triage) },
      ...(attempt ? [{ ...entry, action: 'attempt-logged', details: { attempt: attemptId, ...attempt } }] : []),
    ]
    const row = attempt && { id: attemptId, kind, leadId, userId, madeAt: decidedAt, ...attempt }
    return { school, triage, entries, attempt: row }
  })
}

/** Declarations are often handled without an answer, and some leads are dismissed. */
function inventDecision({ kind, byPhone }: Lead, random: () => number): Decision {
  const isQuestion = kind === 'asked-question'
  const chance = random()
  const assignee = random() < 0.6 ? { assignee: 'own' as const } : {}
  if (chance < 0.05) return { status: 'dismissed', ...assignee }
  if (!isQuestion && chance > 0.55) return { status: 'handled', ...assignee }
  return { status: 'handled', attempt: isQuestion && byPhone ? TALKED : MAILED, ...assignee }
}

type Lead = ReturnType<typeof listNewestLeads>[number]

export function listNewestLeads(data: Awaited<ReturnType<DemoService['data']>>, now: number) {
  const leads = LEAD_KINDS.flatMap((kind) =>
    data[LISTS_BY_KIND[kind].field].map((lead) => {
      const { id, highSchoolId: school } = lead
      const createdAt = Date.parse(lead.createdAt)
      const year = 'user' in lead ? lead.user.highSchoolEnrollmentYear : NO_YEAR
      return { kind, id, school, createdAt, year, byPhone: 'sender' in lead && lead.sender.mode === 'phone' }
    }),
  )
  const past = leads.filter(({ createdAt }) => createdAt <= now)
  return past.sort((a, b) => b.createdAt - a.createdAt).slice(0, MAX_LEADS)
}
