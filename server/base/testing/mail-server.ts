import { once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
import { SMTPServer } from 'smtp-server'
import type { MailSettings } from '../mail-settings'

type Behaviour = 'takes' | 'refuses-recipient' | 'refuses-sender' | 'dies-after'

type ReceivedMail = { from: string; to: string[]; text: string }

/** Opens an SMTP server in this process, which receives mail or fails. Its certificate is not trusted. */
export async function openMailServer({ tls = false } = {}) {
  const taken: ReceivedMail[] = []
  const state: { manner: Behaviour; slowMs: number } = { manner: 'takes', slowMs: 0 }
  const sockets = new Set<Socket>()
  const killAll = () => sockets.forEach((socket) => socket.destroy())
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: tls ? [] : ['STARTTLS'],
    allowInsecureAuth: true,
    logger: false,
    closeTimeout: 100,
    onAuth: ({ password }, _, callback) =>
      password === 'right' ? callback(null, { user: 'intag' }) : callback(createRefusal(535)),
    onMailFrom: (_, __, callback) => callback(state.manner === 'refuses-sender' ? createRefusal(550) : null),
    onRcptTo: (_, __, callback) => callback(state.manner === 'refuses-recipient' ? createRefusal(550) : null),
    onData: (stream, session, callback) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope
        const text = Buffer.concat(chunks).toString('utf8')
        taken.push({ from: mailFrom ? mailFrom.address : '', to: rcptTo.map(({ address }) => address), text })
        if (state.manner === 'dies-after') killAll()
        else setTimeout(callback, state.slowMs, null)
      })
    },
  })
  server.on('error', () => {})
  server.server.on('connection', (socket: Socket) => void sockets.add(socket))
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  const { port } = server.server.address() as AddressInfo
  const from = { name: 'Antagningen Åsö', address: 'antagning@intag.example' }
  const noTls = { secure: false, requireTLS: false, ignoreTLS: true }
  const settings: MailSettings = { host: '127.0.0.1', port, ...noTls, auth: undefined, from }
  const close = () => {
    killAll()
    return new Promise<void>((resolve) => server.close(() => resolve()))
  }
  return { taken, state, settings, close }
}

const createRefusal = (responseCode: number) => Object.assign(new Error('no'), { responseCode })
