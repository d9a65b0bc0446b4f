import 'server-only'
import type { LeadKind, LeadStatus } from '@/lib/contract/lead'
import type { ActivityDetails } from '@/server/db/schema'
import { AWAY, leaveOf, type Staff } from './colleagues'
import { MAILED, type Planned, TALKED, UNREACHED } from './lead-roles'
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

/** Who is there, and when. */
export type Scene = {
  hours: WorkingHours
  staff: Staff
  /** In the order of the demo: the second answers quickly, the fourth slowly. */
  schools: readonly string[]
  now: number
  today: string
  /** The demo's own account of the staff, which finds some leads assigned to it, its schools, and its administrator. */
  guest: { id: string; schools: readonly string[] }
  admin: string
}

/** Minutes of work until half of a school's questions are answered. */
const USUAL_MINUTES = [200, 55, 330, 900, 260, 150, 480]
/** Nobody works in the very last minutes: there nothing is done yet. */
const LATELY_MS = 4 * 60_000
/** After so much work even the slowest school has answered. */
const LONGEST_MINUTES = 4_000
const OPENINGS_SINCE_MS = 14 * 86_400_000

/** What colleagues have done with a lead, oldest first: the same for the same lead, as far as the time since has room for it. */
export function lifeOf(scene: Scene, lead: Planned): PastEntry[] {
  const { hours, staff, now, today, schools } = scene
  const luck = luckOf(`${lead.kind} ${lead.id}`)
  const place = Math.max(0, schools.indexOf(lead.school))
  const usual = (USUAL_MINUTES[place % USUAL_MINUTES.length] ?? 200) * (lead.kind === 'asked-question' ? 1 : 2)
  // Three numbers together are nearly a bell: most answers come near the usual time, some much later.
  const wanted = Math.max(4, usual * Math.exp((luck() + luck() + luck() - 1.5) * 1.7))
  const came = hours.worked(lead.createdAt)
  const room = Math.min(LONGEST_MINUTES, hours.worked(now - LATELY_MS) - came)
  if (lead.role === 'waiting' || room < 6 || (lead.role === 'natural' && wanted > room)) return []
  const minutes = Math.min(wanted, room * (0.3 + 0.5 * luck()))
  const first = hours.momentOf(came + minutes)
  const there = staff.of(lead.school).filter(({ id }) => id !== AWAY || first < leaveOf(today).since)
  const by = (there[Math.floor(luck() * there.length)] ?? staff.head).id
  const life = live(scene, lead, { luck, by, done: came + minutes, room: room - minutes })
  const at = Math.max(lead.createdAt + 30_000, first - 60_000 - Math.floor(luck() * 180_000))
  if (now - first >= OPENINGS_SINCE_MS || at >= first) return life
  return [{ at, by, action: 'lead-opened', kind: lead.kind, id: lead.id, details: null }, ...life]
}

/** By whom and after how many minutes of work it is done, and how many there are since. */
type Work = { luck: () => number; by: string; done: number; room: number }

function live(
  { hours, guest }: Scene,
  { kind, id, role, ...lead }: Planned,
  { luck, by, done, room }: Work,
): PastEntry[] {
  const entries: PastEntry[] = []
  const enter = (at: number, action: string, details: ActivityDetails) =>
    entries.push({ at, by, action, kind, id, details })
  const decide = (at: number, from: LeadStatus, to: LeadStatus, more: ActivityDetails) =>
    enter(at, 'triage-changed', { from, to, ...more })
  const assign = (before: string | null, assignee: string | null) =>
    before === assignee ? { assignee } : { assignee, assigneeBefore: before }
  const at = hours.momentOf(done)
  if (typeof role === 'object') {
    const { tried, until } = role
    if (tried) enter(at, 'attempt-logged', tried)
    // Of what is taken in the guest's schools, every second is the guest's own.
    const isGuests = tried === null && guest.schools.includes(lead.school) && luck() < 0.5
    const aside = until === null ? {} : { snoozeUntil: until, snoozeBefore: null }
    decide(at, 'new', 'in-progress', { ...assign(null, isGuests ? guest.id : by), ...aside })
    return entries
  }
  // Answered and done; of a declaration often without a word, and some are nothing to answer.
  const [chance, more] = [luck(), luck()]
  const isQuestion = kind === 'asked-question'
  const isDismissed = chance < (isQuestion ? 0.04 : 0.07)
  const isCalled = isQuestion && lead.byPhone
  const isMissed = isCalled && !isDismissed && chance < 0.4 && room > 60
  if (isMissed) {
    enter(at, 'attempt-logged', UNREACHED)
    decide(at, 'new', 'in-progress', assign(null, by))
  }
  const ended = isMissed ? hours.momentOf(done + Math.min(60 + 300 * more, room * 0.9)) : at
  if (!isDismissed && (isQuestion || chance <= 0.55)) enter(ended, 'attempt-logged', isCalled ? TALKED : MAILED)
  const assigned = assign(isMissed ? by : null, more < 0.6 ? by : null)
  decide(ended, isMissed ? 'in-progress' : 'new', isDismissed ? 'dismissed' : 'handled', assigned)
  return entries
}
