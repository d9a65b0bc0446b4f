import 'server-only'
import { randomUUID } from 'node:crypto'
import { eq, inArray } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { declaration } from '@/lib/leads/testing/leads'
import { allow, makeViewer } from '@/server/access/viewer'
import type { Connect } from '@/server/base/database'
import { activity, exports, notes, savedViews, triage, users } from '@/server/base/schema'
import { addNote } from '@/server/leads/notes'
import { addView, listViews } from '@/server/leads/saved-views'
import { createExportLog } from '@/server/export/export-log'
import { NotFoundError } from '@/server/base/errors'
import type { Services } from '@/server/base/services'
import { testServices } from '@/server/testing/services'
import { openTestDesk } from '@/server/leads/testing/test-desk'
import { changeTriage } from '@/server/leads/write-triage'
import { contactRights, eraseData, makeExtract } from './contact-rights'
import { protectPerson } from './protect'

const list = 'declarations-of-interest'
const kind = 'declaration-of-interest'

/** What a person may ask for, on any database. */
export function rightsSuite(connect: Connect): void {
  describe('a person’s rights', () => {
    const admin = randomUUID()
    const [mine, also, sibling, other] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()]
    const email = `${mine}@example.se`
    const leads = [
      declaration(mine, { firstName: 'Elsa', lastName: '<Berg>', email, phone: '0701740605' }),
      declaration(also, { firstName: 'Elsa', lastName: '<Berg>', email }),
      declaration(sibling, { firstName: 'Otto', lastName: 'Berg', email: 'otto@example.se', phone: '070-174 06 05' }),
      declaration(other, { firstName: 'Maja', email: 'maja@example.se' }),
    ]
    const named = { id: admin, name: 'Anna Admin', email: `${admin}@skola.example` }
    const person = { ...named, role: 'admin', schools: 'all' } as const
    const anna = allow(makeViewer(person), 'admin')
    let parts: Services
    let contact = ''
    const chosen = [mine, also].map((id) => ({ kind, id }) as const)

    beforeAll(async () => {
      const db = await connect()
      const desk = await openTestDesk({ db, close: async () => {} })
      desk.setDeclarations(leads)
      const openings = { add: () => {}, flush: async () => {} }
      const exportLog = createExportLog({ ...desk.parts, now: Date.now })
      parts = testServices({ ...desk.parts, now: Date.now, exportLog, openings })
      contact = parts.contactIds.encrypt(kind, declaration('x', { email }))
      await db.insert(users).values({ ...person, createdAt: new Date() })
      const all = [mine, also, sibling, other].map((id) => ({ kind, id }) as const)
      await changeTriage(parts, anna, all, { status: 'handled', assigneeId: admin })
      for (const lead of all) await addNote(parts, anna, { ...lead, text: `Om ${lead.id}` })
      const reason = { purpose: 'Ringa <alla>', matching: null, newOnly: false }
      const entry = { list, format: 'csv', columns: ['email'], scope: randomUUID(), reason } as const
      const leadIds = [other, mine, sibling, also]
      const whole = await parts.exportLog.begin(anna, { ...entry, columns: ['email'], leadIds })
      await parts.exportLog.end({ id: whole, state: 'finished', written: leadIds.length })
      await parts.exportLog.begin(anna, { ...entry, columns: ['email'], leadIds: [other] })
      await saveViews()
      await addView(parts, anna, { list, name: 'Vy', query: { q: 'maja' }, shared: false })
    })

    const saveViews = async () => {
      for (const query of [{ id: [mine, other] }, { id: [also] }, { q: email.toUpperCase() }])
        await addView(parts, anna, { list, name: 'Vy', query, shared: false })
    }
    const viewsLeft = async () => (await listViews(parts, anna)).views.map(({ query }) => query)

    const keptOf = async (id: string) =>
      (await contactRights(parts, anna, { id: contact })).leads.find((lead) => lead.id === id) ?? 'not among them'

    test('the page shows what is kept of each lead; a sibling’s lead is marked as of another name', async () => {
      expect(await keptOf(mine)).toMatchObject({
        isOther: false,
        fromService: { user: { firstName: 'Elsa' } },
        triage: { status: 'handled', by: { role: 'admin' } },
        notes: [{ text: `Om ${mine}` }],
        exports: [{ purpose: 'Ringa <alla>' }],
      })
      expect(await keptOf(sibling)).toMatchObject({ exports: [{}], isOther: true })
      expect(await keptOf(other)).toBe('not among them')
    })

    test('the extract has everything about the chosen leads and nothing of others, and is logged', async () => {
      const extract = await makeExtract(parts, anna, { id: contact, leads: chosen })
      const [first] = extract.leads
      expect(extract.leads.map(({ id }) => id).toSorted()).toEqual([mine, also].toSorted())
      const by = { role: 'admin', schools: [] }
      expect(first).toMatchObject({ triage: { status: 'handled', assignee: by }, notes: [{ by }] })
      expect(first?.exports).toMatchObject([{ purpose: 'Ringa <alla>', columns: ['email'] }])
      expect(first?.log.map(({ action }) => action)).toEqual(['triage-changed', 'note-added'])
      expect(JSON.stringify(extract)).not.toMatch(new RegExp(`${sibling}|${other}|Anna Admin|Otto`))
      const entries = await (await connect()).select().from(activity).where(eq(activity.action, 'extract-made'))
      expect(entries.filter(({ leadId }) => leadId === mine)).toHaveLength(1)
    })

    test('a lead that is not the contact’s is neither extracted nor erased', async () => {
      const leadsOfOthers = [...chosen, { kind, id: other } as const]
      await expect(makeExtract(parts, anna, { id: contact, leads: leadsOfOthers })).rejects.toThrow(NotFoundError)
      const erased = eraseData(parts, anna, { id: contact, leads: leadsOfOthers })
      await expect(erased).rejects.toThrow(NotFoundError)
    })

    test('the extract has who looked until this very moment, by role and school, and what is kept of the leads together', async () => {
      const db = await connect()
      const [school, here] = [leads[0]?.highSchoolId ?? '', randomUUID()]
      const staff = { id: here, email: `${here}@skola.example`, name: 'Stina Stab', role: 'staff' } as const
      await db.insert(users).values({ ...staff, schools: [school], createdAt: new Date() })
      const flush = () => parts.activity.record({ userId: here, action: 'opened', lead: { kind, id: mine } })
      const world = testServices({ ...parts, openings: { add: () => {}, flush } })
      const { leads: extracted, mentions } = await makeExtract(world, anna, { id: contact, leads: chosen })
      const log = extracted.find(({ id }) => id === mine)?.log
      expect(log?.at(-1)).toMatchObject({ by: { role: 'staff', schools: [school] }, action: 'opened' })
      expect(mentions.map(({ text }) => text)).toEqual([`Vy · ${email.toUpperCase()}`])
      expect(JSON.stringify(extracted)).not.toContain('Stina')
    })

    test('an extract says who is shown a protected identity', async () => {
      const given = { contact, emails: [email], phones: [], people: [admin], reason: 'Beslut 2026' }
      await protectPerson(parts, anna, given)
      expect(await viewsLeft(), 'and the views are as after an erasure').toEqual([{ id: [other] }, { q: 'maja' }])
      const { protection } = await makeExtract(parts, anna, { id: contact, leads: chosen })
      const people = [{ role: 'admin', schools: [] }]
      expect(protection).toEqual({ emails: [email], phones: [], reason: 'Beslut 2026', people })
      await saveViews()
    })

    test('erasure takes what was added to the chosen leads, everywhere, and leaves the rest and the log', async () => {
      await eraseData(parts, anna, { id: contact, leads: chosen })
      expect(await keptOf(mine)).toMatchObject({ triage: null, notes: [], exports: [] })
      const db = await connect()
      const ids = [mine, also, sibling, other]
      for (const rows of [triage, notes]) {
        const left = await db.select({ id: rows.leadId }).from(rows).where(inArray(rows.leadId, ids))
        expect(left.map(({ id }) => id).toSorted()).toEqual([sibling, other].toSorted())
      }
      const columns = { ids: exports.leadIds, count: exports.count }
      const held = await db.select(columns).from(exports).where(eq(exports.userId, admin))
      expect(held.toSorted((a, b) => b.count - a.count)).toEqual([
        { ids: [other, sibling], count: 4 },
        { ids: [other], count: 1 },
      ])
      expect(await viewsLeft()).toEqual([{ id: [other] }, { q: 'maja' }, { id: [other] }])
      expect((await parts.triage.current(kind)).has(mine), 'and from memory').toBe(false)
      const entries = await db.select().from(activity).where(eq(activity.leadId, mine))
      expect(entries.map(({ action }) => action)).toContain('triage-changed')
      expect(entries.filter(({ action }) => action === 'data-erased')).toMatchObject([{ userId: admin, details: null }])
      expect(await db.$count(savedViews, eq(savedViews.ownerId, admin))).toBe(3)
    })
  })
}
