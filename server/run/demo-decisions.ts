import { createHash } from 'node:crypto'
import type { AttemptChannel, AttemptOutcome, LeadKind, LeadStatus } from '@/lib/contract/lead'
import { LEAD_KINDS, LISTS_BY_KIND } from '@/lib/contract/lists'
import { leadKey } from '@/lib/leads/lead-key'
import type { WorkRules } from '@/lib/leads/work-rules'
import { HOUR_MS } from '@/lib/time/durations'
import { addDays, toStockholmDay, startOfStockholmDay } from '@/lib/time/stockholm'
import { addWorkingDays } from '@/lib/time/working-days'
import type { DemoService } from '@/server/feed/demo-service'

type Attempt = { channel: AttemptChannel; outcome: AttemptOutcome }
/** `snoozeDays` counts from the day on which a lead that is snoozed today comes back. */
type Decision = { status: LeadStatus; attempt?: Attempt; snoozeDays?: number }

const TALKED: Attempt = { channel: 'phone', outcome: 'talked' }
const MAILED: Attempt = { channel: 'email', outcome: 'sent' }
const TAKEN: Decision = { status: 'in-progress' }
const UNREACHED: Decision = { status: 'in-progress', attempt: { channel: 'phone', outcome: 'no-answer' } }
const CALL_AGAIN: Decision = { status: 'in-progress', attempt: { channel: 'phone', outcome: 'call-again' } }
const NOT_WORKED_ON = null

type Group = 'late' | 'in time' | 'declared'

/** Indexes count the leads of a group from the newest. The decisions about all other leads are invented. */
const LISTED_DECISIONS: readonly { group: Group; indexes: readonly number[]; decision: Decision | null }[] = [
  { group: 'late', indexes: [1], decision: NOT_WORKED_ON },
  { group: 'late', indexes: [3], decision: TAKEN },
  { group: 'late', indexes: [4], decision: { status: 'in-progress', attempt: MAILED, snoozeDays: 0 } },
  { group: 'late', indexes: [6], decision: UNREACHED },
  { group: 'late', indexes: [8, 11, 17, 26], decision: { ...CALL_AGAIN, snoozeDays: 3 } },
  { group: 'in time', indexes: [0, 2, 4], decision: NOT_WORKED_ON },
  { group: 'in time', indexes: [1, 3, 5], decision: TAKEN },
  { group: 'declared', indexes: [2, 10, 18, 26, 34], decision: TAKEN },
]

const OPENING_TIME_MS = 8 * HOUR_MS
const NOON_MS = 12 * HOUR_MS
const HALF_DAY_MS = 4 * HOUR_MS
const MAX_LEADS = 8_000

type Account = { id: string; schools: readonly string[] }
type DemoDesk = {
  now: number
  schools: readonly string[]
  workers: readonly Account[]
  guest: Account
  rules: Record<LeadKind, WorkRules>
}

/** Invents what was done with each lead until now, from the hash of its key. Leads that still wait are left out. */
export function inventDecisions({ now, schools, workers, guest, rules }: DemoDesk, leads: readonly DemoLead[]) {
  const findGroup = ({ kind, createdAt }: DemoLead): Group => {
    if (kind === 'declaration-of-interest') return 'declared'
    return createdAt < rules[kind].lateBefore ? 'late' : 'in time'
  }
  // A lead is answered on the next working day, at some schools more often after noon.
  const inventAnswerTime = ({ createdAt, school }: DemoLead, random: () => number): Date => {
    const isSlow = random() < 0.1 + (schools.indexOf(school) % 4) / 5
    const dayStart = startOfStockholmDay(addWorkingDays(toStockholmDay(createdAt), 1))
    return new Date(dayStart + (isSlow ? NOON_MS : OPENING_TIME_MS) + Math.floor(random() * HALF_DAY_MS))
  }
  const groupSizes = new Map<Group, number>()
  return leads.flatMap((lead) => {
    const { kind, id: leadId, school } = lead
    const group = findGroup(lead)
    const indexInGroup = groupSizes.get(group) ?? 0
    groupSizes.set(group, indexInGroup + 1)
    const randomNumbers = Array.from(createHash('sha256').update(leadKey(lead)).digest(), (byte) => byte / 256)
    const random = () => randomNumbers.pop() ?? 0
    const listed = LISTED_DECISIONS.find((entry) => entry.group === group && entry.indexes.includes(indexInGroup))
    const decision = listed ? listed.decision : inventDecision(lead, random)
    const decidedAt = inventAnswerTime(lead, random)
    if (decision === NOT_WORKED_ON || decidedAt.getTime() >= now) return []
    const colleagues = workers.filter((worker) => worker.schools.includes(school))
    const userId = colleagues[Math.floor(random() * colleagues.length)]?.id ?? null
    const { status, attempt, snoozeDays } = decision
    const isGuestAssigned = status === 'in-progress' && guest.schools.includes(school)
    const snoozeUntil = snoozeDays === undefined ? null : addDays(rules[kind].returnDay, snoozeDays)
    const change = { updatedAt: decidedAt, updatedBy: userId, statusAt: decidedAt }
    const triage = { kind, leadId, status, assigneeId: isGuestAssigned ? guest.id : userId, snoozeUntil, ...change }
    return { school, triage, attempt: attempt && { kind, leadId, userId, madeAt: decidedAt, ...attempt } }
  })
}

/** Declarations are often handled without an answer, and some leads are dismissed. */
function inventDecision({ kind, isByPhone }: DemoLead, random: () => number): Decision {
  const isQuestion = kind === 'asked-question'
  const chance = random()
  if (chance < 0.05) return { status: 'dismissed' }
  if (!isQuestion && chance > 0.55) return { status: 'handled' }
  return { status: 'handled', attempt: isQuestion && isByPhone ? TALKED : MAILED }
}

type DemoLead = ReturnType<typeof listNewestLeads>[number]

export function listNewestLeads(data: Awaited<ReturnType<DemoService['data']>>, now: number) {
  const leads = LEAD_KINDS.flatMap((kind) =>
    data[LISTS_BY_KIND[kind].field].map((lead) => {
      const { id, highSchoolId: school } = lead
      const createdAt = Date.parse(lead.createdAt)
      return { kind, id, school, createdAt, isByPhone: 'sender' in lead && lead.sender.mode === 'phone' }
    }),
  )
  const past = leads.filter(({ createdAt }) => createdAt <= now)
  return past.sort((a, b) => b.createdAt - a.createdAt).slice(0, MAX_LEADS)
}
