import { randomUUID } from 'node:crypto'
import { desc, eq, sql } from 'drizzle-orm'
import { toComparableEmail, toComparablePhone } from '@/lib/contacts/contact-key'
import { MAX_LEADS_OF_PERSON, toTraces } from '@/lib/contacts/contact-leads'
import type { Answer, Body } from '@/lib/contract/endpoints'
import type { LeadRef } from '@/lib/contract/lead'
import { LEAD_KINDS } from '@/lib/contract/lists'
import type { ProtectionEntry } from '@/lib/contract/rights'
import { groupBy } from '@/lib/group-by'
import { leadKey } from '@/lib/leads/lead-key'
import { getSchoolId } from '@/lib/leads/lead-table'
import { mayWorkOnLeads } from '@/server/access/colleagues'
import { executeCommand } from '@/server/access/command'
import { findUserNames } from '@/server/access/users'
import { type Admin, maySeeSchool } from '@/server/access/viewer'
import { protectedPersons } from '@/server/base/access-schema'
import type { Db } from '@/server/base/database'
import { ConflictError, ForbiddenError, InvalidInputError, NotFoundError } from '@/server/base/errors'
import type { Services } from '@/server/base/services'
import { findContact, type FoundLead } from '@/server/leads/get-contact'
import { readIfReady, readUnfilteredTable } from '@/server/leads/lead-tables'
import { findProtectedRows } from '@/server/leads/protected-rows'
import { decryptPerson, encryptPerson, type ProtectedPerson } from '@/server/leads/protection-list'
import { erasePersonMentions } from './mentions'

/** Protects a person by addresses, or by leads without any. Throws `ConflictError` if too many leads share one. */
export async function protectPerson(services: Services, viewer: Admin, input: Body<'POST /api/protections'>) {
  const { contact, people, reason } = input
  const { seal, now, announcer } = services
  const { found } = await findContact(services, viewer, contact)
  if (found.length > MAX_LEADS_OF_PERSON)
    throw new ConflictError('Too many leads share this address for it to be one person’s')
  const coverage = chooseCoverage(found, input)
  await requireLeadWorkers(services, people)
  const id = randomUUID()
  const allowedUsers = [...new Set(people)]
  await executeCommand(services, viewer, 'admin', async (tx, log) => {
    await lockProtections(tx)
    // With two protections of one address, each would hide the person from users allowed by the other.
    for (const row of await tx.select().from(protectedPersons))
      if (overlaps(decryptPerson(seal, row), coverage))
        throw new ConflictError('The identity of this person is protected already')
    const sealedPerson = encryptPerson(seal, id, { ...coverage, reason })
    const row = { id, sealedPerson, allowedUsers, createdBy: viewer.id, createdAt: new Date(now()) }
    await tx.insert(protectedPersons).values(row)
    const covered = found.filter((lead) => overlaps(coverage, { ...collectAddresses([lead]), leads: [lead] }))
    await erasePersonMentions(tx, seal, covered)
    await log({ action: 'protection-added', details: { protection: id, added: allowedUsers, leads: found.length } })
  })
  await announcer.announceProtections()
  return { id }
}

/** Throws `InvalidInputError` for an address that is not the contact's, or if it has some and none is chosen. */
function chooseCoverage(found: readonly FoundLead[], input: Addresses) {
  const known = collectAddresses(found)
  const choose = (field: keyof Addresses, compare: (text: string) => string | null) => {
    const chosen = new Set(input[field].map(compare))
    if (![...chosen].every((text) => text !== null && known[field].includes(text))) throw new InvalidInputError(field)
    return known[field].filter((text) => chosen.has(text))
  }
  const addresses = { emails: choose('emails', toComparableEmail), phones: choose('phones', toComparablePhone) }
  if (hasAddress(addresses)) return { ...addresses, leads: [] }
  if (hasAddress(known)) throw new InvalidInputError('emails')
  return { ...addresses, leads: found.map(({ kind, id }) => ({ kind, id })) }
}

/** Changes who may see the person. Administrators may add themselves, and the log shows it. */
export async function changeProtection(services: Services, viewer: Admin, change: { id: string; people: string[] }) {
  const { id, people } = change
  await requireLeadWorkers(services, people)
  await executeCommand(services, viewer, 'admin', async (tx, log) => {
    const { allowedUsers: before } = await lockAndReadRow(tx, id)
    const allowedUsers = [...new Set(people)]
    await tx.update(protectedPersons).set({ allowedUsers }).where(eq(protectedPersons.id, id))
    const added = allowedUsers.filter((one) => !before.includes(one))
    const removed = before.filter((one) => !allowedUsers.includes(one))
    await log({ action: 'protection-changed', details: { protection: id, added, removed } })
  })
  await services.announcer.announceProtections()
}

