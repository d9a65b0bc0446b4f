import 'server-only'
import { randomUUID } from 'node:crypto'
import { eq, inArray } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { declaration } from '@/lib/leads/testing/leads'
import { allow, makeViewer } from '@/server/access/viewer'
import type { Connect } from '@/server/base/database'
import { activity, exports, leadAbsences, notes, savedViews, triage, users } from '@/server/base/schema'
import { addNote } from '@/server/leads/notes'
import { addView, listViews } from '@/server/leads/saved-views'
import { createExportLog } from '@/server/export/export-log'
import { NotFoundError } from '@/server/base/errors'
import { openTestDesk, type TestDesk } from '@/server/leads/testing/test-desk'
import { changeTriage } from '@/server/leads/write-triage'
import { contactRights, eraseData } from './contact-rights'
import { makeExtract } from './extract'
import { protectPerson } from './protect'

const list = 'declarations-of-interest'
const kind = 'declaration-of-interest'

type Parts = TestDesk['parts'] & { exportLog: ReturnType<typeof createExportLog> }

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
    let parts: Parts
    let contact = ''
    const chosen = [mine, also].map((id) => ({ kind, id }) as const)

    beforeAll(async () => {
      const db = await connect()
      const desk = await openTestDesk({ db, close: async () => {} })
      desk.setDeclarations(leads)
      const openings = { add: () => {}, flush: async () => {} }
      parts = { ...desk.parts, now: Date.now, exportLog: createExportLog({ ...desk.parts, now: Date.now }), openings }
      contact = parts.contactIds.of(kind, declaration('x', { email }))
      await db.insert(users).values({ ...person, createdAt: new Date() })
      const all = [mine, also, sibling, other].map((id) => ({ kind, id }) as const)
      await changeTriage(parts, anna, all, { status: 'handled', assigneeId: admin })
      for (const lead of all) await addNote(parts, anna, { ...lead, text: `Om ${lead.id}` })
      await db.insert(leadAbsences).values({ kind, leadId: mine, missingSince: new Date() })
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

    test('all stored data of each lead is listed beforehand; a sibling’s lead is marked as of another name', async () => {
      const its = { hasTriage: true, notes: 1, exports: 1, isOther: false, name: 'Elsa <Berg>' }
      expect(await keptOf(mine)).toMatchObject(its)
      expect(await keptOf(sibling)).toMatchObject({ exports: 1, isOther: true })
      expect(await keptOf(other)).toBe('not among them')
    })

    test('the extract has everything about the chosen leads and nothing of others, in either language, and is logged', async () => {
      const json = await extract()
      const [first] = json.leads
      expect(json.leads.map(({ fromService }: { fromService: { id: string } }) => fromService.id).toSorted()).toEqual(
        [mine, also].toSorted(),
      )
      expect(first).toMatchObject({ status: 'handled', assignee: 'Administratör', notes: [{ by: 'Administratör' }] })
      expect(first.exports).toMatchObject([{ purpose: 'Ringa <alla>', columns: ['email'] }])
      expect(first.log.map(({ action }: { action: string }) => action)).toEqual(['triage-changed', 'note-added'])
      expect(JSON.stringify(json)).not.toMatch(new RegExp(`${sibling}|${other}|Anna Admin|Otto`))
      const pages = [await page('sv', false), await page('en', true)]
      expect(pages[0]).toContain('<html lang="sv">')
      expect(pages[1]).toContain('Extract of personal data')
      expect(pages.map((text) => text.includes('Anna Admin'))).toEqual([false, true])
      for (const text of pages) {
        expect(text).toContain('&lt;Berg&gt;')
        expect(text).not.toMatch(/<Berg>|<alla>|Otto/)
      }
      const entries = await (await connect()).select().from(activity).where(eq(activity.action, 'extract-made'))
      expect(entries.filter(({ leadId }) => leadId === mine)).toHaveLength(3)
    })

    test('a lead that is not the contact’s is neither extracted nor erased', async () => {
      const leadsOfOthers = [...chosen, { kind, id: other } as const]
      await expect(make({ leads: leadsOfOthers })).rejects.toThrow(NotFoundError)
      const erased = eraseData(parts, anna, { id: contact, leads: leadsOfOthers, confirm: 'erase' })
      await expect(erased).rejects.toThrow(NotFoundError)
    })

    test('the extract has who looked until this very moment, by role and school, and what is kept of the leads together', async () => {
      const db = await connect()
      const [school, here] = [leads[0]?.highSchoolId ?? '', randomUUID()]
      const staff = { id: here, email: `${here}@skola.example`, name: 'Stina Stab', role: 'staff' } as const
      await db.insert(users).values({ ...staff, schools: [school], createdAt: new Date() })
      const flush = () => parts.activity.record({ userId: here, action: 'opened', lead: { kind, id: mine } })
      const { leads: extracted, views } = await (await make({}, { openings: { add: () => {}, flush } })).json()
      const who = `Antagningspersonal, ${school}`
      const log = extracted.find((lead: { fromService: { id: string } }) => lead.fromService.id === mine).log
      expect(log.at(-1)).toMatchObject({ by: who, action: 'opened' })
      expect(views.map(({ says }: { says: string[] | null }) => says)).toEqual([
        null,
        null,
        ['Vy', email.toUpperCase()],
      ])
      expect(views[0]).toMatchObject({ by: 'Administratör', shared: false })
      const text = await page('sv', false)
      for (const words of [who, `Sökning efter personen: Vy: ${email.toUpperCase()}`, 'En vy där ärendet är med'])
        expect(text).toContain(words)
      expect(text).not.toContain('Stina')
      expect(await page('en', true)).toContain('Stina Stab')
    })

    test('an extract says who is shown a protected identity', async () => {
      const given = { contact, emails: [email], phones: [], people: [admin], reason: 'Beslut 2026' }
      await protectPerson(parts, anna, given)
      expect(await viewsLeft(), 'and the views are as after an erasure').toEqual([{ id: [other] }, { q: 'maja' }])
      const { protection } = await extract()
      expect(protection).toEqual({ emails: [email], phones: [], reason: 'Beslut 2026', people: ['Administratör'] })
    })

    test('texts that name the person are listed beforehand, with their authors; views are deleted, and the rest stays', async () => {
      const name = 'Ring Berg, Elsa'
      await addView(parts, anna, { list, name, query: {}, shared: true })
      await addView(parts, anna, { list, name: 'Elsa', query: { q: 'elsa' }, shared: true })
      await addNote(parts, anna, { kind, id: other, text: `Skriv till ${email.toUpperCase()}, ring 070-174 06 05` })
      await addNote(parts, anna, { kind, id: other, text: 'Otto  BERG är syskon' })
      await addNote(parts, anna, { kind, id: mine, text: 'Elsa Berg ringde' })
      const reason = { purpose: 'Brev till Elsa Berg', matching: null, newOnly: false }
      const entry = { list, format: 'csv', scope: randomUUID(), reason } as const
      const exported = await parts.exportLog.begin(anna, { ...entry, columns: ['email'], leadIds: [other] })
      const { naming } = await contactRights(parts, anna, { id: contact })
      const otherContact = parts.contactIds.of(kind, declaration('x', { email: 'maja@example.se' }))
      const texts = naming.map(({ what, text, by, contactId, leads: its }) => [what, text, by, contactId, its.length])
      expect(texts.toSorted()).toEqual([
        ['note', 'Otto  BERG är syskon', 'Anna Admin', otherContact, 1],
        ['note', `Skriv till ${email.toUpperCase()}, ring 070-174 06 05`, 'Anna Admin', otherContact, 3],
        ['purpose', 'Brev till Elsa Berg', 'Anna Admin', null, 2],
        ['view', name, 'Anna Admin', null, 2],
      ])
      expect(naming.find(({ text }) => text.includes('Otto'))?.leads).toEqual([{ kind, id: sibling }])
      const db = await connect()
      await db.delete(exports).where(eq(exports.id, exported))
      await db.delete(notes).where(inArray(notes.leadId, [other, mine]))
      for (const lead of [other, mine]) await addNote(parts, anna, { kind, id: lead, text: 'x' })
      await saveViews()
    })

    test('erasure takes what was added to the chosen leads, everywhere, and leaves the rest and the log', async () => {
      const erased = await eraseData(parts, anna, { id: contact, leads: chosen, confirm: 'erase' })
      expect(erased).toEqual({ leads: 2, triage: 2, attempts: 0, notes: 2, exports: 1, views: 4, templates: 0 })
      expect(await keptOf(mine)).toMatchObject({ hasTriage: false, notes: 0, exports: 0 })
      const db = await connect()
      const ids = [mine, also, sibling, other]
      for (const rows of [triage, notes]) {
        const left = await db.select({ id: rows.leadId }).from(rows).where(inArray(rows.leadId, ids))
        expect(left.map(({ id }) => id).toSorted()).toEqual([sibling, other].toSorted())
      }
      expect(await db.select().from(leadAbsences).where(inArray(leadAbsences.leadId, ids))).toEqual([])
      const columns = { ids: exports.leadIds, count: exports.count }
      const held = await db.select(columns).from(exports).where(eq(exports.userId, admin))
      expect(held.toSorted((a, b) => b.count - a.count)).toEqual([
        { ids: [other, sibling], count: 4 },
        { ids: [other], count: 1 },
      ])
      expect(await viewsLeft()).toEqual([{ id: [other] }, { q: 'maja' }, { q: 'elsa' }, { id: [other] }])
      expect((await parts.triage.current(kind)).has(mine), 'and from memory').toBe(false)
      const entries = await db.select().from(activity).where(eq(activity.leadId, mine))
      expect(entries.map(({ action }) => action)).toContain('triage-changed')
      expect(entries.filter(({ action }) => action === 'data-erased')).toMatchObject([{ userId: admin, details: null }])
      expect(await db.$count(savedViews, eq(savedViews.ownerId, admin))).toBe(4)
    })

    const usual = { language: 'sv', format: 'json', withStaff: false } as const
    const make = (change: Partial<Parameters<typeof makeExtract>[2]>, its: object = {}) =>
      makeExtract({ ...parts, ...its }, anna, { id: contact, leads: chosen, ...usual, ...change })
    async function extract() {
      const answer = await make({})
      const name = /^attachment; filename="registerutdrag-[\d-]{10}\.json"$/
      expect(answer.headers.get('content-disposition')).toMatch(name)
      return answer.json()
    }
    const page = async (language: 'sv' | 'en', withStaff: boolean) =>
      (await make({ language, format: 'html', withStaff })).text()
  })
}
