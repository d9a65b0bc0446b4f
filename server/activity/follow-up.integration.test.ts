import { eq } from 'drizzle-orm'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { leadFollowUpQuerySchema, readerFollowUpQuerySchema } from '@/lib/contract/activity'
import { declaration, question } from '@/lib/leads/testing/leads'
import { allow } from '@/server/access/viewer'
import { getContact } from '@/server/contacts/get-contact'
import { readingHours } from '@/server/db/access-schema'
import { activity, exports } from '@/server/db/schema'
import { addNote, listNotes } from '@/server/desk/notes'
import { updatePresence } from '@/server/desk/presence'
import { InvalidInputError, NotFoundError } from '@/server/errors'
import { createExportLog } from '@/server/export/export-log'
import { listLeads } from '@/server/leads/list-leads'
import { openTestDesk } from '@/server/leads/testing/test-desk'
import { contactRights } from '@/server/rights/contact-rights'
import { withCallerAddress } from './request-context'
import { followLeads, followReader, followUpFile } from './follow-up'
import { answerReadingQuestion } from './reading-hours'

const kind = 'declaration-of-interest'
const asa = { firstName: 'Åsa', email: 'asa@example.se' }
const HOUR = 3_600_000

const desk = await openTestDesk()
const anna = allow(await desk.person('anna', 'admin', 'all'), 'admin')
const sara = await desk.person('sara', 'staff', ['norra'])
await desk.person('olle', 'staff', ['sodra'])
const reader = allow(sara, 'leads:read')
afterAll(() => desk.close())
beforeEach(async () => {
  for (const table of [activity, exports, readingHours]) await desk.db.delete(table)
  desk.time.ms += 24 * HOUR
  const first = '2026-11-19T07:00:00.000Z'
  desk.setDeclarations([
    declaration('a', { ...asa, createdAt: first }),
    declaration('b', asa),
    declaration('other', { email: 'x@example.se' }),
  ])
  desk.setQuestions([question('q', { email: 'asa@example.se' })])
})

const contact = () => desk.parts.contactIds.of(kind, declaration('a', asa))
const beginExport = (leadIds: string[], purpose: string) => {
  desk.time.ms += 1_000
  const entry = { list: 'declarations-of-interest', format: 'csv', columns: [], scope: '', leadIds } as const
  const reason = { purpose, matching: null, newOnly: false }
  const log = createExportLog(desk.parts)
  return log.begin(allow(sara, 'leads:export'), { ...entry, columns: [], leadIds, reason })
}
const today = () => new Date(desk.time.ms).toISOString().slice(0, 10)
const follow = (query: object) => followLeads(desk.parts, anna, leadFollowUpQuerySchema.parse(query))
const read = (query: object) => followReader(desk.parts, anna, readerFollowUpQuerySchema.parse(query))

test('who has looked: openings in any way, changes and notes of all of the person’s leads, whichever one asks by', async () => {
  const { parts } = desk
  await withCallerAddress('192.0.2.7', () => getContact(parts, reader, { id: contact() }))
  await withCallerAddress('192.0.2.8', () => updatePresence(parts, reader, { tab: 't', lead: { kind, id: 'b' } }))
  await listNotes(parts, reader, { kind: 'asked-question', id: 'q' })
  await addNote(parts, allow(sara, 'leads:triage'), { kind, id: 'b', text: 'Ringde' })
  await updatePresence(parts, reader, { tab: 't', lead: { kind, id: 'other' } })
  for (const query of [{ contact: contact() }, { kind, id: 'b' }, { kind: 'asked-question', id: 'q' }]) {
    const found = await follow(query)
    expect(found.leads.map(({ id }) => id).sort()).toEqual(['a', 'b', 'q'])
    const seen = found.entries.filter(({ action }) => action !== 'log-followed')
    expect(seen.map(({ user, action, lead, address }) => [user?.id, action, lead?.id, address])).toEqual([
      ['sara', 'lead-opened', 'q', null],
      ['sara', 'lead-opened', 'b', '192.0.2.8'],
      ['sara', 'note-added', 'b', null],
      ['sara', 'contact-opened', 'a', '192.0.2.7'],
    ])
  }
})

test('what an administrator decides by is looking, too, and no second look where the page is open', async () => {
  const { parts } = desk
  const looks = async () => {
    const { entries } = await follow({ contact: contact() })
    return entries.flatMap(({ user, action, lead }) =>
      action === 'log-followed' ? [] : [[user?.id, action, lead?.id]],
    )
  }
  await contactRights(parts, anna, { id: contact() })
  expect(await looks()).toEqual([['anna', 'lead-opened', 'a']])
  desk.time.ms += HOUR
  await getContact(parts, anna, { id: contact() })
  await contactRights(parts, anna, { id: contact() })
  expect(await looks()).toHaveLength(2)
})

test('exports that held one of the leads, with their purpose, and no others', async () => {
  await beginExport(['a', 'other', 'b'], 'Inbjudan')
  for (let times = 0; times < 7; times++) await beginExport(['other'], 'Annat')
  await beginExport(['b'], 'Utskick')
  const found = await follow({ kind, id: 'a' })
  expect(found.exports.map(({ user, purpose, count, leads }) => [user?.id, purpose, count, leads])).toEqual([
    ['sara', 'Utskick', 1, [{ kind, id: 'b' }]],
    ['sara', 'Inbjudan', 3, ['a', 'b'].map((id) => ({ kind, id }))],
  ])
  const day = today()
  expect((await read({ user: 'sara', from: day, to: day })).exports).toHaveLength(9)
})

