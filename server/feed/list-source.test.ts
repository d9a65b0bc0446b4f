import { expect, test } from 'vitest'
import { question } from '@/lib/leads/testing/leads'
import { createListSources, readHighSchoolList } from './list-source'
import type { Validators } from './response-headers'

const SECOND = 1_000

test('an empty list is a list, but neither one of which nothing can be read nor a web page, which is not repeated', async () => {
  const client = { fetchList: () => Promise.reject(new Error('nothing is sent')) }
  const clock = { now: () => 0, monotonic: () => 0 }
  const readQuestions = createListSources({ client, clock }).askedQuestions.read
  expect(await readQuestions(Buffer.from('{"askedQuestions":[]}'), null)).toMatchObject({ ok: true })
  expect(await readQuestions(Buffer.from('{"askedQuestions":[1,2,3]}'), null)).toMatchObject({ ok: false })
  const page = await readQuestions(Buffer.from('<html>secret</html>'), null)
  expect([page.ok, JSON.stringify(page).includes('secret')]).toEqual([false, false])
  expect(await readHighSchoolList(Buffer.from('{"highSchools":[]}'), null)).toMatchObject({ ok: true })
  expect(await readHighSchoolList(Buffer.from('{"highSchools":[{}]}'), null)).toMatchObject({ ok: false })
})

test.each([
  ['', 0],
  [', also where the clock is set back by a day meanwhile', -86_400 * SECOND],
])('a tag that never changes hides a new lead for five minutes at most%s', async (_, stepMs) => {
  let now = Date.UTC(2026, 10, 20, 8)
  let ids = ['a']
  const sent: (string | undefined)[] = []
  const fetchList = async (_list: string, known: Validators = {}) => {
    sent.push(known.etag)
    const body = Buffer.from(JSON.stringify({ askedQuestions: ids.map((id) => question(id)) }))
    return { ok: true as const, validators: { etag: '"1"' }, body: known.etag === '"1"' ? null : body }
  }
  const clock = { now: () => now, monotonic: () => now }
  const { fetch } = createListSources({ client: { fetchList }, clock }).askedQuestions
  const first = await fetch(null, {})
  if (first.kind !== 'fetched') throw new Error(first.kind)
  ids = ['a', 'b']
  now += stepMs
  let { content, validators } = first
  for (let waitedMs = 0; waitedMs < 300 * SECOND && content.table.size === 1; waitedMs += 20 * SECOND) {
    now += 20 * SECOND
    const outcome = await fetch(content, validators)
    if (outcome.kind !== 'fetched') throw new Error(outcome.kind)
    ;({ content, validators } = outcome)
  }
  expect(content.table.size).toBe(2)
  expect(
    sent.filter((etag) => etag === undefined),
    'the other requests cost nothing',
  ).toHaveLength(2)
})
