import type { APIRequestContext, APIResponse } from '@playwright/test'
import { admin, anotherPerson, cookieHeader, daysAgo, DEMO, expect, manager, signIn, staff, test } from './fixtures'

const headers = { origin: DEMO }
const list = 'declarations-of-interest'
const kind = 'declaration-of-interest'

type Lead = { id: string; highSchoolId: string; contactId: string; triage: { updatedAt: string | null } }

async function leads(request: APIRequestContext, query: string): Promise<{ leads: Lead[]; total: number }> {
  const { declarationsOfInterest, total } = await (await request.get(`/api/${list}?${query}`)).json()
  return { leads: declarationsOfInterest, total }
}

/** A lead of its own for each test, so that tests beside each other do not meet. */
async function someLead(request: APIRequestContext, offset: number): Promise<{ kind: string; id: string } & Lead> {
  const [lead] = (await leads(request, `sort=createdAt&limit=1&offset=${offset}`)).leads
  if (!lead) throw new Error('the demo has too few leads')
  return { kind, ...lead }
}

const send = (request: APIRequestContext, path: string, data: object): Promise<APIResponse> =>
  request.post(path, { headers, data })

test('a note is written, read and deleted; a manager gets none', async ({ request, playwright }) => {
  await signIn(request, staff)
  const { id } = await someLead(request, 300)
  const note = await (await send(request, '/api/notes', { kind, id, text: 'Ringde, inget svar' })).json()
  const read = await (await request.get(`/api/notes?kind=${kind}&id=${id}`)).json()
  expect(read).toEqual({ notes: [note] })
  expect((await request.get(`/api/notes?kind=${kind}&id=nobody`)).status()).toBe(404)
  const boss = await anotherPerson(playwright, manager)
  for (const path of [
    `/api/notes?kind=${kind}&id=${id}`,
    '/api/views',
    '/api/templates',
    '/api/people',
    '/api/activity',
  ]) {
    expect((await boss.get(path)).status(), path).toBe(403)
  }
  expect((await send(boss, '/api/list-counts', { matching: { list } })).status()).toBe(403)
  await boss.dispose()
  expect((await request.delete(`/api/notes/${note.id}`, { headers })).status()).toBe(200)
  expect((await request.delete(`/api/notes/${note.id}`, { headers })).status()).toBe(404)
})

test('the counts are those of the list', async ({ request }) => {
  await signIn(request, staff)
  // A day that is over: what arrives meanwhile does not count.
  const to = daysAgo(300)
  const counts = await (await send(request, '/api/list-counts', { matching: { list, to, q: 'an' } })).json()
  expect(counts.total).toBe((await leads(request, `to=${to}&q=an`)).total)
  for (const [year, count] of Object.entries(counts.year)) {
    expect((await leads(request, `to=${to}&q=an&year=${year}`)).total, year).toBe(count)
  }
  const bad = await send(request, '/api/list-counts', { matching: { list, nonsense: 1 } })
  expect([bad.status(), (await bad.json()).error]).toEqual([400, 'Bad parameter: matching.nonsense'])
})

test('of two who act at once the second is told; a batch is undone', async ({ request, playwright }) => {
  await signIn(request, staff)
  const one = await someLead(request, 310)
  const other = await anotherPerson(playwright, admin)
  const seen = { kind, id: one.id, updatedAt: one.triage.updatedAt }
  const first = await request.patch('/api/triage', { headers, data: { leads: [seen], status: 'handled' } })
  const { changed, undo } = await first.json()
  expect(changed).toMatchObject([{ kind, id: one.id, after: { status: 'handled' } }])
  const second = await other.patch('/api/triage', { headers, data: { leads: [seen], status: 'dismissed' } })
  expect(await second.json()).toMatchObject({ changed: [], undo: null, conflicts: [{ now: { status: 'handled' } }] })
  expect((await send(other, '/api/triage/undo', { undo })).status()).toBe(400)
  expect(await (await send(request, '/api/triage/undo', { undo })).json()).toEqual({ restored: 1, conflicts: 0 })
  await other.dispose()
})

test('all that match are changed with progress', async ({ request }) => {
  await signIn(request, staff)
  const { leads: ten } = await leads(request, 'sort=createdAt&limit=10&offset=320')
  const answer = await request.patch('/api/triage', {
    headers: { ...headers, accept: 'application/x-ndjson' },
    data: { matching: { list, id: ten.map(({ id }) => id) }, status: 'in-progress' },
  })
  const lines = (await answer.text())
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(lines.slice(0, -1)).toEqual([
    { done: 0, total: 10 },
    { done: 10, total: 10 },
  ])
  const last = lines.at(-1)
  expect(last).toMatchObject({ changed: 10, conflicts: 0 })
  expect(await (await send(request, '/api/triage/undo', { undo: last.undo })).json()).toMatchObject({ restored: 10 })
})

test('a contact has the lead it is named by, its opening is in the log, and unknown ids tell nothing', async ({
  request,
  playwright,
}) => {
  await signIn(request, staff)
  const lead = await someLead(request, 340)
  const contact = await (await request.get(`/api/contacts/${lead.contactId}`)).json()
  expect(contact.leads.map(({ lead: its }: { lead: Lead }) => its.id)).toContain(lead.id)
  expect(contact.total).toBe(contact.leads.length)
  const unknown = await request.get(`/api/contacts/${'A'.repeat(22)}`)
  expect([unknown.status(), await unknown.json()]).toEqual([404, { error: 'Not Found' }])
  const boss = await anotherPerson(playwright, admin)
  const { entries } = await (await boss.get('/api/activity?action=contact-opened&limit=200')).json()
  const ids = new Set(contact.leads.map(({ lead: its }: { lead: Lead }) => its.id))
  expect(entries.some((entry: { lead: { id: string } }) => ids.has(entry.lead.id))).toBe(true)
  await boss.dispose()
})

