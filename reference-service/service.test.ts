import { describe, expect, it } from 'vitest'
import { endpointPaths } from './specification'
import { createFixture, fixtureData } from './testing/service-fixture'

const paths = [endpointPaths.askedQuestions, endpointPaths.declarationsOfInterest, endpointPaths.highSchools]
const allPaths = [...paths, '/external/highSchool?id=alm']

describe('the lists', () => {
  it('gives the questions newest first, equal moments by id, with exactly the specified fields', async () => {
    const { call } = createFixture()
    const body = await (await call(endpointPaths.askedQuestions)).json()
    expect(Object.keys(body)).toEqual(['askedQuestions'])
    expect(body.askedQuestions.map(({ id }: { id: string }) => id)).toEqual(['q-new', 'q-a', 'q-b', 'q-old'])
    expect(body.askedQuestions[3]).toStrictEqual(fixtureData.askedQuestions[0])
  })

  it('gives the declarations newest first, also one whose school is not in the list', async () => {
    const { call } = createFixture()
    const body = await (await call(endpointPaths.declarationsOfInterest)).json()
    expect(Object.keys(body)).toEqual(['declarationsOfInterest'])
    expect(body.declarationsOfInterest.map(({ id }: { id: string }) => id)).toEqual(['d-new', 'd-orphan', 'd-old'])
    expect(body.declarationsOfInterest[0]).toStrictEqual(fixtureData.declarationsOfInterest[1])
  })

  it('gives the schools in Swedish alphabetical order: å, ä, ö last', async () => {
    const { call } = createFixture()
    const body = await (await call(endpointPaths.highSchools)).json()
    expect(body.highSchools.map(({ id }: { id: string }) => id)).toEqual(['alm', 'zeta', 'as', 'ang', 'oster'])
    expect(body.highSchools[0]).toStrictEqual({ id: 'alm', name: 'Almskolan' })
  })

  it.each(paths)('%s gives a token only what its schools have', async (path) => {
    const { call } = createFixture()
    const [list] = Object.values(await (await call(path, 't-some')).json()) as [Record<string, string>[]]
    expect(list.length).toBeGreaterThan(0)
    for (const item of list) expect(['alm', 'ang']).toContain(item['highSchoolId'] ?? item['id'])
  })

  it.each(paths)('%s is an empty list for a token without schools', async (path) => {
    const { call } = createFixture()
    const answer = await call(path, 't-empty')
    expect(answer.status).toBe(200)
    expect(Object.values(await answer.json())).toEqual([[]])
  })
})

describe('one high school', () => {
  it('is its name and id', async () => {
    const { call } = createFixture()
    const answer = await call('/external/highSchool?id=ang')
    expect(await answer.json()).toStrictEqual({ name: 'Ängsskolan', id: 'ang' })
  })

  it.each(['', '?id=', '?id=nobody', '?id=ALM', '?id=alm&id=ang', '?id=alm&id=alm', '?ID=alm'])(
    'is not found by "%s"',
    async (query) => {
      const { call } = createFixture()
      const answer = await call(`/external/highSchool${query}`)
      expect([answer.status, await answer.json()]).toEqual([404, { error: 'Not Found' }])
    },
  )

  it('is not found by a token that does not reach it', async () => {
    const { call } = createFixture()
    expect((await call('/external/highSchool?id=oster', 't-all')).status).toBe(200)
    expect((await call('/external/highSchool?id=oster', 't-some')).status).toBe(404)
  })
})

describe('every endpoint', () => {
  it.each(allPaths)('%s answers 401 to anybody it does not know', async (path) => {
    const { call, service } = createFixture()
    const wrong = ['Bearer', 'Bearer ', 'Bearer nobody', 'Basic t-all', 't-all', 'Bearer t-all t-all', 'Bearer T-ALL']
    for (const authorization of ['', ...wrong]) {
      const answer = await call(path, null, { headers: authorization === '' ? {} : { authorization } })
      expect([answer.status, await answer.json()]).toEqual([401, { error: 'Unauthenticated' }])
      expect(answer.headers.get('www-authenticate')).toBe('Bearer')
    }
    expect(service.requests.every(({ token }) => token === null)).toBe(true)
  })

  it.each(allPaths)('%s answers 403 to a token that is not permitted', async (path) => {
    const { call } = createFixture()
    const answer = await call(path, 't-none')
    expect([answer.status, await answer.json()]).toEqual([403, { error: 'Unauthorized' }])
  })

  it.each(allPaths)('%s takes the name of the scheme in any case', async (path) => {
    const { call } = createFixture()
    for (const scheme of ['bearer', 'BEARER', 'Bearer ']) {
      expect((await call(path, null, { headers: { authorization: `${scheme} t-all` } })).status).toBe(200)
    }
  })

  it.each(paths)('%s answers JSON, whatever it answers', async (path) => {
    const { call } = createFixture({ limits: { perSecond: 4, perHour: 600 } })
    const answers = [await call(path), await call(path, null), await call(path, 't-none'), await call(`${path}-not`)]
    answers.push(await call(path, 't-all', { method: 'OPTIONS' }), await call(path, 't-all', { method: 'HEAD' }))
    for (let calls = 0; calls < 4; calls++) answers.push(await call(path))
    expect(answers.map(({ status }) => status)).toEqual([200, 401, 403, 404, 405, 200, 200, 200, 429, 429])
    for (const answer of answers) expect(answer.headers.get('content-type')).toBe('application/json')
  })

  it.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND'])(
    'refuses %s and names what it takes',
    async (method) => {
      const { call } = createFixture()
      for (const path of allPaths) {
        const answer = await call(path, null, { method })
        expect([answer.status, await answer.json()]).toEqual([405, { error: 'Method Not Allowed' }])
        expect(answer.headers.get('allow')).toBe('GET, HEAD')
      }
    },
  )

  it('answers HEAD as GET without the body', async () => {
    const { call } = createFixture()
    for (const path of allPaths) {
      const [get, head] = [await call(path), await call(path, 't-all', { method: 'HEAD' })]
      expect(await head.text()).toBe('')
      expect([head.status, [...head.headers]]).toEqual([get.status, [...get.headers]])
    }
  })
})

describe('paths', () => {
  const unknown = [
    '/',
    '/external',
    '/external/',
    '/external/nothing',
    '/external/highSchools/',
    '/external/highschools',
  ]
  it.each([...unknown, '/v1/external/highSchools'])('knows no %s', async (path) => {
    const { call } = createFixture()
    const answer = await call(path)
    expect([answer.status, await answer.json()]).toEqual([404, { error: 'Not Found' }])
  })

  it('begin with the base path', async () => {
    const { call } = createFixture({ basePath: '/v1' })
    expect((await call('/v1/external/highSchools')).status).toBe(200)
    expect((await call('/external/highSchools')).status).toBe(404)
  })
})

describe('the log of requests', () => {
  it('has when, what, by which token and how it ended, and forgets the oldest', async () => {
    const { call, service, time } = createFixture({ requestLogSize: 2 })
    await call('/external/highSchools', null)
    await call('/external/highSchools', 't-none')
    time.now += 5
    await call('/external/highSchool?id=alm')
    expect(service.requests).toEqual([
      { at: 1_000_000, method: 'GET', path: '/external/highSchools', token: 'none', status: 403 },
      { at: 1_000_005, method: 'GET', path: '/external/highSchool?id=alm', token: 'all', status: 200 },
    ])
  })
})
