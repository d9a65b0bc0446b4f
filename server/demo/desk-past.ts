import 'server-only'
import type { LeadKind, LeadList } from '@/lib/contract/lead'
import { LISTS_BY_KIND } from '@/lib/contract/lists'
import type { Matching } from '@/lib/contract/list-query'
import { addDays, stockholmDayStart } from '@/lib/time/stockholm'
import { placeOf } from '@/server/db/sealed-columns'
import type { exports, mentions, notes, savedViews } from '@/server/db/schema'
import type { Scopes } from '@/server/export/export-scopes'
import type { Seal } from '@/server/seal'
import { INVENTED, leaveOf, type Staff } from './colleagues'
import type { Life, PastEntry } from './lead-lives'
import type { Planned } from './lead-roles'
import { luckOf, type WorkingHours } from './working-hours'

type Rows = {
  notes: (typeof notes.$inferInsert)[]
  mentions: (typeof mentions.$inferInsert)[]
  views: (typeof savedViews.$inferInsert)[]
  exports: (typeof exports.$inferInsert)[]
}
export type DeskPast = Rows & { entries: PastEntry[] }

/** The ids of those of the demo's three accounts that work on leads. */
export type Guests = { staff: string; admin: string }

export type DeskParts = {
  seal: Seal
  scopes: Scopes
  hours: WorkingHours
  staff: Staff
  guests: Guests
  schools: readonly string[]
  now: number
  today: string
}

