import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { createMailer, type Mail, outcomeOf } from './mailer'
import { openMailServer, SHORT } from '@/server/leads/testing/mail-server'

const now = () => Date.UTC(2026, 10, 20, 8)
const words = { subject: 'Öppet hus', text: 'Hej Elsa!\nVälkommen.' }
const mail: Mail = { to: 'elsa@elev.example', ...words, key: 'abc123', purpose: 'reply' }
const mailer = (change = {}) => createMailer({ settings: { ...server.settings, ...change }, now, timeouts: SHORT })

const server = await openMailServer()
afterAll(() => server.close())
beforeEach(() => {
  server.state.manner = 'takes'
  server.taken.length = 0
})

/** Sends a mail to a server of the test's own. */
async function sendTo(answer: (socket: Socket) => void, change: Partial<Mail> = {}) {
  const own = createServer(answer).listen(0, '127.0.0.1')
  await once(own, 'listening')
  const { port } = own.address() as AddressInfo
  const sent = await mailer({ port }).send({ ...mail, ...change })
  own.close()
  return sent
}

/** The headers as a receiver has them: unfolded, by their names. */
function headersOf(text: string): [name: string, value: string][] {
  const [head = ''] = text.split('\r\n\r\n')
  return head
    .replaceAll(/\r\n[ \t]/g, ' ')
    .split('\r\n')
    .map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 2)])
}
const header = (name: string, text = server.taken[0]?.text ?? '') =>
  headersOf(text).flatMap(([found, value]) => (found === name ? [value] : []))

describe('a mail that is taken', () => {
  test('is plain text from our address to one person, and answers go to the school', async () => {
    expect(await mailer().send({ ...mail, replyTo: 'norra@skola.example' })).toEqual({ ok: true })
    const [taken] = server.taken
    expect(taken).toMatchObject({ from: 'antagning@intag.example', to: ['elsa@elev.example'] })
    expect(header('to')).toEqual(['elsa@elev.example'])
    expect(header('reply-to')).toEqual(['norra@skola.example'])
    expect(header('from')[0]).toContain('<antagning@intag.example>')
    expect(header('message-id')).toEqual(['<abc123@intag.example>'])
    expect(header('content-type')).toEqual(['text/plain; charset=utf-8'])
    expect(header('date')[0]).toContain('20 Nov 2026 08:00:00')
    expect(header('auto-submitted')).toEqual([])
  })

  test.each(['link', 'test'] as const)('that nobody wrote says so: %s', async (purpose) => {
    await mailer().send({ ...mail, purpose })
    expect(header('auto-submitted')).toEqual(['auto-generated'])
  })

  test.each(['\r\n', '\n', '\r', '\u2028', '\u0085'])('takes no header from a subject with %j in it', async (end) => {
    const subject = `Hej${end}Bcc: spion@x.example${end}${end}Annan text`
    expect(await mailer().send({ ...mail, subject })).toEqual({ ok: true })
    const names = headersOf(server.taken[0]?.text ?? '').map(([name]) => name)
    expect(names).not.toContain('bcc')
    expect(names.filter((name) => name === 'subject')).toHaveLength(1)
    expect(server.taken[0]?.to).toEqual(['elsa@elev.example'])
  })

  const several = ['a@x.se, b@x.se', 'a@x.se\r\nRCPT TO:<b@x.se>', '"b@x.se" <a@x.se>', 'a@x.se;b@x.se']
  test.each([...several, 'x', 'a%y.se@x.se', 'a@y.se@x.se', 'y.se!a@x.se', ''])(
    'goes to one plain address: %j is none',
    async (to) => {
      expect(await mailer().send({ ...mail, to })).toMatchObject({ ok: false, kind: 'recipient' })
      expect(server.taken).toEqual([])
    },
  )

  test('ends its lines as the protocol does, whatever the text ends them with', async () => {
    await mailer().send({ ...mail, text: 'ett\r.\r\nMAIL FROM:<x@x.example>\rbb\n.\n\r' })
    const [, body = ''] = (server.taken[0]?.text ?? '').split(/\r\n\r\n(.*)/s)
    expect(body.replaceAll('\r\n', ' | ')).toBe('ett | . | MAIL FROM:<x@x.example> | bb | . |  | ')
    expect(server.taken).toHaveLength(1)
  })

  test('goes to a domain with å in the spelling that every server knows', async () => {
    const lines: string[] = []
    const refusing = (socket: Socket) => {
      socket.write('220 x\r\n')
      socket.on('data', (line) => socket.write(lines.push(String(line)) < 3 ? '250 x\r\n' : '550 x\r\n'))
    }
    await sendTo(refusing, { to: 'info@skolaåsö.example' })
    expect(lines[2]).toBe('RCPT TO:<info@xn--skolas-mua1l.example>\r\n')
  })

  test('signs in where credentials are set', async () => {
    expect(await mailer({ auth: { user: 'intag', pass: 'right' } }).send(mail)).toEqual({ ok: true })
    expect(await mailer({ auth: { user: 'intag', pass: 'right' } }).check()).toEqual({ ok: true })
    expect(server.taken, 'looking sends nothing').toHaveLength(1)
    const refused = { ok: false, kind: 'refused', detail: 'EAUTH 535' }
    expect(await mailer({ auth: { user: 'intag', pass: 'wrong' } }).send(mail)).toEqual(refused)
  })
})

