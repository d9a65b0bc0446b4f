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

  it.each([
    ['', 't-all'],
    ['?id=nobody', 't-all'],
    ['?id=ALM', 't-all'],
    ['?id=oster', 't-some'],
  ])('is not found by "%s" of the token %s', async (query, token) => {
    expect(await readAnswer(`/external/highSchool${query}`, token)).toEqual([404, { error: 'Not Found' }])
  })
})

describe('every endpoint', () => {
  it.each(allPaths)('%s answers 401 to a caller it does not know', async (path) => {
    const { call } = createFixture()
    for (const authorization of ['', 'Bearer', 'Bearer nobody', 'Basic t-all', 'Bearer t-all t-all', 'Bearer T-ALL']) {
      const answer = await call(path, null, { headers: authorization === '' ? {} : { authorization } })
      expect([answer.status, await answer.json()]).toEqual([401, { error: 'Unauthenticated' }])
    }
  })

  it.each(allPaths)('%s answers JSON, whatever it answers', async (path) => {
    const { call } = createFixture({ limits: { perSecond: 2, perHour: 600 } })
    const answers = [await call(path, null), await call(path, 't-none'), await call(`/not${path}`)]
    answers.push(await call(path, 't-all', { method: 'POST' }))
    for (let calls = 0; calls < 3; calls++) answers.push(await call(path))
    expect(answers.map(({ status }) => status)).toEqual([401, 403, 404, 405, 200, 200, 429])
    for (const answer of answers) expect(answer.headers.get('content-type')).toBe('application/json')
    expect(await answers[1]?.json()).toEqual({ error: 'Unauthorized' })
    expect(answers[3]?.headers.get('allow')).toBe('GET, HEAD')
  })
})
