import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createMailer } from '@/server/base/mailer'
import { mails } from '@/server/base/schema'
import { openMailServer } from '@/server/base/testing/mail-server'
import { testServices } from '@/server/testing/services'
import { acceptPasswordLink } from './invitations'
import { MAX_PER_RECIPIENT } from './mail-quota'
import { createUser, issueLink } from './manage-users'
import { PASSWORD, signInWorld } from './testing/sign-in-world'
import { requirePermission, makeViewer } from './viewer'

const boss = { id: 'admin', name: 'Anna <b>', email: 'anna@x.test', role: 'admin', schools: 'all' } as const
const admin = requirePermission(makeViewer(boss), 'admin')
const eva = { email: 'eva@x.test', name: 'Eva =1+1', role: 'staff' as const, schools: ['norra'] }
const { db, entries, parts: base } = signInWorld()
let server: Awaited<ReturnType<typeof openMailServer>>
beforeAll(async () => void (server = await openMailServer()))
afterAll(() => server.close())
beforeEach(() => void (server.taken.length = 0))
const withMail = (more: object = {}) =>
  testServices({ ...base, mailer: createMailer({ settings: server.settings }), ...more })
const withoutMail = () => withMail({ mailer: null })
const invite = (parts = withMail(), mail?: 'sv') => createUser(parts, admin, { ...eva, mail })
/** Of the mail that was taken, decoded from quoted-printable. */
const takenText = () => {
  const text = (server.taken[0]?.text ?? '').replaceAll(/=\r?\n/g, '')
  const bytes = text.replaceAll(/=([\dA-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString('utf8')
}

test('an invitation is mailed with who sent it and until when; the log has no link', async () => {
  const { id, inviteUrl, mail } = await invite(withMail(), 'sv')
  expect(mail).toEqual({ outcome: 'sent', detail: '' })
  expect(server.taken).toMatchObject([{ to: ['eva@x.test'], from: 'antagning@intag.example' }])
  const text = takenText()
  expect(text).toContain('Reply-To: anna@x.test')
  expect(text).toContain('Auto-Submitted: auto-generated')
  expect(text.split(inviteUrl)).toHaveLength(2)
  expect(text).toContain('Anna <b> har lagt till dig')
  expect(text).toMatch(/gäller till \S+ \d+ \S+ 2027 .*09:00/)
  expect(text, 'nothing that somebody wrote but the name of who invites').not.toContain('1+1')
  expect(await entries()).toEqual([
    ['user-created', 'admin', { user: id, role: 'staff' }],
    ['link-mailed', 'admin', { user: id, outcome: 'sent' }],
  ])
  const rows = JSON.stringify([await entries(), await db().select().from(mails)])
  for (const secret of [inviteUrl.split('#')[1], 'eva@x.test']) expect(rows).not.toContain(secret)
})

test('a reset is mailed in the language that was asked for; nothing is mailed unasked, nor without a mail server', async () => {
  expect(await invite(withoutMail(), 'sv')).not.toHaveProperty('mail')
  const { id, inviteUrl } = await createUser(withMail(), admin, { ...eva, email: 'bo@x.test' })
  expect(server.taken).toEqual([])
  await acceptPasswordLink(withMail(), null, { token: inviteUrl.split('#')[1] ?? '', password: PASSWORD })
  const reset = await issueLink(withMail(), admin, { id, mail: 'en' })
  expect(reset.mail).toEqual({ outcome: 'sent', detail: '' })
  expect(takenText()).toContain('Subject: New password in Intag')
  expect(takenText()).toContain(reset.inviteUrl)
})

test('a user of single sign-on gets the sign-in page, and nothing that expires', async () => {
  const { inviteUrl } = await invite(withMail({ env: { ...base.env, hasPasswordSignIn: false } }), 'sv')
  expect(inviteUrl).toBe('https://intag.test/signin')
  expect(takenText()).toContain('https://intag.test/signin')
  expect(takenText()).not.toContain('gäller till')
})

test('a refusal of the mail server is reported and logged; the account and its link are there', async () => {
  server.state.manner = 'refuses-recipient'
  const { id, mail } = await invite(withMail(), 'sv')
  server.state.manner = 'takes'
  expect(mail).toMatchObject({ outcome: 'recipient' })
  expect(await base.users.find(id)).toMatchObject({ email: 'eva@x.test' })
  expect((await entries()).at(-1)).toEqual(['link-mailed', 'admin', { user: id, outcome: 'recipient' }])
})

test('whatever fails on the way keeps no account from being made', async () => {
  const send = async () => Promise.reject(new Error('anything'))
  const made = await invite(withMail({ mailer: { send } }), 'sv')
  expect(made).toMatchObject({ mail: { outcome: 'unknown' }, inviteUrl: expect.stringContaining('#') })
})

test('above the limit of an hour the link is shown and not mailed', async () => {
  const { id } = await invite(withMail(), 'sv')
  for (let count = 1; count < MAX_PER_RECIPIENT.perHour; count++) await issueLink(withMail(), admin, { id, mail: 'sv' })
  const flooding = await issueLink(withMail(), admin, { id, mail: 'sv' })
  expect(flooding).toMatchObject({ mail: { outcome: 'too-many' }, inviteUrl: expect.stringContaining('#') })
  expect(server.taken).toHaveLength(MAX_PER_RECIPIENT.perHour)
})
