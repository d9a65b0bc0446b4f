import 'server-only'
import { asc, gt } from 'drizzle-orm'
import { namedBy, personsNamed, personsSearched } from '@/lib/contacts/named-in-text'
import type { LeadKind } from '@/lib/contract/lead'
import type { NamingText } from '@/lib/contract/rights'
import { truncate } from '@/lib/cut-text'
import { isHiddenRow } from '@/lib/leads/lead-table'
import { tableSearch } from '@/lib/leads/table-search'
import type { Viewer } from '@/server/access/viewer'
import type { FoundLead } from '@/server/leads/get-contact'
import type { Db } from '@/server/base/database'
import { exports, notes } from '@/server/base/schema'
import { placeOf } from '@/server/base/sealed-columns'
import { eraseOwnTemplates, ownTemplates } from '@/server/replies/reply-templates'
import { everyView, eraseFromViews } from '@/server/leads/saved-views'
import { everyRow, decryptReason } from '@/server/export/export-log'
import { leadTables, type LeadParts, schoolInReach } from '@/server/leads/select-leads'
import type { Seal } from '@/server/base/seal'
import { userNames } from '@/server/access/users'
import type { Services } from '@/server/base/services'
import { leadKey } from '@/lib/leads/lead-key'

type Parts = LeadParts & Pick<Services, 'connect' | 'seal' | 'contactIds'>
type NamingMatch = Omit<NamingText, 'text' | 'by'> & { text: string; byId: string | null }

const MAX_PER_KIND = 100
const MAX_LETTERS = 200
const ROWS_AT_ONCE = 500

/** Removes the leads from views, and deletes views and own templates that name the person. Returns how many. */
export async function eraseNamingTexts(tx: Db, seal: Seal, found: readonly FoundLead[]) {
  const namedIn = namedInWords(found)
  const isNaming = (words: Words) => namedIn(words).length > 0
  return {
    views: await eraseFromViews(tx, seal, found, ({ name, query: { q } }) => isNaming({ text: name, q })),
    templates: await eraseOwnTemplates(tx, seal, (texts) => isNaming({ text: textOf(texts) })),
  }
}

export const textOf = ({ name, subject, body }: { name: string; subject: string; body: string }): string =>
  [name, subject, body].join(' · ')

type Words = { text: string; q?: string | undefined }
type NamedIn = (words: Words) => NamingText['leads']

function namedInWords(found: readonly FoundLead[]): NamedIn {
  const persons = found.map(({ table, row }) => namedBy(table.lead(row)))
  const [named, searched] = [personsNamed(persons), personsSearched(persons)]
  const isFound = (q: string, one: FoundLead | undefined) =>
    one !== undefined && tableSearch(one.table, q)?.matches(one.row) === true
  return ({ text, q = '' }) => {
    // Separately: together they might name a person whom neither identifies.
    const places = new Set([...named(text), ...named(q), ...searched(q).filter((at) => isFound(q, found[at]))])
    return Array.from(places).flatMap((at) => refOf(found[at]))
  }
}

/** Views and own templates are deleted; purposes of exports and notes on other leads stay. The newest of each kind. */
export async function namingTexts(parts: Parts, viewer: Viewer, leads: readonly FoundLead[]) {
  const namedIn = namedInWords(leads)
  const db = await parts.connect()
  const kinds = [
    await viewsNaming(db, parts.seal, namedIn),
    await templatesNaming(db, parts.seal, namedIn),
    await purposesNaming(db, parts.seal, namedIn),
    await notesNaming(parts, viewer, { db, own: new Set(leads.map(leadKey)), namedIn }),
  ].map((found) => found.toSorted((a, b) => (a.at < b.at ? 1 : -1)))
  const newest = kinds.flatMap((found) => found.slice(0, MAX_PER_KIND))
  const names = await userNames(db, new Set(newest.map(({ byId }) => byId)))
  const naming = newest.map(({ byId, text, ...rest }) => ({
    ...rest,
    text: truncate(text, MAX_LETTERS),
    by: names.get(byId ?? '') ?? null,
  }))
  return { naming }
}

function refOf(lead: FoundLead | undefined): NamingText['leads'] {
  return lead === undefined ? [] : [{ kind: lead.kind, id: lead.id }]
}

async function viewsNaming(db: Db, seal: Seal, namedIn: NamedIn): Promise<NamingMatch[]> {
  return (await everyView(db, seal)).flatMap(({ view: { createdAt: at, ownerId: byId }, content: { name, query } }) =>
    matchIn({ text: name, q: query.q }, namedIn, { what: 'view', at, byId }),
  )
}

async function templatesNaming(db: Db, seal: Seal, namedIn: NamedIn): Promise<NamingMatch[]> {
  return (await ownTemplates(db, seal)).flatMap(({ updatedAt: at, ownerId: byId, ...texts }) =>
    matchIn({ text: textOf(texts) }, namedIn, { what: 'template', at, byId }),
  )
}

async function purposesNaming(db: Db, seal: Seal, namedIn: NamedIn): Promise<NamingMatch[]> {
  const { id, at, userId: byId, sealedReason } = exports
  const read = (after: string) =>
    db.select({ id, at, byId, sealedReason }).from(exports).where(gt(id, after)).orderBy(asc(id)).limit(ROWS_AT_ONCE)
  const found: NamingMatch[] = []
  for await (const row of everyRow(ROWS_AT_ONCE, read)) {
    const reason = decryptReason(row, seal)
    const words = { text: reason?.purpose ?? '', q: reason?.matching?.q }
    found.push(...matchIn(words, namedIn, { what: 'purpose', at: row.at, byId: row.byId }))
  }
  return found
}

function matchIn(words: Words, namedIn: NamedIn, { at, ...rest }: Pick<NamingMatch, 'what' | 'byId'> & { at: Date }) {
  const leads = namedIn(words)
  const text = [words.text, words.q ?? ''].filter((one) => one !== '').join(' · ')
  return leads.length === 0 ? [] : [{ ...rest, text, at: at.toISOString(), contactId: null, leads }]
}

type NotesQuery = { db: Db; own: ReadonlySet<string>; namedIn: NamedIn }

/** Notes on the person's own leads are erased, or hidden, with the person. */
async function notesNaming(parts: Parts, viewer: Viewer, { db, own, namedIn }: NotesQuery): Promise<NamingMatch[]> {
  const tables = await leadTables(parts, viewer)
  const contactOf = (kind: LeadKind, leadId: string) => {
    const table = tables[kind]
    if (schoolInReach(table, viewer, leadId) === null || isHiddenRow(table, table.rowOf(leadId))) return null
    return parts.contactIds.of(kind, table.lead(table.rowOf(leadId)))
  }
  const read = (after: string) =>
    db.select().from(notes).where(gt(notes.id, after)).orderBy(asc(notes.id)).limit(ROWS_AT_ONCE)
  const found: NamingMatch[] = []
  for await (const { id, kind, leadId, authorId: byId, sealedText, createdAt } of everyRow(ROWS_AT_ONCE, read)) {
    if (own.has(leadKey({ kind, id: leadId }))) continue
    const text = parts.seal.decrypt(sealedText, placeOf.note(id)) ?? ''
    const leads = namedIn({ text })
    const contactId = leads.length === 0 ? null : contactOf(kind, leadId)
    if (contactId !== null) found.push({ what: 'note', text, at: createdAt.toISOString(), byId, contactId, leads })
  }
  return found
}