/** What colleagues wrote, kept and took out besides their decisions. Sealed where people's own words are. */
export function deskPast(parts: DeskParts, leads: readonly Planned[], lives: readonly Life[]): DeskPast {
  const past: DeskPast = { notes: [], mentions: [], views: [], exports: [], entries: [] }
  writeNotes(past, parts, leads, lives)
  keepViews(past, parts)
  takeExports(past, parts, leads)
  signIn(past, parts)
  return past
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
function writeNotes(past: DeskPast, parts: DeskParts, leads: readonly Planned[], lives: readonly Life[]): void {
  const { seal, now, guests, schools } = parts
  for (const [place, life] of lives.entries()) {
    const decided = life.decisions.at(-1)
    const lead = leads[place]
    if (!decided || !lead || now - decided.at > NOTED_SINCE_MS || past.notes.length >= MOST_NOTES) continue
    const luck = luckOf(`note ${life.kind} ${life.id}`)
    const isAside = lead.role.name === 'aside' || lead.role.name === 'talking'
    if (!isAside && luck() > 0.12) continue
    const isMention = past.mentions.length === 0 && schools.slice(0, 2).includes(lead.school)
    const text = isMention ? MENTION : (NOTES[Math.floor(luck() * NOTES.length)] ?? MENTION)
    const id = `${INVENTED}note-${past.notes.length + 1}`
    const at = new Date(Math.min(now - 30_000, decided.at + 60_000))
    const of = { kind: life.kind, leadId: life.id }
    past.notes.push({ id, ...of, authorId: decided.by, sealedText: seal.close(text, placeOf.note(id)), createdAt: at })
    if (isMention) past.mentions.push({ noteId: id, userId: guests.staff, ...of, at })
    const entry = { at: at.getTime(), by: decided.by, action: 'note-added', kind: life.kind, id: life.id }
    past.entries.push({ ...entry, details: { note: id } })
  }
}

type View = { list: LeadList; name: string; query: object; by: 'worker' | 'head' }
const VIEWS: readonly View[] = [
  { list: 'asked-questions', name: 'Vill bli uppringda', query: { mode: ['phone'], waiting: true }, by: 'worker' },
  { list: 'asked-questions', name: 'Ingen har tagit än', query: { assignee: ['none'], status: ['new'] }, by: 'worker' },
  { list: 'declarations-of-interest', name: 'Bjud in till öppet hus', query: { status: ['new'] }, by: 'worker' },
  { list: 'asked-questions', name: 'Alla skolor: försenade', query: { late: true }, by: 'head' },
  {
    list: 'declarations-of-interest',
    name: 'Pågående, alla skolor',
    query: { status: ['in-progress'] },
    by: 'head',
  },
]

/** Shared with those who see as much: what the first worker shares, the staff account sees. */
function keepViews(past: DeskPast, { seal, staff, hours, now }: DeskParts): void {
  const day = hours.daysBefore(now, 30).at(-1) ?? ''
  const at = (hours.startOf(day) ?? now) + 95 * 60_000
  VIEWS.forEach(({ list, name, query, by }, place) => {
    const id = `${INVENTED}view-${place + 1}`
    const owner = by === 'head' ? staff.head : staff.workers[0]
    if (owner === undefined) return
    const reach = owner.schools === 'all' ? ('all' as const) : [...owner.schools]
    const createdAt = new Date(at + place * 240_000)
    const sealedView = seal.close(JSON.stringify({ name, query }), placeOf.savedView(id))
    past.views.push({ id, ownerId: owner.id, list, sealedView, reach, shared: true, createdAt })
    const entry = { at: createdAt.getTime(), by: owner.id, action: 'view-added', kind: null, id: null }
    past.entries.push({ ...entry, details: { view: id, shared: true } })
  })
}

type Taken = {
  daysAgo: number
  who: 'guest' | 'admin' | 'head'
  kind: LeadKind
  purpose: string
  format: 'xlsx' | 'csv'
}
const EXPORTS: readonly Taken[] = [
  { daysAgo: 2, who: 'guest', kind: 'declaration-of-interest', purpose: 'Inbjudan till öppet hus', format: 'xlsx' },
  { daysAgo: 6, who: 'head', kind: 'asked-question', purpose: 'Månadsrapport', format: 'xlsx' },
  {
    daysAgo: 9,
    who: 'admin',
    kind: 'declaration-of-interest',
    purpose: 'Planering av grupper inför hösten',
    format: 'xlsx',
  },
  {
    daysAgo: 13,
    who: 'guest',
    kind: 'declaration-of-interest',
    purpose: 'Ringlista till kvällens ringning',
    format: 'csv',
  },
  { daysAgo: 21, who: 'admin', kind: 'asked-question', purpose: 'Vanliga frågor till webbsidan', format: 'xlsx' },
  {
    daysAgo: 34,
    who: 'guest',
    kind: 'declaration-of-interest',
    purpose: 'Inbjudan till gymnasiemässan',
    format: 'xlsx',
  },
]
const EXPORTED = 60
const COLUMNS = {
  'asked-question': ['createdAt', 'school', 'sender', 'email', 'phone', 'question'],
  'declaration-of-interest': ['createdAt', 'school', 'firstName', 'lastName', 'email', 'phone', 'year'],
} as const

/** Files for what schools take them for, each of what had come by then to the schools of whoever took it. */
function takeExports(past: DeskPast, parts: DeskParts, leads: readonly Planned[]): void {
  const { seal, scopes, hours, staff, guests, schools, now } = parts
  const days = hours.daysBefore(now, 40)
  EXPORTS.forEach(({ daysAgo, who, kind, purpose, format }, place) => {
    const at = new Date((hours.startOf(days[daysAgo] ?? '') ?? now) + (130 + place * 47) * 60_000)
    const own = who === 'guest' ? schools.slice(0, 2) : schools
    const ofThem = leads.filter((one) => one.kind === kind && one.createdAt < at.getTime() && own.includes(one.school))
    const leadIds = ofThem.slice(0, EXPORTED - place * 4).map(({ id }) => id)
    const id = `${INVENTED}export-${place + 1}`
    const userId = who === 'guest' ? guests.staff : who === 'admin' ? guests.admin : staff.head.id
    const { list } = LISTS_BY_KIND[kind]
    const matching: Matching = { list, school: own.slice(0, 2) }
    const sealedReason = seal.close(JSON.stringify({ purpose, matching, newOnly: false }), placeOf.export(id))
    const count = leadIds.length
    const columns = [...COLUMNS[kind]]
    const endedAt = new Date(at.getTime() + 2_000)
    const row = { id, userId, at, list, format, columns, count, written: count, endedAt, sealedReason, leadIds }
    past.exports.push({ ...row, state: 'finished', scope: scopes.of({ list, matching, format }) })
    const entry = { by: userId, kind: null, id: null }
    const details = { export: id, count, list, format, columns }
    past.entries.push({ ...entry, at: at.getTime(), action: 'export-started', details })
    const ended = { export: id, state: 'finished', written: count }
    past.entries.push({ ...entry, at: endedAt.getTime(), action: 'export-ended', details: ended })
  })
}

const SIGNED_IN_DAYS = 20

/** In the morning, and out in the afternoon; whoever is away stays away. */
function signIn(past: DeskPast, { hours, staff, now, today }: DeskParts): void {
  const leave = leaveOf(today)
  for (const day of hours.daysBefore(now, SIGNED_IN_DAYS)) {
    const start = hours.startOf(day) ?? stockholmDayStart(addDays(day, 1))
    for (const { id } of [...staff.workers, staff.head]) {
      if (id === staff.away.id && day >= leave.since) continue
      const luck = luckOf(`${id} ${day}`)
      const [came, left] = [start - Math.floor(luck() * 1_500_000), start + (440 + luck() * 60) * 60_000]
      const entry = { by: id, kind: null, id: null }
      if (came < now) past.entries.push({ ...entry, at: came, action: 'sign-in', details: { with: 'password' } })
      if (left < now) past.entries.push({ ...entry, at: Math.floor(left), action: 'sign-out', details: null })
    }
  }
}
