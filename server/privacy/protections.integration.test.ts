import { eq } from 'drizzle-orm'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { declaration, question } from '@/lib/leads/testing/leads'
import { DAY_MS, HOUR_MS } from '@/lib/time/durations'
import { requirePermission, type Viewer } from '@/server/access/viewer'
import { protectedPersons } from '@/server/base/access-schema'
import { createAnnouncer } from '@/server/base/announcer'
import { ConflictError, ForbiddenError, InvalidInputError, NotFoundError } from '@/server/base/errors'
import { activity } from '@/server/base/schema'
import { createSeal } from '@/server/base/seal'
import { createMemoryEvents } from '@/server/base/testing/memory-events'
import { getContact } from '@/server/leads/get-contact'
import { listLeads } from '@/server/leads/list-leads'
import { addNote, listNotes } from '@/server/leads/notes'
import { createProtectionCache } from '@/server/leads/protection-list'
import { addView, listViews } from '@/server/leads/saved-views'
import { testServices } from '@/server/testing/services'
import { changeProtection, liftProtection, listProtections, protectPerson } from './protections'
import { runRetention } from './retention'
import { openRightsDesk } from './testing/rights-desk'

const list = 'declarations-of-interest'
const elsa = { firstName: 'Elsa', lastName: 'Berg', email: 'elsa@example.se', phone: '070-174 06 05' }
const elsas = declaration('d1', elsa)
const withoutAddress = declaration('d4', { firstName: 'Nils' })
const declarations = [
  elsas,
  declaration('d2', { ...elsa, email: null, school: 'sodra' }),
  declaration('d3', { firstName: 'Maja', email: 'maja@example.se' }),
  withoutAddress,
]
const asked = question('q1', { email: 'ELSA@example.se', text: 'När börjar ni?' })
const elsasRef = { kind: 'declaration-of-interest', id: 'd1' } as const

const desk = await openRightsDesk()
const parts = desk.parts
const anna = requirePermission(await desk.addPerson('anna', 'admin', 'all'), 'admin')
const bo = requirePermission(await desk.addPerson('bo', 'admin', 'all'), 'admin')
const sara = requirePermission(await desk.addPerson('sara', 'staff', ['norra']), 'leads:triage')
const nils = requirePermission(await desk.addPerson('nils', 'staff', ['norra', 'sodra']), 'leads:triage')
await desk.addPerson('boss', 'manager', 'all')
beforeEach(async () => {
  await desk.db.delete(protectedPersons)
  await desk.db.delete(activity)
  desk.setDeclarations(declarations)
  desk.setQuestions([asked])
})
afterAll(() => desk.close())

const protectElsa = (...people: string[]) =>
  desk.protect(anna, elsas, people, { emails: ['Elsa@Example.se '], phones: ['+46701740605'] })
const findItem = async (viewer: Viewer, id: string) =>
  (await desk.listItems(viewer, list)).find((item) => item.id === id)

