import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { DeclarationOfInterest } from '@/lib/contract/lead'
import { declaration } from '@/lib/leads/testing/leads'
import { type IngestedList, type LeadsReading, readLeads } from './ingest'

const MONDAY = ['c', 'b', 'a'].map((id) => declaration(id))

function bodyOf(records: unknown[], more: object = {}): Buffer {
  return Buffer.from(JSON.stringify({ ...more, declarationsOfInterest: records }))
}

function read(
  body: Uint8Array,
  previous?: IngestedList<DeclarationOfInterest>,
): Promise<LeadsReading<DeclarationOfInterest>> {
  return readLeads('declaration-of-interest', body, previous)
}

async function readGood(...input: Parameters<typeof read>) {
  const reading = await read(...input)
  if (!reading.ok) throw new Error(reading.detail)
  return reading
}

const NOTHING = { isChanged: false, changedIds: [] }

test('the same bytes again are the same list, and other bytes that say the same are no change', async () => {
  const { list: monday } = await readGood(bodyOf(MONDAY))
  const again = await readGood(bodyOf(MONDAY), monday)
  expect(again).toMatchObject(NOTHING)
  expect(again.list).toBe(monday)
  const body = Buffer.from(JSON.stringify({ at: 'noon', declarationsOfInterest: MONDAY.toReversed() }, null, 2))
  const reordered = await readGood(body, monday)
  expect(reordered).toMatchObject(NOTHING)
  expect(reordered.list.body.equals(body)).toBe(true)
})

test('an odd record hides nothing but itself, and counts as a change only when it changes', async () => {
  const odd = { ...declaration('x'), user: { email: 5 } }
  const { list } = await readGood(bodyOf([odd, ...MONDAY, 'no record']))
  expect(list.table.size).toBe(3)
  expect(list.unreadable).toEqual([
    { index: 0, id: 'x', reason: 'user.email: expected string' },
    { index: 4, id: null, reason: 'record: expected object' },
  ])
  expect(await read(bodyOf([odd, ...MONDAY, 'no record'], { further: 1 }), list)).toMatchObject(NOTHING)
  const mended = await read(bodyOf([declaration('x'), ...MONDAY]), list)
  expect(mended).toMatchObject({ isChanged: true, changedIds: ['x'] })
})

test('a number that grows by a digit where the records were equal is another record', async () => {
  const { list } = await readGood(Buffer.from('{"declarationsOfInterest":[12]}'))
  expect((await readGood(Buffer.from('{"declarationsOfInterest":[123]}'), list)).list.unreadable).toHaveLength(1)
  expect(await read(Buffer.from('{"declarationsOfInterest":[12x]}'), list)).toMatchObject({ ok: false })
})

test.each([
  ['<html>', 'body: expected object'],
  ['{"declarationsOfInterest":null}', 'declarationsOfInterest: expected array'],
  ['{"declarationsOfInterest":[],"declarationsOfInterest":{}}', 'declarationsOfInterest: expected array'],
  ['{"declarationsOfInterest":[{"id":"åsa"', 'ends too early'],
  ['{"declarationsOfInterest":[1,]}', 'no JSON at byte 29'],
])('%s is broken, and the detail quotes nothing of it', async (text, detail) => {
  expect(await read(Buffer.from(text))).toEqual({ ok: false, detail })
})

test('a long list is read with rests in between', async () => {
  const body = bodyOf(Array.from({ length: 20_000 }, (_, at) => declaration(`id-${at}`)))
  const work = { turns: 0, isDone: false }
  const reading = read(body).finally(() => (work.isDone = true))
  for (; !work.isDone; work.turns++) await setImmediate()
  expect((await reading).ok).toBe(true)
  expect(work.turns).toBeGreaterThan(3)
})
