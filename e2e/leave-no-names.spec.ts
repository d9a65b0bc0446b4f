import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import type { APIRequestContext } from '@playwright/test'
import { expect, pick, signIn, test } from './fixtures'
import { declarations } from './leads'
import { startFresh } from './own-server'

const ORIGIN = 'http://localhost:3104'
const headers = { origin: ORIGIN }

test('after a working day the database and the log name no pupil', async ({ playwright }) => {
  test.setTimeout(120_000)
  const server = await startFresh(3104, { LOG_LEVEL: 'trace', DEMO_TIER: 'S-new' })
  await server.isReady()
  const request = await playwright.request.newContext({ baseURL: ORIGIN })
  const secrets = await workingDay(request).finally(server.end)
  await request.dispose()

  const log = server.readLog()
  const tables = await dump(join(server.dataDir, 'pg'))
  // The dump is one.
  for (const text of ['triage-changed', 'opened', 'staff@demo.test']) expect(tables).toContain(text)
  expect(log).toContain('"path":"/api/notes"')
  expect(secrets.length).toBeGreaterThan(1_000)
  for (const [name, text] of Object.entries({ tables, log })) {
    expect(
      secrets.filter((secret) => holds(text, secret)),
      name,
    ).toEqual([])
  }
  await server.stop()
})

/** Searches, decides, notes, saves a view, opens the contact, exports. Returns all texts that must be found nowhere. */
async function workingDay(request: APIRequestContext): Promise<string[]> {
  await signIn(request, 'staff', ORIGIN)
  const list = 'declarations-of-interest'
  const { id, user, contactId } = pick(await declarations(request, 'limit=1'))
  const kind = 'declaration-of-interest'
  const q = `${user.firstName} ${user.lastName}`
  const columns = ['firstName', 'lastName', 'email', 'phone']
  const file = { list, matching: { list, q }, columns, format: 'csv' }
  const answers = [
    await request.get(`/api/${list}?q=${encodeURIComponent(q)}`),
    await request.post('/api/list-counts', { headers, data: { matching: { list, q } } }),
    await request.patch('/api/triage', { headers, data: { leads: [{ kind, id }], status: 'handled', assignee: 'me' } }),
    await request.post('/api/notes', { headers, data: { kind, id, text: `Hemligtantecknat: ${q} ringde` } }),
    await request.post('/api/views', { headers, data: { list, name: `Vynamn ${q}`, query: { q }, shared: true } }),
    await request.get('/api/views'),
    await request.get(`/api/contacts/${contactId}`),
    await request.post('/api/presence', { headers, data: { tab: crypto.randomUUID(), lead: { kind, id } } }),
    await request.post('/api/exports', { headers, data: { ...file, purpose: `Hemligtsyfte: ${q}` } }),
    await request.get(`/contacts/${contactId}`),
    await request.get(`/declarations?lead=${encodeURIComponent(id)}`),
    // Errors, too.
    await request.get(`/api/${list}?limit=0&q=${encodeURIComponent(q)}`),
    await request.post('/api/notes', { headers, data: { kind, id: 'gone', text: q } }),
  ]
  expect(answers.map((answer) => answer.status())).toEqual([...Array(11).fill(200), 400, 404])
  // Hundreds at once, too.
  await signIn(request, 'admin', ORIGIN)
  for (const every of ['asked-questions', list]) {
    const data = { matching: { list: every }, status: 'handled' }
    const { undo } = await (await request.patch('/api/triage', { headers, data })).json()
    await request.post('/api/triage/undo', { headers, data: { undo } })
  }
  return ['Hemligtantecknat', 'Hemligtsyfte', 'Vynamn', q, ...(await personalTexts(request))]
}

async function personalTexts(request: APIRequestContext): Promise<string[]> {
  const ask = async (list: string) => {
    const bearer = { authorization: 'Bearer demo', 'accept-encoding': 'identity' }
    return (await (await request.get(`/external/conversions/${list}`, { headers: bearer })).json())[list]
  }
  const questions: { question: string; sender: Person }[] = await ask('askedQuestions')
  const declared: { user: Person }[] = await ask('declarationsOfInterest')
  const texts = [
    ...questions.flatMap(({ question, sender }) => [question, sender.email, sender.phone]),
    ...declared.flatMap(({ user }) => [`${user.firstName} ${user.lastName}`, user.lastName, user.email, user.phone]),
  ]
  const colleagues = new Set<string | null>(['Lindqvist', 'Ström', 'Berg'])
  return [...new Set(texts)].filter((text) => text != null && text.length > 3 && !colleagues.has(text)) as string[]
}

type Person = Record<'firstName' | 'lastName' | 'email' | 'phone', string | null>

/** As a whole word: three letters of a name occur in any sealed text. */
function holds(text: string, secret: string): boolean {
  for (let at = text.indexOf(secret); at !== -1; at = text.indexOf(secret, at + 1)) {
    const isWord = (place: number) => /[\p{L}\p{N}+/=_-]/u.test(text.charAt(place))
    if (!isWord(at - 1) && !isWord(at + secret.length)) return true
  }
  return false
}

async function dump(folder: string): Promise<string> {
  const database = await PGlite.create(folder)
  const tables = await database.query<{ name: string }>(
    `select quote_ident(schemaname) || '.' || quote_ident(tablename) as name from pg_tables
     where schemaname not in ('pg_catalog', 'information_schema')`,
  )
  let text = ''
  for (const { name } of tables.rows) {
    const { rows } = await database.query(`select to_jsonb(t)::text as row from ${name} t`)
    text += `${name}\n${rows.map((row) => JSON.stringify(row)).join('\n')}\n`
  }
  await database.close()
  expect(tables.rows.length).toBeGreaterThan(12)
  return text
}
