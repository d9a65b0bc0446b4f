import 'server-only'
import { createHash } from 'node:crypto'
import type { AttemptChannel, AttemptOutcome, LeadRef, LeadStatus } from '@/lib/contract/lead'
import { leadKey } from '@/lib/leads/lead-key'
import { isEarlier, type WorkRules } from '@/lib/leads/work-rules'
import { addDays, dayText, stockholmDay, stockholmDayStart, stockholmEpochDay } from '@/lib/time/stockholm'
import { type IsHoliday, isWorkingDay } from '@/lib/time/working-days'

export type DemoLead = LeadRef & { school: string; createdAt: number; byPhone: boolean; year: number }
type Colleague = { id: string; schools: readonly string[] }
export type Scene = {
  now: number
  schools: readonly string[]
  workers: readonly Colleague[]
  /** Whoever tries the demo, as staff. */
  guest: Colleague
  rules: Readonly<Record<LeadRef['kind'], WorkRules>>
  hours: ReturnType<typeof createWorkingHours>
}

type Attempt = { channel: AttemptChannel; outcome: AttemptOutcome }
const UNREACHED: Attempt = { channel: 'phone', outcome: 'no-answer' }
const TALKED: Attempt = { channel: 'phone', outcome: 'talked' }
const MAILED: Attempt = { channel: 'email', outcome: 'sent' }
const CALL_AGAIN: Attempt = { channel: 'phone', outcome: 'call-again' }

/** `days`: for how many it is put aside. */
type Fact = { status: LeadStatus; attempt?: Attempt; assignee?: 'guest' | 'own'; days?: number }
const WAITING = 'waiting'
const TAKEN: Fact = { status: 'in-progress', assignee: 'guest' }
const begun = (attempt: Attempt, days?: number): Fact => {
  return { status: 'in-progress', attempt, assignee: 'own', ...(days !== undefined && { days }) }
}

const LATE: Record<number, Fact | typeof WAITING> = {
  1: WAITING,
  3: TAKEN,
  4: begun(MAILED, 0),
  6: begun(UNREACHED),
  8: begun(CALL_AGAIN, 1),
  9: begun(MAILED),
  11: begun(CALL_AGAIN, 3),
  17: begun(CALL_AGAIN, 7),
  26: begun(CALL_AGAIN, 14),
}

/** By the lead's place in its group, the newest first. All others are answered when their school gets to it. */
const FACTS: Record<string, (place: number) => Fact | typeof WAITING | undefined> = {
  late: (place) => LATE[place],
  due: (place) => (place >= 5 ? undefined : place % 2 === 0 ? WAITING : TAKEN),
  open: (place) => (place < 14 && place % 3 === 1 ? TAKEN : undefined),
  declared: (place) => (place < 40 && place % 8 === 2 ? TAKEN : undefined),
  older: (place) => (place < 39 && place % 5 === 1 ? begun(MAILED) : undefined),
}

const DECLARED_DAYS = 3

function groupOf({ rules, now }: Scene, { kind, createdAt, year }: DemoLead): string {
  const { lateBefore, dueOf } = rules[kind]
  const today = stockholmDay(now)
  if (isEarlier(rules[kind], createdAt, year)) return 'earlier'
  if (kind === 'declaration-of-interest')
    return createdAt < stockholmDayStart(addDays(today, -DECLARED_DAYS)) ? 'older' : 'declared'
  if (createdAt < lateBefore) return 'late'
  return (dueOf(createdAt) ?? today) <= today ? 'due' : 'open'
}

export type Life = NonNullable<ReturnType<typeof lifeOf>>

/** What was done with the leads (the newest first) that are not untouched. */
export function livesOf(scene: Scene, leads: readonly DemoLead[]): Life[] {
  const places = new Map<string, number>()
  return leads.flatMap((lead) => {
    const group = groupOf(scene, lead)
    const place = places.get(group) ?? 0
    places.set(group, place + 1)
    const isOpen = group === 'open' || group === 'declared'
    return lifeOf(scene, lead, FACTS[group]?.(place), isOpen) ?? []
  })
}

