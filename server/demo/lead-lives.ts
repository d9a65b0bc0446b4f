import 'server-only'
import type { AttemptChannel, AttemptOutcome, LeadRef, LeadStatus } from '@/lib/contract/lead'
import { LEAD_KINDS, LISTS_BY_KIND } from '@/lib/contract/lists'
import { leadKey } from '@/lib/leads/lead-key'
import { NO_YEAR } from '@/lib/leads/lead-table'
import { isEarlier } from '@/lib/leads/work-rules'
import { addDays, stockholmDayStart } from '@/lib/time/stockholm'
import type { DemoService } from '@/server/upstream/demo-service'
import { randomOf, type Scene } from './scene'

export type DemoLead = LeadRef & { school: string; createdAt: number; byPhone: boolean; year: number }

export type DemoData = Awaited<ReturnType<DemoService['data']>>

/** The newest first, as the service has them. */
export function demoLeads(data: DemoData, { since, until }: { since: number; until: number }): DemoLead[] {
  const leads = LEAD_KINDS.flatMap((kind) =>
    data[LISTS_BY_KIND[kind].field].flatMap((lead): DemoLead | [] => {
      const [{ id, highSchoolId: school }, createdAt] = [lead, Date.parse(lead.createdAt)]
      const year = 'user' in lead ? lead.user.highSchoolEnrollmentYear : NO_YEAR
      if (createdAt < since || createdAt > until) return []
      return { kind, id, school, createdAt, year, byPhone: 'sender' in lead && lead.sender.mode === 'phone' }
    }),
  )
  return leads.sort((a, b) => b.createdAt - a.createdAt)
}

type Attempt = { channel: AttemptChannel; outcome: AttemptOutcome }
const UNREACHED: Attempt = { channel: 'phone', outcome: 'no-answer' }
const TALKED: Attempt = { channel: 'phone', outcome: 'talked' }
const MAILED: Attempt = { channel: 'email', outcome: 'sent' }
const CALL_AGAIN: Attempt = { channel: 'phone', outcome: 'call-again' }

/** A decision, the attempt before it, the assignee, and for how many days it is put aside. */
type Decision = { to: LeadStatus; attempt?: Attempt; assignee?: 'guest' | 'own'; days?: number }
/** `natural`: answered if its school would have got to it by now. */
type Role = 'answered' | 'natural' | 'waiting' | Decision

const TAKEN: Role = { to: 'in-progress', assignee: 'guest' }
const inProgress = (attempt: Attempt): Role => ({ to: 'in-progress', attempt, assignee: 'own' })
const snoozed = (days: number, attempt = CALL_AGAIN): Role => ({ to: 'in-progress', attempt, assignee: 'own', days })
const LATE: Record<number, Role> = {
  1: 'waiting',
  3: TAKEN,
  4: snoozed(0, MAILED),
  6: inProgress(UNREACHED),
  8: snoozed(1),
  9: inProgress(MAILED),
  11: snoozed(3),
  14: inProgress(MAILED),
  17: snoozed(7),
  21: inProgress(MAILED),
  26: snoozed(14),
}
const DECLARED_DAYS = 3

/** By the lead's place in its group, newest first: three late, five due. */
const ROLES_BY_GROUP = {
  earlier: (): Role => 'answered',
  late: (place: number): Role => LATE[place] ?? 'answered',
  due: (place: number): Role => (place >= 5 ? 'answered' : place % 2 === 0 ? 'waiting' : TAKEN),
  open: (place: number, schools: number): Role => roleIfOpen(place < 13 + schools / 5, place % 3 === 1),
  declared: (place: number, schools: number): Role => roleIfOpen(place < 40 + schools, place % 8 === 2),
  older: (place: number): Role => (place < 39 && place % 5 === 1 ? inProgress(MAILED) : 'answered'),
}
const roleIfOpen = (isOpen: boolean, isTaken: boolean): Role => (!isOpen ? 'answered' : isTaken ? TAKEN : 'natural')

function groupOf({ rules, today }: Scene, { kind, createdAt, year }: DemoLead): keyof typeof ROLES_BY_GROUP {
  const { lateBefore, dueOf } = rules[kind]
  if (isEarlier(rules[kind], createdAt, year)) return 'earlier'
  if (kind === 'declaration-of-interest')
    return createdAt < stockholmDayStart(addDays(today, -DECLARED_DAYS)) ? 'older' : 'declared'
  return createdAt < lateBefore ? 'late' : (dueOf(createdAt) ?? today) <= today ? 'due' : 'open'
}

export type Life = NonNullable<ReturnType<typeof lifeOf>>

export function livesOf(scene: Scene, leads: readonly DemoLead[]): Life[] {
  return withRoles(scene, leads).flatMap(({ lead, role }) => lifeOf(scene, lead, role) ?? [])
}

/** `share`: of the work that is left at a start. */
function withRoles(scene: Scene, leads: readonly DemoLead[], share = 1) {
  const places = { earlier: 0, late: 0, due: 0, open: 0, declared: 0, older: 0 }
  return leads.map((lead) => {
    const group = groupOf(scene, lead)
    return {
      lead,
      group,
      role: ROLES_BY_GROUP[group](Math.floor(places[group]++ / (RECENT.has(group) ? share : 1)), scene.schools.length),
    }
  })
}