describe('who is not named', () => {
  test('has the lead in the list, without the identity, and whom of the same school to ask', async () => {
    await protectElsa('sara', 'anna')
    const items = (await desk.listItems(nils, list)).toSorted((a, b) => (a.id < b.id ? -1 : 1))
    const user = { firstName: null, lastName: null, email: null, phone: null, highSchoolEnrollmentYear: null }
    expect(items).toMatchObject([
      { id: 'd1', user, person: null, protected: { isHidden: true, people: ['anna', 'sara'] } },
      // Sara does not see that school.
      { id: 'd2', user, protected: { isHidden: true, people: ['anna'] } },
      { id: 'd3', user: { firstName: 'Maja' } },
      { id: 'd4' },
    ])
    expect(items[2]).not.toHaveProperty('protected')
    const [hidden] = await desk.listItems(nils, 'asked-questions')
    expect(hidden).toMatchObject({ question: '', sender: { email: null }, person: null, protected: { isHidden: true } })
    const [named] = await desk.listItems(anna, 'asked-questions')
    expect(named?.person).toMatchObject({ name: 'Elsa Berg', leads: 1 })
  })

  test('finds the person by no search, contact page or note, and decides about the lead as about any other', async () => {
    await addNote(parts, sara, { ...elsasRef, text: 'Ringde' })
    await protectElsa('sara')
    expect(await desk.listItems(nils, list, { q: 'elsa' })).toEqual([])
    const idOfRow = (await findItem(nils, 'd1'))?.contactId ?? ''
    for (const id of [desk.getContactId(elsas), idOfRow])
      await expect(getContact(parts, nils, { id })).rejects.toThrow(NotFoundError)
    await expect(listNotes(parts, nils, elsasRef)).rejects.toThrow(ForbiddenError)
    await expect(addNote(parts, nils, { ...elsasRef, text: 'x' })).rejects.toThrow(ForbiddenError)
    expect((await desk.decide(nils, [elsasRef], { status: 'handled' })).changed).toHaveLength(1)
    expect((await listNotes(parts, sara, elsasRef)).notes).toHaveLength(1)
    expect(await desk.listItems(sara, list, { q: 'elsa' })).toMatchObject([{ protected: { isHidden: false } }])
  })

  test('may be an administrator, until they name themselves, which the others see', async () => {
    const { id } = await protectElsa('sara')
    expect((await findItem(anna, 'd1'))?.protected?.isHidden).toBe(true)
    await expect(liftProtection(parts, bo, { id })).rejects.toThrow(ForbiddenError)
    const [hidden] = (await listProtections(parts, bo)).protections
    expect(hidden).toMatchObject({ id, shown: null, leads: 3, schools: ['norra', 'sodra'], by: { id: 'anna' } })
    await changeProtection(parts, bo, { id, people: ['sara', 'bo'] })
    expect((await findItem(bo, 'd1'))?.protected).toEqual({ isHidden: false, people: ['bo', 'sara'] })
    const [entry] = (await listProtections(parts, anna)).protections
    expect(entry?.people.map(({ name }) => name)).toContain('bo')
    expect((await listProtections(parts, bo)).protections[0]?.shown).toMatchObject({ reason: 'Beslut 2026' })
    await liftProtection(parts, bo, { id })
    expect(await findItem(nils, 'd1')).not.toHaveProperty('protected')
  })
})

test('a phone that hundreds have given is nobody’s: it hides none of them', async () => {
  const many = Array.from({ length: 201 }, (_, at) => declaration(`m${at}`, { phone: '-' }))
  const protect = () => desk.protect(anna, declaration('x', { phone: '-' }), ['sara'], { phones: ['-'] })
  desk.setDeclarations(many)
  await expect(protect()).rejects.toThrow(ConflictError)
  desk.setDeclarations(many.slice(1))
  await protect()
  expect((await desk.listItems(nils, list)).every((item) => item.protected?.isHidden)).toBe(true)
})

test('who left neither e-mail nor phone is protected by the lead itself', async () => {
  await desk.protect(anna, withoutAddress, ['sara'])
  const marks = [(await findItem(nils, 'd4'))?.protected?.isHidden, (await findItem(nils, 'd3'))?.protected]
  expect(marks).toEqual([true, undefined])
})

test('nobody is protected by another’s address, twice, or for nobody; the log has ids alone and the row is sealed', async () => {
  const protect = (email: string | null, person = 'sara') =>
    desk.protect(anna, elsas, [person], { emails: email === null ? [] : [email] })
  await expect(protect('maja@example.se')).rejects.toThrow(InvalidInputError)
  await expect(protect(null)).rejects.toThrow(InvalidInputError)
  await expect(protect(elsa.email, 'boss')).rejects.toThrow(InvalidInputError)
  await protectElsa('anna')
  await expect(protect(elsa.email)).rejects.toThrow(ConflictError)
  const byPhone = { emails: [], phones: ['+46701740605'] }
  await expect(desk.protect(anna, elsas, ['sara'], byPhone)).rejects.toThrow(ConflictError)
  desk.setDeclarations([...declarations, declaration('d5', { ...elsa, email: 'ny@example.se' })])
  await protect('ny@example.se')
  const stored = JSON.stringify([await desk.db.select().from(protectedPersons), await desk.db.select().from(activity)])
  expect(stored).not.toMatch(/elsa|701740605|beslut/i)
  expect(stored).toContain('protection-added')
})

const openProtections = (other: Partial<Parameters<typeof createProtectionCache>[0]> = {}) =>
  createProtectionCache({ ...parts, now: Date.now, onUnreachable: () => {}, cacheTtlMs: () => 60_000, ...other })

