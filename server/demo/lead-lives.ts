import 'server-only'
import type { LeadKind, LeadStatus } from '@/lib/contract/lead'
import type { ActivityDetails } from '@/server/db/schema'
import { type Colleague, leaveOf, type Staff } from './colleagues'
import { type Planned, TRIED } from './lead-roles'
import { luckOf, type WorkingHours } from './working-hours'

/** An entry of the activity log, as it would have been written then; `number` is its place, once it has one. */
export type PastEntry = {
  at: number
  by: string
  action: string
  kind: LeadKind | null
  id: string | null
  details: ActivityDetails | null
  number?: number
}

export type LifeParts = {
  hours: WorkingHours
  staff: Staff
  /** In the order of the demo: the second answers quickly, the fourth slowly. */
  schools: readonly string[]
  now: number
  today: string
  /** The demo's own account of the staff, which finds some leads assigned to it, and its schools. */
  guest: { id: string; schools: readonly string[] }
}

/** Minutes of work until half of a school's questions are answered. */
const USUAL_MINUTES = [200, 55, 330, 900, 260, 150, 480]
/** Nobody works in the very last minutes: there nothing is done yet. */
const LATELY_MS = 4 * 60_000
/** After so much work even the slowest school has answered. */
const LONGEST_MINUTES = 4_000
const OPENINGS_SINCE_MS = 14 * 86_400_000

/** What colleagues have done with a lead, oldest first: the same for the same lead, as far as the time since has room for it. */
export function lifeOf(parts: LifeParts, lead: Planned): PastEntry[] {
  const { hours, now, schools } = parts
  const luck = luckOf(`${lead.kind} ${lead.id}`)
  const place = Math.max(0, schools.indexOf(lead.school))
  const usual = (USUAL_MINUTES[place % USUAL_MINUTES.length] ?? 200) * (lead.kind === 'asked-question' ? 1 : 2)
  // Three numbers together are nearly a bell: most answers come near the usual time, some much later.
  const wanted = Math.max(4, usual * Math.exp((luck() + luck() + luck() - 1.5) * 1.7))
  const came = hours.worked(lead.createdAt)
  const room = Math.min(LONGEST_MINUTES, hours.worked(now - LATELY_MS) - came)
  if (lead.role === 'waiting' || room < 6 || (lead.role === 'natural' && wanted > room)) return []
  const minutes = Math.min(wanted, room * (0.3 + 0.5 * luck()))
  const by = whoOf(parts, lead.school, hours.momentOf(came + minutes), luck())
  const life = live(parts, lead, { luck, by: by.id, done: came + minutes, room: room - minutes })
  const first = life[0]?.at ?? now
  const at = Math.max(lead.createdAt + 30_000, first - 60_000 - Math.floor(luck() * 180_000))
  const isOpened = now - first < OPENINGS_SINCE_MS && at < first
  const opened = { at, by: by.id, action: 'lead-opened', kind: lead.kind, id: lead.id, details: null }
  return isOpened ? [opened, ...life] : life
}

function whoOf({ staff, today }: LifeParts, school: string, at: number, luck: number): Colleague {
  const leftAt = Date.parse(leaveOf(today).since)
  const there = staff.of(school).filter((one) => one !== staff.away || at < leftAt)
  return there[Math.floor(luck * there.length)] ?? staff.head
}

/** When and by whom it is done, in minutes worked, and how many minutes there are since. */
type Work = { luck: () => number; by: string; done: number; room: number }

function live({ hours, guest }: LifeParts, lead: Planned, { luck, by, done, room }: Work): PastEntry[] {
  const at = hours.momentOf(done)
  const { enter, decide, entries } = beginLife(lead, by)
  const { role } = lead
  if (typeof role === 'object') {
    if (role.tried) enter(at, 'attempt-logged', role.tried)
    // Of what is taken in the guest's schools, every second is the guest's own.
    const isGuests = role.tried === null && guest.schools.includes(lead.school) && luck() < 0.5
    decide(at, 'in-progress', isGuests ? guest.id : by, role.until)
    return entries
  }
  // Answered and done; of a declaration often without a word, and some are nothing to answer.
  const [chance, more] = [luck(), luck()]
  const isQuestion = lead.kind === 'asked-question'
  const isDismissed = chance < (isQuestion ? 0.04 : 0.07)
  const isCalled = isQuestion && lead.byPhone
  const isMissed = isCalled && !isDismissed && chance < 0.4 && room > 60
  const ended = isMissed ? hours.momentOf(done + Math.min(60 + 300 * more, room * 0.9)) : at
  if (isMissed) {
    enter(at, 'attempt-logged', TRIED.unreached)
    decide(at, 'in-progress', by)
  }
  if (!isDismissed && (isQuestion || chance <= 0.55))
    enter(ended, 'attempt-logged', isCalled ? TRIED.talked : TRIED.mailed)
  decide(ended, isDismissed ? 'dismissed' : 'handled', more < 0.6 ? by : null)
  return entries
}

function beginLife({ kind, id }: Planned, by: string) {
  const entries: PastEntry[] = []
  let before: { status: LeadStatus; assignee: string | null } = { status: 'new', assignee: null }
  const enter = (at: number, action: string, details: ActivityDetails) =>
    entries.push({ at, by, action, kind, id, details: { ...details } })
  const decide = (at: number, to: LeadStatus, assignee: string | null, until: string | null = null) => {
    enter(at, 'triage-changed', {
      from: before.status,
      to,
      assignee,
      ...(before.assignee !== assignee && { assigneeBefore: before.assignee }),
      ...(until !== null && { snoozeUntil: until, snoozeBefore: null }),
    })
    before = { status: to, assignee }
  }
  return { entries, enter, decide }
}
