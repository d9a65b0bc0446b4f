import { expect, test } from 'vitest'
import { question } from '@/lib/leads/testing/leads'
import type { Validators } from './client'
import { createListSources, readHighSchoolList } from './list-source'

const client = { fetchList: () => Promise.reject(new Error('nothing is sent')) }
const atRest = { now: () => 0, monotonic: () => 0 }
const { read } = createListSources({ client, clock: atRest, yieldTurn: () => Promise.resolve() }).askedQuestions

test('an empty list is a list, but one of which nothing can be read is not', async () => {
  expect(await read(Buffer.from('{"askedQuestions":[]}'), null)).toMatchObject({ ok: true })
  expect(await read(Buffer.from('{"askedQuestions":[1,2,3]}'), null)).toMatchObject({
    ok: false,
    detail: expect.stringContaining('none of 3 records'),
  })
  expect(await readHighSchoolList(Buffer.from('{"highSchools":[]}'), null)).toMatchObject({ ok: true })
  expect(await readHighSchoolList(Buffer.from('{"highSchools":[{}]}'), null)).toMatchObject({ ok: false })
})

const SECOND = 1_000
const EVERY = 20 * SECOND
type Service = { validators: Validators; isUnchanged: (sent: Validators | undefined) => boolean }

/** What an instance that asks every 20 seconds sends, and after how long it has the second of two leads. */
async function askOften({ validators, isUnchanged }: Service, stepOfClock = 0) {
  let now = Date.UTC(2026, 10, 20, 8)
  let ids = ['a']
  const sent: (Validators | undefined)[] = []
  const fetchList = async (_: string, known: Validators = {}) => {
    sent.push(known)
    const course = { ok: true as const, startedAt: now, validators }
    const body = Buffer.from(JSON.stringify({ askedQuestions: ids.map((id) => question(id)) }))
    return { ...course, body: isUnchanged(known) ? null : body }
  }
  const clock = { now: () => now, monotonic: () => now }
  const { askedQuestions } = createListSources({ client: { fetchList }, clock, yieldTurn: () => Promise.resolve() })
  let content: Parameters<typeof askedQuestions.fetch>[0] = null
  let known: Validators = {}
  const ask = async () => {
    const outcome = await askedQuestions.fetch(content, known)
    if (outcome.kind !== 'fetched') throw new Error(outcome.kind)
    ;[content, known] = [outcome.content, outcome.validators]
    now += EVERY
    return content.table.size
  }
  await ask()
  now += stepOfClock
  ids = ['a', 'b']
  const changedAt = now
  for (let times = 0; times < 100 && (await ask()) !== 2;) times++
  return { sent, afterMs: now - changedAt }
}

const constant = { validators: { etag: '"1"' }, isUnchanged: (sent: Validators | undefined) => sent?.etag === '"1"' }

test('a tag that never changes hides a new lead for five minutes at most', async () => {
  const { sent, afterMs } = await askOften(constant)
  expect(afterMs).toBe(300 * SECOND)
  expect(sent.map((known) => known?.etag).filter((etag) => etag === undefined)).toHaveLength(2)
})

test('that holds where the clock is set back meanwhile', async () => {
  expect((await askOften(constant, -86_400 * SECOND)).afterMs).toBeLessThanOrEqual(300 * SECOND)
})