test('unusual hours of users who can see the leads, with the reason', async () => {
  const { parts } = desk
  const ids = Array.from({ length: 1_501 }, (_, index) => `x${index}`)
  for (const user of ['sara', 'olle', 'anna']) parts.reading.countListed(user, kind, ids)
  await parts.reading.flush()
  await answerReadingQuestion(parts, sara, { reason: 'Öppet hus' })
  const { hours } = await follow({ contact: contact() })
  expect(hours.map(({ user, listed, reason }) => [user.id, listed, reason])).toEqual([
    ['anna', 1_501, null],
    ['sara', 1_501, 'Öppet hus'],
  ])
})

test('a lead that is gone is followed by itself; a contact nobody knows is not found, and half a lead is refused', async () => {
  await updatePresence(desk.parts, reader, { tab: 't', lead: { kind, id: 'a' } })
  await desk.parts.reading.flush()
  desk.setDeclarations([])
  expect((await follow({ kind, id: 'a' })).entries.map(({ action }) => action)).toEqual(['lead-opened'])
  await expect(follow({ contact: 'nonsense' })).rejects.toThrow(NotFoundError)
  await expect(follow({ kind })).rejects.toThrow(new InvalidInputError('id'))
})

test('the query is logged: each lead or the reader, with the format', async () => {
  const day = today()
  await follow({ contact: contact(), format: 'csv' })
  await read({ user: 'sara', from: day, to: day })
  const rows = await desk.db.select().from(activity).where(eq(activity.action, 'log-followed'))
  expect(rows.map(({ userId, leadId, details }) => [userId, leadId, details])).toEqual([
    ...['b', 'q', 'a'].map((id) => ['anna', id, { format: 'csv' }]),
    ['anna', null, { user: 'sara', days: `${day}–${day}`, format: 'json' }],
  ])
  expect((await follow({ kind, id: 'a' })).entries.map(({ action }) => action)).toContain('log-followed')
})

test('what a request names and nobody knows is looked for, and not written into the log', async () => {
  const text = 'Elsa Ek 070-123 45 67 ringde'
  const day = today()
  expect((await follow({ kind, id: text })).leads).toEqual([{ kind, id: text }])
  await follow({ kind, id: text })
  await read({ user: text, from: day, to: day })
  const rows = await desk.db.select().from(activity)
  expect(rows.map(({ action, leadId, details }) => [action, leadId, details])).toEqual([
    ['log-followed', null, { format: 'json' }],
    ['log-followed', null, { format: 'json' }],
    ['log-followed', null, { days: `${day}–${day}`, format: 'json' }],
  ])
})

test('what a user read: by hour of Stockholm’s days, with what they opened', async () => {
  const { parts, time } = desk
  const day = today()
  await listLeads(parts, reader, 'declarations-of-interest', { offset: 0, limit: 50, q: 'åsa' })
  await listLeads(parts, reader, 'declarations-of-interest', { offset: 0, limit: 50 })
  await listLeads(parts, reader, 'declarations-of-interest', { offset: 0, limit: 1, id: ['a'] })
  await listLeads(parts, anna, 'declarations-of-interest', { offset: 0, limit: 50 })
  time.ms += HOUR
  await updatePresence(parts, reader, { tab: 't', lead: { kind, id: 'b' } })
  const found = await read({ user: 'sara', from: day, to: day })
  expect(found.hours.map(({ listed, opened, searches }) => [listed, opened, searches])).toEqual([
    [0, 1, 0],
    [3, 1, 1],
  ])
  expect(found.opened.map(({ lead }) => lead?.id)).toEqual(['b', 'a'])
  expect((await read({ user: 'olle', from: day, to: day })).hours).toEqual([])
  await expect(read({ user: 'sara', from: day, to: '2026-01-01' })).rejects.toThrow(new InvalidInputError('to'))
  await expect(read({ user: 'sara', from: '2026-01-01', to: '2026-04-03' })).rejects.toThrow(
    new InvalidInputError('to'),
  )
})

test('the files hold the same, newest first, and no cell of them is a formula', async () => {
  await desk.person('evil', 'staff', 'all')
  await beginExport(['a'], '=HYPERLINK("http://x")')
  desk.time.ms += HOUR
  await updatePresence(desk.parts, reader, { tab: 't', lead: { kind, id: 'a' } })
  const file = await followUpFile(await follow({ kind, id: 'a' }), 'loggkontroll', 'sv')
  expect(file.headers.get('content-disposition')).toBe('attachment; filename="loggkontroll.csv"')
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(await file.arrayBuffer())
  const lines = text.split('\r\n')
  expect(lines[0]).toBe('\uFEFFNär;Vem;Vad;Typ;Ärendets id;Detaljer;Adress')
  expect(lines[1]).toMatch(/^2026-\d\d-\d\d \d\d:\d\d;sara;Öppnade ett ärende;Intresseanmälan;a;;$/)
  expect(text).toContain('csv, 1: =HYPERLINK')
  expect(text).not.toMatch(/(?:^|;)"?=/m)
  const day = today()
  const { opened: entries, ...rest } = await read({ user: 'sara', from: day, to: day })
  const own = await followUpFile({ ...rest, entries }, `loggkontroll-${day}-${day}`, 'en')
  expect(await own.text()).toContain('Read within an hour')
})
