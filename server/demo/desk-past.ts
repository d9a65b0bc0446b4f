import 'server-only'
import type { LeadKind, LeadList, LeadRef } from '@/lib/contract/lead'
import { LISTS_BY_KIND } from '@/lib/contract/lists'
import type { Matching } from '@/lib/contract/list-query'
import { placeOf } from '@/server/db/sealed-columns'
import type { ActivityDetails, exports, mentions, notes, savedViews } from '@/server/db/schema'
import type { Scopes } from '@/server/export/export-scopes'
import type { Seal } from '@/server/seal'
import { INVENTED, leaveOf } from './colleagues'
import type { LifeParts, PastEntry } from './lead-lives'
import type { Planned } from './lead-roles'
import { luckOf } from './working-hours'

export type DeskPast = {
  notes: (typeof notes.$inferInsert)[]
  mentions: (typeof mentions.$inferInsert)[]
  views: (typeof savedViews.$inferInsert)[]
  exports: (typeof exports.$inferInsert)[]
  entries: PastEntry[]
}

export type DeskParts = LifeParts & {
  seal: Seal
  scopes: Scopes
  /** The id of the demo's administrator. */
  admin: string
}

/** A lead with what was done about it. */
export type Lived = { lead: Planned; life: readonly PastEntry[] }

/** What colleagues wrote, kept and took out besides their decisions. Sealed where people's own words are. */
export function deskPast(parts: DeskParts, lived: readonly Lived[]): DeskPast {
  const past: DeskPast = { notes: [], mentions: [], views: [], exports: [], entries: [] }
  const enter: Enter = (at, by, action, details, lead) =>
    past.entries.push({ at, by, action, kind: lead?.kind ?? null, id: lead?.id ?? null, details })
  writeNotes(past, enter, parts, lived)
  keepViews(past, enter, parts)
  takeExports(past, enter, parts, lived)
  signIn(enter, parts)
  return past
}

type Enter = (at: number, by: string, action: string, details: ActivityDetails | null, lead?: LeadRef) => void

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
function writeNotes(past: DeskPast, enter: Enter, { seal, now, guest }: DeskParts, lived: readonly Lived[]): void {
  for (const { lead, life } of lived) {
    const decided = life.at(-1)
    if (past.notes.length >= MOST_NOTES) return
    if (!decided || now - decided.at > NOTED_SINCE_MS) continue
    const luck = luckOf(`note ${lead.kind} ${lead.id}`)
    const isTalking =
      typeof lead.role === 'object' && lead.role.tried !== null && lead.role.tried.outcome !== 'no-answer'
    if (!isTalking && luck() > 0.12) continue
    const isMention = past.mentions.length === 0 && guest.schools.includes(lead.school)
    const text = isMention ? MENTION : (NOTES[Math.floor(luck() * NOTES.length)] ?? MENTION)
    const id = `${INVENTED}note-${past.notes.length + 1}`
    const at = new Date(Math.min(now - 30_000, decided.at + 60_000))
    const of = { kind: lead.kind, leadId: lead.id }
    past.notes.push({ id, ...of, authorId: decided.by, sealedText: seal.close(text, placeOf.note(id)), createdAt: at })
    if (isMention) past.mentions.push({ noteId: id, userId: guest.id, ...of, at })
    enter(at.getTime(), decided.by, 'note-added', { note: id }, lead)
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
function keepViews(past: DeskPast, enter: Enter, { seal, staff, hours, now }: DeskParts): void {
  const start = hours.startsBefore(now, 30).at(-1) ?? now
  VIEWS.forEach(([by, list, name, query], place) => {
    const id = `${INVENTED}view-${place + 1}`
    const owner = by === 'head' ? staff.head : (staff.workers[0] ?? staff.head)
    const reach = owner.schools === 'all' ? ('all' as const) : [...owner.schools]
    const createdAt = new Date(start + 95 * 60_000 + place * 240_000)
    const sealedView = seal.close(JSON.stringify({ name, query }), placeOf.savedView(id))
    past.views.push({ id, ownerId: owner.id, list, sealedView, reach, shared: true, createdAt })
    enter(createdAt.getTime(), owner.id, 'view-added', { view: id, shared: true })
  })
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
function takeExports(past: DeskPast, enter: Enter, parts: DeskParts, lived: readonly Lived[]): void {
  const { seal, scopes, hours, staff, guest, schools, now } = parts
  const starts = hours.startsBefore(now, 40)
  const users = { guest: guest.id, admin: parts.admin, head: staff.head.id }
  EXPORTS.forEach(([daysAgo, by, kind, purpose, format], place) => {
    const at = new Date((starts[daysAgo] ?? now) + (130 + place * 47) * 60_000)
    const own = by === 'guest' ? guest.schools : schools
    const isOfThem = ({ lead }: Lived) => lead.kind === kind && lead.createdAt < +at && own.includes(lead.school)
    const leadIds = lived
      .filter(isOfThem)
      .map(({ lead }) => lead.id)
      .slice(0, EXPORTED - place * 4)
    const id = `${INVENTED}export-${place + 1}`
    const { list } = LISTS_BY_KIND[kind]
    const matching: Matching = { list, school: own.slice(0, 2) }
    const [count, columns, userId] = [leadIds.length, [...COLUMNS[kind]], users[by]]
    const row = { id, userId, at, list, format, columns, count, leadIds }
    past.exports.push({
      ...row,
      state: 'finished',
      written: count,
      endedAt: new Date(+at + 2_000),
      sealedReason: seal.close(JSON.stringify({ purpose, matching, newOnly: false }), placeOf.export(id)),
      scope: scopes.of({ list, matching, format }),
    })
    enter(+at, userId, 'export-started', { export: id, count, list, format, columns })
    enter(+at + 2_000, userId, 'export-ended', { export: id, state: 'finished', written: count })
  })
}

const SIGNED_IN_DAYS = 20

/** In the morning, and out in the afternoon; whoever is away stays away. */
function signIn(enter: Enter, { hours, staff, now, today }: DeskParts): void {
  const leftAt = Date.parse(leaveOf(today).since)
  for (const start of hours.startsBefore(now, SIGNED_IN_DAYS)) {
    for (const { id } of [...staff.workers, staff.head]) {
      if (id === staff.away.id && start >= leftAt) continue
      const luck = luckOf(`${id} ${start}`)
      const [came, left] = [start - Math.floor(luck() * 1_500_000), start + (440 + luck() * 60) * 60_000]
      if (came < now) enter(came, id, 'sign-in', { with: 'password' })
      if (left < now) enter(Math.floor(left), id, 'sign-out', null)
    }
  }
}
