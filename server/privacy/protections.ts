import { randomUUID } from 'node:crypto'
import { desc, eq, sql } from 'drizzle-orm'
import { MAX_LEADS_OF_PERSON } from '@/lib/contacts/contact-leads'
import type { Answer, Body } from '@/lib/contract/endpoints'
import { LEAD_KINDS } from '@/lib/contract/lists'
import type { ProtectionEntry } from '@/lib/contract/rights'
import { groupBy } from '@/lib/group-by'
import { getSchoolId } from '@/lib/leads/lead-table'
import { mayWorkOnLeads } from '@/server/access/colleagues'
import { type CommandLog, executeCommand } from '@/server/access/command'
import { findUserNames } from '@/server/access/users'
import { type Admin, maySeeSchool } from '@/server/access/viewer'
import { protectedPersons } from '@/server/base/access-schema'
import type { Db } from '@/server/base/database'
import { ConflictError, ForbiddenError, InvalidInputError, NotFoundError } from '@/server/base/errors'
import type { Services } from '@/server/base/services'
import { findContact } from '@/server/leads/get-contact'
import { readIfReady, readUnfilteredTable } from '@/server/leads/lead-tables'
import { findProtectedRows } from '@/server/leads/protected-rows'
import { decryptPerson, encryptPerson } from '@/server/leads/protection-list'
import { erasePersonMentions } from './mentions'
import { chooseCoverage, coversAny, coveragesOverlap } from './protection-coverage'

/** Protects a person by addresses, or by leads that have none. Throws ConflictError if too many leads share one. */
export async function protectPerson(services: Services, viewer: Admin, input: Body<'POST /api/protections'>) {
  const { seal, now } = services
  const { leads } = await findContact(services, viewer, input.contact)
  if (leads.length > MAX_LEADS_OF_PERSON)
    throw new ConflictError('Too many leads share this address for it to be one person’s')
  const coverage = chooseCoverage(leads, input)
  const allowedUserIds = await checkLeadWorkers(services, input.people)
  const id = randomUUID()
  await executeProtectionCommand(services, viewer, async (tx, log) => {
    // With two protections of one address, each would hide the person from users allowed by the other.
    for (const row of await tx.select().from(protectedPersons))
      if (coveragesOverlap(decryptPerson(seal, row), coverage))
        throw new ConflictError('The identity of this person is protected already')
    const sealedPerson = encryptPerson(seal, id, { ...coverage, reason: input.reason })
    const row = { id, sealedPerson, allowedUserIds, createdBy: viewer.id, createdAt: new Date(now()) }
    await tx.insert(protectedPersons).values(row)
    const coveredLeads = leads.filter((lead) => coversAny(coverage, [lead]))
    await erasePersonMentions(tx, seal, coveredLeads)
    await log({ action: 'protection-added', details: { protection: id, added: allowedUserIds, leads: leads.length } })
  })
  return { id }
}

/** Changes who may see the person. Administrators may add themselves, and the log shows it. */
export async function changeProtection(services: Services, viewer: Admin, change: { id: string; people: string[] }) {
  const { id } = change
  const allowedUserIds = await checkLeadWorkers(services, change.people)
  await executeProtectionCommand(services, viewer, async (tx, log) => {
    const { allowedUserIds: before } = await readRow(tx, id)
    await tx.update(protectedPersons).set({ allowedUserIds }).where(eq(protectedPersons.id, id))
    const added = allowedUserIds.filter((userId) => !before.includes(userId))
    const removed = before.filter((userId) => !allowedUserIds.includes(userId))
    await log({ action: 'protection-changed', details: { protection: id, added, removed } })
  })
}

/** Throws ForbiddenError unless the viewer is one of the users who may see the person. */
export async function liftProtection(services: Services, viewer: Admin, { id }: { id: string }) {
  await executeProtectionCommand(services, viewer, async (tx, log) => {
    const { allowedUserIds } = await readRow(tx, id)
    if (!allowedUserIds.includes(viewer.id)) throw new ForbiddenError()
    await tx.delete(protectedPersons).where(eq(protectedPersons.id, id))
    await log({ action: 'protection-lifted', details: { protection: id } })
  })
}

/** Runs one change of protections at a time, because two could protect the same address, and announces it. */
async function executeProtectionCommand(
  services: Services,
  viewer: Admin,
  change: (tx: Db, log: CommandLog) => Promise<void>,
) {
  await executeCommand(services, viewer, 'admin', async (tx, log) => {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext('intag.protections'))`)
    await change(tx, log)
  })
  await services.announcer.announceProtections()
}

async function readRow(tx: Db, id: string) {
  const [row] = await tx.select().from(protectedPersons).where(eq(protectedPersons.id, id))
  if (!row) throw new NotFoundError()
  return row
}

/** Returns each user once. Throws InvalidInputError if one of them may not work on leads. */
async function checkLeadWorkers({ users }: Services, userIds: readonly string[]) {
  const workers = new Set((await users.list()).filter(mayWorkOnLeads).map(({ id }) => id))
  if (!userIds.every((id) => workers.has(id))) throw new InvalidInputError('people')
  return [...new Set(userIds)]
}

/** Lists the protections. Of persons whom the viewer may not see, it tells only number and schools of the leads. */
export async function listProtections(services: Services, viewer: Admin): Promise<Answer<'GET /api/protections'>> {
  const db = await services.connect()
  const rows = await db.select().from(protectedPersons).orderBy(desc(protectedPersons.createdAt))
  const userIds = rows.flatMap(({ createdBy, allowedUserIds }) => [createdBy, ...allowedUserIds])
  const names = await findUserNames(db, userIds)
  const toNamedUser = (id: string) => ({ id, name: names.get(id) ?? '' })
  // The leads are null before the service's first answer.
  const leadsByPerson = await readIfReady(() => groupLeadsByPerson(services, viewer))
  const protections = rows.map((row): ProtectionEntry => {
    const { id, createdAt, createdBy, allowedUserIds } = row
    const leads = leadsByPerson?.get(id) ?? []
    const maySeePerson = allowedUserIds.includes(viewer.id)
    return {
      id,
      since: createdAt.toISOString(),
      by: createdBy === null ? null : toNamedUser(createdBy),
      people: allowedUserIds.map(toNamedUser),
      leads: leadsByPerson && leads.length,
      schools: [...new Set(leads.map(({ school }) => school))],
      shown: maySeePerson
        ? { reason: decryptPerson(services.seal, row).reason, contactId: leads[0]?.contactId ?? null }
        : null,
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
