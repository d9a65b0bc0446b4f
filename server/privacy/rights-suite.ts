import { randomUUID } from 'node:crypto'
import { eq, inArray } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { declaration } from '@/lib/leads/testing/leads'
import { type Admin, requirePermission } from '@/server/access/viewer'
import type { Connect } from '@/server/base/database'
import { NotFoundError } from '@/server/base/errors'
import { activity, exports, notes, triage } from '@/server/base/schema'
import { addAttempt } from '@/server/leads/attempts'
import { addNote, listNotes } from '@/server/leads/notes'
import { addView, listViews } from '@/server/leads/saved-views'
import { eraseData, getContactRights, makeExtract } from './contact-rights'
import { openRightsDesk } from './testing/rights-desk'

const list = 'declarations-of-interest'
const kind = 'declaration-of-interest'

/** Tests what a person may ask for, on any database. */
export function rightsSuite(connect: Connect) {
  describe('a person’s rights', () => {
    const [mine, also, sibling, other] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()]
    const ids = [mine, also, sibling, other]
    const email = `${mine}@example.se`
    const elsas = declaration(mine, { firstName: 'Elsa', lastName: '<Berg>', email, phone: '0701740605' })
    let desk: Awaited<ReturnType<typeof openRightsDesk>>
    let anna: Admin
    let contactId = ''
    const leads = [mine, also].map((one) => ({ kind, id: one }) as const)

    beforeAll(async () => {
      desk = await openRightsDesk({ db: await connect(), close: async () => {} })
      const { parts } = desk
      desk.setDeclarations([
        elsas,
        declaration(also, { firstName: 'Elsa', lastName: '<Berg>', email, school: 'sodra' }),
        declaration(sibling, { firstName: 'Otto', lastName: 'Berg', email: 'otto@example.se', phone: '070-174 06 05' }),
        declaration(other, { firstName: 'Maja', email: 'maja@example.se' }),
      ])
      anna = requirePermission(await desk.addPerson(randomUUID(), 'admin', 'all'), 'admin')
      contactId = desk.getContactId(elsas)
      const all = ids.map((one) => ({ kind, id: one }) as const)
      await desk.decide(anna, all, { status: 'handled', assignee: 'me' })
      // Decisions are dated by the clock of the process, everything else by the desk's.
      desk.time.ms = Date.now() + 1_000
      for (const lead of all) await addNote(parts, anna, { ...lead, text: `Om ${lead.id}` })
      await addAttempt(parts, anna, { kind, id: mine, channel: 'phone', outcome: 'talked' })
      const reason = { purpose: 'Ringa <alla>', matching: null, newOnly: false }
      const entry = { list, format: 'csv', scope: randomUUID(), reason } as const
      const leadIds = [other, mine, sibling, also]
      const exportId = await parts.exportLog.begin(anna, { ...entry, columns: ['email'], leadIds })
      await parts.exportLog.end({ id: exportId, state: 'finished', written: leadIds.length })
      await parts.exportLog.begin(anna, { ...entry, columns: ['email'], leadIds: [other] })
      // A question may have the id of a declaration.
      const questions = { ...entry, list: 'asked-questions' } as const
      await parts.exportLog.begin(anna, { ...questions, columns: ['email'], leadIds: [mine, also] })
      await addView(parts, anna, { list: 'asked-questions', name: 'Vy', query: { id: [mine] }, shared: false })
      for (const query of [{ id: [mine, other] }, { id: [also] }, { q: email.toUpperCase() }, { q: 'maja' }]) {
        desk.time.ms += 1_000
        await addView(parts, anna, { list, name: 'Vy', query, shared: false })
      }
    })

    const listQueries = async () => (await listViews(desk.parts, anna)).views.map(({ query }) => query)
    const readStoredLead = async (leadId: string) => {
      const { leads: storedLeads } = await getContactRights(desk.parts, anna, { id: contactId })
      return storedLeads.find((lead) => lead.id === leadId) ?? 'not among them'
    }

    test('the page has what is kept of the person’s leads; a sibling’s is marked as of another name', async () => {
      const kept = { triage: { status: 'handled' }, notes: [{ text: `Om ${mine}` }], exports: [{}] }
      expect(await readStoredLead(mine)).toMatchObject({ isOther: false, ...kept })
      expect(await readStoredLead(sibling)).toMatchObject({ isOther: true })
      expect(await readStoredLead(other)).toBe('not among them')
    })

    test('the extract has everything about the chosen leads until this very moment, nothing of others, and is logged', async () => {
      const { parts } = desk
      const db = await connect()
      const stina = await desk.addPerson(randomUUID(), 'staff', ['norra'])
      await listNotes(parts, requirePermission(stina, 'leads:read'), { kind, id: mine })
      const extract = await makeExtract(parts, anna, { id: contactId, leads })
      expect(extract.leads.map((lead) => lead.id).toSorted()).toEqual([mine, also].toSorted())
      const by = { role: 'admin', schools: [] }
      const extracted = extract.leads.find((lead) => lead.id === mine)
      expect(extracted).toMatchObject({
        triage: { status: 'handled', assignee: by },
        notes: [{ by }],
        exports: [{ purpose: 'Ringa <alla>', columns: ['email'] }],
        log: [
          { action: 'triage-changed' },
          { action: 'note-added' },
          { action: 'attempt-logged' },
          { action: 'opened', by },
          { action: 'opened', by: { role: 'staff', schools: ['norra'] } },
        ],
      })
      expect(extract.mentions.map(({ text }) => text)).toEqual([`Vy · ${email.toUpperCase()}`])
      expect(JSON.stringify(extract)).not.toMatch(new RegExp(`${sibling}|${other}|${anna.id}|${stina.id}|Otto`))
      const entries = await db.select().from(activity).where(eq(activity.action, 'extract-made'))
      expect(entries.filter(({ leadId }) => leadId === mine)).toHaveLength(1)
    })

    test('a lead that is not the contact’s is neither extracted nor erased', async () => {
      const withOthers = { id: contactId, leads: [...leads, { kind, id: other } as const] }
      await expect(makeExtract(desk.parts, anna, withOthers)).rejects.toThrow(NotFoundError)
      await expect(eraseData(desk.parts, anna, withOthers)).rejects.toThrow(NotFoundError)
    })

    test('erasure takes what was added to the chosen leads, everywhere, and leaves the rest and the log', async () => {
      desk.events.length = 0
      await eraseData(desk.parts, anna, { id: contactId, leads })
      const changes = desk.events.flatMap((event) => (event.name === 'triage' ? event.changes : []))
      expect(changes.map(({ schools }) => schools.toSorted())).toEqual([['norra', 'sodra']])
      const changedNotes = desk.events.flatMap((event) => ('lead' in event ? `${event.lead.id} ${event.school}` : []))
      expect(changedNotes.toSorted()).toEqual([`${mine} norra`, `${also} sodra`].toSorted())
      expect(await readStoredLead(mine)).toMatchObject({ triage: null, attempts: [], notes: [], exports: [] })
      const db = await connect()
      for (const rows of [triage, notes]) {
        const left = await db.select({ id: rows.leadId }).from(rows).where(inArray(rows.leadId, ids))
        expect(left.map((row) => row.id).toSorted()).toEqual([sibling, other].toSorted())
      }
      const exportRows = await db.select().from(exports).where(eq(exports.userId, anna.id)).orderBy(exports.count)
      expect(exportRows).toMatchObject([
        { leadIds: [other], count: 1 },
        { list: 'asked-questions', leadIds: [mine, also], count: 2 },
        { leadIds: [other, sibling], count: 4 },
      ])
      expect(await listQueries()).toEqual([{ id: [mine] }, { id: [other] }, { q: 'maja' }])
      expect((await desk.parts.triage.getEntries(kind)).has(mine), 'and from memory').toBe(false)
      const entries = await db.select().from(activity).where(eq(activity.leadId, mine))
      expect(entries.map(({ action }) => action)).toContain('triage-changed')
      const erased = entries.filter(({ action }) => action === 'data-erased')
      expect(erased).toMatchObject([{ userId: anna.id, details: null }])
    })

    test('the extract says who is shown a protected identity', async () => {
      await desk.protect(anna, elsas, [anna.id])
      const { protection } = await makeExtract(desk.parts, anna, { id: contactId, leads })
      const people = [{ role: 'admin', schools: [] }]
      expect(protection).toEqual({ emails: [email], phones: [], reason: 'Beslut 2026', people })
    })

    test('a contact with more leads than are listed is not whole', async () => {
      desk.setDeclarations(Array.from({ length: 501 }, (_, index) => declaration(`${mine} ${index}`, { email })))
      const rights = await getContactRights(desk.parts, anna, { id: contactId })
      expect([rights.leads.length, rights.isWhole]).toEqual([500, false])
      const newest = rights.leads.slice(0, 1).map((lead) => ({ kind, id: lead.id }) as const)
      expect((await makeExtract(desk.parts, anna, { id: contactId, leads: newest })).isWhole).toBe(false)
    })
  })
}
