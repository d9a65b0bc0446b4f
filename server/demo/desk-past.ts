import 'server-only'
import type { LeadKind, LeadList, LeadRef } from '@/lib/contract/lead'
import { LISTS_BY_KIND } from '@/lib/contract/lists'
import type { Matching } from '@/lib/contract/list-query'
import type { Db } from '@/server/db/database'
import { placeOf } from '@/server/db/sealed-columns'
import { type ActivityDetails, exports, listVisits, mentions, notes, savedViews } from '@/server/db/schema'
import type { Services } from '@/server/services'
import { AWAY, INVENTED, leaveOf } from './colleagues'
import type { PastEntry, Scene } from './lead-lives'
import type { Planned } from './lead-roles'
import { luckOf } from './working-hours'

/** A lead with what was done about it. */
export type Lived = { lead: Planned; life: readonly PastEntry[] }
type Parts = Pick<Services, 'seal' | 'scopes'> & { tx: Db; scene: Scene; enter: Enter }
type Enter = (at: number, by: string, action: string, details: ActivityDetails | null, lead?: LeadRef) => void

/**
 * Writes what colleagues noted, kept and took out besides their decisions, sealed where people's own words are. Answers what the
 * log says of it.
 */
export async function writeDesk(
  given: Pick<Services, 'seal' | 'scopes'> & { db: Db; scene: Scene },
  lived: readonly Lived[],
): Promise<PastEntry[]> {
  const entries: PastEntry[] = []
  const enter: Enter = (at, by, action, details, lead) =>
    entries.push({ at, by, action, kind: lead?.kind ?? null, id: lead?.id ?? null, details })
  signIn(given.scene, enter)
  await given.db.transaction(async (tx) => {
    const parts = { ...given, tx, enter }
    await writeNotes(parts, lived)
    await keepViews(parts)
    await takeExports(parts, lived)
    await visitYesterday(parts)
  })
  return entries
}

const NOTES = [
  'Ringde tillbaka, nöjd med svaret. Vill gärna komma på öppet hus.',
  'Frågade även om resor till skolan. Skickade länken till länstrafiken.',
  'Pratade med mamman, de återkommer efter helgen.',
  'Vill skugga en dag i januari, förslag skickat.',
  'Undrar över antagningspoängen förra året. Skickade statistiken.',
  'Behöver särskilt stöd, hänvisade till skolans kurator.',
  'Har sökt två program hos oss, väljer i januari.',
  'Ska prata med sin studie- och yrkesvägledare först.',
  'Vill bli ringd efter klockan 15.',
  'Samma fråga som förra veckan, svarade på båda.',
]
const MOST_NOTES = 36
const NOTED_SINCE_MS = 21 * 86_400_000
const MENTION = '@Sara Lindqvist kan du ta den här? De frågar om din klass.'

/** On leads that somebody worked on lately; the first of them asks the staff account to take over. */
async function writeNotes({ tx, seal, scene, enter }: Parts, lived: readonly Lived[]): Promise<void> {
  const { now, guest } = scene
  let [count, isMentioned] = [0, false]
  for (const { lead, life } of lived) {
    const decided = life.at(-1)
    if (count === MOST_NOTES) return
    if (!decided || now - decided.at > NOTED_SINCE_MS) continue
    const luck = luckOf(`note ${lead.kind} ${lead.id}`)
    const tried = typeof lead.role === 'object' ? lead.role.tried : null
    if ((tried === null || tried.outcome === 'no-answer') && luck() > 0.12) continue
    const isMention = !isMentioned && guest.schools.includes(lead.school)
    const text = isMention ? MENTION : (NOTES[Math.floor(luck() * NOTES.length)] ?? MENTION)
    const id = `${INVENTED}note-${(count += 1)}`
    const at = new Date(Math.min(now - 30_000, decided.at + 60_000))
    const of = { kind: lead.kind, leadId: lead.id }
    const sealedText = seal.close(text, placeOf.note(id))
    await tx.insert(notes).values({ id, ...of, authorId: decided.by, sealedText, createdAt: at })
    if (isMention) await tx.insert(mentions).values({ noteId: id, userId: guest.id, ...of, at })
    isMentioned ||= isMention
    enter(+at, decided.by, 'note-added', { note: id }, lead)
  }
}

const [ASKED, DECLARED] = ['asked-questions', 'declarations-of-interest'] as const
type View = [by: 'worker' | 'head', list: LeadList, name: string, query: object]
const VIEWS: readonly View[] = [
  ['worker', ASKED, 'Vill bli uppringda', { mode: ['phone'], waiting: true }],
  ['worker', ASKED, 'Ingen har tagit än', { assignee: ['none'], status: ['new'] }],
  ['worker', DECLARED, 'Bjud in till öppet hus', { status: ['new'] }],
  ['head', ASKED, 'Alla skolor: försenade', { late: true }],
  ['head', DECLARED, 'Pågående, alla skolor', { status: ['in-progress'] }],
]

