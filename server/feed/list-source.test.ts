import { expect, test } from 'vitest'
import { question } from '@/lib/leads/testing/leads'
import { createListSources, readHighSchoolList } from './list-source'
import type { Validators } from './response-headers'

const SECOND = 1_000

test('an empty list is a list, but one of which nothing can be read is not', async () => {
  const client = { fetchList: () => Promise.reject(new Error('nothing is sent')) }
  const readQuestions = createListSources({ client, now: () => 0 }).askedQuestions.read
  expect(await readQuestions(Buffer.from('{"askedQuestions":[]}'), null)).toMatchObject({ ok: true })
  expect(await readQuestions(Buffer.from('{"askedQuestions":[1,2,3]}'), null)).toMatchObject({ ok: false })
  expect(await readHighSchoolList(Buffer.from('{"highSchools":[]}'), null)).toMatchObject({ ok: true })
  expect(await readHighSchoolList(Buffer.from('{"highSchools":[{}]}'), null)).toMatchObject({ ok: false })
})

test('a tag that never changes hides a new lead for five minutes at most', async () => {
  let now = Date.UTC(2026, 10, 20, 8)
  let ids = ['a']
  const sent: (string | undefined)[] = []
  const fetchList = async (_list: string, known: Validators = {}) => {
    sent.push(known.etag)
    const body = Buffer.from(JSON.stringify({ askedQuestions: ids.map((id) => question(id)) }))
    return { ok: true as const, validators: { etag: '"1"' }, body: known.etag === '"1"' ? null : body }
  }
  const { fetch } = createListSources({ client: { fetchList }, now: () => now }).askedQuestions
  const first = await fetch(null, {})
  if (first.kind !== 'fetched') throw new Error(first.kind)
  ids = ['a', 'b']
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
