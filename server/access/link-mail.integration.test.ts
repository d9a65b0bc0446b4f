import { asc } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { PASSWORD, signInWorld } from './testing/sign-in-world'
import { allow, makeViewer } from './viewer'
import { activity, mails } from '@/server/base/schema'
import { createMailer } from '@/server/base/mailer'
import { openMailServer } from '@/server/base/testing/mail-server'
import { createUser, issueLink } from './administration'
import { acceptInvitation } from './invitations'
import { testServices } from '@/server/testing/services'
import { MAX_ABOUT_ONE, MAX_PER_HOUR } from './mail-quota'

const boss = { id: 'admin', name: 'Anna <b>', email: 'anna@x.test', role: 'admin', schools: 'all' } as const
const admin = allow(makeViewer(boss), 'admin')
const eva = { email: 'eva@x.test', name: 'Eva =1+1', role: 'staff' as const, schools: ['norra'] }
const { db, parts: base } = signInWorld()
let server: Awaited<ReturnType<typeof openMailServer>>
beforeAll(async () => {
  server = await openMailServer()
})
afterAll(() => server.close())
beforeEach(async () => {
  server.taken.length = 0
  server.state.manner = 'takes'
  await db().delete(mails)
})
const withMail = (more: object = {}) =>
  testServices({
    ...base,
    env: { ...base.env, auth: { url: 'https://intag.test', secret: '' } },
    mailer: createMailer({ settings: server.settings }),
    ...more,
  })
const invite = (more: { email?: string; mail?: 'sv' | 'en' } = {}, parts = withMail()) =>
  createUser(parts, admin, { ...eva, mail: 'sv', ...more })
const logged = async () => {
  const rows = await db().select().from(activity).orderBy(asc(activity.id))
  return rows.map(({ action, details }) => [action, details])
}
/** Each part, decoded from quoted-printable. */
const decoded = (text: string) =>
  Buffer.from(
    text
      .replaceAll(/=\r?\n/g, '')
      .replaceAll(/=([\dA-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16))),
    'latin1',
  ).toString('utf8')

test('an invitation is mailed with who sent it and until when; the log has no link', async () => {
  const { id, inviteUrl, mail } = await invite()
  expect(mail).toEqual({ outcome: 'sent', detail: '' })
  const [taken] = server.taken
  expect(taken).toMatchObject({ to: ['eva@x.test'], from: 'antagning@intag.example' })
  const text = decoded(taken?.text ?? '')
  expect(text).toContain('Subject: Inbjudan till Intag')
  expect(text).toContain('Reply-To: anna@x.test')
  expect(text).toContain('Auto-Submitted: auto-generated')
  expect(text.split(inviteUrl)).toHaveLength(2)
  expect(text).toContain('Anna <b> har lagt till dig')
  expect(text).toMatch(/gäller till \S+ \d+ \S+ 2027 .*09:00/)
  expect(text, 'nothing that somebody wrote but the name of who invites').not.toContain('1+1')
  expect(await logged()).toEqual([
    ['user-created', { user: id, role: 'staff' }],
    ['link-mailed', { user: id, outcome: 'sent' }],
  ])
  const rows = JSON.stringify([await logged(), await db().select().from(mails)])
  expect(rows).not.toContain(inviteUrl.split('#')[1])
  expect(rows).not.toContain('eva@x.test')
})

test('a reset is mailed in the language that was asked for, and a day is what it says', async () => {
  const { id, inviteUrl } = await invite({}, withMail({ mailer: null }))
  await acceptInvitation(withMail(), null, { token: inviteUrl.split('#')[1] ?? '', password: PASSWORD })
  const reset = await issueLink(withMail(), admin, { id, mail: 'en' })
  expect(reset.mail).toEqual({ outcome: 'sent', detail: '' })
  const text = decoded(server.taken[0]?.text ?? '')
  expect(text).toContain('Subject: New password in Intag')
  expect(text).toContain(reset.inviteUrl)
  expect(text).toMatch(/valid until .* at 09:00/)
})

test('whoever signs in with the organisation’s account gets the page, and nothing that expires', async () => {
  const env = { ...withMail().env, passwordSignIn: false }
  const { inviteUrl } = await invite({}, withMail({ env }))
  expect(inviteUrl).toBe('https://intag.test/signin')
  const text = decoded(server.taken[0]?.text ?? '')
  expect(text).toContain('https://intag.test/signin')
  expect(text).not.toContain('gäller till')
})

test('nothing is mailed unless it is asked for, nor without a mail server', async () => {
  expect(await createUser(withMail(), admin, eva)).not.toHaveProperty('mail')
  expect(await invite({ email: 'bo@x.test' }, withMail({ mailer: null }))).not.toHaveProperty('mail')
  expect(server.taken).toEqual([])
})

test.each([
  ['refuses-recipient', 'recipient', 'EENVELOPE 550'],
  ['refuses-sender', 'refused', 'EENVELOPE 550'],
  ['dies-after', 'unknown', 'ECONNECTION'],
] as const)(
  'a mail server that %s is told as it is: the account is there, and the link',
  async (manner, outcome, detail) => {
    server.state.manner = manner
    const { id, inviteUrl, mail } = await invite()
    expect(mail).toEqual({ outcome, detail })
    expect(await base.users.find(id)).toMatchObject({ email: 'eva@x.test' })
    expect(inviteUrl).toMatch(/#[\w-]{43}$/)
    expect((await logged()).at(-1)).toEqual(['link-mailed', { user: id, outcome }])
    expect(await db().select().from(mails)).toMatchObject([{ state: outcome, about: `user ${id}` }])
  },
)

test('a mail server that is down, or a database that fails afterwards, keeps no account from being made', async () => {
  const down = await invite({}, withMail({ mailer: createMailer({ settings: { ...server.settings, port: 1 } }) }))
  expect(down).toMatchObject({ mail: { outcome: 'unreachable' }, inviteUrl: expect.stringContaining('#') })
  const send = async () => Promise.reject(new Error('anything'))
  const failing = await invite({ email: 'bo@x.test' }, withMail({ mailer: { send } }))
  expect(failing).toMatchObject({ mail: { outcome: 'unknown' }, inviteUrl: expect.stringContaining('#') })
})

test('above the limits of an hour the link is shown and not mailed', async () => {
  const { id, mail } = await invite()
  expect(mail?.outcome).toBe('sent')
  for (let count = 1; count < MAX_ABOUT_ONE.anHour; count++) await issueLink(withMail(), admin, { id, mail: 'sv' })
  const flooding = await issueLink(withMail(), admin, { id, mail: 'sv' })
  expect(flooding).toMatchObject({ mail: { outcome: 'too-many' }, inviteUrl: expect.stringContaining('#') })
  expect(server.taken).toHaveLength(MAX_ABOUT_ONE.anHour)
  const row = { at: new Date(base.now()), state: 'sending' as const, sender: 'link admin' }
  await db()
    .insert(mails)
    .values(Array.from({ length: MAX_PER_HOUR.link }, (_, at) => ({ key: `link-${at}`, ...row })))
  expect(await invite({ email: 'bo@x.test' })).toMatchObject({ mail: { outcome: 'too-many' } })
})
