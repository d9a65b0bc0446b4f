import type { TestDesk } from '@/server/leads/testing/test-desk'
import { createLogger } from '@/server/logger'
import { createPlaces } from '@/server/turns'
import { createMailer } from '../mailer'
import { type openMailServer, SHORT } from './mail-server'

type Given = { desk: TestDesk; server: Awaited<ReturnType<typeof openMailServer>> }

/** One instance of Intag on the desk's database, which sends by this server; `lines` gets what it logs. */
export function replyInstance({ desk, server }: Given, lines: string[] = [], connect = desk.parts.connect) {
  const now = () => desk.time.ms
  const wait = () => new Promise((resolve) => setTimeout(resolve, 5))
  const mailer = createMailer({ settings: server.settings, now, timeouts: SHORT })
  const logger = createLogger({ logLevel: 'trace' }, { write: (line) => void lines.push(line) })
  const mailPlaces = createPlaces({ most: 20, mostOfEach: 5, retryAfterSeconds: 5 })
  return { ...desk.parts, connect, wait, mailer, mailPlaces, logger }
}
