import type { APIRequestContext, PlaywrightWorkerArgs } from '@playwright/test'
import { LISTS } from '@/lib/contract/lists'
import { admin, anotherPerson, cookieHeader, DEMO, expect, manager, newPerson, signIn, staff, test } from './fixtures'

type School = { id: string; name: string }

async function schoolsOf(request: APIRequestContext): Promise<School[]> {
  const answer = await request.get('/api/high-schools')
  return (await answer.json()).highSchools
}

/** A school of the demo that the staff account may not see. */
async function foreignSchool(playwright: PlaywrightWorkerArgs['playwright'], own: School[]) {
  const other = await anotherPerson(playwright, admin)
  const all = await schoolsOf(other)
  const foreign = all.find(({ id }) => own.every((school) => school.id !== id))
  if (!foreign) throw new Error('the demo has no third school')
  const leads = await other.get(`/api/declarations-of-interest?school=${encodeURIComponent(foreign.id)}&limit=1`)
  const [lead] = (await leads.json()).declarationsOfInterest
  await other.dispose()
  return { foreign, lead }
}

test('without a session there is nothing but 401', async ({ playwright }) => {
  const request = await playwright.request.newContext({ baseURL: DEMO })
  for (const path of [
    ...Object.values(LISTS).map((list) => list.path),
    '/api/high-schools',
    '/api/high-schools/x',
    '/api/status',
    '/api/users',
  ]) {
    const answer = await request.get(path)
    expect(answer.status(), path).toBe(401)
    expect(await answer.json()).toEqual({ error: 'Unauthenticated' })
    expect(answer.headers()['cache-control']).toContain('no-store')
  }
})

test('a person with two schools gets nothing of a third, whatever the parameter', async ({ request, playwright }) => {
  await signIn(request, staff)
  const own = await schoolsOf(request)
  expect(own).toHaveLength(2)
  const { foreign, lead } = await foreignSchool(playwright, own)
  const ownIds = new Set(own.map(({ id }) => id))
  const id = encodeURIComponent(foreign.id)
  for (const { path, field } of Object.values(LISTS)) {
    for (const query of [
      '',
      'limit=500',
      'q=a&limit=500',
      'sort=school&limit=500',
      `school=${id}&school=${own[0]?.id}&limit=500`,
    ]) {
      const body = await (await request.get(`${path}?${query}`)).json()
      expect(
        body[field].filter((item: { highSchoolId: string }) => !ownIds.has(item.highSchoolId)),
        `${path}?${query}`,
      ).toEqual([])
    }
    const nothing = await (await request.get(`${path}?school=${id}`)).json()
    expect(nothing).toMatchObject({ [field]: [], total: 0 })
  }
  const one = await (await request.get(`/api/declarations-of-interest?id=${encodeURIComponent(lead.id)}`)).json()
  expect(one.total).toBe(0)
  expect((await request.get(`/api/high-schools/${id}`)).status()).toBe(404)
  const touched = await request.patch('/api/triage', {
    headers: { origin: DEMO },
    data: { leads: [{ kind: 'declaration-of-interest', id: lead.id }], status: 'handled' },
  })
  expect(touched.status()).toBe(404)
})

test('a manager gets counts and schools, but no lead', async ({ request }) => {
  await signIn(request, manager)
  for (const { path } of Object.values(LISTS)) {
    const answer = await request.get(path)
    expect(answer.status()).toBe(403)
    expect(await answer.json()).toEqual({ error: 'Unauthorized' })
  }
  expect((await schoolsOf(request)).length).toBeGreaterThan(2)
  expect((await request.get('/api/users')).status()).toBe(403)
})

test('a bad parameter is refused by name, an unknown route and a foreign origin too', async ({ request }) => {
  await signIn(request, admin)
  for (const [query, name] of [
    ['limit=501', 'limit'],
    ['offset=-1', 'offset'],
    ['sort=email', 'sort'],
    ['from=2026-13-01', 'from'],
    ['status=done', 'status'],
    ['year=soon', 'year'],
    ['nonsense=1', 'nonsense'],
    ['q=a&q=b', 'q'],
  ]) {
    const answer = await request.get(`/api/declarations-of-interest?${query}`)
    expect(answer.status(), query).toBe(400)
    expect((await answer.json()).error, query).toContain(name)
  }
  const unknown = await request.get('/api/no-such-thing')
  expect(unknown.status()).toBe(404)
  expect(await unknown.json()).toEqual({ error: 'Not Found' })
  for (const headers of [{ origin: 'https://evil.example' }, {}]) {
    const answer = await request.patch('/api/triage', {
      headers,
      data: { matching: { list: 'asked-questions' }, status: 'new' },
    })
    expect(answer.status()).toBe(403)
  }
})