const RECENT: ReadonlySet<string> = new Set<keyof typeof ROLES_BY_GROUP>(['open', 'declared'])

export type NextDecision = ReturnType<typeof nextDecisions>[number]

/**
 * What colleagues do next, the oldest first: what is more than a day's work, and what its school has got to by now.
 * While the office is closed, only with what has just come. `isBegun` leads are one of theirs already.
 */
export function nextDecisions(scene: Scene, leads: readonly DemoLead[], isBegun: (lead: DemoLead) => boolean) {
  const isOpen = scene.hours.isOpen(scene.now)
  return withRoles(scene, leads, 0.5)
    .flatMap(({ lead, group, role }) => {
      const isRecent = RECENT.has(group)
      if (!isRecent && (!isOpen || group === 'earlier')) return []
      const usual = typeof role === 'object' && isRecent ? 'natural' : role
      if (usual === 'waiting' || (usual !== 'answered' && isBegun(lead))) return []
      if (usual === 'natural' && lifeOf(scene, lead, usual) === null) return []
      const random = randomOf(`${leadKey(lead)} now`)
      const decision = typeof usual === 'object' ? usual : answer(lead, random)
      return [{ lead, decision, until: snoozeUntilOf(scene, lead, decision), by: workerFor(scene, lead, random) }]
    })
    .reverse()
}

const USUAL_MINUTES = [200, 55, 330, 900, 260, 150, 480]
const LATELY_MS = 4 * 60_000
const MAX_MINUTES = 4_000
const OPENINGS_SINCE_MS = 14 * 86_400_000

function lifeOf(scene: Scene, lead: DemoLead, role: Role) {
  const { hours, now, guest } = scene
  const { kind, id: leadId, createdAt, school } = lead
  const random = randomOf(leadKey(lead))
  const usual = USUAL_MINUTES[Math.max(0, scene.schools.indexOf(school)) % USUAL_MINUTES.length] ?? 200
  // Three numbers make nearly a bell curve around the usual time.
  const bell = Math.exp((random() + random() + random() - 1.5) * 1.7)
  const wanted = Math.max(4, usual * (kind === 'asked-question' ? 1 : 2) * bell)
  const came = hours.worked(createdAt)
  const room = Math.min(MAX_MINUTES, hours.worked(now - LATELY_MS) - came)
  if (role === 'waiting' || room < 6 || (role === 'natural' && wanted > room)) return null
  const minutes = Math.min(wanted, room * (0.3 + 0.5 * random()))
  const first = hours.momentOf(came + minutes)
  const userId = workerFor(scene, lead, random, first)
  const decision = typeof role === 'object' ? role : answer(lead, random)
  const { to: status, attempt, assignee } = decision

  const isMissed = status === 'handled' && attempt === TALKED && room - minutes > 60 && random() < 0.38
  const again = isMissed ? Math.min(60 + 300 * random(), (room - minutes) * 0.9) : 0
  const at = new Date(hours.momentOf(came + minutes + again))
  const by = { kind, leadId, userId }
  const attempts = [isMissed && { ...by, at: new Date(first), ...UNREACHED }, attempt && { ...by, at, ...attempt }]
  const isGuests = assignee === 'guest' && guest.schools.includes(school) && random() < 0.5
  const assigneeId = assignee === undefined ? null : isGuests ? guest.id : userId
  const snoozeUntil = snoozeUntilOf(scene, lead, decision) ?? null
  const openedAt = Math.max(createdAt + 30_000, first - 60_000 - random() * 180_000)
  const isOpening = now - first < OPENINGS_SINCE_MS && openedAt < first
  return {
    lead,
    attempts: attempts.filter((each) => typeof each === 'object'),
    triage: { kind, leadId, status, assigneeId, snoozeUntil, updatedAt: at, updatedBy: userId, statusAt: at },
    opened: isOpening ? [{ at: new Date(openedAt), userId, action: 'opened', leadKind: kind, leadId }] : [],
  }
}

function snoozeUntilOf({ rules }: Scene, { kind }: DemoLead, { days }: Decision): string | undefined {
  return days === undefined ? undefined : addDays(rules[kind].backOn, days)
}

function workerFor(scene: Scene, { school }: DemoLead, random: () => number, at = scene.now): string {
  const there = scene.workers.filter((worker) => worker.schools.includes(school) && scene.isThere(worker.id, at))
  return (there[Math.floor(random() * there.length)] ?? scene.head).id
}

/** Declarations are often handled silently, and some need no answer. */
function answer({ kind, byPhone }: DemoLead, random: () => number): Decision {
  const [isQuestion, chance] = [kind === 'asked-question', random()]
  const assignee = random() < 0.6 ? { assignee: 'own' as const } : {}
  if (chance < (isQuestion ? 0.04 : 0.07)) return { to: 'dismissed', ...assignee }
  if (!isQuestion && chance > 0.55) return { to: 'handled', ...assignee }
  return { to: 'handled', attempt: isQuestion && byPhone ? TALKED : MAILED, ...assignee }
}