/** Minutes of work until a school answers. */
const USUAL_MINUTES = [200, 55, 330, 900, 260, 150, 480]
const MAX_MINUTES = 4_000
const LATELY_MS = 4 * 60_000

function lifeOf(scene: Scene, lead: DemoLead, given: Fact | typeof WAITING | undefined, isOpen: boolean) {
  const { hours, now, guest, schools, workers, rules } = scene
  const { kind, id: leadId, createdAt, school } = lead
  const random = randomOf(leadKey(lead))
  const usual = USUAL_MINUTES[Math.max(0, schools.indexOf(school)) % USUAL_MINUTES.length] ?? 200
  // Three numbers make nearly a bell curve around the usual time.
  const bell = Math.exp((random() + random() + random() - 1.5) * 1.7)
  const wanted = Math.max(4, usual * (kind === 'asked-question' ? 1 : 2) * bell)
  const came = hours.worked(createdAt)
  const room = Math.min(MAX_MINUTES, hours.worked(now - LATELY_MS) - came)
  if (given === WAITING || room < 6 || (given === undefined && isOpen && wanted > room)) return null
  const { status, attempt, assignee, days } = given ?? answer(lead, random)
  const at = new Date(hours.momentOf(came + Math.min(wanted, room * (0.3 + 0.5 * random()))))
  const there = workers.filter((worker) => worker.schools.includes(school))
  const userId = there[Math.floor(random() * there.length)]?.id ?? null
  const isGuests = assignee === 'guest' && guest.schools.includes(school)
  const assigneeId = assignee === undefined ? null : isGuests ? guest.id : userId
  const snoozeUntil = days === undefined ? null : addDays(rules[kind].backOn, days)
  const decided = { kind, leadId, status, assigneeId, snoozeUntil, updatedAt: at, updatedBy: userId, statusAt: at }
  return { lead, triage: decided, attempt: attempt && { kind, leadId, userId, at, ...attempt } }
}

/** Declarations are often handled silently, and some need no answer. */
function answer({ kind, byPhone }: DemoLead, random: () => number): Fact {
  const [isQuestion, chance] = [kind === 'asked-question', random()]
  const assignee = random() < 0.6 ? { assignee: 'own' as const } : {}
  if (chance < (isQuestion ? 0.04 : 0.07)) return { status: 'dismissed', ...assignee }
  if (!isQuestion && chance > 0.55) return { status: 'handled', ...assignee }
  return { status: 'handled', attempt: isQuestion && byPhone ? TALKED : MAILED, ...assignee }
}

const MINUTE_MS = 60_000
const OPENS_MS = 8 * 60 * MINUTE_MS
const DAY = 8 * 60

/** Maps times (ms) to minutes of work since the first, and back. */
export function createWorkingHours(isHoliday: IsHoliday, from: number, to: number) {
  const starts: number[] = []
  const before: number[] = []
  const first = stockholmEpochDay(from)
  for (let day = first; day <= stockholmEpochDay(to); day++) {
    before.push(starts.length)
    if (isWorkingDay(dayText(day), isHoliday)) starts.push(stockholmDayStart(dayText(day)) + OPENS_MS)
  }
  return {
    worked(moment: number): number {
      const days = before[stockholmEpochDay(moment) - first] ?? 0
      return days * DAY + Math.min(DAY, Math.max(0, (moment - (starts[days] ?? to)) / MINUTE_MS))
    },
    momentOf: (minutes: number) => Math.floor((starts[Math.floor(minutes / DAY)] ?? to) + (minutes % DAY) * MINUTE_MS),
    starts: starts.filter((start) => start <= to).toReversed(),
  }
}

/** Up to sixteen numbers in [0, 1), the same for the same word. */
function randomOf(word: string): () => number {
  const numbers = new Uint32Array(new Uint8Array(createHash('sha512').update(word).digest()).buffer)
  let place = 0
  return () => (numbers[place++] ?? 0) / 2 ** 32
}
