import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { createMailer, type Mail } from './mailer'
import { openMailServer } from './testing/mail-server'

const words = { subject: 'Öppet hus', text: 'Hej Elsa!\nVälkommen.' }
const mail: Mail = { to: 'elsa@elev.example', ...words, key: 'abc123', purpose: 'reply' }
const SENT = { outcome: 'sent', detail: '' }
const SHORT = { connectionTimeout: 5_000, greetingTimeout: 300, socketTimeout: 500 }
const mailer = (change = {}) =>
  createMailer({ settings: { ...server.settings, ...change }, timeouts: SHORT, maxDeliveryMs: 900 })

const server = await openMailServer()
afterAll(() => server.close())
beforeEach(() => {
  server.state.manner = 'takes'
  server.taken.length = 0
})

/** Sends a mail to a server of the test's own. */
async function sendTo(onConnection: (socket: Socket) => void, settings = {}) {
  const own = createServer((socket) => onConnection(socket.on('error', () => {}))).listen(0, '127.0.0.1')
  await once(own, 'listening')
  const { port } = own.address() as AddressInfo
  const sent = await mailer({ port, ...settings }).send(mail)
  own.close()
  return sent
}

/** A server that gives one answer after the other: to EHLO, MAIL, RCPT, DATA and the text. */
const answering = (answers: readonly string[]) => (socket: Socket) => {
  const left = [...answers]
  socket.write('220 x\r\n')
  socket.on('data', () => socket.write(`${left.shift() ?? '250 x'}\r\n`))
}

/** The headers as a receiver has them: unfolded, by their names. */
function headersOf(text = ''): [name: string, value: string][] {
  const [head = ''] = text.split('\r\n\r\n')
  return head
    .replaceAll(/\r\n[ \t]/g, ' ')
    .split('\r\n')
    .map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 2)])
}

describe('a mail that is taken', () => {
  test('is plain text to one person, answers go to the school, and it says when no user wrote it', async () => {
    expect(await mailer().send({ ...mail, replyTo: 'norra@skola.example' })).toEqual(SENT)
    const [taken] = server.taken
    expect(taken).toMatchObject({ from: 'antagning@intag.example', to: ['elsa@elev.example'] })
    const headers = Object.fromEntries(headersOf(taken?.text))
    expect(headers).toMatchObject({
      to: 'elsa@elev.example',
      from: expect.stringContaining('<antagning@intag.example>'),
      'reply-to': 'norra@skola.example',
      'message-id': '<abc123@intag.example>',
      'content-type': 'text/plain; charset=utf-8',
    })
    expect(headers).not.toHaveProperty('auto-submitted')
    await mailer().send({ ...mail, purpose: 'link' })
    expect(headersOf(server.taken[1]?.text)).toContainEqual(['auto-submitted', 'auto-generated'])
  })

  test.each(['\r\n', '\n', '\r', '\u2028', '\u0085'])('takes no header from a subject with %j in it', async (end) => {
    const subject = `Hej${end}Bcc: spion@x.example${end}${end}Annan text`
    expect(await mailer().send({ ...mail, subject })).toEqual(SENT)
    const names = headersOf(server.taken[0]?.text).map(([name]) => name)
    expect(names).not.toContain('bcc')
    expect(names.filter((name) => name === 'subject')).toHaveLength(1)
    expect(server.taken[0]?.to).toEqual(['elsa@elev.example'])
  })

  const SEVERAL = ['a@x.se, b@x.se', 'a@x.se\r\nRCPT TO:<b@x.se>', '"b@x.se" <a@x.se>', 'a@x.se;b@x.se']
  test.each([...SEVERAL, 'a%y.se@x.se', 'y.se!a@x.se', ''])('goes to one plain address: %j is none', async (to) => {
    expect(await mailer().send({ ...mail, to })).toMatchObject({ outcome: 'recipient' })
    expect(server.taken).toEqual([])
  })

  test('ends its lines as the protocol does, whatever the text ends them with', async () => {
    await mailer().send({ ...mail, text: 'ett\r.\r\nMAIL FROM:<x@x.example>\rbb\n.\n\r' })
    const [, body = ''] = (server.taken[0]?.text ?? '').split(/\r\n\r\n(.*)/s)
    expect(body.replaceAll('\r\n', ' | ')).toBe('ett | . | MAIL FROM:<x@x.example> | bb | . |  | ')
    expect(server.taken).toHaveLength(1)
  })

  test('signs in where credentials are set', async () => {
    expect(await mailer({ auth: { user: 'intag', pass: 'right' } }).send(mail)).toEqual(SENT)
    expect(await mailer({ auth: { user: 'intag', pass: 'right' } }).verify()).toEqual(SENT)
    expect(server.taken, 'looking sends nothing').toHaveLength(1)
    const refused = { outcome: 'credentials', detail: 'EAUTH 535' }
    expect(await mailer({ auth: { user: 'intag', pass: 'wrong' } }).send(mail)).toMatchObject(refused)
  })
})

