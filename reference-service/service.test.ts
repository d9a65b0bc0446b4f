import { describe, expect, it } from 'vitest'
import { ENDPOINT_PATHS } from './specification'
import { createFixture, fixtureData } from './testing/service-fixture'

const lists = ['askedQuestions', 'declarationsOfInterest', 'highSchools'] as const
const allPaths = [...lists.map((list) => ENDPOINT_PATHS[list]), '/external/highSchool?id=alm']

async function readAnswer(path: string, token?: string): Promise<[number, unknown]> {
  const answer = await createFixture().call(path, token)
  return [answer.status, await answer.json()]
}

describe('the lists', () => {
  it.each([
    // Questions and declarations are newest first, equal moments by id; schools in Swedish order, å, ä and ö last.
    ['askedQuestions', ['q-new', 'q-a', 'q-b', 'q-old'], ['q-new', 'q-a', 'q-old']],
    ['declarationsOfInterest', ['d-new', 'd-orphan', 'd-old'], ['d-new']],
    ['highSchools', ['alm', 'zeta', 'as', 'ang', 'oster'], ['alm', 'ang']],
  ] as const)(
    '%s are in order, of the schools of the token, with exactly the specified fields',
    async (list, all, some) => {
      const given = fixtureData[list]
      const selectItems = (ids: readonly string[]) => ids.map((id) => given.find((item) => item.id === id))
      expect(await readAnswer(ENDPOINT_PATHS[list])).toStrictEqual([200, { [list]: selectItems(all) }])
      expect(await readAnswer(ENDPOINT_PATHS[list], 't-some')).toStrictEqual([200, { [list]: selectItems(some) }])
      expect(await readAnswer(ENDPOINT_PATHS[list], 't-empty')).toStrictEqual([200, { [list]: [] }])
    },
  )
})

describe('one high school', () => {
  it('is its name and id', async () => {
    expect(await readAnswer('/external/highSchool?id=ang')).toStrictEqual([200, { name: 'Ängsskolan', id: 'ang' }])
  })

  it.each(['', '?id=', '?id=nobody', '?id=ALM', '?id=alm&id=ang', '?id=alm&id=alm', '?ID=alm'])(
    'is not found by "%s"',
    async (query) => {
      expect(await readAnswer(`/external/highSchool${query}`)).toEqual([404, { error: 'Not Found' }])
    },
  )

  it('is not found by a token that does not reach it', async () => {
    expect(await readAnswer('/external/highSchool?id=oster', 't-some')).toEqual([404, { error: 'Not Found' }])
  })
})

describe('every endpoint', () => {
  it.each(allPaths)('%s answers 401 to a caller it does not know', async (path) => {
    const { call } = createFixture()
    const wrong = ['Bearer', 'Bearer ', 'Bearer nobody', 'Basic t-all', 't-all', 'Bearer t-all t-all', 'Bearer T-ALL']
    for (const authorization of ['', ...wrong]) {
      const answer = await call(path, null, { headers: authorization === '' ? {} : { authorization } })
      expect([answer.status, await answer.json()]).toEqual([401, { error: 'Unauthenticated' }])
      expect(answer.headers.get('www-authenticate')).toBe('Bearer')
    }
  })

  it.each(allPaths)('%s answers 403 to a token that is not permitted', async (path) => {
    expect(await readAnswer(path, 't-none')).toEqual([403, { error: 'Unauthorized' }])
  })

  it.each(allPaths)('%s answers JSON, whatever it answers', async (path) => {
    const { call } = createFixture({ limits: { perSecond: 2, perHour: 600 } })
    const answers = [await call(path, null), await call(path, 't-none'), await call(`/not${path}`)]
    answers.push(await call(path, 't-all', { method: 'OPTIONS' }))
    for (let calls = 0; calls < 3; calls++) answers.push(await call(path))
    expect(answers.map(({ status }) => status)).toEqual([401, 403, 404, 405, 200, 200, 429])
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
})

it.each(['/', '/external', '/external/nothing', '/external/highSchools/', '/external/highschools'])(
  'the path %s is unknown',
  async (path) => {
    expect(await readAnswer(path)).toEqual([404, { error: 'Not Found' }])
  },
)
