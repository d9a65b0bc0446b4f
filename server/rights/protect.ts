import 'server-only'
import { randomUUID } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import { comparableEmail, comparablePhone } from '@/lib/contacts/contact-key'
import { MOST_LEADS_OF_ONE, tracesOf } from '@/lib/contacts/contact-leads'
import type { NewProtection, ProtectionChange } from '@/lib/contract/rights'
import { command, type CommandParts } from '@/server/access/command'
import type { Allowed } from '@/server/access/viewer'
import type { ContactIds } from '@/server/contacts/contact-id'
import { findContact, type FoundLead } from '@/server/contacts/get-contact'
import { protectedPersons } from '@/server/db/access-schema'
import type { Db } from '@/server/db/database'
import { ConflictError, ForbiddenError, InvalidInputError, NotFoundError } from '@/server/errors'
import type { Announcer } from '@/server/events/announcer'
import type { LeadParts } from '@/server/leads/select-leads'
import type { Seal } from '@/server/seal'
import { mayWorkOnLeads } from '@/server/users/people'
import type { Users } from '@/server/users/users'
import { eraseNamingViews } from './naming-texts'
import { openPerson, type SealedPerson, sealPerson } from './protections'

type Parts = CommandParts &
  LeadParts & {
    contactIds: ContactIds
    users: Pick<Users, 'list'>
    announcer: Pick<Announcer, 'protections'>
    seal: Seal
    now: () => number
  }

/**
 * From now on only the people named are shown who is behind the contact's leads, and behind those that are yet to come from the same
 * e-mail or phone. Views that name the person go, as at an erasure. InvalidInputError for an address that none of the leads has, and for somebody who cannot read leads;
 * ConflictError when the person is protected already, or so many share the address that it is nobody's.
 */
export async function protectPerson(
  parts: Parts,
  viewer: Allowed<'admin'>,
  { contact, people, reason, ...given }: NewProtection,
): Promise<{ id: string }> {
  const { found } = await findContact(parts, viewer, contact)
  if (found.length > MOST_LEADS_OF_ONE)
    throw new ConflictError('Too many leads share this address for it to be one person’s')
  const by = addressesIn(given, known(found))
  const isNobody = by.emails.length + by.phones.length === 0
  if (isNobody && hasAddress(found)) throw new InvalidInputError('emails')
  await checkPeople(parts, people)
  const id = randomUUID()
  const at = new Date(parts.now())
  const leads = isNobody ? found.map((lead) => ({ kind: lead.kind, id: lead.id })) : []
  const allowedUsers = [...new Set(people)]
  const changes = [{ at: at.toISOString(), by: viewer.id, added: allowedUsers, removed: [] }]
  await command(parts, viewer, 'admin', async (tx, log) => {
    await lockProtections(tx)
    await refuseSecond(tx, parts.seal, { ...by, leads })
    const sealedPerson = sealPerson(parts.seal, id, { ...by, leads, reason, changes })
    await tx.insert(protectedPersons).values({ id, sealedPerson, allowedUsers, createdBy: viewer.id, createdAt: at })
    const views = await eraseNamingViews(tx, parts.seal, coveredBy(found, { ...by, leads }))
    const details = { protection: id, added: allowedUsers, leads: found.length, views }
    await log({ action: 'protection-added', details })
  })
  await parts.announcer.protections()
  return { id }
}

/**
 * Names other people, or takes in another address of the person; the latter only by those who are named, ForbiddenError for all
 * others. An administrator may name themselves: the log and the list of protections say so.
 */
