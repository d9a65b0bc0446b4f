import { DEMO, expect, signIn, staff, test } from './fixtures'

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

test('the demo mounts the external service at this origin', async ({ request }) => {
  const answer = await request.get(`${DEMO}/external/highSchools`, { headers: bearer('demo') })
  expect(answer.status()).toBe(200)
  expect(answer.headers()['content-type']).toBe('application/json')
  const { highSchools } = await answer.json()
  const names = highSchools.map((school: { name: string }) => school.name)
  expect(names.length).toBeGreaterThan(1)
  expect(names).toEqual(names.toSorted(new Intl.Collator('sv').compare))
  const one = await request.get(`${DEMO}/external/highSchool?id=${highSchools[0].id}`, { headers: bearer('demo') })
  expect(await one.json()).toEqual(highSchools[0])
})

test('its lists can be read by whoever asks for them compressed', async ({ request }) => {
  const headers = { ...bearer('demo'), 'accept-encoding': 'gzip' }
  const answer = await request.get(`${DEMO}/external/conversions/askedQuestions`, { headers })
  expect(answer.headers()['content-encoding']).toBe('gzip')
  expect((await answer.json()).askedQuestions.length).toBeGreaterThan(1_000)
})

test('it refuses as the specification says', async ({ request }) => {
  const nobody = await request.get(`${DEMO}/external/highSchools`)
  expect([nobody.status(), await nobody.json()]).toEqual([401, { error: 'Unauthenticated' }])
  const unpermitted = await request.get(`${DEMO}/external/highSchools`, { headers: bearer('demo-none') })
  expect([unpermitted.status(), await unpermitted.json()]).toEqual([403, { error: 'Unauthorized' }])
  const unknown = await request.get(`${DEMO}/external/highSchool?id=no-such-school`, { headers: bearer('demo') })
  expect([unknown.status(), await unknown.json()]).toEqual([404, { error: 'Not Found' }])
  const posted = await request.post(`${DEMO}/external/highSchools`, { headers: bearer('demo') })
  expect(posted.status()).toBe(405)
  expect(posted.headers()['content-type']).toBe('application/json')
})

test('visitors who spend the public token’s requests take none from the dashboard', async ({ request }) => {
  const ask = async () => (await request.get(`${DEMO}/external/highSchools`, { headers: bearer('demo-some') })).status()
  const statuses: number[] = []
  // A slow machine needs more of them to ask more than ten in one second.
  while (!statuses.includes(429) && statuses.length < 600)
    statuses.push(...(await Promise.all(Array.from({ length: 30 }, ask))))
  expect(new Set(statuses)).toEqual(new Set([200, 429]))
  await signIn(request, staff)
  const { problems } = await (await request.get(`${DEMO}/api/status`)).json()
  expect(problems).toEqual([])
})
