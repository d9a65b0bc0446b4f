import type { APIRequestContext } from '@playwright/test'
import { LISTS } from '@/lib/contract/lists'
import { admin, cookieHeader, DEMO, expect, headers, newUser, pick, read, signIn, staff, test } from './fixtures'
import { declarations } from './leads'

async function schoolIdsOf(request: APIRequestContext): Promise<string[]> {
  return (await read(request, '/api/high-schools')).highSchools.map(({ id }: { id: string }) => id)
}

test.describe('a person with two schools', () => {
  test.use({ as: staff })

  test('gets nothing of a third, whatever the parameter', async ({ context: { request }, requestAs }) => {
    const own = await schoolIdsOf(request)
    expect(own).toHaveLength(2)
    const boss = await requestAs(admin)
    const id = encodeURIComponent(pick(await schoolIdsOf(boss), (school) => !own.includes(school)))
    const lead = pick(await declarations(boss, `school=${id}&limit=1`))
    for (const { path, field } of Object.values(LISTS)) {
      for (const query of ['', 'q=a&limit=500', 'sort=school&limit=500', `school=${id}&school=${own[0]}&limit=500`]) {
        const items: { highSchoolId: string }[] = (await read(request, `${path}?${query}`))[field]
        expect(
          items.filter(({ highSchoolId }) => !own.includes(highSchoolId)),
          `${path}?${query}`,
        ).toEqual([])
      }
      expect(await read(request, `${path}?school=${id}`)).toMatchObject({ [field]: [], total: 0 })
    }
    expect(await declarations(request, `id=${encodeURIComponent(lead.id)}`)).toEqual([])
    expect((await request.get(`/api/high-schools/${id}`)).status()).toBe(404)
    const data = { leads: [{ kind: 'declaration-of-interest', id: lead.id }], status: 'handled' }
    expect((await request.patch('/api/triage', { headers, data })).status()).toBe(404)
  })

  test('sees no view shared by a user of all schools', async ({ context: { request }, requestAs }) => {
    const boss = await requestAs(admin)
    const data = { list: 'declarations-of-interest', name: 'Ring Åsa', query: { q: 'asa' }, shared: true }
    const { id } = await (await boss.post('/api/views', { headers, data })).json()
    const idsOf = async (who: APIRequestContext) =>
      (await read(who, '/api/views')).views.map((view: { id: string }) => view.id)
    expect(await idsOf(boss)).toContain(id)
    expect(await idsOf(request)).not.toContain(id)
    expect((await request.delete(`/api/views/${id}`, { headers })).status()).toBe(404)
    expect((await boss.delete(`/api/views/${id}`, { headers })).status()).toBe(200)
  })
})

test('a revoked right is gone at once, also on an open stream', async ({ request, requestAs }) => {
  await signIn(request, admin)
  const [school = ''] = await schoolIdsOf(request)
  const person = await newUser(request, { schools: [school] })
  const theirs = await requestAs(person)
  const lead = pick(await declarations(theirs, `${new URLSearchParams({ school, sort: 'createdAt' })}`))
  const stream = await fetch(`${DEMO}/api/events`, { headers: { cookie: await cookieHeader(theirs) } })
  const heard = stream.text()
  const ref = { kind: 'declaration-of-interest', id: lead.id }
  const change = async (data: object) =>
    expect((await request.patch(`/api/users/${person.id}`, { headers, data })).status()).toBe(200)

  await change({ schools: [] })
  expect((await theirs.get(`/api/notes?${new URLSearchParams(ref)}`)).status()).toBe(404)
  const note = await (await request.post('/api/notes', { headers, data: { ...ref, text: 'Efteråt' } })).json()
  await request.delete(`/api/notes/${note.id}`, { headers })
  await change({ role: 'manager' })
  for (const path of [`/api/contacts/${lead.contactId}`, '/api/views', '/api/exports', '/api/people'])
    expect((await theirs.get(path)).status(), path).toBe(403)
  await change({ disabled: true })
  expect((await theirs.get('/api/high-schools')).status()).toBe(401)
  // The stream ended by itself, without the note.
  expect(await heard).not.toContain('event: lead')
})

test('HEAD opens no stream; a wrong method or moment is a JSON error', async ({ request }) => {
  await signIn(request, admin)
  expect((await request.head('/api/events')).headers()['content-type']).toContain('text/event-stream')
  for (const [method, path, status] of [
    ['DELETE', '/api/auth/session', 405],
    ['GET', '/api/auth/no-such-thing', 404],
    ['GET', '/api/exports?before=0000-01-01T00:00:00Z', 400],
  ] as const) {
    const answer = await request.fetch(path, { method, headers })
    expect([answer.status(), await answer.json()], path).toEqual([status, { error: expect.any(String) }])
    expect(answer.headers()['cache-control'], path).toContain('no-store')
  }
})