/** Shared with those who see as much: what the first worker shares, the staff account sees. */
async function keepViews({ tx, seal, scene, enter }: Parts): Promise<void> {
  const { hours, now, staff } = scene
  for (const [place, [by, list, name, query]] of VIEWS.entries()) {
    const id = `${INVENTED}view-${place + 1}`
    const owner = by === 'head' ? staff.head : (staff.workers[0] ?? staff.head)
    const createdAt = new Date((hours.starts[29] ?? now) + 95 * 60_000 + place * 240_000)
    const sealedView = seal.close(JSON.stringify({ name, query }), placeOf.savedView(id))
    const view = { id, ownerId: owner.id, list, sealedView, reach: owner.schools, shared: true, createdAt }
    await tx.insert(savedViews).values(view)
    enter(+createdAt, owner.id, 'view-added', { view: id, shared: true })
  }
}

type Taken = [daysAgo: number, by: 'guest' | 'admin' | 'head', kind: LeadKind, purpose: string, format: 'xlsx' | 'csv']
const EXPORTS: readonly Taken[] = [
  [2, 'guest', 'declaration-of-interest', 'Inbjudan till öppet hus', 'xlsx'],
  [6, 'head', 'asked-question', 'Månadsrapport', 'xlsx'],
  [9, 'admin', 'declaration-of-interest', 'Planering av grupper inför hösten', 'xlsx'],
  [13, 'guest', 'declaration-of-interest', 'Ringlista till kvällens ringning', 'csv'],
  [21, 'admin', 'asked-question', 'Vanliga frågor till webbsidan', 'xlsx'],
  [34, 'guest', 'declaration-of-interest', 'Inbjudan till gymnasiemässan', 'xlsx'],
]
const EXPORTED = 60
const COLUMNS = {
  'asked-question': ['createdAt', 'school', 'sender', 'email', 'phone', 'question'],
  'declaration-of-interest': ['createdAt', 'school', 'firstName', 'lastName', 'email', 'phone', 'year'],
} as const

/** Files for what schools take them for, each of what had come by then to the schools of whoever took it. */
async function takeExports({ tx, seal, scopes, scene, enter }: Parts, lived: readonly Lived[]): Promise<void> {
  const { hours, staff, guest, admin, schools, now } = scene
  const users = { guest: guest.id, admin, head: staff.head.id }
  for (const [place, [daysAgo, by, kind, purpose, format]] of EXPORTS.entries()) {
    const at = (hours.starts[daysAgo] ?? now) + (130 + place * 47) * 60_000
    const own = by === 'guest' ? guest.schools : schools
    const ofThem = lived.filter(({ lead }) => lead.kind === kind && lead.createdAt < at && own.includes(lead.school))
    const leadIds = ofThem.slice(0, EXPORTED - place * 4).map(({ lead }) => lead.id)
    const [id, count, userId, { list }] = [
      `${INVENTED}export-${place + 1}`,
      leadIds.length,
      users[by],
      LISTS_BY_KIND[kind],
    ]
    const matching: Matching = { list, school: own.slice(0, 2) }
    const sealedReason = seal.close(JSON.stringify({ purpose, matching, newOnly: false }), placeOf.export(id))
    const what = { count, list, format, columns: [...COLUMNS[kind]] }
    const ended = { state: 'finished' as const, written: count }
    const moments = { at: new Date(at), endedAt: new Date(at + 2_000) }
    const scope = scopes.of({ list, matching, format })
    await tx.insert(exports).values({ id, userId, ...what, ...ended, ...moments, sealedReason, scope, leadIds })
    enter(at, userId, 'export-started', { export: id, ...what })
    enter(at + 2_000, userId, 'export-ended', { export: id, ...ended })
  }
}

const SIGNED_IN_DAYS = 20

/** In the morning, and out in the afternoon; whoever is away stays away. */
function signIn({ hours, staff, now, today }: Scene, enter: Enter): void {
  for (const start of hours.starts.slice(0, SIGNED_IN_DAYS)) {
    for (const { id } of [...staff.workers, staff.head]) {
      if (id === AWAY && start >= leaveOf(today).since) continue
      const luck = luckOf(`${id} ${start}`)
      const [came, left] = [start - Math.floor(luck() * 1_500_000), start + (440 + luck() * 60) * 60_000]
      if (came < now) enter(came, id, 'sign-in', { with: 'password' })
      if (left < now) enter(Math.floor(left), id, 'sign-out', null)
    }
  }
}

/** The guests looked at the lists twenty minutes before the end of a working day. */
const LAST_LOOK_MS = 7.66 * 3_600_000

/** On the last day that is over, so that what came since is new to the demo's accounts at their first look. */
async function visitYesterday({ tx, scene: { hours, now, guest, admin } }: Parts): Promise<void> {
  const ends = hours.starts.slice(0, 2).map((start) => start + LAST_LOOK_MS)
  const lastSeenAt = new Date(ends.find((end) => end < now) ?? now)
  const rows = [guest.id, admin].flatMap((userId) => [ASKED, DECLARED].map((list) => ({ userId, list, lastSeenAt })))
  await tx.insert(listVisits).values(rows).onConflictDoNothing()
}
