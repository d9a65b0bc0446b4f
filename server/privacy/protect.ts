import 'server-only'
import { randomUUID } from 'node:crypto'
import { desc, eq, sql } from 'drizzle-orm'
import { comparableEmail, comparablePhone } from '@/lib/contacts/contact-key'
import { MAX_LEADS_OF_PERSON, tracesOf } from '@/lib/contacts/contact-leads'
import type { LeadRef } from '@/lib/contract/lead'
import { LEAD_KINDS } from '@/lib/contract/lists'
import type { NewProtection, ProtectionChange, ProtectionEntry, ProtectionsAnswer } from '@/lib/contract/rights'
import { schoolOf } from '@/lib/leads/lead-table'
import { command, type CommandParts } from '@/server/access/command'
import { maySee, type Viewer, type Admin } from '@/server/access/viewer'
import { findContact, type FoundLead } from '@/server/leads/get-contact'
import { protectedPersons } from '@/server/base/access-schema'
import type { Db } from '@/server/base/database'
import { ConflictError, ForbiddenError, InvalidInputError, NotFoundError } from '@/server/base/errors'
import { countedTable, type LeadParts, onceReady } from '@/server/leads/select-leads'
import type { Seal } from '@/server/base/seal'
import { mayWorkOnLeads, userNames } from '@/server/access/users'
import type { Services } from '@/server/base/services'
import { eraseNamingTexts } from './naming-texts'
import { leadKey } from '@/lib/leads/lead-key'
import { decryptPerson, type ProtectedPerson, encryptPerson } from '@/server/leads/protected-person'
import { rowsOfProtected } from '@/server/leads/protected-rows'

type Parts = CommandParts & LeadParts & Pick<Services, 'contactIds' | 'users' | 'announcer' | 'seal' | 'now'>

/** ConflictError if the person is protected already, or too many leads share the address. */
export async function protectPerson(
  parts: Parts,
  viewer: Admin,
  { contact, people, reason, ...addresses }: NewProtection,
) {
  const { found } = await findContact(parts, viewer, contact)
  if (found.length > MAX_LEADS_OF_PERSON)
    throw new ConflictError('Too many leads share this address for it to be one person’s')
  const addressesFound = addressesOf(found)
  const by = addressesIn(addresses, addressesFound)
  const hasNoAddress = by.emails.length + by.phones.length === 0
  if (hasNoAddress && addressesFound.emails.length + addressesFound.phones.length > 0)
    throw new InvalidInputError('emails')
  await checkPeople(parts, people)
  const id = randomUUID()
  const at = new Date(parts.now())
  const leads = hasNoAddress ? found.map((lead) => ({ kind: lead.kind, id: lead.id })) : []
  const allowedUsers = [...new Set(people)]
  await command(parts, viewer, 'admin', async (tx, log) => {
    await lockProtections(tx)
    await requireUnprotected(tx, parts.seal, { ...by, leads })
    const sealedPerson = encryptPerson(parts.seal, id, { ...by, leads, reason })
    await tx.insert(protectedPersons).values({ id, sealedPerson, allowedUsers, createdBy: viewer.id, createdAt: at })
    const erased = await eraseNamingTexts(tx, parts.seal, coveredBy(found, { ...by, leads }))
    const details = { protection: id, added: allowedUsers, leads: found.length, ...erased }
    await log({ action: 'protection-added', details })
  })
  await parts.announcer.protections()
  return { id }
}

/** Only allowed users may change addresses. Administrators may allow themselves: the log shows it. */
export async function changeProtection(
  parts: Parts,
  viewer: Admin,
  { id, people, addresses }: ProtectionChange & { id: string },
): Promise<void> {
  if (people) await checkPeople(parts, people)
  const found = addresses && (await findContact(parts, viewer, addresses.contact)).found
  const addressesFound = found && addressesOf(found)
  await command(parts, viewer, 'admin', async (tx, log) => {
    const row = await lockedRow(tx, id)
    const person = decryptPerson(parts.seal, row)
    if (addresses && !row.allowedUsers.includes(viewer.id)) throw new ForbiddenError()
    const by = addresses && addressesFound ? newAddresses(person, addressesFound, addresses) : {}
    const allowedUsers = [...new Set(people ?? row.allowedUsers)]
    const added = allowedUsers.filter((one) => !row.allowedUsers.includes(one))
    const removed = row.allowedUsers.filter((one) => !allowedUsers.includes(one))
    const isOther = added.length + removed.length > 0
    const sealedPerson = encryptPerson(parts.seal, id, { ...person, ...by })
    await tx.update(protectedPersons).set({ allowedUsers, sealedPerson }).where(eq(protectedPersons.id, id))
    if (found) await eraseNamingTexts(tx, parts.seal, coveredBy(found, { ...person, ...by }))
    const isByAddress = addresses !== undefined && addresses.emails.length + addresses.phones.length > 0
    const details = { protection: id, ...(isOther && { added, removed }), ...(isByAddress && { addresses: true }) }
    await log({ action: 'protection-changed', details })
  })
  await parts.announcer.protections()
}

export async function liftProtection(parts: Parts, viewer: Admin, { id }: { id: string }): Promise<void> {
  await command(parts, viewer, 'admin', async (tx, log) => {
    const row = await lockedRow(tx, id)
    if (!row.allowedUsers.includes(viewer.id)) throw new ForbiddenError()
    await tx.delete(protectedPersons).where(eq(protectedPersons.id, id))
    await log({ action: 'protection-lifted', details: { protection: id } })
  })
  await parts.announcer.protections()
}

