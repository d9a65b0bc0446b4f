import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { createBody, respondWithBody } from './answers'
import { createFixture, question } from './testing/service-fixture'

describe('a body', () => {
  const long = createBody({ text: 'lång '.repeat(1000) })
  const send = (headers: Record<string, string>) =>
    respondWithBody(long, new Request('http://service.test/', { headers }))

  it.each([
    ['gzip, br', true],
    ['br', false],
  ])('for a caller who accepts "%s" is compressed: %s', async (accept, isCompressed) => {
    const answer = await send({ 'accept-encoding': accept })
    const bytes = await answer.bytes()
    expect(answer.headers.get('content-encoding')).toBe(isCompressed ? 'gzip' : null)
    expect(answer.headers.get('content-length')).toBe(String(bytes.length))
    expect(isCompressed ? gunzipSync(bytes) : Buffer.from(bytes)).toEqual(long.bytes)
  })

  it('is not sent again to a caller who has it', async () => {
    const answer = await send({ 'if-none-match': long.etag })
    expect([answer.status, await answer.text(), answer.headers.get('etag')]).toEqual([304, '', long.etag])
  })

  it('has a tag that changes with its list alone, and differs between tokens that see different things', async () => {
    const { call, store } = createFixture()
    const readTag = async (list: string, token = 't-all') =>
      (await call(`/external/${list}`, token)).headers.get('etag')
    const readTags = () => Promise.all(['conversions/askedQuestions', 'highSchools'].map((list) => readTag(list)))
    const before = await readTags()
    expect(await readTags()).toEqual(before)
    store.addAskedQuestion(question('q-newest', 'alm', '2026-03-01T10:00:00.000Z'))
    const [questions, schools] = await readTags()
    expect([questions === before[0], schools === before[1]]).toEqual([false, true])
    expect(await readTag('highSchools', 't-some')).not.toBe(schools)
  })
})