test('a method that a route does not have is told as every other error, and what is open to nobody stays so', async ({
  request,
  playwright,
}) => {
  await signIn(request, admin)
  for (const [method, path, status] of [
    ['PUT', '/api/views', 405],
    ['GET', '/api/triage', 405],
    ['POST', '/api/health', 405],
    ['DELETE', '/api/auth/session', 405],
    ['GET', '/api/auth/no-such-thing', 404],
    ['GET', '/api', 404],
    ['DELETE', '/api/no-such-thing', 404],
    ['GET', '/api/activity?user=%00', 400],
    ['GET', '/api/exports?before=0000-01-01T00:00:00Z', 400],
  ] as const) {
    const answer = await request.fetch(path, { method, headers: { origin: DEMO } })
    expect(answer.status(), `${method} ${path}`).toBe(status)
    expect(await answer.json(), path).toEqual({ error: expect.any(String) })
    expect(answer.headers()['cache-control'], path).toContain('no-store')
  }
  const nobody = await playwright.request.newContext({ baseURL: DEMO })
  for (const path of ['/api/notes/x', '/api/views/x', '/api/templates/x']) {
    expect((await nobody.delete(path, { headers: { origin: DEMO } })).status(), path).toBe(401)
    expect((await nobody.delete(path)).status(), path).toBe(403)
  }
  await nobody.dispose()
})

test('what an administrator takes away is gone at once, on an open stream too', async ({ request, playwright }) => {
  const headers = { origin: DEMO }
  await signIn(request, admin)
  const [school] = await schoolsOf(request)
  const { id, email, password } = await newPerson(request, { schools: [school?.id ?? ''] })
  const theirs = await anotherPerson(playwright, { email, password })
  const query = new URLSearchParams({ school: school?.id ?? '', limit: '1', sort: 'createdAt' })
  const [lead] = (await (await theirs.get(`/api/declarations-of-interest?${query}`)).json()).declarationsOfInterest
  const cookie = await cookieHeader(theirs)
  const stream = await fetch(`${DEMO}/api/events`, { headers: { cookie } })
  const heard = stream.text()
  const ref = { kind: 'declaration-of-interest', id: lead.id }
  const change = async (data: object) =>
    expect((await request.patch(`/api/users/${id}`, { headers, data })).status()).toBe(200)

  await change({ schools: [] })
  expect((await theirs.get(`/api/notes?${new URLSearchParams(ref)}`)).status()).toBe(404)
  const note = await (await request.post('/api/notes', { headers, data: { ...ref, text: 'Efteråt' } })).json()
  await request.delete(`/api/notes/${note.id}`, { headers })
  await change({ role: 'manager' })
  for (const path of [`/api/contacts/${lead.contactId}`, '/api/views', '/api/exports', '/api/people']) {
    expect((await theirs.get(path)).status(), path).toBe(403)
  }
  await change({ disabled: true })
  expect((await theirs.get('/api/high-schools')).status()).toBe(401)
  // The stream ends by itself, and never told of the note.
  expect(await heard).not.toContain('event: lead')
  await theirs.dispose()
})

test('what anybody may send is bounded, and a HEAD holds no stream open', async ({ request, playwright }) => {
  const nobody = await playwright.request.newContext({ baseURL: DEMO })
  const large = await nobody.post('/api/auth/callback/credentials', { form: { email: 'x'.repeat(100_000) } })
  expect(large.status()).toBe(413)
  await nobody.dispose()
  await signIn(request, staff)
  expect((await request.head('/api/events')).headers()['content-type']).toContain('text/event-stream')
  const unstorable = await request.patch('/api/triage', {
    headers: { origin: DEMO },
    data: { leads: [{ kind: 'asked-question', id: 'a\u0000b' }], status: 'handled' },
  })
  expect(unstorable.status()).toBe(400)
})
