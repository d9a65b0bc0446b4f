import { gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createBody, createListBodies, sendBody } from './answers'
import type { AskedQuestion } from './specification'
import { createStore, listInScope } from './store'
import { createFixture, fixtureData, fixtureTokens } from './testing/service-fixture'

describe('sending a body', () => {
  const long = createBody({ text: 'lång '.repeat(1000) })
  const send = (headers: Record<string, string>, body = long) =>
    sendBody(body, new Request('http://service.test/', { headers }))

  describe('compression', () => {
    it.each(['gzip', 'br, GZIP;q=0.5', '*', 'x-gzip', 'deflate, gzip;q=1.0, *;q=0'])(
      'is given to "%s"',
      async (accept) => {
        const answer = await send({ 'accept-encoding': accept })
        const bytes = new Uint8Array(await answer.arrayBuffer())
        expect(answer.headers.get('content-encoding')).toBe('gzip')
        expect(answer.headers.get('content-length')).toBe(String(bytes.length))
        expect(new Uint8Array(gunzipSync(bytes))).toEqual(long.bytes)
      },
    )

    it.each(['', 'identity', 'br', 'gzip;q=0', '*;q=0', 'gzip;q=0.0, *'])('is not given to "%s"', async (accept) => {
      const answer = await send({ 'accept-encoding': accept })
      expect(answer.headers.get('content-encoding')).toBeNull()
      expect(await answer.bytes()).toEqual(long.bytes)
    })
  })

  describe('validators', () => {
    it.each([(tag: string) => tag, (tag: string) => tag.slice(2), (tag: string) => `"x", ${tag}`, () => '*'])(
      'spare a caller what it has (%s)',
      async (header) => {
        const answer = await send({ 'if-none-match': header(long.etag) })
        expect([answer.status, await answer.text()]).toEqual([304, ''])
        expect(answer.headers.get('etag')).toBe(long.etag)
      },
    )

    it('change with their list and only with that', async () => {
      const { call, store } = createFixture()
      const tags = async () =>
        (await Promise.all(['conversions/askedQuestions', 'highSchools'].map((list) => call(`/external/${list}`)))).map(
          ({ headers }) => headers.get('etag'),
        )
      const before = await tags()
      expect(await tags()).toEqual(before)
      const [newest] = store.current().askedQuestions
      if (newest) store.addAskedQuestion({ ...newest, id: 'q-newest' })
      const [questions, schools] = await tags()
      expect(questions).not.toBe(before[0])
      expect(schools).toBe(before[1])
    })

    it('differ between tokens that see different things', async () => {
      const { call } = createFixture()
      const [all, some] = [await call('/external/highSchools'), await call('/external/highSchools', 't-some')]
      expect(all.headers.get('etag')).not.toBe(some.headers.get('etag'))
      expect(all.headers.get('vary')).toBe('Authorization, Accept-Encoding')
    })
  })
})

describe('the bodies of lists', () => {
  const store = () => createStore(fixtureData, fixtureTokens)
  const sample = store().current().askedQuestions[0]

  it('wherever leads come in or go, the answer is that of the whole list written again', () => {
    const lead = fc.record({
      id: fc.string({ unit: 'binary', minLength: 1 }),
      highSchoolId: fc.constantFrom('alm', 'ang', 'oster'),
      day: fc.integer({ min: 1, max: 28 }),
      asked: fc.integer({ min: 0, max: 2 }),
    })
    fc.assert(
      fc.property(fc.array(lead, { maxLength: 12 }), fc.boolean(), (leads, startEmpty) => {
        const [bodyOf, data] = [createListBodies(), store()]
        if (startEmpty) data.replace({ ...fixtureData, askedQuestions: [] }, fixtureTokens)
        for (const { id, highSchoolId, day, asked } of leads) {
          const createdAt = new Date(Date.UTC(2026, 1, day)).toISOString()
          data.addAskedQuestion({ ...(sample as AskedQuestion), id, highSchoolId, createdAt })
          for (const scope of ['all', ['alm', 'ang'], []].slice(0, asked + 1) as ('all' | string[])[]) {
            const written = new TextDecoder().decode(bodyOf(data.current(), 'askedQuestions', scope).bytes)
            expect(written).toBe(
              JSON.stringify({ askedQuestions: listInScope(data.current(), 'askedQuestions', scope) }),
            )
          }
        }
      }),
    )
  })
})