describe('a mail that is not taken', () => {
  const ok = '250 x'
  test.each([
    [[ok, '550 x'], 'refused', 'EENVELOPE 550'],
    [[ok, '451 4.7.1 x'], 'try-later', 'EENVELOPE 451 4.7.1'],
    [[ok, '530 5.7.57 x'], 'not-authenticated', 'EENVELOPE 530 5.7.57'],
    [[ok, ok, '550 x'], 'recipient', 'EENVELOPE 550'],
    [[ok, ok, '550 5.7.54 x'], 'refused', 'EENVELOPE 550 5.7.54'],
    [[ok, ok, ok, '354 x', '554 5.7.60 x'], 'send-as-denied', 'EMESSAGE 554 5.7.60'],
  ])('says what came of it where the server answers %j', async (answers, outcome, detail) => {
    expect(await sendTo(answering(answers))).toEqual({ outcome, detail })
  })

  test('because Microsoft 365 lets no account sign in with a password', async () => {
    const answers = ['250-x\r\n250 AUTH PLAIN', '535 5.7.139 basic authentication is disabled']
    const sent = await sendTo(answering(answers), { auth: { user: 'intag', pass: 'right' } })
    expect(sent).toEqual({ outcome: 'basic-auth-disabled', detail: 'EAUTH 535 5.7.139' })
  })

  test('where nobody listens, the server never begins, or TLS is demanded and not offered', async () => {
    const closed = await openMailServer()
    await closed.close()
    expect(await mailer({ port: closed.settings.port }).send(mail)).toMatchObject({ outcome: 'unreachable' })
    expect(await sendTo(() => {})).toEqual({ outcome: 'unreachable', detail: 'ETIMEDOUT' })
    const demanded = { requireTLS: true, ignoreTLS: false }
    expect(await mailer(demanded).send(mail)).toMatchObject({ outcome: 'refused', detail: 'ETLS 500' })
    expect(server.taken).toEqual([])
  })

  test('where the certificate is not trusted: the sender is not advised to try again', async () => {
    const other = await openMailServer({ tls: true })
    const { port } = other.settings
    const untrusted = { outcome: 'refused', detail: 'ETLS' }
    expect(await mailer({ port, requireTLS: true, ignoreTLS: false }).send(mail)).toEqual(untrusted)
    expect(await mailer({ port, secure: true }).send(mail), 'no TLS from the first byte').toEqual(untrusted)
    expect(other.taken).toEqual([])
    await other.close()
  })
})

test('a mail after which the connection broke, or that the server answers never or without an end, may have been taken', async () => {
  const untilText = ['250 x', '250 x', '250 x', '354 x']
  const endless = (socket: Socket) => {
    answering([...untilText, '250-x'])(socket)
    const timer = setInterval(() => socket.write('250-x\r\n'), 100)
    socket.on('close', () => clearInterval(timer))
  }
  server.state.manner = 'dies-after'
  for (const sent of [mailer().send(mail), sendTo(answering([...untilText, ''])), sendTo(endless)])
    expect(await sent).toMatchObject({ outcome: 'unknown' })
})