test('during an outage the protections read last are valid; after a reset, or under another key, nobody may read', async () => {
  await protectElsa('sara')
  let isAway = false
  const connect = () => (isAway ? Promise.reject(new Error('away')) : parts.connect())
  const protections = openProtections({ connect })
  await protections.getList()
  isAway = true
  protections.invalidate()
  expect((await protections.getList()).protections).toHaveLength(1)
  protections.reset()
  await expect(protections.getList()).rejects.toThrow('away')
  const otherKey = openProtections({ seal: createSeal([new Uint8Array(32).fill(9)]) })
  await expect(otherKey.getList()).rejects.toThrow('cannot be read')
})

test('another instance hides the person before the protection is answered', async () => {
  const messages = createMemoryEvents()
  const instance = () => {
    const protections = openProtections()
    const published: string[] = []
    const announcer = createAnnouncer({ events: messages.connect(), schedule: (_, run) => run() })
    announcer.registerBrowsers(({ name }) => published.push(name))
    announcer.registerCache({ onEvent: ({ name }) => name === 'protections' && protections.reset(), onGap: () => {} })
    return { services: testServices({ ...parts, protections, announcer }), published }
  }
  const instances = [instance(), instance()] as const
  const isShown = async ({ services }: (typeof instances)[0]) => {
    const page = await listLeads(services, nils, list, { offset: 0, limit: 50 })
    return JSON.stringify(page).includes('Elsa')
  }
  expect(await Promise.all(instances.map(isShown))).toEqual([true, true])
  const contact = desk.getContactId(elsas)
  const given = { emails: [elsa.email], phones: ['+46701740605'], people: ['sara'], reason: 'x' }
  await protectPerson(instances[0].services, anna, { contact, ...given })
  expect(await Promise.all(instances.map(isShown))).toEqual([false, false])
  const refreshes = instances.map(({ published }) => published)
  expect(refreshes, 'of the browsers').toEqual([['protections'], ['protections']])
})

test('a protection, and what views list, end seven days after the last lead is gone, unless too many are', async () => {
  let problem: object | null = null
  const services = testServices({
    ...parts,
    feed: { ...parts.feed, declarations: () => ({ ...parts.feed.declarations(), problem }) },
    knownLeads: { countGoneSince: () => ({ count: 0, firstAt: null }) },
    env: { retentionMonths: 24 },
    logger: { info: () => {}, warn: () => {} },
  })
  const passTime = async (ms: number) => {
    for (const end = desk.time.ms + ms; desk.time.ms < end; desk.time.ms += HOUR_MS) await runRetention(services)
  }
  const countProtections = () => desk.db.$count(protectedPersons)
  const listQueries = async () => (await listViews(parts, anna)).views.map(({ query }) => query)
  const others = Array.from({ length: 40 }, (_, index) => declaration(`o${index}`))
  desk.setQuestions([])
  await protectElsa('sara')
  const { id } = await desk.protect(anna, declaration('x', { email: 'maja@example.se' }), ['anna'])
  for (const query of [{ id: ['d3'] }, { id: ['d3', 'o1'] }, { q: 'maja' }]) {
    desk.time.ms += 1_000
    await addView(parts, anna, { list, name: 'Vy', query, shared: false })
  }
  desk.setDeclarations([...others, ...declarations])
  await passTime(2 * HOUR_MS)
  desk.setDeclarations([...others, elsas])
  await passTime(6.9 * DAY_MS)
  expect([await countProtections(), (await listQueries()).length]).toEqual([2, 3])
  await passTime(0.2 * DAY_MS)
  expect(await countProtections()).toBe(1)
  expect(await listQueries()).toEqual([{ id: ['o1'] }, { q: 'maja' }])
  const lifted = await desk.db.select().from(activity).where(eq(activity.action, 'protection-lifted'))
  expect(lifted).toMatchObject([{ userId: null, details: { protection: id } }])
  problem = { kind: 'unavailable' }
  await passTime(7.2 * DAY_MS)
  expect(await countProtections(), 'while the service fails').toBe(1)
  problem = null
  desk.setDeclarations([])
  await passTime(7.2 * DAY_MS)
  expect(await countProtections()).toBe(1)
}, 120_000)
