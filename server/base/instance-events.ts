import 'server-only'
import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { Client } from 'pg'
import { z } from 'zod'
import type { Connect } from './database'
import type { Logger } from './logger'
import { tryParseJson } from './parse-input'

export type InstanceEvents = ReturnType<typeof createInstanceEvents>

type EventDependencies = { connect: Connect; logger: Pick<Logger, 'warn'>; monotonic?: () => number }

type Topic<Message> = {
  schema: z.ZodType<Message>
  onMessage: (message: Message) => void
  /** Messages were lost, or may have been until now: what they would have invalidated is to be read again. */
  onGap?: () => void
  /** Their loss is no gap, since the next one replaces them. */
  isReplaceable?: boolean
}

const CHANNEL = 'intag'
const envelopeSchema = z.object({ from: z.string(), topic: z.string(), message: z.unknown() })

/**
 * Messages between instances, with ids alone, by LISTEN and NOTIFY. Each has a number, so that an instance that does not
 * hear them notices within two seconds that some are missing. Without an address there is PGlite, which no other
 * instance can open: nothing is sent or awaited.
 */
export function createInstanceEvents({ databaseUrl, ...parts }: EventDependencies & { databaseUrl: string | null }) {
  const self = randomUUID()
  const topics = new Map<string, { receive: (message: unknown) => void; onGap: () => void }>()
  const onGap = () => topics.forEach((topic) => topic.onGap())
  const receive = (text: string) => {
    const { data } = envelopeSchema.safeParse(tryParseJson(text))
    if (data && data.from !== self) topics.get(data.topic)?.receive(data.message)
  }
  const listener = databaseUrl === null ? null : createListener({ ...parts, databaseUrl, self, receive, onGap })
  return {
    /** Whether every message of other instances arrives here now; true when there can be none. */
    isListening: () => listener === null || listener.isReceiving(),
    /** Answers how to send; that resolves to whether the database has passed the message on. */
    registerTopic<Message>(
      name: string,
      { schema, onMessage, onGap: missed = () => {}, isReplaceable = false }: Topic<Message>,
    ) {
      const receiveOne = (message: unknown) => {
        const { success, data } = schema.safeParse(message)
        if (success) onMessage(data)
        else missed()
      }
      topics.set(name, { receive: receiveOne, onGap: missed })
      return async (message: Message): Promise<boolean> => {
        if (listener === null) return true
        const whole = JSON.stringify({ from: self, topic: name, message })
        // PostgreSQL refuses 8000 bytes and more; a message that no topic understands is a gap there.
        const isSmall = Buffer.byteLength(whole) <= 7_800
        const text = isSmall ? whole : JSON.stringify({ from: self, topic: name, message: null })
        const number = isReplaceable ? sql`''` : sql`nextval('event_number')`
        try {
          await (await parts.connect()).execute(sql`select pg_notify(${CHANNEL}, ${number} || ' ' || ${text}::text)`)
          return true
        } catch {
          return false
        }
      }
    },
    /** One round; to be called each second. */
    poll: async (): Promise<void> => listener?.look().catch(() => {}),
    close: (): void => listener?.close(),
  }
}

/** Within this time a message comes back, unless a pooler keeps LISTEN for itself. */
const SELF_TEST_MS = 2_000
const NOT_LISTENING_WARNING =
  'no messages of other instances arrive (does a pooler pool transactions?): the database is asked each second'
const numberSchema = z.object({ rows: z.tuple([z.object({ number: z.coerce.number() })]) })
const newestNumber = sql`(select case when is_called then last_value else 0 end from event_number)`

/** Has a connection of its own, since a pool lends each connection to many callers in turn. */
function createListener(
  options: EventDependencies & { databaseUrl: string; self: string; receive: (text: string) => void; onGap: () => void },
) {
  const { databaseUrl, connect, logger, self, receive, onGap, monotonic = () => performance.now() } = options
  let client: Client | null = null
  let isReceiving = false
  let isWarned = false
  let failures = 0
  let openedAt = 0
  let retryAt = -Infinity
  /** The newest number that was heard, and the newest that the database had given out when it was last asked. */
  let lastReceived = 0
  let lastIssued = 0

  function close(): void {
    const closing = client
    client = null
    closing?.end().catch(() => {})
  }
  function disconnect(): void {
    close()
    retryAt = monotonic() + Math.min(30_000, 500 * 2 ** failures++)
    isReceiving = false
  }
  function handleNotification(payload: string): void {
    const space = payload.indexOf(' ')
    const number = Number(payload.slice(0, space))
    const text = payload.slice(space + 1)
    lastReceived = Math.max(lastReceived, number)
    if (text !== self) return receive(text)
    isReceiving = true
    failures = 0
    lastReceived = number
    lastIssued = number
    onGap()
  }
  async function listen(): Promise<void> {
    const opening = new Client({ connectionString: databaseUrl, connectionTimeoutMillis: 3_000, keepAlive: true })
    opening.on('error', () => {})
    opening.on('end', () => client === opening && disconnect())
    opening.on('notification', ({ payload = '' }) => client === opening && handleNotification(payload))
    client = opening
    openedAt = monotonic()
    try {
      await opening.connect()
      await opening.query(`listen ${CHANNEL}`)
    } catch {
      if (client === opening) disconnect()
      return
    }
    // The first message is to itself, and through the pool, as those of other instances come.
    await (await connect()).execute(sql`select pg_notify(${CHANNEL}, ${newestNumber} || ' ' || ${self}::text)`)
  }
  async function poll(): Promise<void> {
    if (client === null && monotonic() >= retryAt) return listen()
    if (client !== null && !isReceiving && monotonic() - openedAt > SELF_TEST_MS) {
      if (!isWarned) logger.warn(NOT_LISTENING_WARNING)
      isWarned = true
      disconnect()
    }
    const db = await connect()
    const [{ number }] = numberSchema.parse(await db.execute(sql`select ${newestNumber} as number`)).rows
    // What was given out at the last look must have been heard by now.
    const isMissed = isReceiving ? lastIssued > lastReceived : number !== lastIssued
    lastIssued = number
    if (!isMissed) return
    if (isReceiving) disconnect()
    onGap()
  }

  return { isReceiving: () => isReceiving, look: poll, close }
}
