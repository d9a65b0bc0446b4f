import 'server-only'
import type { AttemptChannel, AttemptOutcome, LeadRef, LeadStatus } from '@/lib/contract/lead'
import { isEarlier } from '@/lib/leads/work-rules'
import { addDays, stockholmDayStart } from '@/lib/time/stockholm'
import { luckOf, type Scene } from './scene'

export type DemoLead = LeadRef & { school: string; createdAt: number; byPhone: boolean; year: number }

type Tried = { channel: AttemptChannel; outcome: AttemptOutcome }
const UNREACHED: Tried = { channel: 'phone', outcome: 'no-answer' }
const TALKED: Tried = { channel: 'phone', outcome: 'talked' }
const MAILED: Tried = { channel: 'email', outcome: 'sent' }
const CALL_AGAIN: Tried = { channel: 'phone', outcome: 'call-again' }

/** A decision, the attempt before it, the assignee, and for how many days it is put aside. */
type Deed = { to: LeadStatus; tried?: Tried; whose?: 'guest' | 'own'; days?: number }
/** `natural`: answered if its school would have got to it by now. */
type Role = 'answered' | 'natural' | 'waiting' | Deed

const TAKEN: Role = { to: 'in-progress', whose: 'guest' }
const begun = (tried: Tried): Role => ({ to: 'in-progress', tried, whose: 'own' })
const aside = (days: number, tried = CALL_AGAIN): Role => ({ to: 'in-progress', tried, whose: 'own', days })
const LATE: Record<number, Role> = {
  1: 'waiting',
  3: TAKEN,
  4: aside(0, MAILED),
  6: begun(UNREACHED),
  8: aside(1),
  9: begun(MAILED),
  11: aside(3),
  14: begun(MAILED),
  17: aside(7),
  21: begun(MAILED),
  26: aside(14),
}
const DECLARED_DAYS = 3

/** By the lead's place in its pile, newest first: three late, five due. */
const PILES = {
  earlier: (): Role => 'answered',
  late: (place: number): Role => LATE[place] ?? 'answered',
  due: (place: number): Role => (place >= 5 ? 'answered' : place % 2 === 0 ? 'waiting' : TAKEN),
  open: (place: number, schools: number): Role => still(place < 13 + schools / 5, place % 3 === 1),
  declared: (place: number, schools: number): Role => still(place < 40 + schools, place % 8 === 2),
  older: (place: number): Role => (place < 39 && place % 5 === 1 ? begun(MAILED) : 'answered'),
}
const still = (isOpen: boolean, isTaken: boolean): Role => (!isOpen ? 'answered' : isTaken ? TAKEN : 'natural')

function pileOf({ rules, today }: Scene, { kind, createdAt, year }: DemoLead): keyof typeof PILES {
  const { lateBefore, dueOf } = rules[kind]
  if (isEarlier(rules[kind], createdAt, year)) return 'earlier'
  if (kind === 'declaration-of-interest')
    return createdAt < stockholmDayStart(addDays(today, -DECLARED_DAYS)) ? 'older' : 'declared'
  return createdAt < lateBefore ? 'late' : (dueOf(createdAt) ?? today) <= today ? 'due' : 'open'
}

export type Life = NonNullable<ReturnType<typeof live>>

export function livesOf(scene: Scene, leads: readonly DemoLead[]): Life[] {
  const places = { earlier: 0, late: 0, due: 0, open: 0, declared: 0, older: 0 }
  return leads.flatMap((lead) => {
    const pile = pileOf(scene, lead)
    return live(scene, lead, PILES[pile](places[pile]++, scene.schools.length)) ?? []
  })
}

const USUAL_MINUTES = [200, 55, 330, 900, 260, 150, 480]
const LATELY_MS = 4 * 60_000
const LONGEST_MINUTES = 4_000
const OPENINGS_SINCE_MS = 14 * 86_400_000

function live(scene: Scene, lead: DemoLead, role: Role) {
  const { hours, now, guest, rules } = scene
  const { kind, id: leadId, createdAt, school } = lead
  const luck = luckOf(`${kind} ${leadId}`)
  const usual = USUAL_MINUTES[Math.max(0, scene.schools.indexOf(school)) % USUAL_MINUTES.length] ?? 200
  // Three numbers make nearly a bell curve around the usual time.
  const bell = Math.exp((luck() + luck() + luck() - 1.5) * 1.7)
  const wanted = Math.max(4, usual * (kind === 'asked-question' ? 1 : 2) * bell)
  const came = hours.worked(createdAt)
  const room = Math.min(LONGEST_MINUTES, hours.worked(now - LATELY_MS) - came)
  if (role === 'waiting' || room < 6 || (role === 'natural' && wanted > room)) return null
  const minutes = Math.min(wanted, room * (0.3 + 0.5 * luck()))
  const first = hours.momentOf(came + minutes)
  const there = scene.workers.filter((one) => one.schools.includes(school) && scene.isThere(one.id, first))
  const userId = (there[Math.floor(luck() * there.length)] ?? scene.head).id
  const { to: status, tried, whose, days } = typeof role === 'object' ? role : answer(lead, luck)

  const isMissed = status === 'handled' && tried === TALKED && room - minutes > 60 && luck() < 0.38
  const again = isMissed ? Math.min(60 + 300 * luck(), (room - minutes) * 0.9) : 0
  const at = new Date(hours.momentOf(came + minutes + again))
  const by = { kind, leadId, userId }
  const attempts = [isMissed && { ...by, at: new Date(first), ...UNREACHED }, tried && { ...by, at, ...tried }]
  const isGuests = whose === 'guest' && guest.schools.includes(school) && luck() < 0.5
  const assigneeId = whose === undefined ? null : isGuests ? guest.id : userId
  const snoozeUntil = days === undefined ? null : addDays(rules[kind].backOn, days)
  const openedAt = Math.max(createdAt + 30_000, first - 60_000 - luck() * 180_000)
  const isOpening = now - first < OPENINGS_SINCE_MS && openedAt < first
  return {
    lead,
    attempts: attempts.filter((one) => typeof one === 'object'),
    triage: { kind, leadId, status, assigneeId, snoozeUntil, updatedAt: at, updatedBy: userId, statusAt: at },
    opened: isOpening ? [{ at: new Date(openedAt), userId, action: 'lead-opened', leadKind: kind, leadId }] : [],
  }
}

/** Declarations are often handled silently, and some need no answer. */
function answer({ kind, byPhone }: DemoLead, luck: () => number): Deed {
  const [isQuestion, chance] = [kind === 'asked-question', luck()]
  const whose = luck() < 0.6 ? { whose: 'own' as const } : {}
  if (chance < (isQuestion ? 0.04 : 0.07)) return { to: 'dismissed', ...whose }
  if (!isQuestion && chance > 0.55) return { to: 'handled', ...whose }
  return { to: 'handled', tried: isQuestion && byPhone ? TALKED : MAILED, ...whose }
}
