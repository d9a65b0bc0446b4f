import { expect, test } from 'vitest'
import { type IngestedList, type LeadsReading, readLeads } from './ingest'
import type { DeclarationOfInterest } from '@/lib/contract/lead'

type Reading = LeadsReading<DeclarationOfInterest>

function declaration(id: string, day: number, email = `${id}@example.se`) {
  const user = { firstName: 'Åsa', lastName: 'Öberg', email, phone: null, highSchoolEnrollmentYear: 2027 }
  return { id, highSchoolId: 'norra', createdAt: new Date(Date.UTC(2026, 10, day)).toISOString(), user }
}

const MONDAY = [declaration('c', 3), declaration('b', 2), declaration('a', 1)]

function bodyOf(records: unknown[], more: object = {}): Buffer {
  return Buffer.from(JSON.stringify({ ...more, declarationsOfInterest: records }))
}

function read(body: Uint8Array, previous?: IngestedList<DeclarationOfInterest>): Promise<Reading> {
  return readLeads({ kind: 'declaration-of-interest', body, previous, yieldTurn: async () => {} })
}

async function listOf(body: Uint8Array): Promise<IngestedList<DeclarationOfInterest>> {
  const reading = await read(body)
  if (!reading.ok) throw new Error(reading.detail)
  return reading.list
}

function changesOf(reading: Reading) {
  if (!reading.ok) return reading.detail
  const { changed, added, removed, changedIds } = reading
  return { changed, added, removed, changedIds }
}

const NOTHING = { changed: false, added: [], removed: [], changedIds: [] }

test('of a first body everything is new', async () => {
  const reading = await read(bodyOf(MONDAY))
  expect(changesOf(reading)).toEqual({ changed: true, added: ['c', 'b', 'a'], removed: [], changedIds: [] })
})

test('the same bytes again are the same list', async () => {
  const monday = await listOf(bodyOf(MONDAY))
  const again = await read(bodyOf(MONDAY), monday)
  expect(changesOf(again)).toEqual(NOTHING)
  expect(again.ok && again.list).toBe(monday)
})

test('other bytes that say the same are no change, and the list reads out of the new ones', async () => {
  const monday = await listOf(bodyOf(MONDAY))
  const body = Buffer.from(JSON.stringify({ at: 'noon', declarationsOfInterest: MONDAY.toReversed() }, null, 2))
  const again = await read(body, monday)
  expect(changesOf(again)).toEqual(NOTHING)
  expect(again.ok && again.list.body.equals(body)).toBe(true)
  expect(again.ok && again.list.table.lead(0)).toEqual(MONDAY[0])
})

test('an odd record hides nothing but itself, and counts as a change only when it changes', async () => {
  const odd = { ...declaration('x', 9), user: { email: 5 } }
  const reading = await read(bodyOf([odd, ...MONDAY, 'no record']))
  if (!reading.ok) throw new Error(reading.detail)
  expect(reading.list.table.id).toEqual(['c', 'b', 'a'])
  expect(reading.list.unreadable).toEqual([
    { index: 0, id: 'x', reason: 'user.email: expected string' },
    { index: 4, id: null, reason: 'record: expected object' },
  ])
  const shifted = await read(bodyOf([odd, ...MONDAY, 'no record'], { further: 1 }), reading.list)
  expect(changesOf(shifted)).toEqual(NOTHING)
  const mended = await read(bodyOf([declaration('x', 9), ...MONDAY]), reading.list)
  expect(changesOf(mended)).toEqual({ changed: true, added: ['x'], removed: [], changedIds: [] })
})

test('a number that grows by a digit where the records were equal is another record', async () => {
  const before = await listOf(Buffer.from('{"declarationsOfInterest":[12]}'))
  const after = await read(Buffer.from('{"declarationsOfInterest":[123]}'), before)
  expect(after.ok && after.list.unreadable).toHaveLength(1)
  expect(await read(Buffer.from('{"declarationsOfInterest":[12x]}'), before)).toMatchObject({ ok: false })
})

test.each([
  ['', 'no JSON', 'body: expected object'],
  ['<html>', 'HTML', 'body: expected object'],
  ['[]', 'an array', 'body: expected object'],
  ['{}', 'nothing', 'declarationsOfInterest: expected array'],
  ['{"declarationsOfInterest":null}', 'null', 'declarationsOfInterest: expected array'],
  ['{"declarationsOfInterest":[],"declarationsOfInterest":{}}', 'the last', 'declarationsOfInterest: expected array'],
  ['{"declarationsOfInterest":[{"id":"åsa"', 'cut off', 'ends too early'],
  ['{"declarationsOfInterest":[]} {}', 'more behind', 'no JSON at byte 30'],
  ['{"declarationsOfInterest":[1,]}', 'a comma too many', 'no JSON at byte 29'],
  ['{"declarationsOfInterest":[NaN]}', 'NaN', 'no JSON at byte 27'],
  ['{"declarationsOfInterest":[{]}', 'crossed brackets', 'no JSON at byte 27'],
])('%s is broken (%s) and the detail quotes nothing of it', async (text, _, detail) => {
  expect(await read(Buffer.from(text))).toEqual({ ok: false, detail })
})

test('a long list is read with rests in between', async () => {
  const many = Array.from({ length: 20_000 }, (_, at) => declaration(`id-${at}`, 1 + (at % 28)))
  let rests = 0
  const reading = await readLeads({
    kind: 'declaration-of-interest',
    body: bodyOf(many),
    yieldTurn: async () => void rests++,
  })
  expect(reading.ok && reading.list.table.size).toBe(20_000)
  expect(rests).toBeGreaterThan(3)
})
