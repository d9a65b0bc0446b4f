import { eq } from 'drizzle-orm'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import type { Role, SchoolScope } from '@/lib/contract/user'
import { declaration, question } from '@/lib/leads/testing/leads'
import { mails, preferences, users } from '@/server/db/schema'
import { openRightsDesk } from '@/server/rights/testing/rights-desk'
import { createMailer, type Delivery, type Mail } from './mailer'
import { openMailServer, SHORT } from './testing/mail-server'
import { createWeekMail } from './week-mail'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
/** Seven in the morning of a Monday in November, in Stockholm. */
const SEVEN = Date.parse('2026-11-23T06:00:00Z')
const ODD = 'Åsö & <b>Söner</b>'

const desk = await openRightsDesk()
const server = await openMailServer()
afterAll(async () => {
  await desk.close()
  await server.close()
})

/** As many as had come by the day of the snapshot, or in all. */
const comeEvery = (hours: number, school: string, year: number) => {
  const from = Date.parse(`${year - 1}-09-20T08:00:00Z`)
  const until = Math.min(Date.parse(`${year}-03-20T08:00:00Z`), Date.parse('2026-11-20T07:00:00Z'))
  return Array.from({ length: Math.floor((until - from) / (hours * HOUR_MS)) }, (_, at) =>
    declaration(`${school}${year}${at}`, {
      school,
      firstName: 'Elsa',
      lastName: 'Hemlig',
      email: `elsa${at}@elev.example`,
      createdAt: new Date(from + at * hours * HOUR_MS).toISOString(),
      highSchoolEnrollmentYear: year,
    }),
  )
}
desk.setDeclarations([
  ...comeEvery(16, ODD, 2027),
  ...comeEvery(8, ODD, 2026),
  ...comeEvery(8, 'sodra', 2027),
  ...comeEvery(8, 'sodra', 2026),
])
desk.setQuestions(Array.from({ length: 12 }, (_, at) => question(`q${at}`, { school: ODD, text: 'Får man ha häst?' })))

let answer: (mail: Mail) => Delivery | Promise<Delivery>
const sent: Mail[] = []
const warned: unknown[] = []
beforeEach(async () => {
  desk.time.ms = SEVEN
  sent.length = 0
  warned.length = 0
  answer = () => ({ ok: true })
  await desk.db.delete(preferences)
  await desk.db.delete(mails)
})

/** One instance of Intag. */
const instance = (mailer: Parameters<typeof createWeekMail>[0]['mailer'] = { send: async (mail) => sending(mail) }) =>
  createWeekMail({
    ...desk.parts,
    env: { auth: { url: 'https://intag.example', secret: '' } },
    mailer,
    logger: { info: () => {}, warn: (line: unknown) => void warned.push(line) },
  })
const sending = async (mail: Mail) => {
  sent.push(mail)
  return answer(mail)
}

let count = 0
async function reader(role: Role, schools: SchoolScope = 'all', language: 'sv' | 'en' = 'sv', on = true) {
  const { id } = await desk.person(`week${(count += 1)}`, role, schools)
  await desk.db.insert(preferences).values({ userId: id, name: 'week', value: { on, language } })
  return id
}

describe('is sent once', () => {
  test('on Monday from seven on, by whichever of three instances looks first', async () => {
    await reader('manager')
    const [one, two, three] = [instance(), instance(), instance()]
    desk.time.ms = SEVEN - 1
    await Promise.all([one.run(), two.run()])
    expect(sent, 'not before').toEqual([])
    desk.time.ms = SEVEN
    await Promise.all([one.run(), two.run(), three.run()])
    await Promise.all([one.run(), instance().run()])
    expect(sent).toHaveLength(1)
    desk.time.ms = SEVEN + 7 * DAY_MS
    await Promise.all([one.run(), two.run()])
    expect(sent, 'and again the week after').toHaveLength(2)
  })

  test('though the process is killed while it sends, and another takes over', async () => {
    await reader('manager')
    answer = () => new Promise(() => {})
    void instance().run()
    await expect.poll(() => sent.length).toBe(1)
    answer = () => ({ ok: true })
    for (let minute = 0; minute < 30; minute += 1) {
      desk.time.ms += MINUTE_MS
      await instance().run()
    }
    expect(sent).toHaveLength(1)
  })

  test('though the clock goes back, and it may have arrived', async () => {
    await reader('manager')
    answer = () => ({ ok: false, kind: 'unsure', detail: 'ECONNECTION' })
    await instance().run()
    for (const ms of [SEVEN + HOUR_MS, SEVEN, SEVEN + 16 * HOUR_MS]) {
      desk.time.ms = ms
      await instance().run()
    }
    expect(sent).toHaveLength(1)
    expect(warned).toEqual([{ mail: 'week', kind: 'unsure', detail: 'ECONNECTION' }])
  })

  test('at last, when the mail server was away', async () => {
    await reader('manager')
    const one = instance()
    answer = () => ({ ok: false, kind: 'unreachable', detail: 'ECONNECTION' })
    await one.run()
    answer = () => ({ ok: true })
    desk.time.ms += 6 * MINUTE_MS
    await one.run()
    await one.run()
    expect(sent).toHaveLength(2)
  })
})