/** Throws `ForbiddenError` unless the viewer is one of the users who see the person. */
export async function liftProtection(services: Services, viewer: Admin, { id }: { id: string }) {
  await executeCommand(services, viewer, 'admin', async (tx, log) => {
    const { allowedUsers } = await lockAndReadRow(tx, id)
    if (!allowedUsers.includes(viewer.id)) throw new ForbiddenError()
    await tx.delete(protectedPersons).where(eq(protectedPersons.id, id))
    await log({ action: 'protection-lifted', details: { protection: id } })
  })
  await services.announcer.announceProtections()
}

/** Lists the protections. Who may not see a person gets only the number of leads and their schools, within scope. */
export async function listProtections(services: Services, viewer: Admin): Promise<Answer<'GET /api/protections'>> {
  const db = await services.connect()
  const rows = await db.select().from(protectedPersons).orderBy(desc(protectedPersons.createdAt))
  if (rows.length === 0) return { protections: [] }
  const users = rows.flatMap(({ createdBy, allowedUsers }) => [createdBy, ...allowedUsers])
  const names = await findUserNames(db, users)
  const toNamedUser = (id: string) => ({ id, name: names.get(id) ?? '' })
  // Null before the service's first answer.
  const leadsByPerson = await readIfReady(() => groupLeadsByPerson(services, viewer))
  const protections = rows.map((row): ProtectionEntry => {
    const leads = leadsByPerson?.get(row.id) ?? []
    const { reason } = decryptPerson(services.seal, row)
    return {
      id: row.id,
      since: row.createdAt.toISOString(),
      by: row.createdBy === null ? null : toNamedUser(row.createdBy),
      people: row.allowedUsers.map(toNamedUser),
      leads: leadsByPerson && leads.length,
      schools: [...new Set(leads.map(({ school }) => school))],
      shown: row.allowedUsers.includes(viewer.id) ? { reason, contactId: leads[0]?.contactId ?? null } : null,
    }
  })
  return { protections }
}

async function groupLeadsByPerson(services: Services, viewer: Admin) {
  const { protections } = await services.protections.getList()
  const leads: { personId: string; school: string; contactId: string }[] = []
  for (const kind of LEAD_KINDS) {
    const { table } = await readUnfilteredTable(services, kind)
    for (const [row, persons] of findProtectedRows(protections, table)) {
      const school = getSchoolId(table, row)
      if (!maySeeSchool(viewer, school)) continue
      const contactId = services.contactIds.createId(kind, table.getLead(row))
      for (const { id } of persons) leads.push({ personId: id, school, contactId })
    }
  }
  return groupBy(leads, ({ personId }) => personId)
}

export async function findProtection(services: Services, found: readonly FoundLead[]) {
  const contact = { ...collectAddresses(found), leads: found }
  const db = await services.connect()
  for (const row of await db.select().from(protectedPersons)) {
    const person = decryptPerson(services.seal, row)
    if (overlaps(person, contact)) return { id: row.id, people: row.allowedUsers, ...person }
  }
  return null
}

async function lockProtections(tx: Db) {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('intag.protections'))`)
}

async function lockAndReadRow(tx: Db, id: string) {
  await lockProtections(tx)
  const [row] = await tx.select().from(protectedPersons).where(eq(protectedPersons.id, id))
  if (!row) throw new NotFoundError()
  return row
}

type Addresses = Pick<ProtectedPerson, 'emails' | 'phones'>

export function collectAddresses(found: readonly FoundLead[]): Addresses {
  const traces = found.map(({ table, row }) => toTraces(table.getLead(row)))
  return {
    emails: [...new Set(traces.flatMap(({ email }) => email ?? []))],
    phones: [...new Set(traces.flatMap(({ phone }) => phone ?? []))],
  }
}

function hasAddress({ emails, phones }: Addresses) {
  return emails.length + phones.length > 0
}

type Coverage = Addresses & { leads: readonly LeadRef[] }

function overlaps(one: Coverage, other: Coverage) {
  const otherLeads = new Set(other.leads.map(leadKey))
  return (
    one.emails.some((email) => other.emails.includes(email)) ||
    one.phones.some((phone) => other.phones.includes(phone)) ||
    one.leads.some((lead) => otherLeads.has(leadKey(lead)))
  )
}

async function requireLeadWorkers({ users }: Services, people: readonly string[]) {
  const able = new Set((await users.list()).filter(mayWorkOnLeads).map(({ id }) => id))
  if (people.some((id) => !able.has(id))) throw new InvalidInputError('people')
}