test('who else has a lead open, until the page is closed', async ({ request, playwright }) => {
  await signIn(request, staff)
  const { id } = await someLead(request, 350)
  const lead = { kind, id }
  const other = await anotherPerson(playwright, admin)
  const [mine, theirs] = [crypto.randomUUID(), crypto.randomUUID()]
  await send(request, '/api/presence', { tab: mine, lead })
  const { others } = await (await send(other, '/api/presence', { tab: theirs, lead })).json()
  expect(others).toMatchObject([{ name: 'Sara Lindqvist' }])
  const beacon = { ...headers, 'content-type': 'text/plain;charset=UTF-8' }
  await request.post('/api/presence', { headers: beacon, data: JSON.stringify({ tab: mine, lead: null }) })
  expect(await (await send(other, '/api/presence', { tab: theirs, lead })).json()).toEqual({ others: [] })
  const foreign = { origin: 'https://evil.example', 'content-type': 'text/plain' }
  expect((await request.post('/api/presence', { headers: foreign, data: '{}' })).status()).toBe(403)
  await other.dispose()
})

test('a view is shared, counted for whoever looks, and deleted by its owner', async ({ request, playwright }) => {
  await signIn(request, staff)
  const other = await anotherPerson(playwright, admin)
  const query = { to: daysAgo(300) }
  const view = await (await send(request, '/api/views', { list, name: 'Äldre', query, shared: true })).json()
  const countFor = async (who: APIRequestContext) => {
    const { views } = await (await who.get('/api/views')).json()
    return views.find(({ id }: { id: string }) => id === view.id)?.count
  }
  expect(await countFor(request)).toBe((await leads(request, `to=${daysAgo(300)}`)).total)
  expect(await countFor(other)).toBe((await leads(other, `to=${daysAgo(300)}`)).total)
  expect((await request.delete(`/api/views/${view.id}`, { headers })).status()).toBe(200)
  expect(await countFor(other)).toBeUndefined()
  await other.dispose()
})

test('a shared view exists for those alone who see all schools that its owner sees', async ({
  request,
  playwright,
}) => {
  await signIn(request, staff)
  const other = await anotherPerson(playwright, admin)
  const data = { list, name: 'Ring Åsa', query: { q: 'asa' }, shared: true }
  const { id } = await (await send(other, '/api/views', data)).json()
  const idsOf = async (who: APIRequestContext) =>
    (await (await who.get('/api/views')).json()).views.map((view: { id: string }) => view.id)
  expect(await idsOf(other)).toContain(id)
  expect(await idsOf(request)).not.toContain(id)
  expect((await request.delete(`/api/views/${id}`, { headers })).status()).toBe(404)
  expect((await other.delete(`/api/views/${id}`, { headers })).status()).toBe(200)
  await other.dispose()
})

test('of twenty-five live streams of one person the newest twenty stay', async ({ request }) => {
  await signIn(request, manager)
  const cookie = await cookieHeader(request)
  const closing = new AbortController()
  const streams = []
  for (let tab = 0; tab < 25; tab += 1)
    streams.push(await fetch(`${DEMO}/api/events`, { headers: { cookie }, signal: closing.signal }))
  expect(streams.every(({ status }) => status === 200)).toBe(true)
  const first = await streams[0]?.text()
  expect(first).toMatch(/event: rest\ndata: \{\}\n\n$/)
  closing.abort()
})

test('the live stream tells of triage and notes to those who may see the lead', async ({ request, playwright }) => {
  await signIn(request, staff)
  const { id } = await someLead(request, 360)
  const boss = await anotherPerson(playwright, manager)
  const [staffHears, managerHears] = [await listen(request), await listen(boss)]
  const note = await (await send(request, '/api/notes', { kind, id, text: 'x' })).json()
  await request.patch('/api/triage', { headers, data: { leads: [{ kind, id }], status: 'in-progress' } })
  await expect
    .poll(() => staffHears.text())
    .toContain(`event: lead\ndata: {"kind":"${kind}","id":"${id}","what":"notes"}`)
  await expect.poll(() => staffHears.text()).toContain(`event: triage\ndata: {"list":"${list}"`)
  expect(managerHears.text()).not.toMatch(/event: (lead|triage)/)
  staffHears.close()
  managerHears.close()
  await request.delete(`/api/notes/${note.id}`, { headers })
  await request.patch('/api/triage', { headers, data: { leads: [{ kind, id }], status: 'new' } })
  await boss.dispose()
})

/** The live stream of this person, as far as it has come. */
async function listen(request: APIRequestContext): Promise<{ text: () => string; close: () => void }> {
  const cookie = await cookieHeader(request)
  const closing = new AbortController()
  const { body } = await fetch(`${DEMO}/api/events`, { headers: { cookie }, signal: closing.signal })
  let heard = ''
  const read = async () => {
    for await (const chunk of body ?? []) heard += new TextDecoder().decode(chunk)
  }
  read().catch(() => {})
  return { text: () => heard, close: () => closing.abort() }
}