async function lockProtections(tx: Db): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('intag.protections'))`)
}

async function lockedRow(tx: Db, id: string) {
  await lockProtections(tx)
  const [row] = await tx.select().from(protectedPersons).where(eq(protectedPersons.id, id))
  if (!row) throw new NotFoundError()
  return row
}

type Addresses = Pick<ProtectedPerson, 'emails' | 'phones'>

export function addressesOf(found: readonly FoundLead[]): Addresses {
  const traces = found.map(({ table, row }) => tracesOf(table.lead(row)))
  return {
    emails: [...new Set(traces.flatMap(({ email }) => email ?? []))],
    phones: [...new Set(traces.flatMap(({ phone }) => phone ?? []))],
  }
}

type Covering = Addresses & { leads: readonly LeadRef[] }

export function overlap(one: Covering, other: Covering): boolean {
  const names = new Set(other.leads.map(leadKey))
  return (
    one.emails.some((email) => other.emails.includes(email)) ||
    one.phones.some((phone) => other.phones.includes(phone)) ||
    one.leads.some((lead) => names.has(leadKey(lead)))
  )
}

/** Without addresses those protected by id. */
function coveredBy(found: readonly FoundLead[], { emails, phones, leads }: Covering): FoundLead[] {
  const isNobody = emails.length + phones.length === 0
  const by = isNobody ? { emails, phones, leads } : { emails, phones, leads: [] }
  return found.filter((lead) => overlap(by, { ...addressesOf([lead]), leads: [lead] }))
}

/** In comparable form; InvalidInputError for an address that is not in `among`. */
function addressesIn({ emails, phones }: Addresses, among: Addresses): Addresses {
  const comparableOnly = (texts: string[], field: keyof Addresses, compare: (text: string) => string | null) => {
    const all = texts.map((text) => compare(text))
    if (all.some((text) => text === null || !among[field].includes(text))) throw new InvalidInputError(field)
    return [...new Set(all.flatMap((text) => text ?? []))]
  }
  return {
    emails: comparableOnly(emails, 'emails', comparableEmail),
    phones: comparableOnly(phones, 'phones', comparablePhone),
  }
}

function newAddresses(person: ProtectedPerson, addressesFound: Addresses, addresses: Addresses): Addresses {
  const among = {
    emails: [...person.emails, ...addressesFound.emails],
    phones: [...person.phones, ...addressesFound.phones],
  }
  const by = addressesIn(addresses, among)
  if (by.emails.length + by.phones.length + person.leads.length === 0) throw new InvalidInputError('addresses')
  return by
}

async function checkPeople({ users }: Pick<Parts, 'users'>, people: readonly string[]): Promise<void> {
  const able = new Set((await users.list()).filter(mayWorkOnLeads).map(({ id }) => id))
  if (people.some((id) => !able.has(id))) throw new InvalidInputError('people')
}

/** With two protections of one person, each would hide the person from users allowed by the other. */
async function requireUnprotected(tx: Db, seal: Seal, covering: Covering) {
  for (const row of await tx.select().from(protectedPersons))
    if (overlap(decryptPerson(seal, row), covering))
      throw new ConflictError('The identity of this person is protected already')
}

type ListParts = LeadParts & Pick<Services, 'connect' | 'contactIds' | 'users' | 'seal'>

/** Others than allowed users get nothing of the person, only how many leads there are at which schools in scope. */
export async function listProtections(parts: ListParts, viewer: Admin): Promise<ProtectionsAnswer> {
  const db = await parts.connect()
  const rows = await db.select().from(protectedPersons).orderBy(desc(protectedPersons.createdAt))
  const persons = rows.map((row) => ({ row, person: decryptPerson(parts.seal, row) }))
  const userIds = rows.flatMap(({ createdBy, allowedUsers }) => [createdBy, ...allowedUsers])
  const names = await userNames(db, userIds)
  const named = (id: string) => ({ id, name: names.get(id) ?? '' })
  const leadsOf = rows.length === 0 ? null : await leadsByProtection(parts, viewer)
  const protections = persons.map(({ row, person }): ProtectionEntry => {
    const leads = leadsOf?.get(row.id)
    return {
      id: row.id,
      since: row.createdAt.toISOString(),
      by: row.createdBy === null ? null : named(row.createdBy),
      people: row.allowedUsers.map(named),
      leads: leadsOf === null ? null : (leads?.count ?? 0),
      schools: [...(leads?.schools ?? [])],
      shown: row.allowedUsers.includes(viewer.id)
        ? { reason: person.reason, contactId: leads?.contactId ?? null }
        : null,
    }
  })
  const people = (await parts.users.list()).filter(mayWorkOnLeads).map(({ id, name }) => ({ id, name }))
  return { protections, people }
}

/** Null before the service's first answer. */
async function leadsByProtection({ contactIds, ...parts }: ListParts, viewer: Viewer) {
  const { all } = await parts.protections.current()
  const leads = new Map<string, { count: number; schools: Set<string>; contactId: string }>()
  return onceReady(async () => {
    for (const kind of LEAD_KINDS) {
      const { table } = await countedTable(parts, kind)
      for (const [row, persons] of rowsOfProtected(all, table)) {
        const school = schoolOf(table, row)
        if (!maySee(viewer, school)) continue
        const contactId = contactIds.of(kind, table.lead(row))
        for (const { id } of persons) {
          const counted = leads.get(id) ?? { count: 0, schools: new Set<string>(), contactId }
          leads.set(id, { ...counted, count: counted.count + 1, schools: counted.schools.add(school) })
        }
      }
    }
    return leads
  })
}