export async function changeProtection(
  parts: Parts,
  viewer: Allowed<'admin'>,
  { id, people, addresses }: ProtectionChange & { id: string },
): Promise<void> {
  if (people) await checkPeople(parts, people)
  const found = addresses && (await findContact(parts, viewer, addresses.contact)).found
  const its = found && known(found)
  await command(parts, viewer, 'admin', async (tx, log) => {
    const row = await lockedRow(tx, id)
    const person = openPerson(parts.seal, row)
    if (addresses && !row.allowedUsers.includes(viewer.id)) throw new ForbiddenError()
    const by = addresses && its ? newAddresses(person, its, addresses) : {}
    const allowedUsers = [...new Set(people ?? row.allowedUsers)]
    const added = allowedUsers.filter((one) => !row.allowedUsers.includes(one))
    const removed = row.allowedUsers.filter((one) => !allowedUsers.includes(one))
    const isOther = added.length + removed.length > 0
    const at = new Date(parts.now()).toISOString()
    const changes = isOther
      ? [...person.changes, { at, by: viewer.id, added, removed }].slice(-MOST_CHANGES)
      : person.changes
    const sealedPerson = sealPerson(parts.seal, id, { ...person, ...by, changes })
    await tx.update(protectedPersons).set({ allowedUsers, sealedPerson }).where(eq(protectedPersons.id, id))
    if (found) await eraseNamingViews(tx, parts.seal, coveredBy(found, { ...person, ...by }))
    const isByAddress = addresses !== undefined && addresses.emails.length + addresses.phones.length > 0
    const details = { protection: id, ...(isOther && { added, removed }), ...(isByAddress && { addresses: true }) }
    await log({ action: 'protection-changed', details })
  })
  await parts.announcer.protections()
}

/** Beyond these the log knows. */
const MOST_CHANGES = 100

/** Everybody who may see the leads is shown the person again. Only somebody who is named may decide that. */
export async function liftProtection(parts: Parts, viewer: Allowed<'admin'>, { id }: { id: string }): Promise<void> {
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

type Addresses = Pick<SealedPerson, 'emails' | 'phones'>

/** By what the leads' person is known, in comparable form. */
export function known(found: readonly FoundLead[]): Addresses {
  const traces = found.map(({ table, row }) => tracesOf(table.lead(row)))
  return {
    emails: [...new Set(traces.flatMap(({ email }) => email ?? []))],
    phones: [...new Set(traces.flatMap(({ phone }) => phone ?? []))],
  }
}

type Covering = Addresses & Pick<SealedPerson, 'leads'>

/** The leads that have one of these addresses; where there is none, those that are protected by themselves. */
function coveredBy(found: readonly FoundLead[], { emails, phones, leads }: Covering): FoundLead[] {
  const isNobody = emails.length + phones.length === 0
  return found.filter(({ kind, id, table, row }) => {
    if (isNobody) return leads.some((lead) => lead.kind === kind && lead.id === id)
    const { email, phone } = tracesOf(table.lead(row))
    return (email !== null && emails.includes(email)) || (phone !== null && phones.includes(phone))
  })
}

function hasAddress(found: readonly FoundLead[]): boolean {
  const { emails, phones } = known(found)
  return emails.length + phones.length > 0
}

/** What was given in comparable form; InvalidInputError for what is not among `among`. */
function addressesIn({ emails, phones }: Addresses, among: Addresses): Addresses {
  const comparable = (texts: string[], field: keyof Addresses, compare: (text: string) => string | null) => {
    const all = texts.map((text) => compare(text))
    if (all.some((text) => text === null || !among[field].includes(text))) throw new InvalidInputError(field)
    return [...new Set(all.flatMap((text) => text ?? []))]
  }
  return {
    emails: comparable(emails, 'emails', comparableEmail),
    phones: comparable(phones, 'phones', comparablePhone),
  }
}

function newAddresses(person: SealedPerson, its: Addresses, given: Addresses): Addresses {
  const among = { emails: [...person.emails, ...its.emails], phones: [...person.phones, ...its.phones] }
  const by = addressesIn(given, among)
  if (by.emails.length + by.phones.length + person.leads.length === 0) throw new InvalidInputError('addresses')
  return by
}

async function checkPeople({ users }: Pick<Parts, 'users'>, people: readonly string[]): Promise<void> {
  const able = new Set((await users.list()).filter(mayWorkOnLeads).map(({ id }) => id))
  if (people.some((id) => !able.has(id))) throw new InvalidInputError('people')
}

/** Two protections of one person would ask everybody who is named in one to be named in the other. */
async function refuseSecond(tx: Db, seal: Seal, { emails, phones, leads }: Covering) {
  for (const row of await tx.select().from(protectedPersons)) {
    const other = openPerson(seal, row)
    const isSame =
      emails.some((email) => other.emails.includes(email)) ||
      phones.some((phone) => other.phones.includes(phone)) ||
      leads.some(({ kind, id }) => other.leads.some((lead) => lead.kind === kind && lead.id === id))
    if (isSame) throw new ConflictError('The identity of this person is protected already')
  }
}