test.each([
  ['late on the same Monday', '2026-11-23T22:59:00Z', 1],
  ['a day later', '2026-11-24T06:00:00Z', 0],
  ['on Sunday', '2026-11-22T06:00:00Z', 0],
  ['the Monday after the clocks went forward', '2026-03-30T05:00:00Z', 1],
  ['before seven that day', '2026-03-30T04:59:00Z', 0],
  ['the Monday after they went back', '2026-10-26T06:00:00Z', 1],
  ['before seven that day', '2026-10-26T05:59:00Z', 0],
  ['in the week of Christmas', '2026-12-21T06:00:00Z', 0],
  ['between the years', '2026-12-28T06:00:00Z', 0],
  ['in the week of Epiphany', '2027-01-04T06:00:00Z', 0],
  ['after it', '2027-01-11T06:00:00Z', 1],
  ['in July', '2027-07-05T05:00:00Z', 0],
  ['in a week with one holiday', '2027-03-29T05:00:00Z', 1],
])('%s (%s): %d', async (_, at, expected) => {
  await reader('manager')
  desk.time.ms = Date.parse(at)
  await instance().run()
  expect(sent).toHaveLength(expected)
})

test('goes to who wants it and may read the page, and to nobody who is disabled; nor without a mail server', async () => {
  const wanted = [await reader('manager'), await reader('admin'), await reader('staff', ['sodra'])]
  await reader('manager', 'all', 'sv', false)
  await desk.person('week-unasked', 'manager', 'all')
  await desk.db
    .update(users)
    .set({ disabled: true })
    .where(eq(users.id, await reader('manager')))
  await instance(null).run()
  expect(sent).toEqual([])
  await instance().run()
  expect(sent.map(({ to }) => to).toSorted()).toEqual(wanted.map((id) => `${id}@skola.example`).toSorted())
})

test('has rounded numbers of one’s own schools for everybody, and nothing about a person', async () => {
  await reader('admin')
  await reader('manager', ['sodra'], 'en')
  await instance().run()
  const [all, own] = sent.toSorted((a, b) => (a.subject < b.subject ? -1 : 1))
  expect(all?.subject).toBe('Intag vecka 48: 275 anmälningar')
  expect(all?.text).toContain('Anmälningar hittills: 275')
  expect(all?.text).toContain('Frågor väntar på svar: 10')
  expect(all?.text).toContain('https://intag.example/account')
  expect(own?.subject).toBe('Intag week 48: 180 declarations')
  expect(own?.text).not.toContain('Åsö')
  expect(JSON.stringify(sent)).not.toMatch(/elsa|hemlig|häst|elev\.example/i)
})

test('arrives as text, and as the same in a page with its picture inside', async () => {
  const id = await reader('manager')
  const mailer = createMailer({ settings: server.settings, now: desk.parts.now, timeouts: SHORT })
  let mail: Mail | undefined
  await instance({ send: (one) => mailer.send((mail = one)) }).run()
  expect(server.taken).toHaveLength(1)
  const [{ to, text } = { to: [], text: '' }] = server.taken
  expect(to).toEqual([`${id}@skola.example`])
  for (const part of ['multipart/alternative', 'multipart/related', 'text/plain', 'text/html', 'image/png'])
    expect(text).toContain(`Content-Type: ${part}`)
  expect(text).toContain('Content-ID: <curve>')
  expect(text).toContain('Content-Disposition: inline; filename=curve.png')
  expect(text).toContain('List-Unsubscribe: <https://intag.example/account>')
  const { html = '', pictures = {} } = mail?.page ?? {}
  expect(html).toMatch(/<img src="cid:curve" width="600" height="260" alt="Kurvan: [^"]+"/)
  expect(html).toContain('Åsö &amp; &lt;b&gt;Söner&lt;/b&gt; minskar')
  expect(html).not.toMatch(/<b>|<script|<svg|https?:\/\/(?!intag\.example)/)
  const words = html
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll('&amp;', '&')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
  for (const line of mail?.text.split('\n').slice(0, 1) ?? []) expect(words).toContain(line)
  const picture = pictures['curve'] ?? Buffer.alloc(24)
  expect([picture.subarray(1, 4).toString(), picture.readUInt32BE(16), picture.readUInt32BE(20)]).toEqual([
    'PNG',
    1200,
    520,
  ])
})
