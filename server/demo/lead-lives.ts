import 'server-only'
import type { AttemptChannel, AttemptOutcome, LeadKind, LeadStatus } from '@/lib/contract/lead'
import type { ActivityDetails } from '@/server/db/schema'
import { type Colleague, leaveOf, type Staff } from './colleagues'
import type { Planned } from './lead-roles'
import { luckOf, type WorkingHours } from './working-hours'

/** What colleagues have done with a lead, oldest first. */
export type Life = {
  kind: LeadKind
  id: string
  attempts: { at: number; by: string; channel: AttemptChannel; outcome: AttemptOutcome }[]
  decisions: Decision[]
  openedAt: number | null
}
export type Decision = { at: number; by: string; status: LeadStatus; assignee: string | null; snooze: string | null }

export type LifeParts = {
  hours: WorkingHours
  staff: Staff
  /** In the order of the demo: the second answers quickly, the fourth slowly. */
  schools: readonly string[]
  now: number
  today: string
  /** The demo's own account of the staff, which finds some leads assigned to it, and its schools. */
  guest: { id: string; schools: readonly string[] } | null
}

/** Minutes of work until half of a school's questions are answered. */
const USUAL_MINUTES = [200, 55, 330, 900, 260, 150, 480]
/** Nobody works in the very last minutes: there nothing is done yet. */
const LATELY_MS = 4 * 60_000
/** After so much work even the slowest school has answered. */
const LONGEST_MINUTES = 4_000
const OPENINGS_SINCE_MS = 14 * 86_400_000

/** The same lead has the same life, as far as the time since it came has room for it. */
export function lifeOf(parts: LifeParts, lead: Planned): Life {
  const { hours, now, schools } = parts
  const luck = luckOf(`${lead.kind} ${lead.id}`)
  const place = Math.max(0, schools.indexOf(lead.school))
  const usual = (USUAL_MINUTES[place % USUAL_MINUTES.length] ?? 200) * (lead.kind === 'asked-question' ? 1 : 2)
  // Three numbers together are nearly a bell: most answers come near the usual time, some much later.
  const wanted = Math.max(4, usual * Math.exp((luck() + luck() + luck() - 1.5) * 1.7))
  const room = hours.between(lead.createdAt, now - LATELY_MS, LONGEST_MINUTES)
  const life: Life = { kind: lead.kind, id: lead.id, attempts: [], decisions: [], openedAt: null }
  const isTooEarly = room < 6 || (lead.role.name === 'natural' && wanted > room)
  if (isTooEarly || lead.role.name === 'waiting') return life
  const minutes = Math.min(wanted, room * (0.3 + 0.5 * luck()))
  const at = hours.after(lead.createdAt, minutes)
  const by = whoOf(parts, lead.school, at, luck())
  live(life, lead, { at, by, luck, room: room - minutes, parts })
  const first = life.decisions[0]?.at ?? at
  const openedAt = Math.max(lead.createdAt + 30_000, first - 60_000 - Math.floor(luck() * 180_000))
  if (now - first < OPENINGS_SINCE_MS && openedAt < first) life.openedAt = openedAt
  return life
}

type Step = { at: number; by: Colleague; luck: () => number; room: number; parts: LifeParts }

function live(life: Life, lead: Planned, step: Step): void {
  const { at, by } = step
  const keep = (status: LeadStatus, snooze: string | null = null, assignee: string | null = by.id) =>
    life.decisions.push({ at, by: by.id, status, assignee, snooze })
  const role = lead.role
  switch (role.name) {
    case 'taken':
      keep('in-progress', null, assignedTo(step, lead))
      return
    case 'unreached':
      life.attempts.push({ at, by: by.id, channel: 'phone', outcome: 'no-answer' })
      keep('in-progress')
      return
    case 'talking':
      life.attempts.push({ at, by: by.id, channel: 'email', outcome: 'sent' })
      keep('in-progress')
      return
    case 'aside':
      life.attempts.push({ at, by: by.id, ...(role.isBack ? MAILED : CALL_AGAIN) })
      keep('in-progress', role.until)
      return
    case 'answered':
    case 'natural':
      finish(life, lead, step)
      return
    case 'waiting':
      return
    default:
      return role satisfies never
  }
}

const MAILED = { channel: 'email', outcome: 'sent' } as const
const CALL_AGAIN = { channel: 'phone', outcome: 'call-again' } as const

/** Answered and done; of a declaration often without a word, and some are nothing to answer. */
function finish(life: Life, { kind, byPhone }: Planned, { at, by, luck, room, parts }: Step): void {
  const [chance, more] = [luck(), luck()]
  const isQuestion = kind === 'asked-question'
  const done = (moment: number, status: LeadStatus) =>
    life.decisions.push({ at: moment, by: by.id, status, assignee: more < 0.6 ? by.id : null, snooze: null })
  if (chance < (isQuestion ? 0.04 : 0.07)) {
    done(at, 'dismissed')
    return
  }
  if (!isQuestion && chance > 0.55) {
    done(at, 'handled')
    return
  }
  if (!isQuestion || !byPhone) {
    life.attempts.push({ at, by: by.id, ...MAILED })
    done(at, 'handled')
    return
  }
  const again = parts.hours.after(at, Math.min(60 + 300 * more, room * 0.9))
  const isMissed = chance < 0.4 && room > 60
  if (isMissed) {
    life.attempts.push({ at, by: by.id, channel: 'phone', outcome: 'no-answer' })
    life.decisions.push({ at, by: by.id, status: 'in-progress', assignee: by.id, snooze: null })
  }
  const reached = isMissed ? again : at
  life.attempts.push({ at: reached, by: by.id, channel: 'phone', outcome: 'talked' })
  done(reached, 'handled')
}

/** Of what is taken in the guest's schools, every second is the guest's own. */
function assignedTo({ by, luck, parts }: Step, { school }: Planned): string {
  const isGuests = parts.guest !== null && parts.guest.schools.includes(school) && luck() < 0.5
  return isGuests && parts.guest ? parts.guest.id : by.id
}

function whoOf({ staff, today }: LifeParts, school: string, at: number, luck: number): Colleague {
  const leftAt = Date.parse(leaveOf(today).since)
  const there = staff.of(school).filter((one) => one !== staff.away || at < leftAt)
  return there[Math.floor(luck * there.length)] ?? staff.head
}

/** An entry of the activity log; `attempt` is one whose number the database gives. */
export type PastEntry = {
  at: number
  by: string
  action: string
  kind: LeadKind | null
  id: string | null
  details: ActivityDetails | null
}

/** What the log says of a life, as it would have been written then. */
export function entriesOf({ kind, id, decisions, openedAt }: Life): PastEntry[] {
  const entries: PastEntry[] = []
  const [first] = decisions
  if (openedAt !== null && first)
    entries.push({ at: openedAt, by: first.by, action: 'lead-opened', kind, id, details: null })
  let before: Pick<Decision, 'status' | 'assignee' | 'snooze'> = { status: 'new', assignee: null, snooze: null }
  for (const { at, by, ...after } of decisions) {
    const details = {
      from: before.status,
      to: after.status,
      assignee: after.assignee,
      ...(before.assignee !== after.assignee && { assigneeBefore: before.assignee }),
      ...(after.snooze !== null && { snoozeUntil: after.snooze, snoozeBefore: before.snooze }),
    }
    entries.push({ at, by, action: 'triage-changed', kind, id, details })
    before = after
  }
  return entries
}
