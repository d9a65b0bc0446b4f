import { gt } from 'drizzle-orm'
import { createPersonMatcher, type PersonIdentifiers, toPersonIdentifiers } from '@/lib/contacts/named-in-text'
import type { LeadRef } from '@/lib/contract/lead'
import type { PersonMention } from '@/lib/contract/rights'
import { truncate } from '@/lib/cut-text'
import { leadKey } from '@/lib/leads/lead-key'
import type { Viewer } from '@/server/access/viewer'
import type { Db } from '@/server/base/database'
import { readInBatches } from '@/server/base/read-in-batches'
import { exports, notes } from '@/server/base/schema'
import type { Seal } from '@/server/base/seal'
import { sealContext } from '@/server/base/seal-context'
import type { Services } from '@/server/base/services'
import { decryptReason } from '@/server/export/export-log'
import type { FoundLead } from '@/server/leads/get-contact'
import { getLeadTables, maySeeLead } from '@/server/leads/lead-tables'
import { eraseFromViews, readAllViews } from '@/server/leads/saved-views'
import { eraseOwnTemplates, readOwnTemplates } from '@/server/replies/reply-templates'

const MAX_MENTIONS = 200
const MAX_TEXT_LENGTH = 200
const ROWS_AT_ONCE = 500

/** Finds texts of staff that name the person of `leads`, newest first. Notes on leads out of sight are left out. */
export async function findPersonMentions(services: Services, viewer: Viewer, leads: readonly FoundLead[]) {
  const tables = await getLeadTables(services, viewer)
  const findContactId = ({ kind, id }: LeadRef) => {
    const table = tables[kind]
    return maySeeLead(table, viewer, id) ? services.contactIds.createId(kind, table.getLead(table.findRow(id))) : null
  }
  const mentions: PersonMention[] = []
  for await (const { lead, ...mention } of matchTexts(readStaffTexts(services, leads), leads, readIdentifiers)) {
    const contactId = lead && findContactId(lead)
    if (lead === null || contactId !== null) mentions.push({ ...mention, contactId })
  }
  return selectNewest(mentions)
}

/** Finds views and own templates with an e-mail or phone of the leads. A name alone may be another person's. */
export async function findAddressMentions(services: Services, leads: readonly FoundLead[]) {
  const readAddresses = (lead: FoundLead) => ({ ...readIdentifiers(lead), firstName: '', lastName: '' })
  const mentions: Pick<PersonMention, 'kind' | 'text' | 'at'>[] = []
  for await (const { kind, text, at } of matchTexts(readViewsAndTemplates(services), leads, readAddresses))
    mentions.push({ kind, text, at })
  return selectNewest(mentions)
}

const selectNewest = <Mention extends { at: string }>(mentions: readonly Mention[]) =>
  mentions.toSorted((a, b) => (a.at < b.at ? 1 : -1)).slice(0, MAX_MENTIONS)

async function* matchTexts(
  staffTexts: AsyncIterable<StaffText>,
  leads: readonly FoundLead[],
  readPerson: (lead: FoundLead) => PersonIdentifiers,
) {
  const matchPersons = createPersonMatcher(leads.map(readPerson))
  for await (const { kind, writtenAt, texts, lead } of staffTexts) {
    // Each text is matched alone, because a first name in one text and a last name in another name nobody.
    const namedIndexes = new Set(texts.flatMap(matchPersons))
    if (namedIndexes.size === 0) continue
    const text = truncate(texts.filter(Boolean).join(' · '), MAX_TEXT_LENGTH)
    const namedLeads = leads.flatMap((own, index) => (namedIndexes.has(index) ? { kind: own.kind, id: own.id } : []))
    yield { kind, text, at: writtenAt.toISOString(), lead, leads: namedLeads }
  }
}

type StaffText = { kind: PersonMention['kind']; writtenAt: Date; texts: string[]; lead: LeadRef | null }

/** Reads all texts of staff but the notes on the person's own leads, which are deleted with the leads. */
async function* readStaffTexts(services: Services, leads: readonly FoundLead[]): AsyncGenerator<StaffText> {
  const { connect, seal } = services
  const db = await connect()
  yield* readViewsAndTemplates(services)
  const { id, startedAt, sealedReason } = exports
  const purposes = readInBatches(ROWS_AT_ONCE, (afterId, limit) =>
    db.select({ id, startedAt, sealedReason }).from(exports).where(gt(id, afterId)).orderBy(id).limit(limit),
  )
  for await (const row of purposes) {
    const { purpose, matching } = decryptReason(row, seal)
    yield { kind: 'purpose', writtenAt: row.startedAt, texts: [purpose, matching?.q ?? ''], lead: null }
  }
  const ownLeads = new Set(leads.map(leadKey))
  const allNotes = readInBatches(ROWS_AT_ONCE, (afterId, limit) =>
    db.select().from(notes).where(gt(notes.id, afterId)).orderBy(notes.id).limit(limit),
  )
  for await (const note of allNotes) {
    const lead = { kind: note.kind, id: note.leadId }
    if (ownLeads.has(leadKey(lead))) continue
    const text = seal.decrypt(note.sealedText, sealContext.note(note.id)) ?? ''
    yield { kind: 'note', writtenAt: note.createdAt, texts: [text], lead }
  }
}

async function* readViewsAndTemplates({ connect, seal }: Services): AsyncGenerator<StaffText> {
  const db = await connect()
  for (const { view, content } of await readAllViews(db, seal))
    yield { kind: 'view', writtenAt: view.createdAt, texts: [content.name, content.query.q ?? ''], lead: null }
  for (const template of await readOwnTemplates(db, seal))
    yield { kind: 'template', writtenAt: template.updatedAt, texts: [joinTexts(template)], lead: null }
}

/** Removes the leads from views, and deletes views and own templates that name the person. */
export async function erasePersonMentions(tx: Db, seal: Seal, leads: readonly FoundLead[]) {
  const matchPersons = createPersonMatcher(leads.map(readIdentifiers))
  const namesPerson = (text: string) => matchPersons(text).length > 0
  await eraseFromViews(tx, seal, leads, namesPerson)
  await eraseOwnTemplates(tx, seal, (texts) => namesPerson(joinTexts(texts)))
}

function readIdentifiers({ table, row }: FoundLead) {
  return toPersonIdentifiers(table.getLead(row))
}

/** A template is matched as one text, because its greeting may have the first name and its subject the last one. */
function joinTexts({ name, subject, body }: { name: string; subject: string; body: string }) {
  return [name, subject, body].join(' · ')
}