describe('a mail that is not taken', () => {
  const failed = async (manner: typeof server.state.manner) => {
    server.state.manner = manner
    return mailer().send(mail)
  }

  /** A server that answers each line as here, one after the other: HELO, MAIL, RCPT, DATA, the text. */
  const answered = async (...answers: string[]) => {
    const sent = await sendTo((socket) => {
      const left = [...answers]
      socket.write('220 x\r\n')
      socket.on('data', () => socket.write(`${left.shift() ?? '250'} x\r\n`))
    })
    return sent.ok ? sent : { ...sent, outcome: outcomeOf(sent) }
  }

  test.each([
    [['250', '550'], 'refused', 'EENVELOPE 550', 'refused'],
    [['250', '451'], 'refused', 'EENVELOPE 451', 'try-later'],
    [['250', '250', '550'], 'recipient', 'EENVELOPE 550', 'recipient'],
    [['250', '250', '421'], 'recipient', 'EENVELOPE 421', 'try-later'],
    [['250', '250', '450'], 'recipient', 'EENVELOPE 450', 'try-later'],
    [['250', '250', '250', '554'], 'refused', 'EMESSAGE 554', 'refused'],
    [['250', '250', '250', '451'], 'refused', 'EMESSAGE 451', 'try-later'],
    [['250', '250', '250', '354', '552'], 'refused', 'EMESSAGE 552', 'refused'],
    [['250', '250', '250', '354', '452'], 'refused', 'EMESSAGE 452', 'try-later'],
  ] as const)('says what came of it where the server answers %j', async (answers, kind, detail, outcome) => {
    expect(await answered(...answers)).toEqual({ ok: false, kind, detail, outcome })
  })

  test('because of silence was too slow', async () => {
    expect(await failed('hangs')).toEqual({ ok: false, kind: 'timed-out', detail: 'ETIMEDOUT' })
  })

  test('because the server went away is certain before the text was given, and unsure after it', async () => {
    expect(await failed('dies-before')).toMatchObject({ ok: false, kind: 'unreachable' })
    expect(server.taken).toHaveLength(0)
    expect(await failed('dies-after')).toMatchObject({ ok: false, kind: 'unsure' })
    expect(server.taken).toHaveLength(1)
  })

  test('because its answer has no end, before it keeps the process from everything else', async () => {
    const sent = await sendTo((socket) => {
      const more = () => {
        while (socket.write(`250-${'x'.repeat(60_000)}\r\n`));
      }
      socket.on('error', () => {}).on('drain', more)
      more()
    })
    expect(sent).toEqual({ ok: false, kind: 'refused', detail: 'EPROTOCOL' })
  })

  test('where nobody listens, or TLS is demanded and not offered', async () => {
    const closed = await openMailServer()
    await closed.close()
    expect(await mailer({ port: closed.settings.port }).send(mail)).toMatchObject({ kind: 'unreachable' })
    const demanded = { requireTls: true, ignoreTls: false }
    expect(await mailer(demanded).send(mail)).toMatchObject({ ok: false, kind: 'refused', detail: 'ETLS 500' })
    expect(server.taken).toEqual([])
  })

  test('where the certificate is not believed: the sender is not advised to try again', async () => {
    const other = await openMailServer({ tls: true })
    const { port } = other.settings
    const untrusted = { ok: false, kind: 'refused', detail: 'ETLS' }
    expect(await mailer({ port, requireTls: true, ignoreTls: false }).send(mail)).toEqual(untrusted)
    expect(await mailer({ port, secure: true }).send(mail), 'no TLS from the first byte').toEqual(untrusted)
    expect(other.taken).toEqual([])
    await other.close()
  })
})
